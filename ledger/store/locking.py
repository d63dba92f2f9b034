"""The lock file beside a database: one writer or many readers, across threads and processes.

SQLite's own busy wait is a lottery; the kernel's queue is not. The locks of SQLite still hold beneath: this
file decides who goes next, not what is safe.
"""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from ledger.store.errors import explained_files
from ledger.store.lines import Line

_UNUSABLE = "the database's lock file cannot be used"
_PATIENCE = 5.0
"""Seconds. A process that hangs while it holds the lock costs each other process one thread, and no more."""


class LockFile:
    """One per process and database, made after the fork. A thread holds it once or not at all."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._line = Line(1)
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
            self._line.place(_PATIENCE, "the database's lock was held for too long"),
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
