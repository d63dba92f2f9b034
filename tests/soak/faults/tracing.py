"""A program's file operations and output, in order, from strace."""

import re
import shutil
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

_LINE: Final = re.compile(r"(\d+) +(.*)")
_UNFINISHED: Final = " <unfinished ...>"
_RESUMED: Final = re.compile(r"<\.\.\. \w+ resumed>(.*)")
_CALL: Final = re.compile(r"(\w+)\((.*)\) += (-?\d+)")
_TEXT: Final = r'"((?:\\x[0-9a-f]{2})*)"'
_FILE: Final = r"\d+<((?:\\x[0-9a-f]{2})*)>"


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
    calls = ["-e", f"trace={','.join(_STEPS)}", "-e", "signal=none"]
    return ["strace", "-f", "-qq", *shown, *calls, "-o", str(trace), *more]


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
    if call and not call[3].startswith("-"):  # neither the end of a process nor a failed call
        pattern, step = _STEPS[call[1]]
        if found := re.match(pattern, call[2]):
            yield step(_bytes(found[1]).decode(), found, int(call[3]))


def _bytes(hexadecimal: str) -> bytes:
    return bytes.fromhex(hexadecimal.replace("\\x", ""))


_STEPS: Final[dict[str, tuple[str, Callable[[str, re.Match[str], int], Step]]]] = {
    "openat": (rf"[^,]+, {_TEXT}, [A-Z_|]*O_CREAT", lambda path, *_: Open(path)),
    "pwrite64": (
        rf"{_FILE}, {_TEXT}, \d+, (\d+)",
        lambda path, found, done: Write(path, int(found[3]), _bytes(found[2])[:done]),
    ),
    "ftruncate": (rf"{_FILE}, (\d+)", lambda path, found, _: Truncate(path, int(found[2]))),
    "fsync": (_FILE, lambda path, *_: Sync(path)),
    "fdatasync": (_FILE, lambda path, *_: Sync(path)),
    "unlink": (_TEXT, lambda path, *_: Unlink(path)),
    "write": (rf"{_FILE}, {_TEXT}, \d+", lambda path, found, _: Say(path, _bytes(found[2]))),
    "sendto": (rf"{_FILE}, {_TEXT}, \d+", lambda path, found, _: Say(path, _bytes(found[2]))),
}
"""The system calls with which SQLite changes a disk, and with which programs send output: the pattern of their
arguments, and the step."""
