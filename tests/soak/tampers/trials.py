"""A worker of the long mode: runs some trials of one tamper with all checks. Each process makes one bench."""

import os
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.conftest import find_chromium
from tests.soak.tampers.forging import two_nights
from tests.soak.tampers.phone import modules, phone_finds
from tests.soak.tampers.tampers import CHECKS, PHONE, case

Job = tuple[str, range, Path]
Found = dict[str, int]


def tried(job: Job) -> tuple[str, Found]:
    tamper, seeds, folder = job
    bench = _bench(folder / str(os.getpid()))
    cases = [case(bench.nights, bench.folder / f"trial-{seed}.db", tamper, seed) for seed in seeds]
    found = {check: sum(finds(each) for each in cases) for check, finds in CHECKS.items()}
    if bench.page is not None:
        found[PHONE] = sum(phone_finds(bench.page, cases))
    return tamper, found


class Bench:
    """The two nights for all trials of a process, and a phone if there is a browser."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.nights = two_nights(folder)
        self._open = ExitStack()
        self.page = self._phone()

    def _phone(self) -> Page | None:
        chromium = find_chromium()
        if chromium is None:
            return None
        playwright = self._open.enter_context(sync_playwright())
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        return self._open.enter_context(modules(browser))


@lru_cache
def _bench(folder: Path) -> Bench:
    return Bench(folder)
