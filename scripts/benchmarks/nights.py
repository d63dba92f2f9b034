"""Nights recorded in this process, to prepare a measurement or as its work."""

from collections.abc import Iterable
from contextlib import closing
from itertools import cycle, islice
from time import perf_counter
from uuid import uuid4

from benchmarks import records
from benchmarks.records import Chain, Content
from ledger.game.round import Round
from ledger.game.terms import Terms
from ledger.language import speaker
from ledger.recorder import EventRequest, Installation, Link, Recorder, Role


class Night:
    """A recorded night in which these rounds are settled."""

    def __init__(self, recorder: Recorder, rounds: Iterable[Round] = ()) -> None:
        self.id = str(uuid4())
        self.keeper = Link(self.id, Role.KEEPER, None)
        self._recorder = recorder
        self._chain = Chain(self.id)
        before = [self._request(content) for round in rounds for content in records.entries(round)]
        recorder.open_recorded(self.id, before, terms=Terms(records.RULESET), players=records.NAMES)

    def record(self, content: Content) -> float:
        """Seconds of a request's work without the web: record an event and make the board."""
        request = self._request(content)
        started = perf_counter()
        self._recorder.record(self.id, request, self.keeper).board(self.keeper, speaker("vi").finding)
        return perf_counter() - started

    def rename(self, name: str) -> None:
        """Rename the first player."""
        request = EventRequest(str(uuid4()), None, "rename", {"player": "p1", "name": name})
        self._recorder.record(self.id, request, self.keeper)

    def play(self, round: Round) -> None:
        """Record a whole round, and settle it."""
        for content in records.entries(round):
            self.record(content)

    def _request(self, content: Content) -> EventRequest:
        event = self._chain.event(content)
        return EventRequest(event.pop("id"), event.pop("after"), event.pop("kind"), event)


def some_rounds(count: int) -> list[Round]:
    """So many recorded rounds of four players, repeated if necessary."""
    return list(islice(cycle(records.rounds_of_four()), count))


def prepare(installation: Installation, rounds: int) -> tuple[str, str]:
    """Record a night of so many settled rounds, in a database made if needed; returns its id and keeper's token."""
    installation.migrate()
    recorder = installation.open()
    with closing(recorder.store):
        night = Night(recorder, some_rounds(rounds))
        return night.id, keeper_token(recorder, night.id)


def keeper_token(recorder: Recorder, night: str) -> str:
    """The token of a night's keeper."""
    with recorder.night(night) as seen:
        return seen.tokens().keeper
