"""A server and a phone in virtual time.

The server has two processes over one real store, both killed at a request now and then: before the commit, when
nothing is recorded, or after it, when it is not acknowledged. The phone follows the log, checks the chain, and
sends each entry until it is answered.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from ledger.game.report import as_data
from ledger.recorder import KINDS, EventRequest, Link, Problem, Recorder, Role
from ledger.store import Store, Writer, event_hash
from tests.recorder.tables import KEY
from tests.soak.phones.queue import Entry, Fate, Queue
from tests.soak.phones.standing import Data, Standing
from tests.soak.phones.weather import DAY, HOUR, Time
from tests.soak.phones.witness import About, Witness, demand

PATIENCE = 10
LONGEST_PAUSE = HOUR / 2
REFUSED_LINK = "not-found"
EVENING = datetime(2026, 11, 20, 20, 15, tzinfo=UTC)


class Answer(NamedTuple):
    """The answer to a phone: 200, 201, or a problem's status."""

    status: int
    data: Data

    @property
    def recorded(self) -> bool:
        return self.status < 300


class Killed(Exception):
    """The process died before it committed."""


class Mortal(Store):
    """A store whose write transaction can be aborted as if its process died."""

    dies = False

    @contextmanager
    def writing(self, *nights: str, forgets: bool = False, entries: int = 1) -> Iterator[Writer]:
        with super().writing(*nights, forgets=forgets, entries=entries) as writer:
            yield writer
            if self.dies:
                raise Killed


class Server:
    """Calls `look` after each request, before it is answered."""

    def __init__(self, store: Mortal, time: Time, look: Callable[[], None], *, hasty: bool = False) -> None:
        self._store, self._time, self._look, self._hasty = store, time, look, hasty
        self.start()

    def start(self) -> None:
        """Start processes with empty caches and a clock that may be wrong."""
        skew = self._time.chance("clock").uniform(-3, 3) * DAY if self._time.happens("wrong_clocks") else 0
        began = EVENING + timedelta(seconds=skew)

        def clock() -> datetime:
            return began + timedelta(seconds=self._time.now)

        self._processes = [Recorder(self._store, KEY, clock) for _ in range(2)]

    def record(self, night: str, request: EventRequest, link: Link) -> Answer | None:
        """Serve one request; None if the server is killed."""
        fate = self._time.chance("fate").choice(("before", "after")) if self._time.happens("killed") else ""
        answer = self._recorded(night, request, link, fate)
        self._look()
        if fate:
            self.start()
        return answer if not fate or (self._hasty and answer and answer.recorded) else None

    def _recorded(self, night: str, request: EventRequest, link: Link, fate: str) -> Answer | None:
        self._store.dies = fate == "before"
        try:
            done = self._process().record(night, request, link)
            return Answer(201 if done.created else 200, {"seq": done.seq, "hash": done.hash})
        except Problem as problem:
            return Answer(problem.status, {"code": problem.code, **as_data(problem.facts)})
        except Killed:
            # A hasty server answers before it commits.
            return Answer(201, {"seq": 0, "hash": ""}) if self._hasty else None
        finally:
            self._store.dies = False

    def log(self, night: str, after: int) -> Data:
        with self._process().night(night) as snapshot:
            body: Data = as_data(snapshot.log(after=after))
            return body

    def _process(self) -> Recorder:
        return self._time.chance("process").choice(self._processes)


@dataclass
class Night:
    """State shared by the phones of a night. `story` is what happened, one line each."""

    id: str
    time: Time
    server: Server
    witness: Witness
    new_id: Callable[[], str]
    story: list[str] = field(default_factory=list)

    def tell(self, who: str, what: str) -> None:
        days, seconds = divmod(round(self.time.now), DAY)
        self.story.append(f"{days}d {timedelta(seconds=seconds)}  {who:9} {what}")


