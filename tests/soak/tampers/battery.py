"""The battery's long mode: a table of how often each check found each tamper (see `scripts/soak tampers`)."""

import argparse
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.conftest import find_chromium
from tests.processes import end_with_parent
from tests.soak.tampers.tampers import AUDIT, PHONE, TAMPERS, VERIFY
from tests.soak.tampers.trials import Found, Job, tried

ORDER = (PHONE, AUDIT, VERIFY)
_AT_ONCE = 20


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/soak tampers", description="Tamper with nights, and see it found."
    )
    parser.add_argument("--trials", type=int, default=1000, help="of every tamper (1000)")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 4), help="processes")
    parser.add_argument("--only", metavar="TEXT", default="", help="tampers whose name holds this")
    chosen = parser.parse_args()
    tampers = [tamper for tamper in TAMPERS if chosen.only in tamper]
    # Unlike a Pool, the executor ends the run if a worker cannot start, instead of retrying for ever.
    workers = ProcessPoolExecutor(chosen.jobs, get_context("forkserver"), end_with_parent)
    with TemporaryDirectory(prefix="tampers-") as folder, workers:
        jobs = list(_jobs(tampers, chosen.trials, Path(folder)))
        totals: dict[str, Found] = {tamper: dict.fromkeys(ORDER, 0) for tamper in tampers}
        for tamper, found in workers.map(tried, jobs):
            for check, count in found.items():
                totals[tamper][check] += count
    return _report(totals, chosen.trials)


def _report(totals: dict[str, Found], trials: int) -> int:
    has_chromium = find_chromium() is not None
    missed = 0
    print(f"{'found of ' + str(trials):40}" + "".join(f"{check:>9}" for check in ORDER))
    for tamper, found in totals.items():
        required = TAMPERS[tamper][1] - (set() if has_chromium else {PHONE})
        missed += sum(found[check] < trials for check in required)
        cells = [f"{found[check]}{'*' if check in required else ' '}" for check in ORDER]
        print(f"{tamper:40}" + "".join(f"{cell:>9}" for cell in cells))
    print(
        "* answers for this tamper."
        + ("" if has_chromium else " No Chromium here: nothing was asked of the phone.")
    )
    print("every tamper was found every time" if not missed else f"MISSED: {missed}")
    return bool(missed)


def _jobs(tampers: list[str], trials: int, folder: Path) -> Iterator[Job]:
    for tamper in tampers:
        for first in range(0, trials, _AT_ONCE):
            yield tamper, range(first, min(first + _AT_ONCE, trials)), folder
