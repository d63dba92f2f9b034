"""Writing files that are complete once they exist, and survive a power failure."""

import os
from pathlib import Path
from tempfile import TemporaryFile


def write_new(path: Path, content: bytes) -> None:
    """Write a new file, readable by its owner only, and sync it. Raises FileExistsError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def require_room(folder: Path, size: int) -> None:
    """Raise OSError unless `size` bytes can be written into a folder; they are deleted again."""
    with TemporaryFile(dir=folder, buffering=0) as file:
        left = size
        while left:
            left -= file.write(bytes(left))


def sync(path: Path) -> None:
    """Flush a file to the disk, or the names in a folder."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
