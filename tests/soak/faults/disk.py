"""A simulated disk on which unsynced data may be dropped, torn at sectors, reordered or turned to noise."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from pathlib import Path
from random import Random
from typing import Final

from tests.soak.faults.tracing import Step

SECTOR: Final = 512
PAGE: Final = 4096

FOLDER: Final = ""  # the path of a step on the folder itself

Image = dict[str, bytes]  # names and contents of the files in a folder


def put(image: Image, folder: Path) -> None:
    """Make a folder hold these files alone."""
    for file in folder.iterdir():
        if file.name not in image:
            file.unlink()
    for name, data in image.items():
        (folder / name).write_bytes(data)


@dataclass(slots=True)
class _File:
    synced: bytes
    pending: list[Step] = field(default_factory=list)

    def sync(self) -> None:
        self.synced = _after(self.synced, self.pending)
        self.pending = []

    def left(self, chance: Random) -> bytes:
        """Contents that may be found after a power cut."""
        if not self.pending:
            return self.synced
        survive = chance.choice((_in_order, _in_any_order, _page_by_page))
        found = survive(self.synced, self.pending, chance)
        return _with_noise(found, self.pending, chance) if chance.random() < 0.1 else found


class Disk:
    """One folder: its files as programs see them, and as a power cut may leave them."""

    def __init__(self, files: Image) -> None:
        self._files = {name: _File(data) for name, data in files.items()}
        self._names = dict(self._files)  # as on the disk; other names wait for a sync of the folder

    def copy(self) -> "Disk":
        """The disk as it is now; the contents of files are shared."""
        copies = {
            id(file): _File(file.synced, [*file.pending])
            for file in (*self._files.values(), *self._names.values())
        }
        other = Disk({})
        other._files = {name: copies[id(file)] for name, file in self._files.items()}
        other._names = {name: copies[id(file)] for name, file in self._names.items()}
        return other

    def take(self, step: Step) -> None:
        match step.kind:
            case "open":
                self._files.setdefault(step.path, _File(b""))
            case "write" | "cut":
                self._files[step.path].pending.append(step)
            case "sync" if step.path == FOLDER:
                self._names = dict(self._files)
            case "sync":
                self._files[step.path].sync()
            case "unlink":
                del self._files[step.path]

    def synced(self) -> Image:
        """The files as they are kept if nothing is that was not synced."""
        return {name: file.synced for name, file in self._names.items()}

    def now(self) -> Image:
        """The files as programs see them: the result if only the programs are killed."""
        return {name: _after(file.synced, file.pending) for name, file in self._files.items()}

    def after_a_cut(self, chance: Random) -> Image:
        """The files as a power cut may leave them."""
        found = dict(self._names)
        for name in sorted(self._pending_names()):
            if chance.random() < 0.5:
                found.pop(name, None)
                found |= {name: self._files[name]} if name in self._files else {}
        return {name: file.left(chance) for name, file in sorted(found.items())}

    def _pending_names(self) -> set[str]:
        either = self._files.keys() | self._names.keys()
        return {name for name in either if self._files.get(name) is not self._names.get(name)}


def _after(data: bytes, changes: Iterable[Step]) -> bytes:
    found = bytearray(data)
    for change in changes:
        found.extend(bytes(max(change.at - len(found), 0)))
        if change.kind == "write":
            found[change.at : change.at + len(change.data)] = change.data
        else:
            del found[change.at :]
    return bytes(found)


def _in_order(synced: bytes, pending: list[Step], chance: Random) -> bytes:
    """The first changes, the last of them torn."""
    done = pending[: chance.randint(0, len(pending))]
    return _after(synced, [*done[:-1], *(piece for last in done[-1:] for piece in _torn(last, chance))])


def _in_any_order(synced: bytes, pending: list[Step], chance: Random) -> bytes:
    """Some of the changes, some of them torn, in any order."""
    done = chance.sample(pending, chance.randint(0, len(pending)))
    pieces = (_torn(each, chance) if chance.random() < 0.3 else [each] for each in done)
    return _after(synced, chain.from_iterable(pieces))


def _page_by_page(synced: bytes, pending: list[Step], chance: Random) -> bytes:
    """Each page or sector as it was at a random moment, and so the size; a truncation never changes a page."""
    moments = [_after(synced, pending[:number]) for number in range(len(pending) + 1)]
    unit = chance.choice((SECTOR, PAGE))
    size = len(chance.choice(moments))

    def at(place: int) -> bytes:
        had = [moment for moment in moments if len(moment) > place]
        return chance.choice(had)[place : place + unit].ljust(unit, b"\0")

    return b"".join(map(at, range(0, size, unit)))[:size]


def _torn(change: Step, chance: Random) -> Iterator[Step]:
    """Some of the sectors of a write; a truncation happens or not."""
    if change.kind == "cut":
        yield change
        return
    end = change.at + len(change.data)
    edges = [change.at, *range(change.at // SECTOR * SECTOR + SECTOR, end, SECTOR), end]
    for begin, until in pairwise(edges):
        if chance.random() < 0.5:
            yield replace(change, at=begin, data=change.data[begin - change.at : until - change.at])


def _with_noise(found: bytes, pending: list[Step], chance: Random) -> bytes:
    """Fill one sector that was being written with random bytes."""
    writes = [change for change in pending if change.kind == "write" and change.at < len(found)]
    if not writes:
        return found
    written = chance.choice(writes)
    at = chance.randrange(written.at, written.at + len(written.data)) // SECTOR * SECTOR
    return _after(found, [replace(written, at=at, data=chance.randbytes(SECTOR))])[: len(found)]
