"""Reading a night on a phone: how much fits on one screen, and how a pile is opened."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.keeper import first_round
from tests.browser.phones import SIDEWAYS, night_of, phone
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

SCREEN = (390, 844)
NAMES = ["Chị Hương", "Anh Hai Lúa", "Bảy", "Út Trọc"]
HEIGHT = "() => document.documentElement.scrollHeight"


def tell_results(teller: Teller, rounds: int) -> None:
    """Record some rounds as results, each led by the winner of the one before."""
    order = ["p1", "p2", "p3", "p4"]
    leader = "p4"
    for number in range(rounds):
        teller.tell("round", leader=leader)
        order = [*order[1:], order[0]]
        bombs = [{"seat": order[0], "beat": order[1], "captured": ["2s"]}] if number % 2 else []
        needed = teller.tell("result", places=order, bombs=bombs)["board"]["round"]["needed"]
        for player in needed:
            teller.tell("declare", seat=player, sets=[])
        teller.tell("settle")
        leader = order[0]


@pytest.fixture(scope="module")
def night(browser: Browser, server: str) -> Iterator[Page]:
    """A round of 66 moves, and five entered as results."""
    with phone(browser, SCREEN) as context:
        teller = Teller(context.new_page(), server)
        teller.sit_down(NAMES)
        teller.tell_round(first_round("southern-05.tln")[0])
        tell_results(teller, 5)
        teller.look()
        yield teller.page
        assert teller.trouble == []


def test_a_round_of_66_moves_is_read_on_a_screen_and_a_half(night: Page) -> None:
    night.goto(f"{night_of(night)}/rounds/1")
    assert night.evaluate(HEIGHT) <= 1300
    assert night.evaluate(SIDEWAYS) <= 0


def test_six_rounds_with_their_payments_are_read_on_little_more_than_a_screen(night: Page) -> None:
    night.goto(f"{night_of(night)}/ledger")
    assert night.evaluate(HEIGHT) <= 1100
    sums = night.locator(".sheet tfoot").bounding_box()
    assert sums is not None
    assert sums["y"] + sums["height"] <= SCREEN[1] / 2
    rounds = night.locator(".sheet tbody tr")
    expect(rounds).to_have_count(6)
    # Ten rounds and their totals fit on one screen.
    row = rounds.first.bounding_box()
    assert row is not None
    assert sums["y"] + sums["height"] + 4 * row["height"] <= SCREEN[1]


def test_a_cell_of_the_sheet_leads_to_what_concerns_its_player(night: Page) -> None:
    night.goto(f"{night_of(night)}/ledger")
    night.locator(".sheet tbody tr").last.locator("td a").nth(1).tap()
    expect(night.locator(".chips [aria-current]")).to_have_text("Của Anh Hai Lúa")
    expect(night.locator(".pile-of")).to_have_count(7)
    night.locator(".chips a").first.tap()
    expect(night.locator(".pile-of")).to_have_count(14)


def test_a_tap_opens_the_moves_of_a_pile_and_the_steps_stay_in_sight(night: Page) -> None:
    night.goto(f"{night_of(night)}/rounds/1")
    expect(night.locator("#m9")).to_be_hidden()
    night.locator(".pile-of summary").nth(1).tap()
    expect(night.locator("#m9")).to_be_visible()
    expect(night.locator("#m1")).to_be_hidden()
    expect(night.locator(".steps")).to_be_in_viewport(ratio=1)


def test_a_move_that_is_linked_to_is_open_and_in_sight(night: Page) -> None:
    night.goto(f"{night_of(night)}/rounds/1?move=40#m40")
    expect(night.locator("#m40")).to_be_in_viewport()
    expect(night.locator(".pile-of[open]")).to_have_count(1)


def test_a_payment_that_is_linked_to_is_unfolded(night: Page) -> None:
    address = f"{night_of(night)}/ledger"
    night.goto(address)
    place = night.locator("#round-1 .lines li").first.get_attribute("id")
    night.goto("about:blank")
    night.goto(f"{address}#{place}")
    expect(night.locator(f"#{place}")).to_be_visible()
