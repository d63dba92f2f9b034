"""Power cuts: trace a writer's file operations once, then cut them off at many random moments. The memory that
processes share lies in a file too, of which a power cut leaves anything: nothing, an old state, noise."""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final

from ledger.store import Store, migrate
from ledger.store.systems.sqlite_connections import SECTORS
from tests.soak.faults.disk import FOLDER, PAGE, Disk, Image, put
from tests.soak.faults.moves import Place, audited, nights
from tests.soak.faults.tracing import Step, read, strace, within
from tests.soak.faults.writer import ACKNOWLEDGED, DATABASE, ERASED, LOG, SHARED_MEMORY
from tests.soak.running import Progress, Tally, row, scratch

ROOT: Final = Path(__file__).parents[3]

OURS: Final = "as served"
SETTINGS: Final[Mapping[str, tuple[str, dict[str, Any]]]] = {
    OURS: (SECTORS, {}),
    "synchronous=NORMAL": (SECTORS, {"synchronous": 1}),
    "synchronous=OFF": (SECTORS, {"synchronous": 0}),
    "sectors of two commits": ("psow=1", {}),
}
"""The settings to record under; all but the first are weaker, and must be found to lose something."""

SYNCED: Final[Mapping[str, Callable[[Step, Step], bool]]] = {
    "the database": lambda _, step: step == Step("sync", DATABASE),
    "the log": lambda _, step: step == Step("sync", LOG),
    "the log that was cut off": lambda before, step: (before, step) == (Step("cut", LOG), Step("sync", LOG)),
    "the folder": lambda _, step: step == Step("sync", FOLDER),
}
"""What a served store syncs: whether a step is such a sync, from it and the one before it. A disk that ignores one
of these must be found to lose something, or to bring an erased name back."""

FINE, LOST, CORRUPT, NAMED = VERDICTS = ("fine", "lost", "corrupt", "an erased name is back")


@dataclass(frozen=True, slots=True)
class Recording:
    """The files before a writer began, and its steps: file operations and acknowledgements."""

    files: Image
    steps: tuple[Step, ...]

    def without_syncs_of(self, name: str) -> "Recording":
        """The recording on a disk that ignores the syncs of one kind (SYNCED)."""
        pairs = pairwise((Step("", ""), *self.steps))
        return replace(self, steps=tuple(step for before, step in pairs if not SYNCED[name](before, step)))


def recorded(folder: Path, moves: int) -> dict[str, Recording]:
    """Record `moves` entries of a night under each of the settings, traced by strace."""
    folder = folder.resolve()
    empty = folder / "empty.db"
    migrate(f"sqlite:///{empty}")
    arguments: list[str] = []
    for number, settings in enumerate(SETTINGS.values()):
        place = folder / str(number)
        place.mkdir()
        shutil.copyfile(empty, place / DATABASE)
        arguments += [str(place), json.dumps(settings)]
    trace = folder / "trace"
    program = [sys.executable, "-m", "tests.soak.faults.writer", str(moves), *arguments]
    subprocess.run([*strace(trace), *program], cwd=ROOT, check=True)
    files, steps = {DATABASE: empty.read_bytes()}, list(read(trace))
    return {
        name: Recording(files, tuple(within(folder / str(number), steps, (DATABASE, LOG, ACKNOWLEDGED))))
        for number, name in enumerate(SETTINGS)
    }


def cut(recording: Recording, *, images: int, seed: int, stop: bool = False) -> Tally:
    """Cut the power until so many different images were found, and judge each; with `stop`, until one is bad."""
    tally, checked, moments = Tally(), set[tuple[int, int]](), list(_moments(recording))
    say = Progress(images, "images")
    with scratch(in_memory=True) as folder:  # the disk is simulated, so no real one is needed
        look = _Look(folder)
        for number in range(20 * images):
            say(len(checked))
            chance = Random(f"{seed} {number}")
            at = chance.randrange(len(moments))
            disk, acknowledged = moments[at]
            # Sometimes only the programs are killed.
            image = disk.now() if chance.random() < 0.05 else disk.after_a_cut(chance)
            # The same files are a new case if more was acknowledged.
            if (key := (hash(frozenset(image.items())), len(acknowledged))) in checked:
                continue
            checked.add(key)
            verdict = look.at(image, acknowledged, chance)
            tally[verdict] += 1
            if verdict != FINE:
                tally.wrong.append(f"seed {seed}, image {number}, after {at} steps: {verdict}")
            if len(checked) == images or (stop and tally.wrong):
                break
    return tally


