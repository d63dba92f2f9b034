"""A program's file operations and output, in order, from strace."""

import re
import shutil
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class Step:
    """What happens to a file: `open` it (it is created if it does not exist), `write` data at a place, `cut` it off
    there, `sync` it to the disk (of a folder, the names in it), `unlink` it; or `say`: output that cannot be
    undone, to a socket or a file that is only appended to."""

    kind: str
    path: str
    at: int = 0
    data: bytes = b""


_LINE: Final = re.compile(r"(\d+) +(.*)")
_UNFINISHED: Final = " <unfinished ...>"
_RESUMED: Final = re.compile(r"<\.\.\. \w+ resumed>(.*)")
_CALL: Final = re.compile(r"(\w+)\((.*)\) += (-?\d+)")
_TEXT: Final = r'"((?:\\x[0-9a-f]{2})*)"'
_FILE: Final = r"\d+<((?:\\x[0-9a-f]{2})*)>"
_CALLS: Final = {
    "openat": ("open", rf"[^,]+, {_TEXT}, [A-Z_|]*O_CREAT()()"),
    "pwrite64": ("write", rf"{_FILE}, {_TEXT}, \d+, (\d+)"),
    "ftruncate": ("cut", rf"{_FILE}, ()(\d+)"),
    "fsync": ("sync", f"{_FILE}()()"),
    "fdatasync": ("sync", f"{_FILE}()()"),
    "unlink": ("unlink", f"{_TEXT}()()"),
    "write": ("say", rf"{_FILE}, {_TEXT}, \d+()"),
    "sendto": ("say", rf"{_FILE}, {_TEXT}, \d+()"),
}
"""The system calls with which SQLite changes a disk, and with which programs send output: the step, and the pattern
of the arguments, with the path, the data and the place."""

_PATH: Final = r'[<"]((?:\\x[0-9a-f]{2})*)[>"]'
LOCKS_AND_CHANGES: Final = (
    *("-e", "trace=flock,close,write,pwrite64,pwritev,ftruncate,fallocate,unlink,rename"),
    *("-s", "0"),
)
"""Options of strace for what `changes` reads."""


def why_not_here() -> str:
    """The reason why this machine cannot trace; empty if it can."""
    return "" if shutil.which("strace") else "no strace found: install Debian's strace package"


def strace(trace: Path, *more: str) -> list[str]:
    """The strace command, to which the program or `-p PID` is appended."""
    shown = ["-y", "-xx", "-s", "1000000"]  # paths of descriptors, every byte in hexadecimal
    calls = ["-e", f"trace={','.join(_CALLS)}", "-e", "signal=none"]
    return ["strace", "-f", "-qq", *shown, *calls, "-o", str(trace), *more]


def read(trace: Path) -> Iterator[Step]:
    """The steps of a trace. A call counts when it returns, but a send when it begins."""
    for _, call in _calls(trace):
        yield from _step(call)


def changes(trace: Path, lock: Path, files: Container[str]) -> Iterator[tuple[str, bool]]:
    """The calls that change files next to a lock file, or their names, and whether the thread held the lock."""
    held = set[tuple[str, str]]()
    for thread, text in _calls(trace):
        call = _CALL.match(text)
        if not call or call[3].startswith("-"):
            continue
        descriptor = thread, call[2].partition("<")[0]
        paths = [Path(_bytes(found).decode()) for found in re.findall(_PATH, call[2])]
        if call[1] == "close":
            held.discard(descriptor)
        elif call[1] != "flock":
            changed = [path.name for path in paths if path.parent == lock.parent and path.name in files]
            yield from ((f"{call[1]} {name}", thread in {holder for holder, _ in held}) for name in changed)
        elif paths == [lock] and "LOCK_EX" in call[2]:
            held.add(descriptor)


def _calls(trace: Path) -> Iterator[tuple[str, str]]:
    """The thread and the text of each call."""
    begun: dict[str, str] = {}
    with trace.open(encoding="ascii") as lines:
        for line in lines:
            thread, text = _LINE.fullmatch(line.rstrip("\n")).groups()  # type: ignore[union-attr]
            if text.endswith(_UNFINISHED):
                begun[thread] = text.removesuffix(_UNFINISHED)
                if begun[thread].startswith("sendto("):
                    yield thread, begun.pop(thread) + ") = 0"
            elif resumed := _RESUMED.fullmatch(text):
                if thread in begun:
                    yield thread, begun.pop(thread) + resumed[1]
            else:
                yield thread, text


def within(folder: Path, steps: Iterable[Step], files: Container[str]) -> Iterator[Step]:
    """The steps on some files of a folder (by name) and on the folder itself (""), and what was sent."""
    for step in steps:
        path = Path(step.path)
        if path == folder:
            yield replace(step, path="")
        elif path.parent == folder and path.name in files:
            yield replace(step, path=path.name)
        elif step.kind == "say" and not path.is_absolute():
            yield step


def _step(text: str) -> Iterator[Step]:
    call = _CALL.match(text)
    if call and not call[3].startswith("-"):  # neither the end of a process nor a failed call
        kind, pattern = _CALLS[call[1]]
        if found := re.match(pattern, call[2]):
            data = _bytes(found[2])[: int(call[3]) if kind == "write" else None]
            yield Step(kind, _bytes(found[1]).decode(), int(found[3] or 0), data)


def _bytes(hexadecimal: str) -> bytes:
    return bytes.fromhex(hexadecimal.replace("\\x", ""))
