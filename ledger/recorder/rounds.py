"""The rounds of a night at one head, and what is cached of each."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from ledger.recorder.agreements import Agreements
from ledger.recorder.cache import Cache, CacheEntry, Made, size_of
from ledger.recorder.history import read_events
from ledger.recorder.round_log import RoundLog
from ledger.store import Head, Reader, StoredEvent


class _Made(NamedTuple):
    """What was made of the rounds of a night, and the names that it was made with."""

    names: Hashable
    values: Mapping[int, tuple[Any, int]]
    """Round -> the value, and its size."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """The rounds of a night. Those of `logs` are loaded already; 0 has the events that belong to no round."""

    reader: Reader
    night: str
    agreements: Agreements
    head: Head
    newest: int
    cache: Cache
    logs: Mapping[int, RoundLog]

    def derived(self, tell: Callable[[RoundLog], Made], numbers: Iterable[int]) -> dict[int, Made]:
        """Round -> what `tell` says of its log, for some rounds; only rounds are read of which it is not cached.

        It depends on the round's own events alone: the headers of rounds that are read here are not judged by the
        rounds before them.
        """

        def make(missing: Collection[int]) -> dict[int, Made]:
            return {number: tell(log) for number, log in self.loaded(missing)}

        return self.cached_by_round(tell, numbers, make)

    def cached_by_round(
        self,
        what: Hashable,
        numbers: Iterable[int],
        make: Callable[[Collection[int]], Mapping[int, Made]],
        *,
        variant: Hashable = None,
        names: Hashable = None,
        follows: bool = False,
    ) -> dict[int, Made]:
        """Round -> what `make` made of it, for some rounds; it makes those that are missing. `what` and `variant`
        are the key; `names` must equal those that the cached ones were made with. What `follows` depends on earlier
        rounds as well."""
        known = self.cache.get(self.night, what, variant)
        valid = self._still_valid(known, names, follows)
        wanted = list(numbers)
        missing = [number for number in wanted if number not in valid]
        if missing or known is None or known.head != self.head:
            made = make(missing) if missing else {}
            valid = {**valid, **{number: (value, size_of(value)) for number, value in made.items()}}
            size = sum(size for _, size in valid.values())
            self.cache.put(self.night, what, self.head, _Made(names, valid), size, variant)
        return {number: valid[number][0] for number in wanted}

    def _still_valid(
        self, known: CacheEntry[_Made] | None, names: Hashable, follows: bool
    ) -> Mapping[int, tuple[Any, int]]:
        if known is None or known.value.names != names:
            return {}
        if known.head == self.head:
            return known.value.values
        touched = self.reader.touched_since(self.night, known.head)
        if touched is None:
            return {}
        if follows:
            touched = touched | set(range(min(touched - {0}, default=self.newest + 1), self.newest + 1))
        return {number: made for number, made in known.value.values.items() if number not in touched}

    def is_cached(self, what: Hashable) -> bool:
        """Whether something was made of these rounds, at this head or an earlier one."""
        return self.cache.get(self.night, what) is not None

    def loaded(self, numbers: Collection[int]) -> Iterator[tuple[int, RoundLog]]:
        """Some rounds, in order, each with its log, read one after another."""
        rows: dict[int, list[StoredEvent]] = {number: [] for number in numbers if number not in self.logs}
        if rows:
            for row in self.reader.events_of_rounds(self.night, rows):
                rows[row.round].append(row)
        for number in numbers:
            log = self.logs.get(number)
            yield number, self._folded(number, rows.pop(number)) if log is None else log

    def with_events(self, rows: Iterable[StoredEvent]) -> "Rounds":
        """The same, with all rounds loaded from all events of the night."""
        of_rounds: dict[int, list[StoredEvent]] = {number: [] for number in range(self.newest + 1)}
        for row in rows:
            of_rounds[row.round].append(row)
        logs = {number: self._folded(number, some) for number, some in of_rounds.items()}
        return replace(self, logs=logs)

    def _folded(self, number: int, rows: Iterable[StoredEvent]) -> RoundLog:
        return RoundLog.fold(self.agreements, number, read_events(rows), None)


def read_together(reader: Reader, nights: Iterable[Rounds], what: Hashable) -> Iterator[Rounds]:
    """The rounds of some nights, for `derived(what, …)`: nights of which nothing is cached are loaded, as many with
    one statement as have `_MOST_TOGETHER` events."""
    fresh: list[Rounds] = []
    for rounds in nights:
        if rounds.is_cached(what):
            yield rounds
        else:
            fresh.append(rounds)
    for some in _in_parts(fresh):
        events = reader.events_of_nights(rounds.night for rounds in some)
        for rounds in some:
            yield rounds.with_events(events.pop(rounds.night))


_MOST_TOGETHER: Final = 10_000


def _in_parts(nights: Iterable[Rounds]) -> Iterator[list[Rounds]]:
    part, events = list[Rounds](), 0
    for rounds in nights:
        if part and events + rounds.head.seq > _MOST_TOGETHER:
            yield part
            part, events = [], 0
        part.append(rounds)
        events += rounds.head.seq
    if part:
        yield part
