"""A server in virtual time: two processes over one real store, both killed at a request now and then.

Killed before the commit, it has recorded nothing; killed after it, the entry is recorded but not acknowledged.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from ledger.game.report import as_data
from ledger.recorder import EventRequest, Link, Problem, Recorder
from ledger.store import Store, Writer
from tests.recorder.tables import KEY
from tests.soak.phones.standing import Data
from tests.soak.phones.weather import DAY, Time

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
    def writing(self, night: str, *, forgets: bool = False, entries: int = 1) -> Iterator[Writer]:
        with super().writing(night, forgets=forgets, entries=entries) as writer:
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
        origin = EVENING + timedelta(seconds=skew)
        self._processes = [
            Recorder(self._store, KEY, lambda: origin + timedelta(seconds=self._time.now)) for _ in range(2)
        ]

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
