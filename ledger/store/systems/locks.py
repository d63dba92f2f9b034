"""Fair locks for a database: threads and processes wait in order of arrival, each up to a time limit.

A plain lock or pool serves the quickest and lets others starve; SQLite's own busy wait is random.
"""

import fcntl
import os
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ledger.store.errors import StoreBusy, StoreUnavailable, translated_file_errors


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


_PAUSE = 0.005
"""Seconds between two looks whether the lock is free."""


class LockFile:
    """The lock of a database, across processes: one per process and database, made after the fork; not
    reentrant."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.users = _users_path(path)
        self._turn = FairSemaphore(1)
        self._presence: int | None = None
        self._process = os.getpid()
        self._holder: int | None = None

    @contextmanager
    def exclusive(self, *, wait: bool = True) -> Iterator[None]:
        """Hold the lock: all others wait in line, first the threads of a process, then the processes. Raises
        StoreBusy if its turn does not come in time, or at once if it does not `wait`."""
        assert self._process == os.getpid(), "a store is made after the fork"
        assert self._holder != threading.get_ident(), "a transaction that writes inside another one"
        with self._turn.acquired(_PATIENCE if wait else 0, "the database's lock was held for too long"):
            # Opened anew: whoever deletes the file makes a new lock for all.
            descriptor = _opened(self._path, os.O_RDONLY)
            try:
                with translated_file_errors(_UNUSABLE):
                    if wait:
                        fcntl.flock(descriptor, fcntl.LOCK_EX)
                    elif not _taken(descriptor):
                        raise StoreBusy("the database's lock is held")
                self._holder = threading.get_ident()
                yield
            finally:
                self._holder = None
                os.close(descriptor)  # releases the lock

    @contextmanager
    def exclusive_if_free(self, patience: float = 0) -> Iterator[bool]:
        """Hold the lock if it is free at some time in `patience` seconds, beside those who wait in line. Returns
        whether it is held; at once that it is not, if its file cannot be used."""
        with ExitStack() as held:
            yield self._is_entered(held, time.monotonic() + patience)

    def _is_entered(self, held: ExitStack, until: float) -> bool:
        while True:
            try:
                held.enter_context(self.exclusive(wait=False))
            except StoreBusy:
                if time.monotonic() >= until:
                    return False
                time.sleep(_PAUSE)
            except StoreUnavailable:
                return False
            else:
                return True

    def join(self) -> bool:
        """Register this process as a user of the database. Returns whether another process is one."""
        self._presence = _opened(self.users, os.O_RDWR)
        with translated_file_errors(_UNUSABLE):
            alone = _taken(self._presence)
            fcntl.flock(self._presence, fcntl.LOCK_SH)
        return not alone

    @property
    def used_file(self) -> str:
        """The file that the users of the database have open; empty before the first one has noted it."""
        assert self._presence is not None, "this process is registered"
        return os.pread(self._presence, 100, 0).decode(errors="replace")

    @used_file.setter
    def used_file(self, file: str) -> None:
        assert self._presence is not None, "this process is registered"
        with translated_file_errors(_UNUSABLE):
            os.ftruncate(self._presence, 0)
            os.pwrite(self._presence, file.encode(), 0)

    @contextmanager
    def sole_user(self) -> Iterator[bool]:
        """Whether no other process has the database open; if so, none can open it during the block."""
        assert self._presence is not None, "this process is registered"
        try:
            yield _taken(self._presence)
        finally:
            fcntl.flock(self._presence, fcntl.LOCK_SH)

    def close(self) -> None:
        """Unregister this process."""
        if self._presence is not None:
            os.close(self._presence)
        self._presence = None


def _opened(path: Path, access: int) -> int:
    with translated_file_errors(_UNUSABLE):
        return os.open(path, access | os.O_CREAT, 0o600)


@contextmanager
def unused(path: Path) -> Iterator[bool]:
    """Whether no process has the database of a lock file open; if so, none can open it during the block.

    Leaves no trace if the lock file does not exist. Raises StoreUnavailable.
    """
    with translated_file_errors(_UNUSABLE):
        try:
            descriptor = os.open(_users_path(path), os.O_RDONLY)
        except FileNotFoundError:
            yield True
            return
    try:
        yield _taken(descriptor)
    finally:
        os.close(descriptor)


def was_used(path: Path) -> bool:
    """Whether a database of a lock file has been open here. Raises StoreUnavailable."""
    with translated_file_errors(_UNUSABLE):
        try:
            return _users_path(path).stat().st_size > 0
        except FileNotFoundError:
            return False


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _users_path(path: Path) -> Path:
    """The file on which every process that has the database open holds a shared lock. It has the file's
    identity."""
    return path.with_name(path.name + ".open")
