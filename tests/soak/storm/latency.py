"""How long a tap takes until its row is drawn, it is recorded, and another phone shows it."""

from itertools import takewhile
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, expect

from tests.browser.phones import phone
from tests.browser.tapping import taps
from tests.browser.telling import Teller
from tests.servers import Served
from tests.soak.running import Tally, browser, progress, scratch
from tests.soak.storm.counting import round_of
from tests.web.phones import NAMES

WATCH = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def measure(browser: Browser, folder: Path, moves: int) -> dict[str, list[float]]:
    """Milliseconds after each tap, by stage."""
    with Served(folder) as served, phone(browser) as keeping, phone(browser) as looking:
        keeper, watcher = Teller(keeping.new_page(), served.address), looking.new_page()
        keeper.sit_down(NAMES)
        watcher.goto(keeper.links["watch"])
        watcher.locator("main button.main").click()
        keeper.record("round", opening=True)
        table = keeper.look()
        watcher.goto(table)
        expect(watcher.locator(".say")).to_be_visible()
        for page in (keeper.page, watcher):
            page.evaluate(WATCH)
        seqs = _play(keeper, moves)
        watcher.wait_for_timeout(1000)
        times = keeper.page.evaluate("times")
        shown = watcher.evaluate("shown")
        return {
            "drawn": [time["drawn"] - time["tapped"] for time in times],
            "recorded": [time["recorded"] - time["tapped"] for time in times],
            "seen by another": [
                shown[str(seq)] - time["tapped"] for seq, time in zip(seqs, times, strict=True)
            ],
        }


def _play(keeper: Teller, moves: int) -> list[int]:
    """Tap the first plays of a round; returns the `seq` of each entry."""
    plays = list(takewhile(lambda tap: tap.cards, taps(round_of(3))))[:moves]
    seqs = []
    for tap in progress(plays, len(plays), "moves"):
        keeper.choose(tap.seat, list(tap.cards))
        keeper.enter(keeper.page.locator(".actions button.main"))
        seqs.append(int(keeper.page.locator(".proof").get_attribute("data-seq") or 0))
        keeper.page.wait_for_timeout(150)
    return seqs


def soak(*, moves: int = 20) -> Tally:
    """Measure the milliseconds from a tap until it is drawn, recorded, and seen by another."""
    with browser() as started, scratch() as folder:
        measured = measure(started, folder, moves)
    worst = {f"at worst until {what}": round(max(times)) for what, times in measured.items()}
    return Tally({f"ms until {what}": round(median(times)) for what, times in measured.items()} | worst)
