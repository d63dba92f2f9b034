"""The rounds of a night at one head, and the facts that are cached of each."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from ledger.recorder.cache import Cache, Made
from ledger.recorder.logged import Logged
from ledger.recorder.round_log import RoundLog
from ledger.recorder.state import read_events
from ledger.recorder.terms import Opening
from ledger.store import Head, Reader


@dataclass(frozen=True, eq=False, slots=True)
class Fact(Generic[Made]):
    """A fact of a round that follows from its own events alone; number 0 stands for the events of no round."""

    make: Callable[["Rounds", int], Made]


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds of a night; those of `logs` are loaded already."""

    reader: Reader
    opening: Opening
    head: Head
    newest: int
    cache: Cache
    logs: Mapping[int, RoundLog]

    def events(self, number: int) -> Sequence[Logged]:
        """The events of a round."""
        if number in self.logs:
            return self.logs[number].events
        return read_events(self.reader.events_of_round(self.opening.night, number))

    def log(self, number: int) -> RoundLog:
        """The log of a round. Its header is not judged by the rounds before it, unless it was loaded already."""
        if number in self.logs:
            return self.logs[number]
        return RoundLog.fold(self.opening.terms.ruleset, number, tuple(self.events(number)), None)

    def facts(self, fact: Fact[Made], numbers: Iterable[int]) -> dict[int, Made]:
        """Round -> fact, for some rounds: only those are read that nothing is cached of."""

        def make(missing: Sequence[int]) -> dict[int, Made]:
            return {number: fact.make(self, number) for number in missing}

        return self.cache.of_rounds(self.reader, self.opening.night, self.head, fact, numbers, make)
