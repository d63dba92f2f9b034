"""Files that are whole once they are there, and stay when the power fails."""

import os
from pathlib import Path
from tempfile import TemporaryFile


def write_new(path: Path, content: bytes) -> None:
    """Write a file that was not there, for its owner's eyes only, and sync it. FileExistsError if it was."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def require_room(folder: Path, size: int) -> None:
    """Return if so many bytes can be written into a folder; nothing of them is left. Raises OSError."""
    with TemporaryFile(dir=folder, buffering=0) as file:
        left = size
        while left:
            left -= file.write(bytes(left))


def sync(path: Path) -> None:
    """Bring a file to the disk, or the names in a folder."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
