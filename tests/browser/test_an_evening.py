"""A newcomer's first evening, using only what is visible: every page says what to do next."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Locator, Page, Response, expect

from tests.browser.keeper import SAME_TAP, first_round, plays_of, trouble_on
from tests.browser.phones import phone
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

NAMES = {"p1": "An", "p2": "Bình", "p3": "Chi", "p4": "Dũng"}
SUITS = dict(zip("scdh", "♠♣♦♥", strict=True))


class Stranger:
    """A newcomer with a phone, who knows cards and reads what is on the page."""

    def __init__(self, page: Page, server: str) -> None:
        self.page, self.server = page, server
        self.trouble = trouble_on(page, server)
        self.errors: list[str] = []
        page.on("response", self._look)

    def _look(self, response: Response) -> None:
        if response.status >= 400 and response.request.is_navigation_request():
            self.errors.append(f"{response.status} {response.url}")

    def opens(self, address: str) -> None:
        self.page.goto(address)
        self.knows_what_to_do()

    def presses(self, name: str, within: str = "body") -> None:
        """Tap a button or a link by its label."""
        place = self.page.locator(within)
        found = place.get_by_role("button", name=name).or_(place.get_by_role("link", name=name))
        self.follows(found.locator("visible=true").first)

    def follows(self, place: Locator) -> None:
        with self.page.expect_navigation():
            place.tap()
        self.knows_what_to_do()

    def knows_what_to_do(self) -> None:
        """Expect something on the page that leads on."""
        expect(self.page.locator("main :is(button, a[href], summary):visible").first).to_be_visible()

    def taps(self, *cards: str) -> None:
        for card in cards:
            text = card[0].replace("T", "10") + SUITS[card[1]]
            self.page.locator(".key", has_text=re.compile(f"^{text}$")).locator("visible=true").tap()

    def plays(self, player: str, cards: list[str]) -> None:
        """Record a play on the table."""
        seat = self.page.locator("label.seat", has_text=NAMES[player])
        if not seat.get_by_role("radio").is_checked():
            seat.tap()
        self.taps(*cards)
        self._records("→")

    def _records(self, name: str) -> None:
        proof = self.page.locator(".proof")
        seq = proof.get_attribute("data-seq")
        self.page.locator(".actions").get_by_role("button", name=name).tap()
        expect(self.page.locator(f'.proof:not([data-seq="{seq}"])')).to_be_attached()

    def records(self, plays: list[tuple[str, list[str]]]) -> None:
        """Record plays; passes are tapped only where the next play does not imply them."""
        for passed, player, cards in plays_of(plays):
            if passed:
                self._records("All others pass")
            self.plays(player, cards)


@contextmanager
def stranger(browser: Browser, server: str) -> Iterator[Stranger]:
    with phone(browser, locale="en-GB") as context:
        one = Stranger(context.new_page(), server)
        yield one
        assert (one.errors, one.trouble) == ([], [])


def test_an_evening(browser: Browser, server: str) -> None:
    plays, _ = first_round("southern-05.tln")
    with (
        stranger(browser, server) as keeper,
        stranger(browser, server) as binh,
        stranger(browser, server) as dung,
    ):
        looks_around(keeper, server)
        links = opens_a_table(keeper)
        forgets_a_play(keeper, plays)
        keeper.presses("Settle", "main")
        keeper.presses("Enter only the result")
        for name in ("Bình", "An", "Dũng"):
            keeper.page.get_by_role("button", name=name).locator("visible=true").first.tap()
        keeper.presses("Settle round 2")
        for player, name in ((binh, "Bình"), (dung, "Dũng")):
            player.opens(links[name])
            player.presses("To the table")
        binh.presses("Agree with all")
        expect(binh.page.locator("main")).to_contain_text("You have agreed with every round")
        disputes(dung)
        corrects(keeper)
        settles_up(keeper)
        dung.page.reload()
        expect(dung.page.locator("main")).to_contain_text("corrected")


def looks_around(stranger: Stranger, server: str) -> None:
    """How it works, the example night, how it is played; and back to the first page."""
    stranger.opens(server)
    stranger.presses("How it works")
    stranger.presses("How Tiến lên is played")
    stranger.presses("See an example night")
    expect(stranger.page.locator("body")).to_contain_text("only to look at")
    stranger.presses("Rounds", "nav")
    stranger.presses("Round 2", "main")
    stranger.presses("The move before")
    stranger.presses("Open a table")


def opens_a_table(stranger: Stranger) -> dict[str, str]:
    """Enter the names and open the table; returns each player's link, as shown to the keeper."""
    for place, name in enumerate(NAMES.values(), start=1):
        stranger.page.get_by_label(f"Player {place}", exact=True).fill(name)
    stranger.presses("Open a table")
    stranger.presses("Invite", "nav")
    links = {name: stranger.page.get_by_label(name, exact=True).input_value() for name in NAMES.values()}
    stranger.presses("Table", "nav")
    stranger.presses("Begin round 1")
    return links


