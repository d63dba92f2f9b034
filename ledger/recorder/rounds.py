"""The rounds of a night at one head, and what is cached of each."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass

from ledger.recorder.cache import Cache, Made
from ledger.recorder.logged import Logged
from ledger.recorder.round_log import RoundLog
from ledger.recorder.state import read_events
from ledger.recorder.terms import Opening
from ledger.store import Head, Reader


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds of a night. Those of `logs` are loaded already; 0 has the events that belong to no round."""

    reader: Reader
    opening: Opening
    head: Head
    newest: int
    cache: Cache
    logs: Mapping[int, RoundLog]

    def facts(self, tell: Callable[[RoundLog], Made], numbers: Iterable[int]) -> dict[int, Made]:
        """Round -> what `tell` says of its log, for some rounds; only rounds are read of which it is not cached.

        It depends on the round's own events alone: the headers of rounds that are read here are not judged by the
        rounds before them.
        """

        def make(missing: Collection[int]) -> dict[int, Made]:
            return {number: tell(log) for number, log in self.loaded(missing).items()}

        return self.kept(tell, numbers, make)

    def kept(
        self,
        what: Hashable,
        numbers: Iterable[int],
        make: Callable[[Collection[int]], Mapping[int, Made]],
        *,
        variant: Hashable = None,
        names: Hashable = None,
    ) -> dict[int, Made]:
        """Round -> what was made of it, for some rounds; see `Cache.of_rounds`."""
        return self.cache.of_rounds(
            self.reader, self.opening.night, self.head, what, numbers, make, variant=variant, names=names
        )

    def loaded(self, numbers: Collection[int]) -> dict[int, RoundLog]:
        """Round -> its log, for some rounds, in order."""
        events: dict[int, list[Logged]] = {number: [] for number in numbers if number not in self.logs}
        for event in read_events(self.reader.events_of_rounds(self.opening.night, events)):
            events[event.round].append(event)
        ruleset = self.opening.terms.ruleset
        return {
            number: self.logs.get(number) or RoundLog.fold(ruleset, number, tuple(events[number]), None)
            for number in numbers
        }
