"""Eight phones at one table, all recording the same play over HTTP on a real server. Answers are lost, requests are
sent twice, and a server process is killed after every so many answers; each move must be recorded exactly once."""

import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from random import Random
from select import select
from threading import Event
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from tests.nights import Data, new_id
from tests.processes import wait_for
from tests.recorder.tables import KEY
from tests.servers import Served
from tests.soak.faults.moves import audited
from tests.soak.phones.phone import Answer
from tests.soak.phones.played import Happening, evening
from tests.soak.phones.queue import Entry, Fate, Queue
from tests.soak.phones.witness import Violation, demand
from tests.soak.running import Progress, Tally, scratch
from tests.web.phones import NIGHTS, new_night

LOST, TWICE = 0.15, 0.1  # the shares of answers that are lost, and of other requests that are sent twice
BETWEEN_KILLS: Final = 50  # answers
SERVER: Final = {"TIENLEN_KEY": KEY.hex(), "TIENLEN_PROXIES": "1"}
"""Environment of the server. It trusts one proxy, so that each phone has its own address (X-Forwarded-For)."""
NEW_IDS: Final = "a new id for every try"


@dataclass
class Night:
    """State shared by the phones: the night's id and token, the play, the failure rates, the number of answers that
    were heard, and the stop signal."""

    address: str
    played: list[Happening]
    lost: float = LOST
    twice: float = TWICE
    id: str = ""
    token: str = ""
    answers: int = 0
    stop: Event = field(default_factory=Event)
    weather: Counter[str] = field(default_factory=Counter)

    def ask(
        self, phone: int, path: str = "", request: Data | None = None, *, heard: bool = True
    ) -> Answer | None:
        """Send a request of a phone and return its answer; None without an answer, or if it is not `heard`."""
        headers = {"Content-Type": "application/json", "X-Forwarded-For": f"192.0.2.{phone + 1}"}
        headers |= {"Authorization": f"Bearer {self.token}"} if self.token else {}
        body = json.dumps(request) if request else None
        with closing(HTTPConnection(urlsplit(self.address).netloc)) as connection:
            try:
                connection.request("POST" if request else "GET", f"{NIGHTS}{path}", body, headers)
                if not heard:
                    select([connection.sock], [], [])  # the answer has arrived, and is not read
                    return None
                with connection.getresponse() as response:
                    answer = Answer(response.status, json.loads(response.read()))
                self.answers += 1  # one that is lost where two threads count delays a kill
                return answer
            except (OSError, HTTPException):
                return None

    def open(self) -> None:
        request, answer = new_night(), None
        while answer is None:
            answer = self.ask(0, "", request)
        demand(answer.recorded, f"a night is answered with {answer}")
        self.id, self.token = answer.data["id"], answer.data["tokens"]["keeper"]

    def log(self, phone: int, after: int) -> Answer | None:
        return self.ask(phone, f"/{self.id}/events?after={after}")

    def whole_log(self) -> list[Data]:
        events = list[Data]()
        while True:
            answer = self.log(0, len(events))
            if answer is not None and answer.status == 200:
                events += answer.data["events"]
                if len(events) == answer.data["seq"]:
                    return events


