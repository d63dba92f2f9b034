"""Correcting entries from the table: a few taps, no typing, and back to the table."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.keeper import Keeper
from tests.browser.phones import LARGE_TEXT, MEASURE, PHONES, SIDEWAYS
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

PLAYS = (("p1", "3s"), ("p2", "5c"), ("p3", "9d"), ("p4", "Th"))


@pytest.fixture
def recorded(keeper: Teller) -> Teller:
    """Four singles lie on the pile; the page shows the table."""
    for seat, card in PLAYS:
        keeper.tell("play", seat=seat, cards=[card])
    keeper.look()
    return keeper


def rows(page: Page) -> list[str]:
    return [row.split("✎")[0].strip() for row in page.locator(".pile li").all_inner_texts()]


def key(keeper: Keeper, card: str) -> None:
    keeper.tap(keeper.page.locator(f'.key:has([value="{card}"])'))


def test_a_wrong_card_three_rows_back_takes_four_taps(recorded: Teller) -> None:
    page = recorded.page
    recorded.leave(page.locator(".pile li", has_text="Bình").locator("a"))
    expect(page.locator("[name=cards][value='3s']")).to_be_disabled()
    key(recorded, "5c")
    key(recorded, "5h")
    recorded.leave(page.locator("button[value=suit]"))
    assert recorded.taps == 4
    assert page.url == f"{recorded.server}/n/{recorded.night}"
    assert "5♥" in rows(page)[1]
    log = page.request.get(f"{recorded.server}/api/v1/nights/{recorded.night}/events").json()["events"]
    assert json.loads(log[-1]["body"])["content"]["reason"] == "wrong suit"


def put_in(keeper: Keeper, before: str, seat: str, card: str, *, listed: bool = False) -> None:
    """Insert a forgotten play before another player's, from its row or from the list of all moves."""
    page = keeper.page
    if listed:
        keeper.leave(page.get_by_role("link", name="A move is missing"))
        keeper.leave(page.locator("main li", has_text=before).locator("a"))
    else:
        keeper.leave(page.locator(".pile li", has_text=before).locator("a"))
        keeper.leave(page.locator("a[href*='how=before']"))
    keeper.tap(page.locator(f".seat:has([value={seat}])"))
    key(keeper, card)
    keeper.leave(page.locator("button[value=forgotten]"))
    assert keeper.taps == 5


@pytest.mark.parametrize("scripts", [True, False])
def test_a_refusal_leads_to_what_was_forgotten(recorded: Teller, scripts: bool) -> None:
    page = recorded.page
    if not scripts:
        page.route("**/record.js", lambda route: route.abort())
        recorded.look()
    recorded.choose("p1", ["4s"])
    recorded.tap(page.locator(".actions button.main"))
    expect(page.locator(".felt .notice")).to_be_visible()
    recorded.leave(page.locator(".felt a[href*='how=before']"))
    expect(page.locator("main")).to_contain_text("Dũng")
    expect(page.locator("button[value=forgotten]")).to_be_visible()


def test_a_play_that_cannot_have_been_forgotten_is_refused_and_leads_on(recorded: Teller) -> None:
    """Chi's 8♦ cannot have come after Chi's own 9♦."""
    put_in(recorded, "Dũng", "p3", "8d")
    page = recorded.page
    expect(page.locator("main [role=alert]")).to_be_visible()
    assert page.locator("a[href*='/correct?']").count() == 1


@pytest.mark.parametrize("listed", [False, True], ids=["by its row", "from the list"])
def test_a_play_that_was_forgotten_is_put_in_with_five_taps(keeper: Teller, listed: bool) -> None:
    for seat, card in (("p1", "3s"), ("p3", "9d"), ("p4", "Th")):
        keeper.tell("play", seat=seat, cards=[card], **({"passed": []} if seat == "p3" else {}), stood=True)
    keeper.look()
    put_in(keeper, "Chi", "p2", "5c", listed=listed)
    assert keeper.page.url == f"{keeper.server}/n/{keeper.night}"
    assert [row.split("\n")[0].split()[0] for row in rows(keeper.page)] == ["An", "Bình", "Chi", "Dũng"]


def test_whoever_plays_more_cards_than_are_left_is_led_to_counting_them(keeper: Teller) -> None:
    keeper.tell("play", seat="p1", cards=[f"{rank}s" for rank in "3456789TJQK"])
    for seat in ("p2", "p3", "p4"):
        keeper.tell("pass", seat=seat)
    keeper.look()
    page = keeper.page
    for card in ("4c", "4d", "4h"):
        keeper.tap(page.locator(f'.key:has([value="{card}"])'))
    keeper.tap(page.locator(".actions button.main"))
    notice = page.locator("main [role=alert]")
    keeper.leave(notice.locator("a.button", has_text="Count your cards"))
    expect(page.locator("#count select")).to_be_visible()


def test_a_move_that_never_was_takes_two_taps(recorded: Teller) -> None:
    page = recorded.page
    recorded.leave(page.locator(".pile li", has_text="Dũng").locator("a"))
    recorded.leave(page.locator("button[value=never]"))
    assert recorded.taps == 2
    assert len(rows(page)) == 3


def test_a_card_that_was_seen_says_where_and_swaps_its_suit(recorded: Teller) -> None:
    page = recorded.page
    struck = page.locator('.key:has([value="5c"])').bounding_box()
    assert struck is not None
    page.touchscreen.tap(struck["x"] + struck["width"] / 2, struck["y"] + struck["height"] / 2)
    notice = page.locator("main [role=alert]")
    expect(notice).to_contain_text("5♣: Bình played it in move 2. Should be:")
    assert notice.locator("a.button").all_inner_texts() == [
        "Correct move 2",
        *(f"5{suit}" for suit in "♠♦♥"),
        *("4♣", "6♣"),
    ]
    recorded.leave(notice.locator("a.button", has_text="5♥"))
    expect(page.locator("[name=cards]:checked")).to_have_value("5h")
    recorded.leave(page.locator("button[value=suit]"))
    assert recorded.taps == 2
    assert "5♥" in rows(page)[1]


def test_a_card_that_was_seen_says_so_when_it_is_typed(recorded: Teller) -> None:
    recorded.page.keyboard.type("5c")
    expect(recorded.page.locator("main [role=alert]")).to_contain_text("5♣: Bình")


def test_a_refused_selection_is_cleared_with_one_tap(recorded: Teller) -> None:
    page = recorded.page
    for card in ("4h", "6h", "8h"):
        key(recorded, card)
    recorded.tap(page.locator(".actions button.main"))
    expect(page.locator("main [role=alert]")).to_be_visible()
    expect(page.locator("[name=cards]:checked")).to_have_count(3)
    recorded.tap(page.locator("[data-clear]:visible"))
    expect(page.locator("[name=cards]:checked")).to_have_count(0)
    expect(page.locator("main [role=alert]")).to_have_count(0)


def test_the_screen_fits(recorded: Teller) -> None:
    page = recorded.page
    recorded.leave(page.locator(".pile li a").last)
    for size in (*PHONES.values(), LARGE_TEXT):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        measured = page.evaluate(MEASURE)
        assert page.evaluate(SIDEWAYS) <= 0, size
        assert measured["cut"] == measured["over"] == [], size
        assert size == LARGE_TEXT or not measured["scrolls"], size
