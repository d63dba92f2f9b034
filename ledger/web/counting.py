"""Counts that all processes of one server share, in memory that was made before they forked; and all hosts on one
database, by the database.

A host takes numbers from the database by the block, as from a sequence with a cache: nobody is ever given a number
that somebody else has, and hardly any request asks the database.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from mmap import mmap
from struct import Struct
from threading import Lock

from limits.storage import Storage

from ledger.recorder import Count, StoreError
from ledger.web.observing import LOG
from ledger.web.process_lock import ProcessLock

_SLOT = Struct("<16sdQQ")
"""Whose count, until when it counts, how many, and how many there can be before the others are asked."""
_SLOTS = 1 << 15
_LOOKED_AT = 8
"""Slots that a count may be in. When all are taken, the one that ends first gives way, and begins anew later:
whoever has so many addresses is not to be held by counting them."""
_PATIENCE = 0.05
"""Seconds. A process holds the lock for microseconds; one that was stopped meanwhile holds up nobody for longer."""
_PAUSE = 0.0005
_PATIENCE_TO_ASK = 1.0
"""Seconds that one waits for another one that asks the database."""

BLOCK = 10
"""Numbers that a host takes at a time. What it does not use of them is used by nobody."""
_WITHOUT_END = 2**63

Shared = Callable[[bytes, float, int], Count | None]
"""Raises a count that hosts share, for so long, by so many; None where there is one host. Raises StoreError."""


class SharedStorage(Storage):
    """Made before the fork. OSError, from whatever counts: nothing was counted, and nobody needs to be refused."""

    STORAGE_SCHEME = None  # no address names it

    def __init__(self, *, key: bytes, shared: Shared) -> None:
        super().__init__()
        self._memory = mmap(-1, _SLOTS * _SLOT.size)
        # Nobody chooses who shares a slot, and nobody reads addresses out of a database.
        self._secret = blake2b(key, person=b"tienlen rates").digest()
        self._shared = shared
        self._slots, self._asking = _Lock(), _Lock()

    @property
    def base_exceptions(self) -> type[Exception]:
        return OSError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count, and answer how many there are by now. What ended, or cannot be (a clock was set), begins anew."""
        whose = self._digest(key)
        number = self._next(whose, expiry, amount)
        if number is not None:
            return number
        try:
            with self._asking.held(_PATIENCE_TO_ASK):
                # Whoever asked meanwhile has taken numbers for all.
                return self._next(whose, expiry, amount) or self._taken(whose, expiry, amount)
        except (StoreError, TimeoutError) as error:
            LOG.warning("counted-alone", extra={"error": type(error).__name__, "says": str(error)})
            return self._alone(whose, expiry, amount, BLOCK)

    def get(self, key: str) -> int:
        until, count = self._found(key)
        return count if time.time() < until else 0

    def get_expiry(self, key: str) -> float:
        return self._found(key)[0]

    def check(self) -> bool:
        return True

    def reset(self) -> int | None:
        self._memory[:] = bytes(len(self._memory))
        return None

    def clear(self, key: str) -> None:
        whose = self._digest(key)
        with self._slots.held(_PATIENCE):
            place = self._place(whose)
            if _SLOT.unpack_from(self._memory, place)[0] == whose:
                self._memory[place : place + _SLOT.size] = bytes(_SLOT.size)

    def _found(self, key: str) -> tuple[float, int]:
        whose = self._digest(key)
        held, until, count, _ = _SLOT.unpack_from(self._memory, self._place(whose))
        return (until, count) if held == whose else (0.0, 0)

    def _next(self, whose: bytes, expiry: float, amount: int) -> int | None:
        """Count among the numbers that this host has; None if they do not suffice."""
        with self._slots.held(_PATIENCE):
            until, count, most = self._counted(whose, expiry)
            if count + amount > most:
                return None
            self._put(whose, until, count + amount, most)
        return count + amount

    def _taken(self, whose: bytes, expiry: float, amount: int) -> int:
        """Take numbers, if there are others who take some, and count the first of them. Raises StoreError."""
        block = max(BLOCK, amount)
        shared = self._shared(whose, expiry, block)
        if shared is None:
            return self._alone(whose, expiry, amount, _WITHOUT_END)
        count = shared.number - block + amount
        with self._slots.held(_PATIENCE):
            self._put(whose, time.time() + min(shared.seconds, expiry), count, shared.number)
        return count

    def _alone(self, whose: bytes, expiry: float, amount: int, more: int) -> int:
        """Count without the others, until there are so many more."""
        with self._slots.held(_PATIENCE):
            until, count, _ = self._counted(whose, expiry)
            self._put(whose, until, count + amount, count + max(more, amount))
        return count + amount

    def _counted(self, whose: bytes, expiry: float) -> tuple[float, int, int]:
        """Until when a count counts, how many there are, and how many there can be before the others are asked."""
        now = time.time()
        held, until, count, most = _SLOT.unpack_from(self._memory, self._place(whose))
        if held == whose and now < until <= now + expiry:
            return until, count, most
        return now + expiry, 0, 0

    def _put(self, whose: bytes, until: float, count: int, most: int) -> None:
        _SLOT.pack_into(self._memory, self._place(whose), whose, until, count, most)

    def _digest(self, key: str) -> bytes:
        return blake2b(key.encode(errors="replace"), digest_size=16, key=self._secret).digest()

    def _place(self, whose: bytes) -> int:
        """Where a count is; else where it may be put."""
        first = int.from_bytes(whose[:4])
        places = [(first + step) % _SLOTS * _SLOT.size for step in range(_LOOKED_AT)]
        for place in places:
            if self._memory[place : place + 16] == whose:
                return place
        return min(places, key=lambda place: float(_SLOT.unpack_from(self._memory, place)[1]))


class _Lock:
    """Held by one thread of one process of a server. What a process that dies held is free."""

    def __init__(self) -> None:
        self._threads = Lock()
        self._processes = ProcessLock()

    @contextmanager
    def held(self, patience: float) -> Iterator[None]:
        """Raises TimeoutError after so many seconds."""
        until = time.monotonic() + patience
        if not self._threads.acquire(timeout=patience):
            raise TimeoutError("the counts were held for too long")
        try:
            while not self._processes.take():
                if time.monotonic() > until:
                    raise TimeoutError("the counts were held for too long")
                time.sleep(_PAUSE)
            try:
                yield
            finally:
                self._processes.release()
        finally:
            self._threads.release()
