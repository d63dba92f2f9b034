"""A worker of the long mode: some trials of one tamper, all checks asked. A process makes its bench once."""

import os
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from random import Random

from playwright.sync_api import Page, sync_playwright

from ledger.store import migrate
from tests.conftest import find_chromium
from tests.proof.forging import Played, play
from tests.proof.phone import modules, phone_finds
from tests.proof.tampers import CHECKS, PHONE, TAMPERS, Trial

Job = tuple[str, range, Path]
Found = dict[str, int]


def tried(job: Job) -> tuple[str, Found]:
    tamper, seeds, folder = job
    bench = _bench(folder / str(os.getpid()))
    cases = []
    for seed in seeds:
        database = bench.folder / f"trial-{seed}.db"
        cases.append(Trial(*bench.nights, database, Random(f"{tamper} {seed}")).run(TAMPERS[tamper][0]))
    found = {check: sum(finds(case) for case in cases) for check, finds in CHECKS.items()}
    if bench.page is not None:
        found[PHONE] = sum(phone_finds(bench.page, cases))
    return tamper, found


class Bench:
    """What a process needs for all its trials: two nights, and a phone if there is a browser."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.nights = self._nights()
        self._open = ExitStack()
        self.page = self._phone()

    def _nights(self) -> tuple[Played, Played]:
        for part in ("one", "two"):
            (self.folder / part).mkdir(parents=True)
        empty = self.folder / "empty.db"
        migrate(f"sqlite:///{empty}")
        return play(self.folder / "one", empty), play(self.folder / "two", empty)

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
