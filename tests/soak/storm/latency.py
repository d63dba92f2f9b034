"""How long a tap takes until its row is drawn, it is recorded, and another phone shows it.

`scripts/soak latency`.
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.phones import phone
from tests.browser.tapping import taps
from tests.browser.telling import Teller
from tests.conftest import chromium_arguments, find_chromium
from tests.servers import Served
from tests.soak.storm.counting import round_of

NAMES = ["An", "Bình", "Chi", "Dũng"]

WATCH = """() => {
  window.times = [];
  window.shown = {};
  const now = () => performance.timeOrigin + performance.now();
  const seq = () => Number(document.querySelector(".proof").dataset.seq);
  let last = seq();
  const frame = (act) => requestAnimationFrame(() => requestAnimationFrame(act));
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".actions button")) return;
    const time = { tapped: now() };
    times.push(time);
    frame(() => { if (document.querySelector(".waiting") || seq() > last) time.drawn = now(); });
  }, true);
  document.addEventListener("queue", ({ detail }) => {
    if (detail?.recorded && times.length) times.at(-1).recorded ??= now();
  });
  document.addEventListener("renewed", () => {
    last = seq();
    shown[last] ??= now();
  });
}"""


def measure(browser: Browser, folder: Path, moves: int) -> dict[str, list[float]]:
    """Milliseconds after each tap, by stage."""
    with Served(folder) as served, phone(browser) as keeping, phone(browser) as looking:
        keeper, watcher = Teller(keeping.new_page(), served.address), looking.new_page()
        keeper.sit_down(NAMES)
        watcher.goto(keeper.links["watch"])
        watcher.locator("main button.main").click()
        keeper.tell("round", opening=True)
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
            "row drawn": [time["drawn"] - time["tapped"] for time in times],
            "recorded": [time["recorded"] - time["tapped"] for time in times],
            "seen by another": [
                shown[str(seq)] - time["tapped"] for seq, time in zip(seqs, times, strict=True)
            ],
        }


def _play(keeper: Teller, moves: int) -> Sequence[int]:
    """Tap the first plays of a round; returns the `seq` of each entry."""
    seqs = []
    for tap in list(taps(round_of(3)))[:moves]:
        if not tap.cards:
            break
        keeper.choose(tap.seat, list(tap.cards))
        keeper.record(keeper.page.locator(".actions button.main"))
        seqs.append(_seq(keeper.page))
        keeper.page.wait_for_timeout(150)
    return seqs


def _seq(page: Page) -> int:
    return int(page.locator(".proof").get_attribute("data-seq") or 0)


def main() -> None:
    with sync_playwright() as playwright, TemporaryDirectory(prefix="latency-") as folder:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=chromium_arguments())
        for what, times in measure(browser, Path(folder), moves=20).items():
            print(f"{what:20} median {median(times):6.0f} ms, worst {max(times):6.0f} ms, of {len(times)}")
        browser.close()
