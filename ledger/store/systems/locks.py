"""Who goes next at a database: threads and processes wait in line, each for as long as it has patience.

A lock or a pool goes to whoever is quickest, and lets others starve; SQLite's own busy wait is a lottery.
"""

import fcntl
import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from ledger.store.errors import StoreBusy, explained_files


class FairSemaphore:
    """So many places, each of which goes to whoever has waited longest."""

    def __init__(self, places: int) -> None:
        self._mutex = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._free = places

    @contextmanager
    def acquired(self, patience: float, busy: str) -> Iterator[None]:
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


_UNUSABLE = "the database's lock file cannot be used"
_PATIENCE = 5.0
"""Seconds. A process that hangs while it holds the lock costs each other process one thread, and no more."""


class LockFile:
    """One per process and database, made after the fork. A thread holds it once or not at all."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = FairSemaphore(1)
        self._queue: int | None = None
        self._presence: int | None = None
        self._process = os.getpid()
        self._held = threading.local()

    def exclusive(self) -> AbstractContextManager[None]:
        """Alone: everyone else waits."""
        return self._locked(fcntl.LOCK_EX)

    def shared(self) -> AbstractContextManager[None]:
        """Among readers: writers wait."""
        return self._locked(fcntl.LOCK_SH)

    @contextmanager
    def unshared(self) -> Iterator[bool]:
        """Whether no other process has the database open; if so, none opens it while the block lasts."""
        assert self._presence is not None, "the database was looked at when it was opened"
        try:
            yield _taken(self._presence)
        finally:
            fcntl.flock(self._presence, fcntl.LOCK_SH)

    def close(self) -> None:
        for descriptor in (self._queue, self._presence):
            if descriptor is not None:
                os.close(descriptor)
        self._queue = self._presence = None

    @contextmanager
    def _locked(self, kind: int) -> Iterator[None]:
        assert self._process == os.getpid(), "a store is made after the fork"
        assert not getattr(self._held, "already", False), "a transaction inside another one"
        descriptor = self._open(self._path)  # its own: flock belongs to what was opened, not to the process
        try:
            self._wait(descriptor, kind)
            self._held.already = True
            yield
        finally:
            self._held.already = False
            os.close(descriptor)  # and with it the lock

    def _wait(self, descriptor: int, kind: int) -> None:
        """Stand in line, then take the lock: among threads, then among processes.

        Whoever comes later waits behind: a stream of readers cannot starve a writer.
        """
        with (
            self._turn.acquired(_PATIENCE, "the database's lock was held for too long"),
            explained_files(_UNUSABLE),
        ):
            if self._queue is None:
                self._queue = self._open(self._path.with_name(self._path.name + ".queue"))
                self._presence = self._open(_presence_path(self._path))
                fcntl.flock(self._presence, fcntl.LOCK_SH)
            fcntl.flock(self._queue, fcntl.LOCK_EX)
            try:
                fcntl.flock(descriptor, kind)
            finally:
                fcntl.flock(self._queue, fcntl.LOCK_UN)

    @staticmethod
    def _open(path: Path) -> int:
        with explained_files(_UNUSABLE):
            return os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)


@contextmanager
def unused(path: Path) -> Iterator[bool]:
    """Whether no process has the database of a lock file open; if so, none opens it while the block lasts.

    Leaves no trace where there is no such file. Raises StoreUnavailable.
    """
    with explained_files(_UNUSABLE):
        try:
            descriptor = os.open(_presence_path(path), os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            yield True
            return
    try:
        yield _taken(descriptor)
    finally:
        os.close(descriptor)


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _presence_path(path: Path) -> Path:
    """Held by every process that has the database open, for as long as that lasts."""
    return path.with_name(path.name + ".open")
