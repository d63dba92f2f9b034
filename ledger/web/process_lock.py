"""A lock among the processes of one server."""

import fcntl
import os
import tempfile
import weakref
from pathlib import Path


class ProcessLock:
    """Made before the fork. The kernel takes it from a process that ends; threads of one process share it."""

    def __init__(self) -> None:
        self._file = _nameless_file()
        weakref.finalize(self, os.close, self._file)

    def take(self) -> bool:
        """Whether this process has it now, or had it before. Raises OSError where nothing can be locked."""
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):  # both are what systems say of a lock that is held
            return False
        return True

    def release(self) -> None:
        fcntl.lockf(self._file, fcntl.LOCK_UN)


def _nameless_file() -> int:
    """A file to be locked, which is gone with its last process: in memory, where the system has such."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("tienlen-lock")
    descriptor, path = tempfile.mkstemp()
    Path(path).unlink()
    return descriptor
