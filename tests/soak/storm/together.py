"""Two keepers record rounds together on two phones: now one taps, now the other, now both the same at once."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from random import Random

from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.phones import PATIENCE, phone
from tests.browser.tapping import Tap, taps
from tests.browser.telling import Teller
from tests.servers import Served
from tests.soak.running import Tally, browser, progress, scratch
from tests.soak.storm.counting import round_of
from tests.soak.storm.storm import PlayedCards, plays
from tests.web.phones import NAMES

LONG_ENOUGH = 1100
"""Milliseconds for which an entry is shown before a pass may answer it."""
ALONE, BOTH = "one taps", "both tap, 1 asked"
SETTLED = '.net:is([data-state="saved"], [data-state="stopped"])'


class Pair:
    """Two keepers of one night, each on a phone of their own, and what was tapped."""

    def __init__(self, one: Teller, other: Teller) -> None:
        self.keepers = (one, other)
        self.tapped: list[PlayedCards] = []
        self.done: Counter[str] = Counter()

    def sit_down(self, names: list[str], *ruleset: str) -> None:
        one, other = self.keepers
        one.sit_down(names, *ruleset)
        other.night, other.links = one.night, one.links
        other.page.request.post(one.links["keeper"], max_redirects=0)

    def look(self) -> None:
        for keeper in self.keepers:
            keeper.page.goto(f"{keeper.server}/n/{self.keepers[0].night}")

    def record(self, tap: Tap, who: int) -> None:
        """One of them taps, and both see it."""
        seq = self._seq(self.keepers[who].page)
        self._enter(self.keepers[who], tap)
        self.done[ALONE] += 1
        self._both_see(seq + 1)

    def collide(self, tap: Tap, chance: Random) -> None:
        """Both tap the same before either page has an answer: one of them is asked, and drops it."""
        seq = self._seq(self.keepers[0].page)
        with _held([keeper.page for keeper in self.keepers]) as held:
            for keeper in self.keepers:
                self._enter(keeper, tap)
            while len(held) < 2:
                self.keepers[0].page.wait_for_timeout(20)
            chance.shuffle(held)
        asked = 0
        for keeper in self.keepers:
            # The other's entry may come before the answer to one's own.
            expect(keeper.page.locator(SETTLED).first).to_be_attached(timeout=PATIENCE)
            if keeper.page.locator(SETTLED).first.get_attribute("data-state") == "stopped":
                panel = keeper.page.locator(".pending")
                expect(panel).to_be_visible()
                keeper.tap(panel.locator("[data-do=drop]"))
                expect(panel).to_be_hidden()
                asked += 1
        self.done[f"both tap, {asked} asked"] += 1
        self._both_see(seq + 1)

    def _enter(self, keeper: Teller, tap: Tap) -> None:
        page = keeper.page
        if tap.cards:
            keeper.choose(tap.seat, list(tap.cards))
            keeper.tap(page.locator(".actions button.main"))
            expect(page.locator("[name=cards]:checked")).to_have_count(0)
            if self.tapped[-1:] != [(tap.seat, " ".join(tap.cards))]:
                self.tapped.append((tap.seat, " ".join(tap.cards)))
        else:
            page.wait_for_timeout(LONG_ENOUGH)
            keeper.tap(page.locator(f'button[value="{tap.button}"]'))

    def _seq(self, page: Page) -> int:
        return int(page.locator(".proof").get_attribute("data-seq") or 0)

    def _both_see(self, least: int) -> None:
        seen = "(least) => Number(document.querySelector('.proof')?.dataset.seq) >= least"
        for keeper in self.keepers:
            keeper.page.wait_for_function(seen, arg=least, timeout=PATIENCE)
        expect(self.keepers[0].page.locator(".proof")).to_have_attribute(
            "data-hash", self.keepers[1].page.locator(".proof").get_attribute("data-hash") or ""
        )


@contextmanager
def _held(pages: Iterable[Page]) -> Iterator[list[Route]]:
    """What the pages post is held back, and sent at the end, in the order of the list by then."""
    held: list[Route] = []
    watched = list(pages)
    for page in watched:
        page.route(
            "**/events",
            lambda route: held.append(route) if route.request.method == "POST" else route.continue_(),
        )
    yield held
    for route in held:
        route.continue_()
    for page in watched:
        page.unroute("**/events")


@contextmanager
def pair(browser: Browser, server: str) -> Iterator[Pair]:
    with phone(browser, locale="en-GB") as one, phone(browser, locale="en-GB") as other:
        yield Pair(Teller(one.new_page(), server), Teller(other.new_page(), server))


def soak(
    *,
    rounds: int = 10,
    seed: int = 1,
) -> Tally:
    """Record rounds on two phones, a fifth of the plays tapped on both at once."""
    expect.set_options(timeout=PATIENCE)
    chance = Random(seed)
    with (
        browser() as started,
        scratch() as folder,
        Served(folder) as served,
        pair(started, served.address) as two,
    ):
        two.sit_down(NAMES)
        one, _ = two.keepers
        for number in progress(range(rounds), rounds, "rounds"):
            one.record("round", opening=True, **({"stood": True} if number else {}))
            two.look()
            for tap in taps(round_of(seed + number)):
                if tap.cards and chance.random() < 0.2:
                    two.collide(tap, chance)
                else:
                    two.record(tap, chance.randrange(2))
            one.after = one.page.locator(".proof").get_attribute("data-after") or ""
            one.record("settle")
        recorded = list(plays(one.page))
    asked = {what: times for what, times in two.done.items() if what not in (ALONE, BOTH)}
    same = recorded == two.tapped and not asked
    return Tally(
        {"tapped": len(two.tapped), "recorded": len(recorded), **two.done},
        [] if same else [f"tapped {two.tapped}, recorded {recorded}, {asked}"],
    )
