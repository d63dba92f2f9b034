"""Fair locks for a database: threads and processes wait in order of arrival, each up to a time limit.

A plain lock or pool serves the quickest and lets others starve; SQLite's own busy wait is random.
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
    """A semaphore that serves waiters in order of arrival."""

    def __init__(self, places: int) -> None:
        self._mutex = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._free = places

    @contextmanager
    def acquired(self, patience: float, busy: str) -> Iterator[None]:
        """Hold a place during a block. Raises StoreBusy with the text `busy` after `patience` seconds."""
        if not self._enter(patience):
            raise StoreBusy(busy)
        try:
            yield
        finally:
            self._leave()

    def _enter(self, patience: float) -> bool:
        """Wait for a place; False if there was none in time."""
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
            return True  # granted just after the timeout

    def _leave(self) -> None:
        """Pass the place to the next waiter, if any."""
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1


_UNUSABLE = "the database's lock file cannot be used"
_PATIENCE = 5.0
"""Seconds. If a process hangs while it holds the lock, one thread of each other process waits, no more."""


class LockFile:
    """A read-write lock across processes. One per process and database, made after the fork; not reentrant."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = FairSemaphore(1)
        self._queue: int | None = None
        self._presence: int | None = None
        self._process = os.getpid()
        self._held = threading.local()

    def exclusive(self) -> AbstractContextManager[None]:
        """Hold the lock alone: all others wait."""
        return self._locked(fcntl.LOCK_EX)

    def shared(self) -> AbstractContextManager[None]:
        """Hold the lock with other readers: writers wait."""
        return self._locked(fcntl.LOCK_SH)

    @contextmanager
    def unshared(self) -> Iterator[bool]:
        """Whether no other process has the database open; if so, none can open it during the block."""
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
        descriptor = self._open(self._path)  # a new one: flock belongs to the open file, not to the process
        try:
            self._wait(descriptor, kind)
            self._held.already = True
            yield
        finally:
            self._held.already = False
            os.close(descriptor)  # releases the lock

    def _wait(self, descriptor: int, kind: int) -> None:
        """Wait in line for the lock: first among threads, then among processes.

        Later arrivals wait behind, so a stream of readers cannot starve a writer.
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
    """Whether no process has the database of a lock file open; if so, none can open it during the block.

    Leaves no trace if the lock file does not exist. Raises StoreUnavailable.
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
    """The file on which every process that has the database open holds a shared lock."""
    return path.with_name(path.name + ".open")
