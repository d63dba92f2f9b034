"""A phone that runs the page's own script in a real browser, and gets simulated answers; and the battery in its
long mode: how often this phone and the other checks found each tamper."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from playwright.sync_api import Browser, Page, Route

import ledger.web
from tests.conftest import find_chromium
from tests.soak.running import Tally, browser, in_processes, row, scratch
from tests.soak.tampers.forging import Nights, two_nights
from tests.soak.tampers.tampers import AUDIT, CHECKS, PHONE, TAMPERS, VERIFY, Trial, answer, case

STATIC = Path(ledger.web.__file__).parent / "static"
_PAGE = """<!doctype html><title>A phone</title><header class="bar"></header>
<footer class="proof" data-night="" data-log="/log" data-seq="0" data-hash=""></footer>
<dialog class="forked"><button></button></dialog><button class="mark" hidden></button>"""

_ASK = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
_AT_ONCE = 20
_OPEN = ExitStack()  # the phone of a process, until it ends

Job = tuple[str, range, Path]


@contextmanager
def modules(browser: Browser, *, secure: bool = False, hole: tuple[str, str] | None = None) -> Iterator[Page]:
    """A page that can import the modules; a `hole` is a piece of chain.js and its replacement."""
    address = "https://phone.test/" if secure else "http://phone.test/"

    def serve(route: Route) -> None:
        name = route.request.url.removeprefix(address).partition("?")[0]
        if not name:
            return route.fulfill(body=_PAGE, content_type="text/html")
        text = (STATIC / name).read_text(encoding="utf-8")
        if hole and name == "proof/chain.js":
            assert text.count(hole[0]) == 1
            text = text.replace(*hole)
        return route.fulfill(body=text, content_type="text/javascript")

    context = browser.new_context(ignore_https_errors=True)
    context.route(f"{address}**", serve)
    page = context.new_page()
    page.goto(address)
    try:
        yield page
    finally:
        context.close()


def phone_finds(page: Page, cases: Sequence[Trial]) -> list[bool]:
    """For every case, whether a phone that knows one head finds fault with the server's answer."""
    asked: list[dict[str, Any]] = []
    for each in cases:
        seen = {"seq": each.known_seq, "hash": each.known_head.hash.hex()}
        asked.append({"night": each.played.night, "seen": seen, "answer": answer(each)})
    found: list[bool] = page.evaluate(_ASK, asked)
    return found


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
    only: Annotated[str, "tampers whose name holds this"] = "",
) -> Tally:
    """Tamper with nights, and see it found. A star marks the checks that must find a tamper; without a Chromium,
    nothing is asked of the phone."""
    checks = (*([PHONE] if find_chromium() else []), AUDIT, VERIFY)
    totals = {tamper: dict.fromkeys(checks, 0) for tamper in TAMPERS if only in tamper}
    with scratch() as folder:
        firsts = range(0, trials, _AT_ONCE)
        work = [(name, range(at, min(at + _AT_ONCE, trials)), folder) for name in totals for at in firsts]
        for tamper, found in in_processes(tried, work, "batches of trials"):
            for check, count in found.items():
                totals[tamper][check] += count
    wrong = []
    row(f"found of {trials}", *checks)
    for tamper, found in totals.items():
        asked = TAMPERS[tamper][1] & found.keys()
        row(tamper, *(f"{found[check]}{'*' if check in asked else ' '}" for check in checks))
        wrong += [f"{check} missed: {tamper}" for check in checks if check in asked and found[check] < trials]
    return Tally({"tampers": len(totals), "times each": trials}, wrong)
