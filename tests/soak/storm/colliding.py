"""Two keepers of one night act at nearly the same time: a tap may not be recorded for a seat or a move that the
page had not shown when it was made."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, expect

from tests.browser.phones import phone
from tests.browser.telling import Teller
from tests.nights import Data, new_id
from tests.servers import Served
from tests.soak.running import progress
from tests.soak.storm.storm import log
from tests.web.phones import NAMES, NIGHTS

ROUNDS = 50  # rounds per night: each has one collision, then is voided
LONGEST = 2000  # the longest time in milliseconds between one keeper's entry and the other's tap
LONG_ENOUGH = 950  # milliseconds for which a change must have been shown before a tap may answer it

WATCH = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


@dataclass
class Collisions:
    """Outcomes, and the collisions that recorded something the tapper had not seen."""

    ended: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def collide(browser: Browser, served: Served, *, collisions: int, seed: int, script: str = "") -> Collisions:
    """Cause so many collisions; `script`, if given, replaces `state.js`."""
    chance, found = Random(seed), Collisions()
    with phone(browser, locale="en-GB") as context:
        if script:
            planted: Any = {"body": script, "content_type": "text/javascript"}
            context.route("**/state.js", lambda route: route.fulfill(**planted))
        keeper = Teller(context.new_page(), served.address)
        for number in progress(range(collisions), collisions, "collisions"):
            if number % ROUNDS == 0:
                keeper.sit_down(NAMES)
            else:
                keeper.record("void", round=number % ROUNDS, reason="collided")
            keeper.record("round", opening=True)
            keeper.record("play", seat="p1", cards=["3s"])
            keeper.look()
            keeper.page.evaluate(WATCH)
            _collide_once(keeper, chance, found)
    return found


def _collide_once(keeper: Teller, chance: Random, found: Collisions) -> None:
    page, kind, wait = keeper.page, chance.choice(("cards", "pass", "undo")), chance.randint(0, LONGEST)
    button = page.locator(".actions button.main" if kind == "cards" else f"button[value={kind}]")
    if kind == "cards":
        keeper.choose("p2", ["9d"])
    moves: tuple[Data, ...] = ({"kind": "pass"}, {"kind": "play", "cards": ["5c"]})
    other = {"id": new_id(), "after": keeper.after, "seat": "p2"} | chance.choice(moves)
    answer = page.request.post(f"{keeper.server}{NIGHTS}/{keeper.night}/events", data=other)
    page.wait_for_timeout(wait)
    keeper.tap(button)
    expect(page.locator('.net:is([data-state="saved"], [data-state="stopped"])').first).to_be_attached()
    page.wait_for_timeout(100)
    entries = log(page)
    keeper.after = next(str(entry["id"]) for entry in reversed(entries))
    mine = [entry for entry in entries if entry["after"] == other["id"]]
    found.ended["recorded" if mine else "asked"] += 1
    # Cards were chosen before the other entry.
    shown: float = page.evaluate("(id) => window.tapped - (shown[id] ?? Infinity)", other["id"])
    if mine and (kind == "cards" or shown < LONG_ENOUGH):
        found.wrong.append(f"{kind} after {wait} ms became {mine[0]['content']}")
    panel = page.locator(".pending")
    if panel.is_visible():
        keeper.tap(panel.locator("[data-do=drop]"))
        expect(panel).to_be_hidden()
    assert answer.status == 201, answer.text()
    page.goto("about:blank")  # stop following: the next collision would navigate the page
