"""The cache of one process: values made from nights and from their rounds.

The log only grows: a value of a night is valid at the head that it was made at, and a value of a round until an
event of that round, or a payment for it, is appended. Values are immutable, so threads may share them.
"""

from collections import OrderedDict
from collections.abc import Hashable
from enum import Enum
from gc import get_referents
from sys import getsizeof
from threading import Lock
from types import FunctionType, ModuleType
from typing import Any, Final, Generic, NamedTuple, TypeVar

from ledger.game.rulesets.compiled import CompiledRules
from ledger.game.rulesets.model import Ruleset
from ledger.store import Head

Made = TypeVar("Made")

MOST_BYTES: Final = 16 << 20
"""The most that one process holds in this cache."""
_SHARED = (type, ModuleType, FunctionType, Enum, Ruleset, CompiledRules)
"""What values refer to without owning it."""


def size_of(value: object) -> int:
    """The bytes of a value and of everything that it alone refers to."""
    seen, total, found = set[int](), 0, [value]
    while found:
        new = {id(one): one for one in found if id(one) not in seen and not isinstance(one, _SHARED)}
        seen.update(new)
        total += sum(map(getsizeof, new.values()))
        found = get_referents(*new.values())
    return total


class CacheEntry(NamedTuple, Generic[Made]):
    """A cached value, the head that it was made at, and its size in bytes."""

    head: Head
    value: Made
    size: int


class Cache:
    """All cached values, the least recently used of which go first when their sizes exceed `most` bytes.

    A key is a night, what was made of it, and the variant, such as the language.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._held = 0
        self._kept: OrderedDict[Hashable, CacheEntry[Any]] = OrderedDict()
        self._lock = Lock()

    @property
    def held(self) -> int:
        """The bytes of all values."""
        return self._held

    def get(self, night: str, what: Hashable, variant: Hashable = None) -> CacheEntry[Any] | None:
        """A cached value of a night, made at the head that comes with it."""
        key = night, what, variant
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def put(
        self, night: str, what: Hashable, head: Head, value: Any, size: int, variant: Hashable = None
    ) -> None:
        """Cache a value of a night, instead of the one before."""
        key = night, what, variant
        with self._lock:
            before = self._kept.pop(key, None)
            self._kept[key] = CacheEntry(head, value, size)
            self._held += size - (before.size if before else 0)
            while self._held > self._most:
                _, oldest = self._kept.popitem(last=False)
                self._held -= oldest.size
