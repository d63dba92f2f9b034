"""Plant small faults one at a time, and print which test notices each.

Mutants are a seeded sample of an area, or those on the lines that differ from main. Each is planted in a copy of
the checkout and given to the quick tests that call the changed function, the cheapest first; what these do not
notice, to the slow ones and to those of the packages that use it.

    scripts/soak mutants                              # all areas, as many as their bars are of
    scripts/soak mutants --area store --count 60
    scripts/soak mutants --changed main
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import repeat
from math import ceil
from pathlib import Path
from queue import SimpleQueue
from random import Random
from tempfile import TemporaryDirectory
from typing import Annotated, Final

import pytest

from tests.patience import Patience
from tests.processes import Process, guarded, start, stop
from tests.soak.mutants import python, scripts
from tests.soak.mutants.python import Mutant
from tests.soak.running import Tally, progress

ROOT: Final = Path(__file__).parents[3]
SECONDS: Final = (120, 1200)
"""What the machine gives (`tests/patience.py`) to the tests that a mutant is given to first, and to the others; one
that makes them run longer is noticed."""
MOST_FILES: Final = 20_000
MOST_BYTES: Final = 4_000_000_000
"""What the tests may have in their temporary folder; a mutant that makes them have more is noticed."""
MOST_TESTS: Final = 200
"""Of those that call a function."""
QUICK: Final = "not slow and not soak and not browser"


@dataclass(frozen=True, slots=True)
class Area:
    """Files, the bar that their mutants are held to, their tests, and other tests for what these miss; among them
    those that run the program in `processes` of its own, which report no calls."""

    files: str
    caught: int
    of: int
    tests: tuple[str, ...]
    others: tuple[str, ...]
    processes: tuple[str, ...] = ()


AREAS: Final = {
    "game": Area(
        "ledger/game/**/*.py", 95, 100, ("tests/game",), ("tests/game", "tests/recorder", "tests/language")
    ),
    "recorder": Area(
        "ledger/recorder/**/*.py",
        95,
        100,
        ("tests/recorder",),
        ("tests/recorder", "tests/golden", "tests/web", "tests/cli"),
    ),
    "store": Area(
        "ledger/store/**/*.py",
        58,
        60,
        ("tests/store", "-k", "not postgresql"),
        ("tests/store", "tests/recorder", "tests/cli"),
    ),
    "web": Area(
        "ledger/web/**/*.py",
        20,
        22,
        ("tests/web",),
        ("tests/web", "tests/golden", "tests/cli"),
        ("tests/web/test_operating.py", "tests/web/test_served.py", "tests/web/test_live.py"),
    ),
    "scripts": Area("ledger/web/static/*/*.js", 45, 50, ("tests/javascript",), ("tests/browser",)),
}


def sample(
    area: Area, root: Path, count: int, seed: int, lines: Mapping[Path, Collection[int]] | None = None
) -> list[Mutant]:
    """So many mutants of an area, at different places; all for 0. If `lines` are given, by file, only on those."""
    mutants_of = scripts.mutants_of if area.files.endswith(".js") else python.mutants_of
    every = [
        one
        for path in sorted(root.glob(area.files))
        for one in mutants_of(root, path.relative_to(root))
        if lines is None or one.line in lines.get(one.path, ())
    ]
    return sorted(Random(seed).sample(every, min(count or len(every), len(every))), key=str)


def changed_lines(base: str) -> dict[Path, set[int]]:
    """The lines that differ from a commit, by file."""
    found: dict[Path, set[int]] = defaultdict(set)
    diff = subprocess.run(
        ["git", "diff", "-U0", base], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    path = Path()
    for line in diff.splitlines():
        if line.startswith("+++ "):
            path = Path(line[6:])
        elif (hunk := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)) is not None:
            found[path].update(range(int(hunk[1]), int(hunk[1]) + int(hunk[2] or 1)))
    return found


class Copy:
    """A copy of a checkout in which one mutant is planted at a time."""

    def __init__(self, checkout: Path, folder: Path) -> None:
        self.root = folder
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"], cwd=checkout, capture_output=True, text=True
        )
        for name in listed.stdout.splitlines():
            if (checkout / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(checkout / name, folder / name)
        for shared in (
            ".venv",
            *(f"tests/{folder}/node_modules" for folder in ("javascript", "clients", "browser/engines")),
        ):
            if (checkout / shared).exists():
                (folder / shared).symlink_to(checkout / shared)

    def pytest(
        self, arguments: Sequence[str], seconds: int | None = None, **environment: str
    ) -> tuple[int, str]:
        """Run tests here; returns the exit status, and what was printed. If a run has so many `seconds`, one that
        takes longer or fills the disk has failed."""
        command = [sys.executable, "-m", "pytest", "-q", "-rf", "--no-header", "-p", "no:cacheprovider"]
        command += ["-p", "tests.soak.mutants.probe"] if "PROBED" in environment else ["-x"]
        (self.root / "arguments").write_text("\n".join(arguments), encoding="utf-8")
        environment |= {"PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"}
        with TemporaryDirectory(dir=self.root.parent, ignore_cleanup_errors=True) as folder:
            command += ["--basetemp", f"{folder}/t", "-W", "ignore", f"@{self.root / 'arguments'}"]
            printed = Path(folder, "printed")
            process = start(command, printed, environment | {"TMPDIR": folder}, folder=self.root)
            try:
                failed = _awaited(process, seconds, Path(folder))
            finally:
                stop(process, signal.SIGKILL)
            return process.returncode, failed or printed.read_text(encoding="utf-8", errors="replace")

    def noticed(self, mutant: Mutant, tests: Sequence[str], seconds: int) -> str:
        """The first of these tests that fails on a mutant and not without it; empty if none does."""
        place = self.root / mutant.path
        sound = place.read_text(encoding="utf-8")
        place.write_text(mutant.text, encoding="utf-8")
        try:
            status, printed = self.pytest(tests, seconds)
            if status == pytest.ExitCode.USAGE_ERROR:  # the names of tests have changed: their files are run
                status, printed = self.pytest(sorted({test.partition("::")[0] for test in tests}), seconds)
        finally:
            place.write_text(sound, encoding="utf-8")
        if status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            return ""
        found = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", printed, re.MULTILINE)
        who = found[1] if found else printed.strip().splitlines()[-1][:100]
        if who in tests and self.pytest([who], seconds)[0] != pytest.ExitCode.OK:
            return self.noticed(mutant, [test for test in tests if test != who], seconds)
        return who


def _awaited(process: Process, seconds: int | None, folder: Path) -> str:
    """Wait for a run of tests to end, or say why it has failed."""
    if seconds is None:
        process.wait()
        return ""
    patience = Patience(seconds, process=process.pid)
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(1)
            return ""
        if patience.ends():
            return f"FAILED after {seconds} s"
        if failed := _filled(folder):
            return failed


def _filled(folder: Path) -> str:
    """Why a run may not go on that has so much in its temporary folder, or an empty text."""
    files = size = 0
    for place, folders, names in os.walk(folder):
        files += len(folders) + len(names)
        for name in names:
            with suppress(OSError):  # deleted meanwhile
                size += os.lstat(f"{place}/{name}").st_blocks * 512
        if files > MOST_FILES:
            return f"FAILED with more than {MOST_FILES:,} files"
        if size > MOST_BYTES:
            return f"FAILED with more than {MOST_BYTES:,} bytes"
    return ""


def callers(copy: Copy, mutants: Iterable[Mutant], tests: Sequence[str], only: str) -> dict[str, list[str]]:
    """For each changed function, as "path:line", the tests that call it, or all if it is called by imports only."""
    functions: dict[Path, set[int]] = defaultdict(set)
    for mutant in mutants:
        functions[mutant.path].add(mutant.function)
    sound = {path: (copy.root / path).read_text(encoding="utf-8") for path in functions}
    for path, lines in functions.items():
        (copy.root / path).write_text(python.probed(sound[path], lines), encoding="utf-8")
    report = copy.root / "probed.json"
    status, printed = copy.pytest([*tests, "-m", only], PROBED=str(report))
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise ChildProcessError(printed[-2000:])
    for path, text in sound.items():
        (copy.root / path).write_text(text, encoding="utf-8")
    found = json.loads(report.read_text(encoding="utf-8"))
    seconds: dict[str, float] = found["seconds"]
    return {
        name.removeprefix(f"{copy.root}/"): spread(
            sorted(set(called) - {""} or seconds, key=seconds.__getitem__)
        )
        for name, called in found["tests"].items()
    }


def spread(tests: list[str]) -> list[str]:
    """At most MOST_TESTS of these, which are sorted by cost: a case of each, then further ones."""
    cases: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        cases[test.partition("[")[0]].append(test)
    first = [each[0] for each in cases.values()]
    further = [case for each in cases.values() for case in each[1:]]
    return [*_some(first, MOST_TESTS), *_some(further, MOST_TESTS - len(first))]


def _some(tests: list[str], number: int) -> list[str]:
    """So many of these tests, spread over all."""
    return tests[:: max(1, ceil(len(tests) / number))] if number > 0 else []


def run(area: Area, mutants: list[Mutant], copies: list[Copy]) -> Iterator[tuple[Mutant, str]]:
    """Each mutant with the test that noticed it, or an empty text."""
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def noticed(mutant: Mutant, tests: Sequence[str], seconds: int) -> str:
        copy = free.get()
        try:
            return copy.noticed(mutant, tests, seconds) if tests else ""
        finally:
            free.put(copy)

    left = mutants
    for tests, only, seconds in zip(
        (area.tests, area.others), (QUICK, "not soak and not browser"), SECONDS, strict=True
    ):
        if not left:
            return
        if area.files.endswith(".js"):
            chosen = [[*tests, "-m", "not soak"]] * len(left)
        else:
            called = callers(copies[0], left, tests, only)
            more = area.processes if tests == area.others else ()
            chosen = [[*called.get(f"{one.path}:{one.function}", []), *more] for one in left]
        survived = []
        with ThreadPoolExecutor(len(copies)) as threads:
            for mutant, who in zip(left, threads.map(noticed, left, chosen, repeat(seconds)), strict=False):
                if who:
                    yield mutant, who
                else:
                    survived.append(mutant)
        left = survived
    yield from ((mutant, "") for mutant in left)


def soak(
    area: Annotated[tuple[str, ...], AREAS, "only these areas; all without"] = (),
    count: Annotated[int, "mutants of an area; as many as its bar is of, or all on changed lines"] = 0,
    seed: int = 13,
    changed: Annotated[str, "only on lines that differ from this commit"] = "",
    jobs: int = min(os.cpu_count() or 1, 4),
) -> Tally:
    """Plant mutants, and print each with the test that noticed it."""
    lines = changed_lines(changed) if changed else None
    tally = Tally()
    with TemporaryDirectory(prefix="mutants-") as folder, guarded(Path(folder)):
        copies = [Copy(ROOT, Path(folder) / str(number)) for number in range(jobs)]
        for name in area or AREAS:
            bar = AREAS[name]
            planted = sample(bar, ROOT, count or (0 if changed else bar.of), seed, lines)
            survived = []
            for mutant, who in progress(run(bar, planted, copies), len(planted), f"mutants of {name}"):
                print(f"{'' if who else 'SURVIVED '}{mutant}\n    {who or 'nobody noticed'}", flush=True)
                survived += [] if who else [str(mutant)]
            caught = len(planted) - len(survived)
            tally[f"of {len(planted)} of {name} noticed"] = caught
            if not changed and caught * bar.of < bar.caught * len(planted):
                tally.wrong += survived
    return tally
