"""A program's file operations and output, in order, from strace."""

import re
import shutil
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

CALLS: Final = "openat,write,pwrite64,ftruncate,fsync,fdatasync,unlink,sendto"
"""The system calls with which SQLite changes a disk, and those with which programs send output."""

_LINE: Final = re.compile(r"(\d+) +(.*)")
_UNFINISHED: Final = " <unfinished ...>"
_RESUMED: Final = re.compile(r"<\.\.\. \w+ resumed>(.*)")
_CALL: Final = re.compile(r"(\w+)\((.*)\) += (-?\d+)")
_TEXT: Final = r'"((?:\\x[0-9a-f]{2})*)"'
_FILE: Final = r"\d+<((?:\\x[0-9a-f]{2})*)>"
_OPENED: Final = re.compile(rf"[^,]+, {_TEXT}, ([A-Z_|]+)")
_WRITTEN: Final = re.compile(rf"{_FILE}, {_TEXT}, \d+(?:, (\d+))?")
_CUT: Final = re.compile(rf"{_FILE}, (\d+)")
_SYNCED: Final = re.compile(_FILE)
_UNLINKED: Final = re.compile(_TEXT)


@dataclass(frozen=True, slots=True)
class Open:
    """A file is opened, and created if it does not exist."""

    path: str


@dataclass(frozen=True, slots=True)
class Write:
    path: str
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncate:
    path: str
    size: int


@dataclass(frozen=True, slots=True)
class Sync:
    """A file's contents, or a folder's names, are synced to the disk."""

    path: str


@dataclass(frozen=True, slots=True)
class Unlink:
    path: str


@dataclass(frozen=True, slots=True)
class Say:
    """Output that cannot be undone: to a socket, or to a file that is only appended to."""

    path: str
    data: bytes


Step = Open | Write | Truncate | Sync | Unlink | Say


def why_not_here() -> str:
    """The reason why this machine cannot trace; empty if it can."""
    return "" if shutil.which("strace") else "no strace found: install Debian's strace package"


def strace(trace: Path, *more: str) -> list[str]:
    """The strace command, to which the program or `-p PID` is appended."""
    shown = ["-y", "-xx", "-s", "1000000"]  # paths of descriptors, every byte in hexadecimal
    return [
        "strace",
        "-f",
        "-qq",
        *shown,
        "-e",
        f"trace={CALLS}",
        "-e",
        "signal=none",
        "-o",
        str(trace),
        *more,
    ]


def read(trace: Path) -> Iterator[Step]:
    """The steps of a trace. A call counts when it returns, but a send when it begins."""
    begun: dict[str, str] = {}
    with trace.open(encoding="ascii") as lines:
        for line in lines:
            thread, text = _LINE.fullmatch(line.rstrip("\n")).groups()  # type: ignore[union-attr]
            if text.endswith(_UNFINISHED):
                begun[thread] = text.removesuffix(_UNFINISHED)
                if begun[thread].startswith("sendto("):
                    yield from _step(begun.pop(thread) + ") = 0")
            elif resumed := _RESUMED.fullmatch(text):
                if thread in begun:
                    yield from _step(begun.pop(thread) + resumed[1])
            else:
                yield from _step(text)


def within(folder: Path, steps: Iterable[Step], files: Container[str]) -> Iterator[Step]:
    """The steps on some files of a folder (by name) and on the folder itself (""), and what was sent."""
    for step in steps:
        path = Path(step.path)
        if path == folder:
            yield replace(step, path="")
        elif path.parent == folder and path.name in files:
            yield replace(step, path=path.name)
        elif isinstance(step, Say) and not path.is_absolute():
            yield step


def _step(text: str) -> Iterator[Step]:
    call = _CALL.match(text)
    if call is None or call[3].startswith("-"):
        return  # the end of a process, or a failed call
    name, arguments, done = call[1], call[2], int(call[3])
    if name == "openat" and (opened := _OPENED.match(arguments)) and "O_CREAT" in opened[2]:
        yield Open(_bytes(opened[1]).decode())
    elif name == "pwrite64" and (written := _WRITTEN.match(arguments)):
        yield Write(_bytes(written[1]).decode(), int(written[3]), _bytes(written[2])[:done])
    elif name in ("write", "sendto") and (written := _WRITTEN.match(arguments)):
        yield Say(_bytes(written[1]).decode(), _bytes(written[2]))
    elif name == "ftruncate" and (cut := _CUT.match(arguments)):
        yield Truncate(_bytes(cut[1]).decode(), int(cut[2]))
    elif name in ("fsync", "fdatasync") and (synced := _SYNCED.match(arguments)):
        yield Sync(_bytes(synced[1]).decode())
    elif name == "unlink" and (unlinked := _UNLINKED.match(arguments)):
        yield Unlink(_bytes(unlinked[1]).decode())


def _bytes(hexadecimal: str) -> bytes:
    return bytes.fromhex(hexadecimal.replace("\\x", ""))
