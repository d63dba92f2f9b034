"""The battery's long mode: how often each check found each tamper."""

import os
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Annotated

from playwright.sync_api import Page

from tests.conftest import find_chromium
from tests.soak.running import Result, browser, in_processes, on_disk, row
from tests.soak.tampers.forging import Nights, two_nights
from tests.soak.tampers.phone import modules, phone_finds
from tests.soak.tampers.tampers import AUDIT, CHECKS, PHONE, TAMPERS, VERIFY, case

_AT_ONCE = 20
_OPEN = ExitStack()
"""The phone of a process, until it ends."""

Job = tuple[str, range, Path]


@cache
def _bench(folder: Path) -> tuple[Nights, Page | None]:
    """What all trials of a process share: two nights, and a phone if there is a browser."""
    folder.mkdir()
    page = _OPEN.enter_context(modules(_OPEN.enter_context(browser()))) if find_chromium() else None
    return two_nights(folder), page


def tried(job: Job) -> tuple[str, dict[str, int]]:
    """Run some trials of one tamper with all checks."""
    tamper, seeds, folder = job
    folder /= str(os.getpid())
    nights, page = _bench(folder)
    cases = [case(nights, folder / f"trial-{seed}.db", tamper, seed) for seed in seeds]
    found = {check: sum(finds(each) for each in cases) for check, finds in CHECKS.items()}
    return tamper, found | ({PHONE: sum(phone_finds(page, cases))} if page else {})


def soak(
    *,
    trials: Annotated[int, "of every tamper"] = 1000,
    jobs: Annotated[int, "processes"] = min(os.cpu_count() or 1, 4),
    only: Annotated[str, "tampers whose name holds this"] = "",
) -> Result:
    """Tamper with nights, and see it found. A star marks the checks that must find a tamper."""
    checks = (*([PHONE] if find_chromium() else []), AUDIT, VERIFY)
    totals = {tamper: dict.fromkeys(checks, 0) for tamper in TAMPERS if only in tamper}
    with on_disk() as folder:
        firsts = range(0, trials, _AT_ONCE)
        work = [(name, range(at, min(at + _AT_ONCE, trials)), folder) for name in totals for at in firsts]
        for tamper, found in in_processes(tried, work, jobs, "batches of trials"):
            for check, count in found.items():
                totals[tamper][check] += count
    wrong = []
    row(f"found of {trials}", *checks)
    for tamper, found in totals.items():
        asked = TAMPERS[tamper][1] & found.keys()
        row(tamper, *(f"{found[check]}{'*' if check in asked else ' '}" for check in checks))
        wrong += [f"{check} missed: {tamper}" for check in checks if check in asked and found[check] < trials]
    phone = "" if find_chromium() else "; no Chromium here, so nothing was asked of the phone"
    return Result(f"{len(totals)} tampers, {trials} times each{phone}", wrong)
