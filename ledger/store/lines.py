"""Places that threads wait for in line: a lock or a pool goes to whoever is quickest, and lets others starve."""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from ledger.store.errors import StoreBusy


class Line:
    """So many places, each of which goes to whoever has waited longest."""

    def __init__(self, places: int) -> None:
        self._mutex = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._free = places

    @contextmanager
    def place(self, patience: float, busy: str) -> Iterator[None]:
        """A place while a block lasts. Raises StoreBusy, in these words, if none came in so many seconds."""
        if not self._enter(patience):
            raise StoreBusy(busy)
        try:
            yield
        finally:
            self._leave()

    def _enter(self, patience: float) -> bool:
        """Wait for one's turn; False if it has not come."""
        with self._mutex:
            if self._free:
                self._free -= 1
                return True
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        if turn.acquire(timeout=patience):
            return True
        with self._mutex:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return False
            return True  # it came as patience ended

    def _leave(self) -> None:
        """Let the next one enter."""
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1
