"""Run tests with a quarter of the machine, and list those that fail there or grow more than the others.

They run twice: with all of the machine; and in a group of processes with a quota of processor time (a cgroup) or,
where none may be made, beside loops that keep every processor busy.

    scripts/soak slow                                  # all that scripts/test runs
    scripts/soak slow tests/web/test_served.py -k body
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Annotated, Final
from xml.etree import ElementTree

from tests import processes
from tests.soak.running import Tally, scratch

ROOT: Final = Path(__file__).parents[2]
TIED: Final = "a test tied to the clock"
LEAST: Final = 0.5
"""Seconds; how much shorter tests grow says nothing."""
GROWTH: Final = 10.0
"""Seconds that any test may grow by, besides: what a process does once may fall into another test in each run."""
_PERIOD: Final = 100_000
"""Microseconds for which a quota is given anew."""
_BUSY: Final = "while True: pass"
_PLANTED: Final = """
import time

def work():
    began = time.process_time()
    while time.process_time() < began + 0.5:
        pass

def test_tied_to_the_clock():
    began = time.monotonic()
    work()
    assert time.monotonic() < began + 2, "given up after two seconds"

def test_that_waits_until_the_work_is_done():
    work()
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """How long a test took without its fixtures, and why it failed; empty if it passed."""

    seconds: float
    failure: str = ""


def soak(
    *arguments: Annotated[str, "those of pytest, which name a part of the tests"],
    share: Annotated[float, "of the machine that is left to them"] = 0.25,
    margin: Annotated[float, "by how much more than the others a test may grow"] = 2.5,
    defect: Annotated[str, ("", TIED), "plant it, and see it found"] = "",
) -> Tally:
    """Run tests with all of the machine and with a quarter of it, and compare."""
    with scratch() as folder:
        if defect:
            (folder / "test_planted.py").write_text(_PLANTED, encoding="utf-8")
            arguments = ("-c", str(ROOT / "pyproject.toml"), str(folder / "test_planted.py"))
        usual = _run(arguments, folder / "usual.xml")
        # A part runs in one process, which never has more than two processors' worth to do.
        processors = os.cpu_count() or 1
        with slowed(share, min(processors, 2) if arguments else processors) as (under, how):
            slow = _run(arguments, folder / "slow.xml", under)
    print(f"slowed by {how}: {factor(usual, slow):.1f} times as long")
    return Tally({"tests": len(slow)}, wrong(usual, slow, margin))


def factor(usual: Mapping[str, Ran], slow: Mapping[str, Ran]) -> float:
    """How many times as long most tests take."""
    ratios = [
        slow[name].seconds / ran.seconds
        for name, ran in usual.items()
        if ran.seconds >= LEAST and name in slow and not (ran.failure or slow[name].failure)
    ]
    return max(median(ratios), 1.0) if ratios else 1.0


def wrong(usual: Mapping[str, Ran], slow: Mapping[str, Ran], margin: float) -> list[str]:
    """A line for each test that fails, or grows by more than the others do and a margin."""
    found, general = [], factor(usual, slow)
    for name, ran in usual.items():
        there = slow.get(name, Ran(0.0, "it did not end"))
        if ran.failure:
            found.append(f"{name} fails with all of the machine: {ran.failure}")
        elif there.failure:
            found.append(f"{name} fails: {there.failure}")
        elif there.seconds > margin * general * ran.seconds + GROWTH:
            found.append(
                f"{name} takes {there.seconds:.1f} s, and {ran.seconds:.1f} s with all of the machine"
            )
    return found


def _run(arguments: Sequence[str], report: Path, under: Sequence[str] = ()) -> dict[str, Ran]:
    """Run tests; all of them in as many processes as `scripts/test` does. Returns those that were not skipped."""
    command = [*under, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
    command += ["-o", "junit_family=xunit1", "-o", "junit_duration_report=call"]
    together = ["--numprocesses", str(min(8, (3 * (os.cpu_count() or 1) + 1) // 2)), "--dist", "loadfile"]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    subprocess.run(
        [*command, *(arguments or together)], cwd=ROOT, env=os.environ | {"PATH": path}, check=False
    )
    cases = ElementTree.parse(report).getroot().iter("testcase")
    return {
        f"{case.get('classname')}::{case.get('name')}": _ran(case)
        for case in cases
        if case.find("skipped") is None
    }


def _ran(case: ElementTree.Element) -> Ran:
    failures = [found for kind in ("failure", "error") for found in case.iter(kind)]
    first = (failures[0].get("message") or "?").splitlines()[0] if failures else ""
    return Ran(float(case.get("time", 0)), first)


@contextmanager
def slowed(share: float, processors: int) -> Iterator[tuple[list[str], str]]:
    """A command that runs another one with a share of so many processors during the block, and how it does that."""
    for folder, quota in _quotas(round(share * processors * _PERIOD)):
        with _group(folder, quota) as group:
            if group:
                yield ["/bin/sh", "-c", f'echo $$ >{group}/cgroup.procs && exec "$@"', "sh"], "a cgroup"
                return
    with ExitStack() as running, scratch() as place:
        for _ in range(round((1 / share - 1) * (os.cpu_count() or 1))):
            loop = processes.start([sys.executable, "-c", _BUSY], place / "log")
            running.callback(processes.stop, loop)
        yield [], "busy loops"


def _quotas(quota: int) -> Iterator[tuple[Path, dict[str, str]]]:
    """Folders of cgroups in which a group with a quota may be made, and what its files are to say."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
        mounts = Path("/proc/self/mountinfo").read_text().splitlines()
    except OSError:
        return
    own = {frozenset(names.split(",")): path for _, names, path in (line.split(":", 2) for line in lines)}
    for mount in mounts:
        place, (kind, _, options) = Path(mount.split()[4]), mount.partition(" - ")[2].split()[:3]
        for names, path in own.items():
            here = place / path.lstrip("/")
            if kind == "cgroup" and "cpu" in names and names <= set(options.split(",")):
                yield here, {"cpu.cfs_period_us": str(_PERIOD), "cpu.cfs_quota_us": str(quota)}
            elif kind == "cgroup2" and names == {""}:
                # A group that has processes can have none with a quota within it; one above it may.
                for folder in (here, *here.parents):
                    if folder.is_relative_to(place):
                        yield folder, {"cpu.max": f"{quota} {_PERIOD}"}


@contextmanager
def _group(folder: Path, quota: Mapping[str, str]) -> Iterator[Path | None]:
    """A group of processes with a quota, for the block; None if it may not be made."""
    group = folder / f"tienlen-slow-{os.getpid()}"
    try:
        group.mkdir()
        for name, value in quota.items():
            (group / name).write_text(value)
        subprocess.run(["/bin/sh", "-c", f"echo $$ >{group}/cgroup.procs"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        with suppress(OSError):
            group.rmdir()
        yield None
        return
    try:
        yield group
    finally:
        processes.wait_for(lambda: not (group / "cgroup.procs").read_text(), "what was slowed to end")
        group.rmdir()