def _moments(recording: Recording) -> Iterator[tuple[Disk, tuple[str, ...]]]:
    """The moments between two steps: the disk, and everything acknowledged so far."""
    disk, acknowledged = Disk(recording.files), list[str]()
    yield disk.copy(), ()
    for step in recording.steps:
        disk.take(step)
        if step.kind == "say" and step.path == ACKNOWLEDGED:
            acknowledged.append(step.data.decode().rstrip())
        yield disk.copy(), tuple(acknowledged)


class _Look:
    """Lets SQLite recover an image and audits the result, once for equal contents."""

    def __init__(self, folder: Path) -> None:
        self._database = folder / DATABASE
        self._shared_memory = folder / SHARED_MEMORY
        self._earlier = b""  # what an earlier look had in the shared memory
        self._known = cache(self._of_contents)

    def at(self, image: Image, acknowledged: tuple[str, ...], chance: Random) -> str:
        names = {line for line in acknowledged if line.startswith(ERASED)}
        if any(name.removeprefix(ERASED).encode() in data for data in image.values() for name in names):
            return NAMED
        put(image, self._database.parent)
        self._leave_shared_memory(chance)
        try:
            with closing(sqlite3.connect(self._database)) as connection:
                connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
                if self._shared_memory.exists():
                    self._earlier = self._shared_memory.read_bytes()
        except sqlite3.DatabaseError:
            return CORRUPT
        there = self._known(hash(self._database.read_bytes()))
        if there is None:
            return CORRUPT
        return FINE if there.issuperset(set(acknowledged) - names) else LOST

    def _leave_shared_memory(self, chance: Random) -> None:
        """Leave what a power cut may leave of the shared memory."""
        match chance.randrange(3):
            case 0:
                self._shared_memory.write_bytes(self._earlier)
            case 1:
                self._shared_memory.write_bytes(
                    chance.randbytes(chance.choice((1, PAGE, 8 * PAGE, 9 * PAGE)))
                )

    def _of_contents(self, _hash: int) -> frozenset[str] | None:
        """All places recorded in the recovered database; None if the audit finds anything."""
        url, night = f"sqlite:///{self._database}", next(nights())
        if audited(url):
            return None
        with closing(Store.open(url, web=False)) as store, store.reading() as reader:
            begun = reader.night(night)
            opened = [Place(0, begun.hash.hex())] if begun else []
            return frozenset(map(str, (*opened, *map(Place.of, reader.events(night)))))


def soak(
    *,
    moves: Annotated[int, "that are recorded"] = 40,
    images: Annotated[int, "different ones, as the program is served"] = 25_000,
    weaker: Annotated[int, "different ones under each weaker setting"] = 2000,
    seed: int = 1,
) -> Tally:
    """Cut the power at any moment; under weaker settings, or if a sync is ignored, something must be lost."""
    with scratch() as folder:
        recordings = recorded(folder, moves)
    for name in SYNCED:
        recordings[f"{OURS}, {name} never synced"] = recordings[OURS].without_syncs_of(name)
    row(f"{moves} moves, cut anywhere", "images", *VERDICTS)
    every = Tally()
    for name, recording in recordings.items():
        number = images if name == OURS else weaker
        tally = cut(recording, images=number, seed=seed)
        row(name, tally.total(), *(tally[verdict] for verdict in VERDICTS))
        every.update({"settings and disks": 1, "images": tally.total()})
        every.wrong += (
            tally.wrong if name == OURS else [] if tally.wrong else [f"{name}: nothing lost is found"]
        )
        every.wrong += [f"{name}: only {tally.total()} different images"] if tally.total() < number else []
    return every
