"""Power cuts: trace a writer's file operations once, then cut them off at many random moments."""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final

from ledger.store import Store, migrate
from tests.soak.faults.disk import FOLDER, Disk, Image
from tests.soak.faults.moves import Place, audited, nights
from tests.soak.faults.tracing import Step, read, strace, within
from tests.soak.faults.writer import ACKNOWLEDGED, DATABASE, JOURNAL
from tests.soak.running import Progress, Tally, row, scratch

ROOT: Final = Path(__file__).parents[3]

OURS: Final = "as served"
SETTINGS: Final[Mapping[str, dict[str, Any]]] = {
    OURS: {},
    "synchronous=NORMAL": {"synchronous": 1},
    "synchronous=OFF": {"synchronous": 0},
    "journal_mode=MEMORY": {"journal_mode": "memory"},
    "journal_mode=OFF": {"journal_mode": "off"},
}
"""The settings to record under; all but the first are weaker, and must be found to lose something."""

SYNCED: Final = {"the database": DATABASE, "the journal": JOURNAL, "the folder": FOLDER}
"""What a served store syncs. A disk that ignores one of these syncs must be found to lose something."""

FINE, LOST, CORRUPT = "fine", "lost", "corrupt"


@dataclass(frozen=True, slots=True)
class Recording:
    """The files before a writer began, and its steps: file operations and acknowledgements."""

    files: Image
    steps: tuple[Step, ...]

    def without_syncs_of(self, name: str) -> "Recording":
        """The recording on a disk that ignores syncs of one file, or (FOLDER) of the folder's names."""
        return replace(self, steps=tuple(step for step in self.steps if step != Step("sync", name)))


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
        name: Recording(files, tuple(within(folder / str(number), steps, (DATABASE, JOURNAL, ACKNOWLEDGED))))
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
            verdict = look.at(image, acknowledged)
            tally[verdict] += 1
            if verdict != FINE:
                tally.wrong.append(f"seed {seed}, image {number}, after {at} steps: {verdict}")
            if len(checked) == images or (stop and tally.wrong):
                break
    return tally


def _moments(recording: Recording) -> Iterator[tuple[Disk, tuple[Place, ...]]]:
    """The moments between two steps: the disk, and everything acknowledged so far."""
    disk, acknowledged = Disk(recording.files), list[Place]()
    yield disk.copy(), ()
    for step in recording.steps:
        disk.take(step)
        if step.kind == "say" and step.path == ACKNOWLEDGED:
            acknowledged.append(Place.read(step.data.decode()))
        yield disk.copy(), tuple(acknowledged)


class _Look:
    """Lets SQLite recover an image and audits the result, once for equal contents."""

    def __init__(self, folder: Path) -> None:
        self._database = folder / DATABASE
        self._journal = folder / JOURNAL
        self._known = cache(self._of_contents)

    def at(self, image: Image, acknowledged: tuple[Place, ...]) -> str:
        self._journal.unlink(missing_ok=True)
        for name, data in image.items():
            (self._database.parent / name).write_bytes(data)
        try:
            with closing(sqlite3.connect(self._database)) as connection:
                connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.DatabaseError:
            return CORRUPT
        there = self._known(hash(self._database.read_bytes()))
        if there is None:
            return CORRUPT
        return FINE if there.issuperset(acknowledged) else LOST

    def _of_contents(self, _hash: int) -> frozenset[Place] | None:
        """All places recorded in the recovered database; None if the audit finds anything."""
        url, night = f"sqlite:///{self._database}", next(nights())
        if audited(url):
            return None
        with closing(Store.open(url, web=False)) as store, store.reading() as reader:
            begun = reader.night(night)
            opened = [Place(0, begun.hash.hex())] if begun else []
            return frozenset((*opened, *map(Place.of, reader.events(night))))


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
    for name, path in SYNCED.items():
        recordings[f"{OURS}, {name} never synced"] = recordings[OURS].without_syncs_of(path)
    row(f"{moves} moves, cut anywhere", "images", FINE, LOST, CORRUPT)
    every = Tally()
    for name, recording in recordings.items():
        number = images if name == OURS else weaker
        tally = cut(recording, images=number, seed=seed)
        row(name, tally.total(), *(tally[verdict] for verdict in (FINE, LOST, CORRUPT)))
        every.update({"settings and disks": 1, "images": tally.total()})
        every.wrong += (
            tally.wrong if name == OURS else [] if tally.wrong else [f"{name}: nothing lost is found"]
        )
        every.wrong += [f"{name}: only {tally.total()} different images"] if tally.total() < number else []
    return every
