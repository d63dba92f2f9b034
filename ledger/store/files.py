"""Writing files that are complete once they exist, and survive a power failure."""

import fcntl
import os
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

NETWORK_SHARES: Final = (
    "afs",
    "ceph",
    "cifs",
    "fuse.glusterfs",
    "fuse.sshfs",
    "gluster",
    "lustre",
    "nfs",
    "smb",
)
"""How the types of file systems begin that several machines may write to."""
_MOUNTS: Final = Path("/proc/mounts")


def write_new(path: Path, content: bytes) -> None:
    """Write a new file, readable by its owner only, and sync it. Raises FileExistsError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def require_room(folder: Path, size: int) -> None:
    """Raise OSError unless `size` bytes can be written into a folder; they are deleted again."""
    with TemporaryFile(dir=folder) as file:
        file.write(bytes(size))
        file.flush()


def sync(path: Path) -> None:
    """Flush a file to the disk, or the names in a folder."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def identity(path: Path) -> tuple[int, int] | None:
    """Device and inode of the file at a path; None if there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116 - half the time of a `Path`, several times a move
    except OSError:
        return None
    return found.st_dev, found.st_ino


def is_open(path: Path) -> bool:
    """Whether any process has a file open, as far as the system says: Linux grants a lease only if none has. Not
    for a database that this process has open: closing a file releases SQLite's locks on it."""
    with path.open("rb") as file:
        try:
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        except (AttributeError, OSError) as error:
            return isinstance(error, BlockingIOError)
    return False


def file_system(folder: Path) -> str:
    """The type of the file system that a folder is on; empty if unknown."""
    try:
        lines = _MOUNTS.read_text(errors="replace").splitlines()
    except OSError:
        return ""
    mounts = [(Path(words[1].replace("\\040", " ")), words[2]) for words in map(str.split, lines)]
    around = [mount for mount in mounts if folder.resolve().is_relative_to(mount[0])]
    # If several are mounted at one place, the last one is visible.
    return max(reversed(around), key=lambda mount: len(mount[0].parts), default=(folder, ""))[1]