def forgets_a_play(keeper: Stranger, plays: list[tuple[str, list[str]]]) -> None:
    """Record the round without Chi's 2♠, notice that eight moves later, insert it, and finish the round.

    Only the first and the last plays are tapped: rounds are tapped to their end in test_every_ruleset.py."""
    forgotten = plays.index(("p3", ["2s"]))
    found = forgotten + 9
    teller = Teller(keeper.page, keeper.server)
    keeper.records(plays[:3])
    with teller.telling():
        teller.tell_plays(plays[3:forgotten])
        teller.tell_plays(plays[forgotten + 1 : found])
    keeper.presses("Rounds", "nav")
    keeper.presses("Round 1", "main")
    keeper.page.locator("summary", has_text="Pile 2").tap()
    passed = keeper.page.locator("tr:visible", has_text="Chi: pass")
    keeper.follows(passed.get_by_role("link", name="correct"))
    keeper.taps("2s")
    # Before the next play. Pressed before it is said, the button says it first.
    expect(keeper.page.locator("main")).to_contain_text("With it: Chi passed")
    keeper.presses("2♠ → Chi")
    with teller.telling():
        teller.tell_plays(plays[found:-3])
    keeper.records(plays[-3:-1])
    with keeper.page.expect_navigation():
        keeper.plays(*plays[-1])


def disputes(dung: Stranger) -> None:
    """Dũng disputes a payment of the second round, with a reason."""
    dung.presses("Wrong")
    dung.page.get_by_label("What is wrong").fill("I came in before An")
    dung.presses("Dispute it as Dũng")
    expect(dung.page.locator("h1")).to_contain_text("open")


def corrects(keeper: Stranger) -> None:
    """The keeper sees the dispute, corrects the result behind the payment, and closes it."""
    keeper.page.reload()
    keeper.presses("1 dispute")
    keeper.follows(keeper.page.locator("main ul").get_by_role("link").first)
    keeper.presses("Correct the move it rests on")
    for name in ("An", "An", "Chi", "Chi"):  # once: had played nothing; twice: comes in last
        keeper.page.wait_for_timeout(SAME_TAP)
        keeper.page.locator("main").get_by_role("button", name=re.compile(rf"\b{name}\b")).tap()
    keeper.page.get_by_label("Reason").fill("Dũng came in before An")
    keeper.presses("See what changes")
    expect(keeper.page.locator("main")).to_contain_text("An → Dũng")
    keeper.presses("Record the correction")
    keeper.presses("1 dispute")
    keeper.follows(keeper.page.locator("main ul").get_by_role("link").first)
    expect(keeper.page.get_by_role("radio", name="corrected")).to_be_checked()
    keeper.page.get_by_label("Reason").fill("as Dũng says")
    keeper.presses("Close the dispute")


def settles_up(keeper: Stranger) -> None:
    """Hand over every transfer."""
    keeper.presses("Ledger", "nav")
    keeper.presses("Settle up")
    for _ in range(4):
        if keeper.page.get_by_role("button", name="Mark as paid").count():
            keeper.presses("Mark as paid")
    expect(keeper.page.locator("main")).to_contain_text("Nobody owes anybody anything.")
