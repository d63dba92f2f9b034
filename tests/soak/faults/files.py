"""Every file of an installation, damaged in every way, at rest and under a running server, which is stopped in
every way. What was acknowledged is there afterwards, or the host is told; nothing wrong is shown."""

import shutil
import time
import tomllib
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Annotated, Final
from unittest.mock import patch

from ledger.store import systems
from ledger.store.systems import sqlite
from ledger.store.systems.sqlite_log import log_size
from tests.cli.commands import tienlen
from tests.processes import await_end, wait_for
from tests.servers import Served
from tests.soak.faults.looking import Seen, bound, look, look_from_outside
from tests.soak.faults.moves import Place, nights
from tests.soak.faults.serving import Phone
from tests.soak.faults.writer import DATABASE
from tests.soak.running import Tally, progress, scratch
from tests.stops import STOPS, Stop

FILES: Final[dict[str, dict[str, dict[str, str]]]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
_OF_THE_TRIAL: Final = {"log", "older"}
_MOVES: Final = 4

AT_ONCE: Final = "killed within a second"
ENDS: Final[dict[str, Stop]] = {**STOPS, "killed": Served.kill, AT_ONCE: Served.kill}
"""How a server ends: it is killed once its log is empty, or before."""
_NEVER_EMPTIED: Final = "from ledger.store.systems import log_emptier; log_emptier.SECONDS = 3600"

KEPT, TOLD, BY_PHONES = "all is there", "the host is told", "only phones say so"
OVERWRITTEN: Final = "what is shown is not what was acknowledged, and the audit finds nothing"
NOT_THERE: Final = "no such file then"

LOG_NOT_READ: Final = "the log is not looked at"
LOG_NOT_FOUND: Final = "a log that is taken away is written to"
EMPTY: Final = "an empty database is filled"
DEFECTS: Final = (LOG_NOT_READ, LOG_NOT_FOUND, EMPTY)
_PLANTS: Final = {
    LOG_NOT_FOUND: "from ledger.store.systems import sqlite\n"
    "sqlite.Sqlite._has_lost_log = lambda self: False\n"
    "sqlite.Sqlite.require_writable = lambda self: None\n"
    f"{_NEVER_EMPTIED}",
}


@dataclass(frozen=True, slots=True)
class Installation:
    """A folder with a database, and the phone that has recorded in it."""

    folder: Path
    night: str
    token: str
    opened: Place
    acknowledged: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A damage of one file, at rest or under a running server that ends so."""

    file: str
    damage: str
    running: bool
    end: str

    def __str__(self) -> str:
        return f"{self.file} {self.damage} {'under a server' if self.running else 'at rest after one'} {self.end}"


def _flip(file: Path, older: Path, chance: Random) -> None:
    content = bytearray(file.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    with file.open("r+b") as written:
        written.write(content)


def _cut(file: Path, older: Path, chance: Random) -> None:
    with file.open("r+b") as written:
        written.truncate(chance.randrange(file.stat().st_size))


def _empty(file: Path, older: Path, chance: Random) -> None:
    with file.open("r+b") as written:
        written.truncate(0)


def _delete(file: Path, older: Path, chance: Random) -> None:
    file.unlink()


def _replace(file: Path, older: Path, chance: Random) -> None:
    shutil.copy(older, file.with_name("copy"))
    file.with_name("copy").replace(file)


def _forbid(file: Path, older: Path, chance: Random) -> None:
    file.chmod(0)


FORBIDDEN: Final = "made unreadable"
DAMAGES: Final[dict[str, Callable[[Path, Path, Random], None]]] = {
    "flipped": _flip,
    "cut": _cut,
    "emptied": _empty,
    "deleted": _delete,
    "replaced by an older one": _replace,
    FORBIDDEN: _forbid,
}
_NEED_CONTENT: Final = ("flipped", "cut")


def cases() -> list[Case]:
    """All of them."""
    return [
        Case(file, damage, running, end)
        for file in FILES
        for damage in DAMAGES
        for running in (False, True)
        for end in ENDS
    ]


def served(folder: Path, plant: str = "") -> Served:
    """A server of an installation, with a key in its folder; file permissions bind it."""
    return Served(folder, environment={"TIENLEN_KEY": ""}, plant=plant, under=bound([]))


def make(folder: Path, end: str) -> Installation:
    """An installation whose server has recorded entries and has ended so; `older` has its files of before. Raises
    AssertionError if it has a file of which nothing is known."""
    folder.mkdir()
    older = folder / "older"
    with served(folder, _NEVER_EMPTIED if end == AT_ONCE else "") as server:
        phone = Phone.opening(server, next(nights()))
        _record(phone, _MOVES)
        backups = folder / "backups"
        assert tienlen("--database", server.database, "backup", backups).status == 0
        for file in backups.iterdir():
            file.rename(backups / f"tienlen{file.suffix}")
        shutil.copytree(folder, older)
        _record(phone, _MOVES)
        unknown = unknown_files(folder)
        assert not unknown, f"files.toml does not say what damage of {unknown} may do"
        _end(server, end)
    return Installation(folder, phone.night, phone.token, phone.opened, tuple(phone.acknowledged))


def unknown_files(folder: Path) -> set[str]:
    """The files of an installation that are not in FILES, relative to its folder."""
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {name for name in names if name.partition("/")[0] not in _OF_THE_TRIAL} - set(FILES)


def _record(phone: Phone, moves: int) -> None:
    for _ in range(moves):
        assert phone.record().status == 201


def _end(server: Served, end: str) -> None:
    if end == "killed":
        wait_for(lambda: not log_size(server.folder / DATABASE), "the log to be emptied")
    ENDS[end](server)
    await_end(server.process)


def judge(case: Case, installation: Installation, folder: Path, chance: Random, plant: str = "") -> str:
    """Damage a copy of an installation. Returns the verdict: one of the above, or what is wrong."""
    shutil.copytree(installation.folder, folder)
    (folder / f"{DATABASE}.lock.open").write_text(str((folder / DATABASE).stat().st_ino))
    acknowledged, told = list(installation.acknowledged), False
    if case.running:
        acknowledged, told = _damage_under_a_server(case, installation, folder, chance, plant)
    elif not _damage(case, folder, chance):
        return NOT_THERE
    looks = look_from_outside if case.damage == FORBIDDEN else look
    seen, of_file = looks(folder, installation.night), FILES[case.file]
    verdict = _verdict(seen, acknowledged)
    if verdict == OVERWRITTEN and not seen.broken and _may_be_missing(case):
        return BY_PHONES  # a server that found an older database has gone on from there
    if (
        verdict == BY_PHONES
        and seen.silent == ["/healthz"]
        and case.damage in of_file.get("slow to find", {})
    ):
        return TOLD
    if verdict == BY_PHONES and told:
        return TOLD
    if verdict == BY_PHONES and not _may_be_missing(case):
        return f"missing, and to {', '.join(seen.silent)} all is well"
    if case.file.startswith("backups/") and verdict == KEPT:
        return _restored(folder, installation)
    return verdict


def _may_be_missing(case: Case) -> bool:
    """Whether only phones can miss what is lost by this damage."""
    of_file = FILES[case.file]
    at_once = of_file.get("missing at once", {}) if case.end == AT_ONCE else {}
    return case.damage in of_file.get("missing", {}) or case.damage in at_once


def _damage(case: Case, folder: Path, chance: Random) -> bool:
    """Damage a file; False if there is no such file to be damaged so."""
    file, older = folder / case.file, folder / "older" / case.file
    if not file.exists() or (case.damage in _NEED_CONTENT and not file.stat().st_size):
        return False
    if DAMAGES[case.damage] is _replace and not older.exists():
        return False
    DAMAGES[case.damage](file, older, chance)
    return True


def _damage_under_a_server(
    case: Case, installation: Installation, folder: Path, chance: Random, plant: str
) -> tuple[list[Place], bool]:
    """Damage a file while a server runs, go on recording, and stop it. Returns what was acknowledged, and whether
    the server's health check said meanwhile that nothing can be recorded."""
    plant += "" if case.end != AT_ONCE else f"\n{_NEVER_EMPTIED}"
    with served(folder, plant) as server:
        phone = Phone(server, installation.night, installation.token, installation.opened)
        phone.acknowledged += installation.acknowledged
        _record(phone, 2)
        _damage(case, folder, chance)
        for _ in range(2):
            with suppress(OSError, HTTPException):
                phone.record()
        told = _says_that_something_is_wrong(server)
        if case.end == "killed":
            time.sleep(1.5)  # what was acknowledged is a second old
        ENDS[case.end](server)
        await_end(server.process)
    return phone.acknowledged, told


def _says_that_something_is_wrong(server: Served) -> bool:
    try:
        return server.get("/healthz").status != 200
    except (OSError, HTTPException):
        return False


def _verdict(seen: Seen, acknowledged: list[Place]) -> str:
    missing = [place for place in acknowledged if seen.entries.get(place.seq) != place.hash]
    if "audit" in seen.silent and (seen.broken or any(place.seq in seen.entries for place in missing)):
        return OVERWRITTEN
    if not missing:
        return KEPT
    return BY_PHONES if seen.silent else TOLD


def _restored(folder: Path, installation: Installation) -> str:
    """The verdict on a damaged backup: it is refused, or restores what it was made of."""
    place = folder / "restored"
    place.mkdir()
    url = f"sqlite:///{place / DATABASE}"
    if tienlen("--database", url, "restore", folder / "backups" / "tienlen.db").status:
        return TOLD
    seen = look(place, installation.night)
    verdict = _verdict(seen, list(installation.acknowledged[:_MOVES]))
    return verdict if verdict in (KEPT, TOLD) else f"a damaged backup is restored: {verdict}"


def planted(defect: str) -> ExitStack:
    """A context with a defect in this process."""
    stack = ExitStack()
    if defect == LOG_NOT_READ:
        stack.enter_context(patch.object(sqlite, "copy_if_damaged", lambda _, alone: None))
    if defect == EMPTY:
        stack.enter_context(patch.object(systems, "FILE_ENDINGS", ()))
        stack.enter_context(patch.object(systems, "KEY_FILE", "none"))
    return stack


class Trials:
    """Cases, each tried on a fresh copy of an installation in a folder. Of those at rest, a server has ended as the
    case says; for the others any will do."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[str, Installation] = {}

    def run(self, chosen: Sequence[Case], *, seed: int = 1, defect: str = "") -> Tally:
        """The verdicts, and a line for each that is wrong."""
        tally = Tally()
        for case in progress(chosen, len(chosen), "damages"):
            installation, place = self.installation(case), self._folder / "trial"
            with planted(defect):
                verdict = judge(case, installation, place, Random(f"{seed} {case}"), _PLANTS.get(defect, ""))
            shutil.rmtree(place)
            tally[verdict] += 1
            if verdict not in (NOT_THERE, KEPT, TOLD, BY_PHONES):
                tally.wrong.append(f"{case}: {verdict}")
        return tally

    def installation(self, case: Case) -> Installation:
        """The installation that a case damages a copy of."""
        end = next(iter(self._made), case.end) if case.running else case.end
        if end not in self._made:
            self._made[end] = make(self._folder / end, end)
        return self._made[end]


FLIPPED_LOG: Final = Case(f"{DATABASE}-wal", "flipped", False, AT_ONCE)
EMPTIED: Final = Case(DATABASE, "emptied", False, AT_ONCE)
LOST_LOG: Final = Case(f"{DATABASE}-wal", "deleted", True, "SIGTERM to every process")
EXCHANGED_LOG: Final = Case(f"{DATABASE}-wal", "replaced by an older one", True, "killed")


def sample() -> list[Case]:
    """A damage for every file and a file for every damage, at rest; and a log that is deleted under a server."""
    ways = list(DAMAGES)
    at_rest = [Case(file, ways[number % len(ways)], False, AT_ONCE) for number, file in enumerate(FILES)]
    return [*at_rest, FLIPPED_LOG, EMPTIED, LOST_LOG]


def soak(
    *,
    every: Annotated[int, "one case of so many"] = 1,
    seed: int = 1,
    defect: Annotated[str, DEFECTS, "plant it, and see it found"] = "",
) -> Tally:
    """Damage every file of an installation in every way, at rest and under a running server, and end it in every
    way; whatever is missing is told."""
    with scratch() as folder:
        return Trials(folder).run(cases()[seed % every :: every], seed=seed, defect=defect)
