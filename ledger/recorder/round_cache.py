"""Per-process caches of values made from nights and from rounds.

The log only grows: a round does not change until an event of it, or of a round before it, is appended. A cached
value was made at a head, and is valid only while that head is in the chain.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from ledger.store import Head, Reader

Made = TypeVar("Made")


class NightCache(Generic[Made]):
    """A bounded cache: night -> head and the value made at it. Values are immutable, so threads may share them."""

    def __init__(self, most: int = 256) -> None:
        self._most = most
        self._nights: OrderedDict[str, tuple[Head, Made]] = OrderedDict()
        self._lock = Lock()

    def get(self, night: str) -> tuple[Head, Made] | None:
        """The cached value of a night, after the head that it was made at."""
        with self._lock:
            return self._nights.get(night)

    def keep(self, night: str, head: Head, made: Made) -> None:
        """Cache the value of a night made at a head."""
        with self._lock:
            self._nights[night] = head, made
            self._nights.move_to_end(night)
            if len(self._nights) > self._most:
                self._nights.popitem(last=False)


class _Known(NamedTuple, Generic[Made]):
    head: Head
    names: Hashable
    rounds: Mapping[int, Made]


class RoundCache(Generic[Made]):
    """A cache of values made from the rounds of recently used nights. Immutable, so threads may share them.

    The sum of `size` over all values is at most `most`, unless one night alone has more; a round of a few kilobytes
    has size 1. `depends_on_previous`: the value of a round depends on the rounds before it.
    """

    def __init__(
        self,
        most: int = 2000,
        size: Callable[[Made], int] = lambda _: 1,
        *,
        depends_on_previous: bool = False,
    ) -> None:
        self._most = most
        self._size = size
        self._in_a_row = depends_on_previous
        self._nights: OrderedDict[Hashable, _Known[Made]] = OrderedDict()
        self._held: dict[Hashable, int] = {}
        self._lock = Lock()

    def load(
        self,
        reader: Reader,
        night: str,
        head: Head,
        wanted: Iterable[int],
        make: Callable[[Sequence[int]], dict[int, Made]],
    ) -> dict[int, Made]:
        """The values of some rounds of a night at its head; `make` makes those that are not cached."""
        rounds = self.get_valid(reader, night, head)
        wanted = sorted(wanted)
        missing = [number for number in wanted if number not in rounds]
        if missing:
            rounds = {**rounds, **make(missing)}
        self.keep(night, head, rounds)
        return {number: rounds[number] for number in wanted}

    def get_valid(
        self, reader: Reader, night: str, head: Head, *, by: Hashable = None, names: Hashable = None
    ) -> Mapping[int, Made]:
        """The cached values of a night's rounds that are still valid at a head that a reader sees. `by` is the key
        of a variant; `names` must equal those that the values were made with."""
        with self._lock:
            known = self._nights.get((night, by))
        if known is None or known.names != names:
            return {}
        if known.head == head:
            return known.rounds
        touched = reader.touched_since(night, known.head)
        if touched is None:
            return {}
        first = min(touched - {0}, default=None) if self._in_a_row else None
        return {
            number: made
            for number, made in known.rounds.items()
            if number not in touched and (first is None or number < first)
        }

    def keep(
        self,
        night: str,
        head: Head,
        rounds: Mapping[int, Made],
        *,
        by: Hashable = None,
        names: Hashable = None,
    ) -> None:
        """Cache the values of a night's rounds, new and old."""
        with self._lock:
            self._nights[night, by] = _Known(head, names, rounds)
            self._nights.move_to_end((night, by))
            self._held[night, by] = sum(map(self._size, rounds.values()))
            while len(self._nights) > 1 and sum(self._held.values()) > self._most:
                oldest, _ = self._nights.popitem(last=False)
                del self._held[oldest]
