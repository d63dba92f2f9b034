"""Counts that all processes of one server share: memory that was made before they forked, and nothing on a disk.

Several hosts on one database have a count each. A storage that they share would be another class here, under
a scheme of its own.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from mmap import mmap
from secrets import token_bytes
from struct import Struct
from threading import Lock

from limits.storage import Storage

from ledger.web.process_lock import ProcessLock

SCHEME = "shared"

_SLOT = Struct("<16sdQ")  # whose count, until when it counts, how many
_SLOTS = 1 << 15
_LOOKED_AT = 8
"""Slots that a count may be in. When all are taken, the one that ends first gives way, and begins anew later:
whoever has so many addresses is not to be held by counting them."""
_PATIENCE = 0.05
"""Seconds. A process holds the lock for microseconds; one that was stopped meanwhile holds up nobody for longer."""
_PAUSE = 0.0005


class SharedStorage(Storage):
    """Made before the fork. OSError, from whatever counts: nothing was counted, and nobody needs to be refused."""

    STORAGE_SCHEME: list[str] | None = [SCHEME]  # noqa: RUF012

    def __init__(self, uri: str | None = None, wrap_exceptions: bool = False, **options: str) -> None:
        super().__init__(uri, wrap_exceptions, **options)
        self._memory = mmap(-1, _SLOTS * _SLOT.size)
        self._secret = token_bytes(16)  # nobody chooses who shares a slot
        self._threads = Lock()
        self._processes = ProcessLock()

    @property
    def base_exceptions(self) -> type[Exception]:
        return OSError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count, and answer how many there are by now. What ended, or cannot be (a clock was set), begins anew."""
        whose, now = self._digest(key), time.time()
        with self._alone():
            place = self._place(whose)
            held, until, count = _SLOT.unpack_from(self._memory, place)
            if held != whose or not now < until <= now + expiry:
                until, count = now + expiry, 0
            _SLOT.pack_into(self._memory, place, whose, until, count + amount)
        return int(count) + amount

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
        with self._alone():
            place = self._place(whose)
            if _SLOT.unpack_from(self._memory, place)[0] == whose:
                self._memory[place : place + _SLOT.size] = bytes(_SLOT.size)

    def _found(self, key: str) -> tuple[float, int]:
        whose = self._digest(key)
        held, until, count = _SLOT.unpack_from(self._memory, self._place(whose))
        return (until, count) if held == whose else (0.0, 0)

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

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other thread and no other process counts meanwhile; the lock of a process that dies is free."""
        until = time.monotonic() + _PATIENCE
        if not self._threads.acquire(timeout=_PATIENCE):
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
