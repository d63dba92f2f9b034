"""Eight phones at one table, all recording the same play over HTTP on a real server.

Answers are lost, requests are sent twice, and a server process is killed every half second. Each move must be
recorded exactly once."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection, HTTPException
from random import Random
from select import select
from threading import Event
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlsplit
from uuid import uuid4

from tests.servers import Served
from tests.soak.phones.played import Happening, evening
from tests.soak.phones.queue import Entry, Fate, Queue
from tests.soak.phones.witness import Violation, demand
from tests.soak.running import Progress, Result, on_disk
from tests.web.phones import new_night

Data = dict[str, Any]

NIGHTS = "/api/v1/nights"
LOST, TWICE = 0.15, 0.1
"""The share of requests whose answer is lost, and the share of the rest that are sent twice."""
PATIENCE = 30
"""Timeout of a request, in seconds."""
SERVER = {"TIENLEN_KEY": "5a" * 32, "TIENLEN_PROXIES": "1"}
"""Environment of the server. It trusts one proxy, so that each phone has its own address (X-Forwarded-For)."""
NEW_IDS = "a new id for every try"


class Answer(NamedTuple):
    status: int
    data: Data


@dataclass(frozen=True, slots=True)
class Line:
    """The connection from one phone to the server."""

    address: str
    number: int
    token: str = ""

    def ask(self, method: str, path: str, body: str | None = None, *, heard: bool = True) -> Answer | None:
        """Send a request and return its answer; None without an answer, or if it is not `heard`."""
        connection = HTTPConnection(urlsplit(self.address).netloc, timeout=PATIENCE)
        headers = {"Content-Type": "application/json", "X-Forwarded-For": f"192.0.2.{self.number + 1}"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        try:
            connection.request(method, path, body, headers)
            if not heard:
                select([connection.sock], [], [], PATIENCE)  # the answer has arrived, and is not read
                return None
            with connection.getresponse() as response:
                return Answer(response.status, json.loads(response.read()))
        except (OSError, HTTPException):
            return None
        finally:
            connection.close()


@dataclass
class Night:
    """State shared by the phones: the night's id and token, the play, the failure rates, and the stop signal."""

    address: str
    id: str
    token: str
    played: list[Happening]
    lost: float = LOST
    twice: float = TWICE
    stop: Event = field(default_factory=Event)
    weather: Counter[str] = field(default_factory=Counter)


class Phone:
    """One keeper's phone. It enters what was played and is not yet in the log."""

    def __init__(self, night: Night, number: int, moves: int, seed: int, defect: str) -> None:
        self.night, self.moves = night, moves
        self.line = Line(night.address, number, night.token)
        self.queue = Queue(lambda: str(uuid4()))
        self.made: list[Entry] = []
        self.log: list[Data] = []
        self.weather: Counter[str] = Counter()
        self._chance = Random(f"{seed} {number}")
        self._renames = defect == NEW_IDS

    @property
    def recorded(self) -> int:
        return sum(entry.fate is Fate.RECORDED for entry in self.made)

    def goes_on(self) -> None:
        """Record until this phone's share or the whole play is recorded, or another phone finds a violation."""
        try:
            while self.recorded < self.moves and len(self.log) < len(self.night.played):
                if self.night.stop.wait(self._chance.uniform(0, 0.02)):
                    return
                if self._look():
                    self._enter()
                self._send_all()
        except BaseException:
            self.night.stop.set()
            raise

    def _look(self) -> bool:
        """Read the new entries of the log. Returns whether there was an answer."""
        answer = self.line.ask("GET", f"{NIGHTS}/{self.night.id}/events?after={len(self.log)}")
        if answer is None or answer.status in (429, 503):
            return False
        demand(answer.status == 200, f"the log is answered with {answer}")
        self.log += answer.data["events"]
        self.queue.forget(len(self.log), {event["id"] for event in self.log})
        return True

    def _enter(self) -> None:
        """Enter up to three happenings that are not in the log."""
        entries = self.queue.entries
        at = entries[-1].about + 1 if entries else len(self.log)
        share = self.moves - self.recorded - len(self.queue.waiting)
        for number in range(at, min(at + min(self._chance.randint(1, 3), share), len(self.night.played))):
            happened = self.night.played[number]
            shown = self.log[-1]["id"] if self.log else self.night.id
            self.made.append(self.queue.add(happened.kind, happened.content, shown, number))

    def _send_all(self) -> None:
        while (waiting := self.queue.waiting) and not self.night.stop.is_set():
            entry = waiting[0]
            answer = self._sent(entry)
            if answer is None or answer.status in (429, 503):
                # No answer, or a request to wait: send the same again.
                self._renamed(entry)
                self.night.stop.wait(0.2 if answer else 0)
            elif answer.status in (200, 201):
                self.queue.recorded(entry, answer.data["seq"])
            else:
                self._decide(entry, answer)
                return

    def _sent(self, entry: Entry) -> Answer | None:
        request = {"id": entry.id, "after": entry.after, "kind": entry.kind, **entry.content}
        body, path = json.dumps(request), f"{NIGHTS}/{self.night.id}/events"
        self.weather["requests"] += 1
        if self._chance.random() < self.night.lost:
            self.weather["answers lost"] += 1
            return self.line.ask("POST", path, body, heard=False)
        if self._chance.random() >= self.night.twice:
            return self.line.ask("POST", path, body)
        self.weather["sent twice"] += 1
        with ThreadPoolExecutor(2) as both:
            one, other = both.map(lambda _: self.line.ask("POST", path, body), range(2))
        if one and other and one.status < 300 and other.status < 300:
            same = (one.data["seq"], one.data["hash"]) == (other.data["seq"], other.data["hash"])
            demand(same, "one request has two answers")
        return one

    def _decide(self, entry: Entry, answer: Answer) -> None:
        """Resolve a conflict as a person would: drop the waiting entries that are recorded by now, and keep the
        rest only if it continues the log."""
        code = answer.data.get("code")
        demand(code == "stale", f"an entry is answered with {answer}")
        self.weather["conflicts"] += 1
        while not self._look() and not self.night.stop.is_set():
            pass
        demand(all(event["id"] not in entry.ids for event in self.log), "in conflict with itself")
        waiting = self.queue.waiting
        there = sum(each.about < len(self.log) for each in waiting)
        fits = [each.about for each in waiting[there:]][:1] == [len(self.log)]
        self.queue.drop(there if fits else len(waiting))
        if fits:
            self.weather["went on"] += 1
            self.queue.keep(self.log[-1]["id"])

    def _renamed(self, entry: Entry) -> None:
        if self._renames:
            entry.ids.append(str(uuid4()))