class Phone:
    """One keeper's phone. It enters what was played and is not yet in the log."""

    def __init__(self, night: Night, number: int, moves: int, seed: int, defect: str) -> None:
        self.night, self.number, self.moves = night, number, moves
        self.queue = Queue(new_id)
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
        answer = self.night.log(self.number, len(self.log))
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
                entry.ids += [new_id()] if self._renames else []
                self.night.stop.wait(0.2 if answer else 0)
            elif answer.recorded:
                entry.fate, entry.seq = Fate.RECORDED, answer.data["seq"]
            else:
                self._decide(entry, answer)
                return

    def _sent(self, entry: Entry) -> Answer | None:
        request = {"id": entry.id, "after": entry.after, "kind": entry.kind, **entry.content}
        self.weather["requests"] += 1

        def send(*, heard: bool = True) -> Answer | None:
            return self.night.ask(self.number, f"/{self.night.id}/events", request, heard=heard)

        if self._chance.random() < self.night.lost:
            self.weather["answers lost"] += 1
            return send(heard=False)
        if self._chance.random() >= self.night.twice:
            return send()
        self.weather["sent twice"] += 1
        with ThreadPoolExecutor(2) as both:
            one, other = both.map(lambda _: send(), range(2))
        if one and other and one.recorded and other.recorded:
            same = (one.data["seq"], one.data["hash"]) == (other.data["seq"], other.data["hash"])
            demand(same, "one request has two answers")
        return one

    def _decide(self, entry: Entry, answer: Answer) -> None:
        """Resolve a conflict as a person would: drop the waiting entries that are recorded by now, and keep the
        rest only if it continues the log."""
        demand(answer.data.get("code") == "stale", f"an entry is answered with {answer}")
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
    between_kills: int = BETWEEN_KILLS,
) -> Night:
    """Let `phones` record `moves` each, calling `kill` after every so many answers, and check the log. Raises
    Violation; AssertionError if there are no more answers."""
    night = Night(address, evening(Random(seed), "southern-classic", phones * moves), lost, twice)
    night.open()
    all_phones = [Phone(night, number, moves, seed, defect) for number in range(phones)]
    with ThreadPoolExecutor(phones) as pool:
        running = [pool.submit(phone.goes_on) for phone in all_phones]
        chance, say = Random(seed), Progress(phones * moves, "moves")
        next_kill = night.answers + between_kills

        def ended() -> bool:
            nonlocal next_kill
            say(sum(phone.recorded for phone in all_phones))
            if kill is not None and night.answers >= next_kill and kill(chance):
                night.weather["processes killed"] += 1
                next_kill = night.answers + between_kills
            return all(one.done() for one in running)

        try:
            wait_for(ended, happened=lambda: night.answers)
        finally:
            night.stop.set()
        for one in running:
            one.result()
    for phone in all_phones:
        night.weather += phone.weather
    _check(night, [entry for phone in all_phones for entry in phone.made])
    return night


def _check(night: Night, made: list[Entry]) -> None:
    """Check that acknowledged entries are recorded once, dropped ones never, and that the log equals the play."""
    log = [json.loads(event["body"]) for event in night.whole_log()]
    recorded = [(body["kind"], body["content"]) for body in log]
    demand(recorded == [(one.kind, one.content) for one in night.played], "not as it was played")
    seqs = {body["id"]: body["seq"] for body in log}
    demand(len(seqs) == len(log), "an id is there twice")
    for entry in made:
        there = [seqs[id] for id in entry.ids if id in seqs]
        once = len(there) == (entry.fate is Fate.RECORDED)
        demand(once, f"{entry.fate.value}, and there {len(there)} times")
        demand(entry.seq in (None, *there), "acknowledged as another entry")
    demand(len(log) == sum(entry.fate is Fate.RECORDED for entry in made), "recorded, and by nobody")
    demand(all(not sum(body["net"].values()) for body in log), "balances do not sum to 0")


def soak(
    *,
    phones: int = 8,
    moves: Annotated[int, "that each of them records"] = 150,
    workers: Annotated[int, "processes of the server"] = 4,
    seed: int = 1,
    database: Annotated[str, "where the night is kept; otherwise a SQLite file of its own"] = "",
    defect: Annotated[str, (NEW_IDS,), "plant it, and see it found"] = "",
) -> Tally:
    """Let phones record one night at once, while processes are killed."""
    with scratch() as folder, Served(folder, database or None, workers=workers, environment=SERVER) as served:
        how: Any = {"seed": seed, "defect": defect, "kill": served.kill_worker}
        try:
            night = crowd(served.address, phones=phones, moves=moves, **how)
        except Violation as violation:
            return Tally({"phones": phones, "moves of each": moves}, [violation])
        wrong = audited(served.database, killed=True)
    counts = {"phones": phones, "moves recorded once": len(night.played), **night.weather}
    return Tally(counts, wrong)