class Phone:
    """One phone with one link. It shows a prefix of the log."""

    def __init__(self, night: Night, name: str, link: Link) -> None:
        self.night, self.name, self.link = night, name, link
        self.head = night.witness.heads[0]
        self.bodies: list[Data] = []
        self.standing = Standing(night.id)
        self.queue = Queue(night.new_id)
        self.offline_until = 0.0
        self.fresh = False  # whether the log was read since sending stopped
        chance = night.time.chance("phones")
        self._skew = chance.uniform(-5, 5) * DAY if night.time.happens("wrong_clocks") else 0.0
        self._attempt, self._sending, self._pause = 0, False, 0.5

    # Reading

    def read(self) -> None:
        """Request the new entries of the log, if there are any."""
        night, after = self.night, len(self.bodies)
        if after < night.witness.newest:
            self._send(lambda: night.server.log(night.id, after), lambda log: self._shows(log["events"]))
        else:
            self.fresh = True

    def _shows(self, events: list[Data]) -> None:
        """Append the new entries, each of which must link to the chain; a late answer may have none."""
        self.fresh = True
        if not events or events[0]["seq"] > len(self.bodies) + 1:
            return
        for event in events[len(self.bodies) + 1 - events[0]["seq"] :]:
            linked = event_hash(bytes.fromhex(self.head), event["body"]).hex()
            demand(linked == event["hash"], f"{self.name}: entry {event['seq']} does not link")
            self.head = linked
            self.bodies.append(json.loads(event["body"]))
            self.standing = self.standing.logged(self.bodies[-1])
        self.night.witness.shows(len(self.bodies), self.head)
        self.queue.forget(len(self.bodies), {body["id"] for body in self.bodies})

    # Recording

    def expected(self) -> Standing:
        """What will stand once every entry of the queue is recorded."""
        *_, last = (self.standing, *(standing for _, standing in self._foreseen()))
        return last

    def _foreseen(self) -> Iterator[tuple[Entry, Standing]]:
        """The entries of the queue, and what will stand once each is recorded."""
        standing = self.standing
        for entry in self.queue.entries:
            standing = standing.entered(entry.id, entry.kind, entry.content)
            yield entry, standing

    def enter(self, kind: str, content: Data, happening: int | None = None) -> None:
        night, standing = self.night, self.expected()
        at = EVENING + timedelta(seconds=night.time.now + self._skew)
        about = About(self.name, happening)
        entry = self.queue.add(kind, content, self.standing.after, about, at.isoformat(timespec="seconds"))
        if entry.after is not None:
            about.foreseen = standing.entered(entry.id, kind, content).keys
        if KINDS[kind].recorded_by is Role.SEAT:
            about.spoken_of = standing.rounds[content["round"]]
        night.witness.makes(entry)
        night.tell(self.name, f"enters {entry.id[:4]} {kind} {json.dumps(content, ensure_ascii=False)}")
        self.send()

    def send(self) -> None:
        """Send the first waiting entry, unless it is being sent or the queue has stopped."""
        waiting = self.queue.waiting
        if self._sending or self.queue.halt or not waiting:
            return
        self._sending = True
        self._attempt += 1
        attempt, entry = self._attempt, waiting[0]
        link = self.link
        request = EventRequest(entry.id, entry.after, entry.kind, dict(entry.content), entry.at)
        self._send(lambda: self._served(request, link), lambda got: self._answered(attempt, entry, got))
        self.night.time.after(PATIENCE, lambda: self._given_up(attempt))

    def _served(self, request: EventRequest, link: Link) -> Answer | None:
        held = self.night.witness.holds(link)
        answer = self.night.server.record(self.night.id, request, link)
        result = f"{answer.status} {answer.data.get('code', '')}" if answer else "killed"
        self.night.tell("server", f"{request.id[:4]} of {self.name}: {result}")
        demand(held or answer is None or not answer.recorded, f"{self.name}: recorded by a dead link")
        return answer

    def _given_up(self, attempt: int) -> None:
        if attempt == self._attempt:
            self._attempt += 1
            self.night.time.after(self._pause, self._again)
            self._pause = min(2 * self._pause, LONGEST_PAUSE)

    def _again(self) -> None:
        self._sending = False
        self.before_again()
        self.send()

    def before_again(self) -> None:
        """A hook for defects, called before an entry is sent again."""

    def _answered(self, attempt: int, entry: Entry, answer: Answer) -> None:
        if attempt != self._attempt:
            return  # the attempt has timed out
        self._attempt += 1
        self._sending, self._pause = False, 0.5
        if answer.recorded:
            self.night.witness.hears(entry, answer.data["seq"], answer.data["hash"])
            if entry.fate is Fate.WAITING:
                entry.fate, entry.seq = Fate.RECORDED, answer.data["seq"]
        elif entry.fate is Fate.WAITING:
            self.refused(entry, answer)
        self.send()

    def refused(self, entry: Entry, answer: Answer) -> None:
        """Stop the queue at a refusal or a conflict, until a person has seen the new entries."""
        demand(answer.status < 500, f"{self.name}: {answer}")
        self.night.tell(self.name, f"stops at {entry.id[:4]}: {answer.data['code']}")
        self.queue.halt, self.fresh = answer.data, False
        if answer.data["code"] == "stale":
            self.night.witness.asks_a_person(entry, answer.data["events"])
            self._shows(answer.data["events"])
        self.read()

    def drop(self, count: int) -> None:
        """Drop the first `count` waiting entries, as a person decided."""
        for entry in self.queue.drop(count):
            self.night.tell(self.name, f"drops {entry.id[:4]}")
        if self.queue.waiting:
            self.queue.keep(self.standing.after)

    def keep(self) -> None:
        """Send the waiting entries after what stands now, as a person decided."""
        self.queue.keep(self.standing.after)
        for entry, standing in self._foreseen():
            if entry.about.foreseen is not None:
                entry.about.foreseen = standing.keys
        self.night.tell(self.name, f"goes on with {self.queue.waiting[0].id[:4]}")
        self.send()

    # Between phone and server

    def online(self) -> bool:
        """Whether the phone has a network; now and then it loses it for a while."""
        time = self.night.time
        if time.now >= self.offline_until and time.happens("offline"):
            self.offline_until = time.now + time.chance("how long").choice([60, 600, 4 * HOUR])
        return time.now >= self.offline_until

    def _send(self, serve: Callable[[], Any], answered: Callable[[Any], None]) -> None:
        self.night.time.send(serve, answered, reached=self.online())