def crowd(
    address: str,
    *,
    phones: int,
    moves: int,
    seed: int = 1,
    lost: float = LOST,
    twice: float = TWICE,
    defect: str = "",
    kill: Callable[[Random], bool] | None = None,
) -> Night:
    """Let `phones` record `moves` each, calling `kill` every half second. Raises Violation unless each move is
    recorded exactly once."""
    night = replace(_opened(address, phones * moves, seed), lost=lost, twice=twice)
    all_phones = [Phone(night, number, moves, seed, defect) for number in range(phones)]
    with ThreadPoolExecutor(phones) as pool:
        running = [pool.submit(phone.goes_on) for phone in all_phones]
        chance, say = Random(seed), Progress(phones * moves, "moves")
        while not all(one.done() for one in running):
            say(sum(phone.recorded for phone in all_phones))
            time.sleep(0.5)
            if kill is not None and kill(chance):
                night.weather["processes killed"] += 1
        for one in running:
            one.result()
    for phone in all_phones:
        night.weather += phone.weather
    _check(night, all_phones)
    return night


def _opened(address: str, length: int, seed: int) -> Night:
    request = new_night()
    answer = None
    while answer is None:
        answer = Line(address, 0).ask("POST", NIGHTS, json.dumps(request))
    demand(answer.status in (200, 201), f"a night is answered with {answer}")
    played = evening(Random(seed), "southern-classic", length)
    return Night(address, answer.data["id"], answer.data["tokens"]["keeper"], played)


def _check(night: Night, phones: list[Phone]) -> None:
    """Check that acknowledged entries are recorded once, dropped ones never, and that the log equals the play."""
    log = [json.loads(event["body"]) for event in _whole_log(night)]
    recorded = [(body["kind"], _plain(body["content"])) for body in log]
    demand(recorded == [(one.kind, _plain(one.content)) for one in night.played], "not as it was played")
    seqs = {body["id"]: body["seq"] for body in log}
    demand(len(seqs) == len(log), "an id is there twice")
    made = [entry for phone in phones for entry in phone.made]
    for entry in made:
        there = [seqs[id] for id in entry.ids if id in seqs]
        demand(
            len(there) == (entry.fate is Fate.RECORDED), f"{entry.fate.value}, and there {len(there)} times"
        )
        demand(entry.seq in (None, *there), "acknowledged as another entry")
    demand(len(log) == sum(entry.fate is Fate.RECORDED for entry in made), "recorded, and by nobody")
    demand(all(not sum(body["net"].values()) for body in log), "balances do not sum to 0")


def _whole_log(night: Night) -> list[Data]:
    line, events = Line(night.address, 0, night.token), list[Data]()
    while True:
        answer = line.ask("GET", f"{NIGHTS}/{night.id}/events?after={len(events)}")
        if answer is not None and answer.status == 200:
            events += answer.data["events"]
            if len(events) == answer.data["seq"]:
                return events


def _plain(content: Data) -> str:
    return json.dumps(content, sort_keys=True)


def audited(database: str, night: str) -> bool:
    """Whether `tienlen audit` finds no difference in the night."""
    command = [sys.executable, "-c", "from ledger.cli import main; main()"]
    arguments = ["--database", database, "audit", "--night", night]
    return not subprocess.run([*command, *arguments], env=os.environ | SERVER, check=False).returncode


def soak(
    *,
    phones: int = 8,
    moves: Annotated[int, "that each of them records"] = 150,
    workers: Annotated[int, "processes of the server"] = 4,
    seed: int = 1,
    database: Annotated[str, "where the night is kept; otherwise a SQLite file of its own"] = "",
    defect: Annotated[str, (NEW_IDS,), "plant it, and see it found"] = "",
) -> Result:
    """Let phones record one night at once, while processes are killed."""
    with on_disk() as folder, Served(folder, database or None, workers=workers, environment=SERVER) as served:
        how: Any = {"seed": seed, "defect": defect, "kill": served.kill_worker}
        try:
            night = crowd(served.address, phones=phones, moves=moves, **how)
        except Violation as violation:
            return Result(f"{phones} phones, each with {moves} moves", [violation])
        clean = audited(served.database, night.id)
    weather = ", ".join(f"{what}: {often}" for what, often in sorted(night.weather.items()))
    figures = f"{len(night.played)} moves of {phones} phones, each recorded once; {weather}"
    return Result(figures, [] if clean else ["the audit finds differences"])
