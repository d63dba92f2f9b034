"""A keeper in a storm: requests and responses are lost, late and repeated, the tab is closed, the server killed.
Every move must be recorded once, in the order of the taps."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from random import Random
from typing import Annotated, Any

from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from tests.browser.phones import PATIENCE, phone, shut
from tests.browser.tapping import Tap, taps
from tests.browser.telling import Teller
from tests.servers import Served
from tests.soak.running import Progress, Tally, browser, scratch
from tests.soak.storm.counting import round_of
from tests.soak.storm.weather import Storm, brew, clear_up_often
from tests.web.phones import NAMES

DEFECTS = {
    "a new id for every try": ("body: entry.body", "body: entry.body.replace(entry.id, newId())"),
    "no keeping": (".map(kept.keep);\n  changed();", ".map(() => {});\n  changed();"),
}
"""Defects of `queue.js` that the storm must find: a text in it, and the replacement."""

SCRIPTS = {path.stem: path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("*.js")}
STORAGE = {name: SCRIPTS[name] for name in ("slow", "full")}
"""Defects of storage, as scripts of a page: busy three quarters of the time, full at every other entry."""

PlayedCards = tuple[str, str]  # a player, and the cards played


@dataclass
class Outcome:
    tapped: list[PlayedCards] = field(default_factory=list)
    recorded: list[PlayedCards] = field(default_factory=list)
    weather: Counter[str] = field(default_factory=Counter)


class Halted(Exception):
    """The page asks the keeper for a decision, which lost and late responses alone must never cause."""


class Stormy:
    """One keeper, one night, one server."""

    def __init__(self, context: BrowserContext, served: Served, seed: int, mortal: bool, tabs: int) -> None:
        self._context, self._served, self._tabs = context, served, tabs
        self._kills = cycle((self._kill_tab, self._kill_server) if mortal else (self._kill_tab,))
        self._chance = Random(seed)
        self._keeper = Teller(context.new_page(), served.address)
        self._storm = Storm(Random(seed))
        self.outcome = Outcome(weather=self._storm.done)

    def record(self, moves: int, kills: float) -> Outcome:
        """Record rounds until so many plays are tapped; `kills` is the share of plays followed by a kill."""
        self._keeper.sit_down(NAMES)
        brew(self._context, self._storm)
        say = Progress(moves, "moves")
        for seed in count():
            self._begin(first=not seed)
            for tap in taps(round_of(seed)):
                # A kill happens while an entry is queued.
                killed = self._chance.random() < kills and bool(tap.cards)
                self._turn_to_another_tab()
                say(len(self.outcome.tapped))
                if killed:
                    self._keeper.page.evaluate(SCRIPTS["cut"], True)
                self._enter(tap)
                if killed:
                    next(self._kills)()
                    self._keeper.page.evaluate(SCRIPTS["cut"], False)
                if len(self.outcome.tapped) == moves:
                    self._calm()
                    return self.outcome
            self._calm()
            self._keeper.record("settle")
        raise AssertionError

    def _begin(self, *, first: bool) -> None:
        self._keeper.record("round", opening=True, **({} if first else {"stood": True}))
        for page in self._others():
            shut(page)
        self._address = self._keeper.look()

    def _turn_to_another_tab(self) -> None:
        """Go on in another tab of the same phone, once it shows all queued entries."""
        if self._tabs < 2:
            return
        here = self._keeper.page
        other = next(iter(self._others()), None) or self._new_page()
        for _ in range(PATIENCE // 50):
            if other.evaluate(SCRIPTS["shown"]) == here.evaluate(SCRIPTS["shown"]):
                break
            other.wait_for_timeout(50)
        else:
            raise AssertionError((here.evaluate(SCRIPTS["shown"]), other.evaluate(SCRIPTS["shown"])))
        self._keeper.page = other

    def _others(self) -> list[Page]:
        return [page for page in self._context.pages if page is not self._keeper.page]

    def _new_page(self) -> Page:
        """The keeper's page in a new tab."""
        page = self._context.new_page()
        page.goto(self._address)
        expect(page.locator(".net:not(:empty)")).to_be_attached()
        return page

    def _enter(self, tap: Tap) -> None:
        """Tap, and wait until the page shows it, recorded or not."""
        page = self._keeper.page
        self._look_for_a_halt()
        if not tap.cards:
            # Only the server knows who may still come in: the page only counts seats.
            self._wait_until_saved()
            expect(page.locator(".pile .waiting")).to_have_count(0, timeout=PATIENCE)
            self._keeper.tap(page.locator(f"button[value={tap.button}]"))
            return
        try:
            self._keeper.choose(tap.seat, list(tap.cards))
            self._keeper.tap(page.locator(".actions button.main"))
        except (Error, AssertionError):
            self._look_for_a_halt()
            raise
        self.outcome.tapped.append((tap.seat, " ".join(tap.cards)))
        expect(page.locator("[name=cards]:checked")).to_have_count(0)

    def _look_for_a_halt(self) -> None:
        panel = self._keeper.page.locator(".pending:visible, .felt .notice:visible").first
        if panel.is_visible():
            raise Halted(panel.inner_text())

    def _kill_tab(self) -> None:
        self._storm.done["tab killed"] += 1
        shut(self._keeper.page)
        self._keeper.page = self._new_page()

    def _kill_server(self) -> None:
        self._storm.done["server killed"] += 1
        self._served.kill()
        self._served.start()

    def _wait_until_saved(self) -> None:
        net = self._keeper.page.locator('.net:is([data-state="saved"], [data-state="stopped"])')
        expect(net).to_be_attached(timeout=PATIENCE)
        if net.get_attribute("data-state") == "stopped":
            raise Halted

    def _calm(self) -> None:
        """Wait until everything is recorded, then read the log."""
        self._wait_until_saved()
        page = self._keeper.page
        expect(page.locator(f'.proof[data-seq="{len(log(page))}"]')).to_be_attached(timeout=PATIENCE)
        self._keeper.after = page.locator(".proof").get_attribute("data-after") or ""
        self.outcome.recorded = list(plays(page))


