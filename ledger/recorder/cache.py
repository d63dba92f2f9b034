"""The cache of one process: values made from nights and from their rounds.

The log only grows: a value of a night is valid at the head that it was made at, and a value of a round until an
event of that round, or a payment for it, is appended. Values are immutable, so threads may share them.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import Enum
from gc import get_referents
from sys import getsizeof
from threading import Lock
from types import FunctionType, ModuleType
from typing import Any, Final, Generic, NamedTuple, TypeVar

from ledger.game.rulesets.compiled import CompiledRules
from ledger.game.rulesets.model import Ruleset
from ledger.store import Head, Reader

Made = TypeVar("Made")

MOST_BYTES: Final = 16 << 20
"""The most that one process holds in this cache."""
_SHARED = (type, ModuleType, FunctionType, Enum, Ruleset, CompiledRules)
"""What values refer to without owning it."""


def size_of(value: object) -> int:
    """The bytes of a value and of everything that it alone refers to."""
    seen, total, waiting = set[int](), 0, [value]
    while waiting:
        one = waiting.pop()
        if id(one) not in seen and not isinstance(one, _SHARED):
            seen.add(id(one))
            total += getsizeof(one)
            waiting += get_referents(one)
    return total


class Kept(NamedTuple, Generic[Made]):
    """A cached value, the head that it was made at, and its size in bytes."""

    head: Head
    value: Made
    size: int


class _Rounds(NamedTuple):
    names: Hashable
    values: Mapping[int, tuple[Any, int]]
    """Round -> its value, and the value's size."""


class Cache:
    """All cached values, the least recently used of which go first when their sizes exceed `most` bytes.

    A key is a night, what was made of it, and the variant, such as the language.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._held = 0
        self._kept: OrderedDict[Hashable, Kept[Any]] = OrderedDict()
        self._lock = Lock()

    @property
    def held(self) -> int:
        """The bytes of all values."""
        return self._held

    def get(self, night: str, what: Hashable, variant: Hashable = None) -> Kept[Any] | None:
        """A cached value of a night, made at the head that comes with it."""
        key = night, what, variant
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def keep(
        self, night: str, what: Hashable, head: Head, value: Any, size: int, variant: Hashable = None
    ) -> None:
        """Cache a value of a night, instead of the one before."""
        key = night, what, variant
        with self._lock:
            before = self._kept.pop(key, None)
            self._kept[key] = Kept(head, value, size)
            self._held += size - (before.size if before else 0)
            while self._held > self._most:
                _, oldest = self._kept.popitem(last=False)
                self._held -= oldest.size

    def of_rounds(
        self,
        reader: Reader,
        night: str,
        head: Head,
        what: Hashable,
        wanted: Iterable[int],
        make: Callable[[Sequence[int]], Mapping[int, Made]],
        *,
        variant: Hashable = None,
        names: Hashable = None,
    ) -> dict[int, Made]:
        """The values of some rounds of a night at its head; `make` makes those that are missing. `names` must equal
        those that the cached ones were made with."""
        known = self.get(night, what, variant)
        valid = _still_valid(reader, night, head, known, names)
        wanted = list(wanted)
        missing = [number for number in wanted if number not in valid]
        made = make(missing) if missing else {}
        if missing or known is None or known.head != head:
            valid = {**valid, **{number: (value, size_of(value)) for number, value in made.items()}}
            size = sum(size for _, size in valid.values())
            self.keep(night, what, head, _Rounds(names, valid), size, variant)
        return {number: valid[number][0] for number in wanted}


def _still_valid(
    reader: Reader, night: str, head: Head, known: Kept[_Rounds] | None, names: Hashable
) -> Mapping[int, tuple[Any, int]]:
    if known is None or known.value.names != names:
        return {}
    rounds = known.value.values
    if known.head == head:
        return rounds
    touched = reader.touched_since(night, known.head)
    if touched is None:
        return {}
    return {number: made for number, made in rounds.items() if number not in touched}
