"""A night on a phone whose processor is several times slower: how long a tap takes, and what the page holds."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Annotated, Final

from playwright.sync_api import Browser, CDPSession, expect

from ledger.game.hands import missing_hands
from ledger.game.notation import tag
from tests.browser.phones import PATIENCE, phone
from tests.browser.tapping import Tap, taps
from tests.browser.telling import Teller
from tests.servers import Served
from tests.soak.running import Tally, browser, progress, scratch
from tests.soak.storm.counting import round_of
from tests.soak.storm.storm import PlayedCards, plays
from tests.web.phones import NAMES

WATCH = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
SLOWEST_TAP: Final = 1000
"""The most milliseconds until nineteen of twenty taps are drawn."""
GROWTH: Final = 1.25
"""By how much what the page holds may grow from the first rounds of a night to the last, and within a round."""
ENOUGH: Final = 8
"""The fewest rounds over which bytes are compared: of fewer, they depend on what the browser has compiled."""
HELD: Final = {"Nodes": "nodes", "JSEventListeners": "listeners", "JSHeapUsedSize": "bytes"}


@dataclass
class Night:
    """What was tapped and recorded, the milliseconds until each tap was drawn, and what the table's page held at
    the first and the last tap of each round."""

    tapped: list[PlayedCards] = field(default_factory=list)
    recorded: list[PlayedCards] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)
    held: list[tuple[dict[str, float], dict[str, float]]] = field(default_factory=list)

    def wrong(self) -> list[str]:
        found = [] if self.recorded == self.tapped else [f"tapped {self.tapped}, recorded {self.recorded}"]
        for name in HELD.values():
            begun, over = ([each[at][name] for each in self.held] for at in (0, 1))
            few = max(len(begun) // 4, 1)
            if name == "bytes" and len(begun) < ENOUGH:
                continue
            if median(begun[-few:]) > GROWTH * median(begun[:few]):
                found.append(f"{name} grow with the night: {begun}")
            if name != "bytes" and median(over) > GROWTH * median(begun):
                found.append(f"{name} grow within a round: from {median(begun)} to {median(over)}")
        return found


def record(
    browser: Browser, served: Served, *, rounds: int, tapped: int, slower: int, leak: str = ""
) -> Night:
    """Record rounds; of each, so many of the last plays are `tapped`, the others told by another phone. `leak` is a
    script that pages run first."""
    night = Night()
    with phone(browser, locale="en-GB") as context:
        context.add_init_script(WATCH)
        if leak:
            context.add_init_script(leak)
        keeper = Teller(context.new_page(), served.address)
        keeper.sit_down(NAMES)
        session = context.new_cdp_session(keeper.page)
        session.send("Performance.enable")
        session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        for number in progress(range(rounds), rounds, "rounds"):
            keeper.page.goto("about:blank")  # it would follow to the new round while it is opened there
            keeper.record("round", opening=True, **({"stood": True} if number else {}))
            positions = round_of(number)
            _round(keeper, list(taps(positions)), tapped, night, session)
            ended = positions[-1]
            for player in missing_hands(ended.round):
                left = ended.round.ruleset.deck.write(ended.left(player))
                keeper.record("show", seat=tag(player), cards=list(left))
            keeper.record("settle")
            keeper.page.wait_for_function("() => !document.querySelector('form.record')")
        night.drawn = keeper.page.evaluate("JSON.parse(sessionStorage.drawn)")
        night.recorded = list(plays(keeper.page))
    return night


def _round(keeper: Teller, left: Sequence[Tap], tapped: int, night: Night, session: CDPSession) -> None:
    page, by_hand = keeper.page, max(len(left) - tapped - 1, 0)
    for tap in left[:by_hand]:
        _tell(keeper, tap, night)
    keeper.look()
    begun: dict[str, float] = {}
    for tap in left[by_hand:-1]:
        if tap.cards:
            keeper.choose(tap.seat, list(tap.cards))
            keeper.tap(page.locator(".actions button.main"))
            night.tapped.append((tap.seat, " ".join(tap.cards)))
            expect(page.locator("[name=cards]:checked")).to_have_count(0)
        else:
            expect(page.locator(".net")).to_have_attribute("data-state", "saved")
            page.wait_for_timeout(1100)  # what a pass answers has been shown by now
            seq = page.locator(".proof").get_attribute("data-seq") or ""
            keeper.tap(page.locator(f'button[value="{tap.button}"]'))
            expect(page.locator(".proof")).not_to_have_attribute("data-seq", seq)
        begun = begun or _held(session)
    expect(page.locator(".net")).to_have_attribute("data-state", "saved")
    expect(page.locator(".pile .waiting")).to_have_count(0)
    night.held.append((begun, _held(session)))
    keeper.after = page.locator(".proof").get_attribute("data-after") or ""
    _tell(keeper, left[-1], night)


def _tell(keeper: Teller, tap: Tap, night: Night) -> None:
    if tap.cards:
        keeper.record("play", seat=tap.seat, cards=list(tap.cards))
        night.tapped.append((tap.seat, " ".join(tap.cards)))
    elif tap.button == "pass":
        keeper.record("pass", seat=tap.seat)


def _held(session: CDPSession) -> dict[str, float]:
    session.send("HeapProfiler.collectGarbage")
    found = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return {ours: found[theirs] for theirs, ours in HELD.items()}


def soak(
    *,
    rounds: int = 60,
    tapped: Annotated[int, "plays of each round that are tapped, at most"] = 100,
    slower: Annotated[int, "how many times slower the phone is"] = 6,
) -> Tally:
    """Record a night on a slow phone."""
    expect.set_options(timeout=PATIENCE)
    with browser() as started, scratch() as folder, Served(folder) as served:
        night = record(started, served, rounds=rounds, tapped=tapped, slower=slower)
    usual, most = round(median(night.drawn)), round(quantiles(night.drawn, n=20)[-1])
    wrong = night.wrong() + [f"one tap in twenty takes {most} ms or more"] * (most > SLOWEST_TAP)
    first, last = (night.held[at][0]["bytes"] for at in (0, -1))
    return Tally(
        {
            "plays recorded once": len(night.recorded),
            "taps": len(night.drawn),
            "ms until one is drawn": usual,
            "at most for 19 of 20": most,
            "KB held in the first round": round(first / 1024),
            "in the last": round(last / 1024),
        },
        wrong,
    )