def log(page: Page) -> list[dict[str, object]]:
    """The entries of the night on the server, requested outside the storm."""
    address = "/".join(page.url.split("/")[:3]) + (page.locator(".proof").get_attribute("data-log") or "")
    entries: list[dict[str, object]] = []
    while True:
        answer = page.context.request.get(f"{address}?after={len(entries)}", max_retries=2).json()
        entries += [json.loads(entry["body"]) for entry in answer["events"]]
        if len(entries) == answer["seq"]:
            return entries


def plays(page: Page) -> Iterator[PlayedCards]:
    for entry in log(page):
        for part in entry["parts"]:  # type: ignore[attr-defined]
            if part["kind"] == "play":
                yield str(part["player"]), " ".join(part["cards"])


def storm(
    browser: Browser,
    served: Served,
    *,
    moves: int,
    seed: int,
    kills: float,
    defect: str = "",
    mortal: bool = True,
    storage: str = "",
    tabs: int = 1,
) -> Outcome:
    """Record so many plays in a storm; the server is killed only if it is `mortal`."""
    with phone(browser) as context:
        # A halt covers the next place to tap, and is only looked for when a tap times out.
        context.set_default_timeout(PATIENCE / 3)
        context.set_default_navigation_timeout(PATIENCE)
        clear_up_often(context)
        if storage:
            context.add_init_script(f"({STORAGE[storage]}\n)()")
        if defect:
            sound, broken = DEFECTS[defect]
            script = (Path(__file__).parents[3] / "ledger/web/static/shared/queue.js").read_text()
            assert sound in script
            planted: Any = {"body": script.replace(sound, broken), "content_type": "text/javascript"}
            context.route("**/queue.js", lambda route: route.fulfill(**planted))
        return Stormy(context, served, seed, mortal, tabs).record(moves, kills)


def soak(
    *,
    moves: Annotated[int, "plays to be tapped"] = 1000,
    seed: int = 1,
    kills: Annotated[float, "how often a tab or the server is killed"] = 0.02,
    storage: Annotated[str, STORAGE, "what befalls the phone's storage"] = "",
    tabs: Annotated[int, (1, 2), "tabs that the keeper taps in"] = 1,
    collisions: Annotated[int, "let so many taps of two keepers collide instead"] = 0,
    defect: Annotated[str, DEFECTS, "plant it, and see it found"] = "",
) -> Tally:
    """Record in bad weather."""
    expect.set_options(timeout=PATIENCE)  # other storms may keep the machine busy
    with browser() as started, scratch() as folder, Served(folder) as served:
        if collisions:
            from tests.soak.storm.colliding import collide

            found = collide(started, served, collisions=collisions, seed=seed)
            return Tally({"collisions": collisions, **found.ended}, found.wrong)
        how: Any = {"kills": kills, "storage": storage, "tabs": tabs, "defect": defect}
        try:
            outcome = storm(started, served, moves=moves, seed=seed, **how)
        except Halted as halted:
            return Tally({"plays asked for": moves}, [f"the keeper has to decide: {str(halted)!r}"])
    counts = {"tapped": len(outcome.tapped), "recorded": len(outcome.recorded), **outcome.weather}
    same = outcome.recorded == outcome.tapped
    return Tally(counts, [] if same else [f"tapped {outcome.tapped}, recorded {outcome.recorded}"])
