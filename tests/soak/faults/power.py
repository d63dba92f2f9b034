"""Power cuts: trace a writer's file operations once, then cut them off at many random moments.

scripts/soak faults power --images 25000
"""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from ledger.store import Store, migrate
from tests.soak.faults.disk import FOLDER, Disk, Image
from tests.soak.faults.moves import Place, audited, nights
from tests.soak.faults.tracing import Say, Step, Sync, read, strace, within
from tests.soak.faults.writer import ACKNOWLEDGED, DATABASE, JOURNAL

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
        return replace(self, steps=tuple(step for step in self.steps if step != Sync(name)))


@dataclass(slots=True)
class Tally:
    """The number of images by verdict, and a line for each bad one with its seed."""

    found: Counter[str] = field(default_factory=Counter)
    images: int = 0
    bad: list[str] = field(default_factory=list)


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
    """Cut the power until `images` different images were found, and judge what SQLite recovers from each.

    With `stop`, end at the first bad one.
    """
    tally, checked, moments = Tally(), set[tuple[bytes, int]](), list(_moments(recording))
    with TemporaryDirectory(prefix="power-", dir=_in_memory()) as folder:
        look = _Look(Path(folder))
        for number in range(20 * images):
            chance = Random(f"{seed} {number}")
            moment = chance.choice(moments)
            image = moment.cut(chance)
            # The same files are a new case if more was acknowledged.
            if (key := (_digest(image), len(moment.acknowledged))) in checked:
                continue
            checked.add(key)
            verdict = look.at(image, moment.acknowledged)
            tally.found[verdict] += 1
            if verdict != FINE:
                tally.bad.append(
                    f"seed {seed}, image {number}, after {moments.index(moment)} steps: {verdict}"
                )
            if len(checked) == images or (stop and tally.bad):
                break
    tally.images = len(checked)
    return tally


@dataclass(frozen=True, slots=True)
class _Moment:
    """A moment between two steps: the disk, and everything acknowledged so far."""

    disk: Disk
    acknowledged: tuple[Place, ...]

    def cut(self, chance: Random) -> Image:
        """The files afterwards; sometimes only the programs are killed."""
        return self.disk.now() if chance.random() < 0.05 else self.disk.after_a_cut(chance)


def _moments(recording: Recording) -> Iterator[_Moment]:
    disk, acknowledged = Disk(recording.files), list[Place]()
    yield _Moment(disk.copy(), ())
    for step in recording.steps:
        disk.take(step)
        if isinstance(step, Say) and step.path == ACKNOWLEDGED:
            acknowledged.append(Place.read(step.data.decode()))
        yield _Moment(disk.copy(), tuple(acknowledged))


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
        there = self._known(sha256(self._database.read_bytes()).digest())
        if there is None:
            return CORRUPT
        return FINE if there.issuperset(acknowledged) else LOST

    def _of_contents(self, _digest: bytes) -> frozenset[Place] | None:
        """All places recorded in the recovered database; None if the audit finds anything."""
        url, night = f"sqlite:///{self._database}", next(nights())
        if audited(url):
            return None
        store = Store.open(url, web=False)
        try:
            with store.reading() as reader:
                row = reader.night(night)
                opened = [Place(0, row.hash.hex())] if row else []
                return frozenset((*opened, *(Place(e.seq, e.hash.hex()) for e in reader.events(night))))
        finally:
            store.close()


def _digest(image: Image) -> bytes:
    whole = sha256()
    for name, data in sorted(image.items()):
        whole.update(f"{name} {len(data)} ".encode())
        whole.update(data)
    return whole.digest()


def report(*, moves: int, images: int, weaker: int, seed: int) -> int:
    """Run the long mode and print a table of verdicts under each setting and on disks that ignore a sync."""
    with TemporaryDirectory(prefix="power-") as folder:
        recordings = recorded(Path(folder), moves)
    asked = {name: (recording, weaker) for name, recording in recordings.items()}
    asked[OURS] = recordings[OURS], images
    for name, path in SYNCED.items():
        asked[f"{OURS}, {name} never synced"] = recordings[OURS].without_syncs_of(path), weaker
    print(
        f"{f'{moves} moves, cut anywhere':40}" + "".join(f"{h:>9}" for h in ("images", FINE, LOST, CORRUPT))
    )
    wrong = False
    for name, (recording, number) in asked.items():
        tally = cut(recording, images=number, seed=seed)
        counts = (tally.images, *(tally.found[verdict] for verdict in (FINE, LOST, CORRUPT)))
        print(f"{name:40}" + "".join(f"{count:>9}" for count in counts), flush=True)
        wrong |= bool(tally.bad) != (name != OURS) or tally.images < number
        if name == OURS:
            print("\n".join(tally.bad[:10]), end="\n" if tally.bad else "")
    print(
        "WRONG" if wrong else "nothing acknowledged is lost as served, and something wherever less is synced"
    )
    return int(wrong)


def _in_memory() -> Path | None:
    """A folder in memory, if there is one: the disk is simulated, so no real one is needed."""
    shared = Path("/dev/shm")
    return shared if shared.is_dir() else None
