"""The keeper's phone without a network: taps are queued, and recorded once, in order, when it is back."""

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.phones import PHONES, await_worker, phone, shut
from tests.browser.telling import Teller
from tests.soak.storm.storm import log, plays

pytestmark = pytest.mark.browser

NAMES = ["An", "Bình", "Chi", "Dũng"]
SMALL = PHONES["360x640"]
NET = ".net"

MOVES = [("p1", ["3s"]), ("p2", ["5c"]), ("p3", ["9d"]), ("p4", ["Js"]), ("p1", ["Ad"])]
AS_LAID = [(seat, " ".join(cards)) for seat, cards in MOVES]


@pytest.fixture
def keeper(keeper: Teller) -> Teller:
    """The keeper, with the table's page open."""
    keeper.look()
    return keeper


def tap_all(keeper: Teller, moves: list[tuple[str, list[str]]]) -> None:
    """Tap some plays, without waiting for the server."""
    for seat, cards in moves:
        keeper.choose(seat, cards)
        keeper.tap(keeper.page.locator(".actions button.main"))
        expect(keeper.page.locator("[name=cards]:checked")).to_have_count(0)


def tap_offline(context: BrowserContext, keeper: Teller, moves: list[tuple[str, list[str]]]) -> None:
    """Record the first play, and tap more without a network; `tell` then records as another keeper."""
    keeper.play(*MOVES[0])
    keeper.after = keeper.page.locator(".proof").get_attribute("data-after") or ""
    context.set_offline(True)
    tap_all(keeper, moves)


def what_is_asked(context: BrowserContext, page: Page) -> Locator:
    """Restore the network; returns the sheet that asks what to do with the queued entries."""
    context.set_offline(False)
    panel = page.locator(".pending")
    expect(panel).to_be_visible()
    return panel


def close_round(keeper: Teller, button: str) -> None:
    """Open the menu that closes a round, and press one of its buttons."""
    keeper.tap(keeper.page.locator("[data-closing]"))
    keeper.tap(keeper.page.locator(f".closing button[value={button}]"))
    expect(keeper.page.locator(".closing")).to_have_count(0)


def begin_next(keeper: Teller, leader: str) -> None:
    keeper.tap(keeper.page.locator("[data-closing]"))
    keeper.tap(keeper.page.locator(f".closing .choice:has([value={leader}])"))
    keeper.tap(keeper.page.locator(".closing button[value=round]"))


def kinds(page: Page) -> list[object]:
    return [entry["kind"] for entry in log(page)]


def test_what_was_tapped_without_network_is_recorded_once_there_is_one(
    context: BrowserContext, keeper: Teller
) -> None:
    page = keeper.page
    tap_all(keeper, MOVES[:1])
    expect(page.locator(NET)).to_have_text("Saved")
    context.set_offline(True)
    tap_all(keeper, MOVES[1:4])
    expect(page.locator(NET)).to_have_text("Offline: 3 waiting")
    expect(page.locator(".pile .waiting")).to_have_count(3)
    expect(page.locator('.key:has([value="9d"]) input')).to_be_disabled()
    expect(page.locator("[name=seat][value=p1]")).to_be_checked()
    expect(page.locator(".key.dim")).to_have_count(0)
    keeper.choose_seat("p3")
    expect(page.locator(".ghosts:visible")).to_have_text("An, Bình: passing")
    assert list(plays(page)) == AS_LAID[:1]
    context.set_offline(False)
    expect(page.locator(NET)).to_have_text("Saved")
    expect(page.locator(".pile .waiting")).to_have_count(0)
    assert list(plays(page)) == AS_LAID[:4]


def test_a_keeper_goes_on_for_hours_through_reloads_from_one_round_to_the_next(
    browser: Browser, server: str
) -> None:
    with phone(browser, SMALL, locale="en-GB", service_workers="allow") as context:
        context.clock.install()
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(NAMES[:3], "southern-winner-takes-all")
        keeper.tell("round", opening=True)
        keeper.tell("play", seat="p1", cards=[f"{rank}s" for rank in "3456789TJQKA"])
        night, page = keeper.look(), keeper.page
        await_worker(page)
        page.goto(f"{night}/links")
        page.go_back()  # the service worker has seen the page now
        kept = page.evaluate(
            "caches.open('pages').then((cache) => cache.keys()).then((all) => all.map((one) => one.url))"
        )
        assert night in kept
        assert not [address for address in kept if "links" in address or "/t/" in address]

        context.set_offline(True)
        page.goto(f"{night}/rounds/1/correct")  # a page never seen before
        expect(page).to_have_url(night)
        keeper.tap(page.locator("button[value=pass-all]"))
        tap_all(keeper, [("p1", ["2s"])])
        page.clock.fast_forward("01:30:00")
        keeper.choose("p2", ["2d", "2h"])
        close_round(keeper, "declare")
        keeper.choose_seat("p3")
        close_round(keeper, "none")
        begin_next(keeper, "p1")
        expect(page.locator("h1")).to_have_text("Round 2")
        expect(page.locator(".say .turn")).to_have_text("An leads")
        keeper.choose("p1", ["2s"])
        page.set_viewport_size({"width": 640, "height": 360})
        page.reload()
        expect(page.locator(NET)).to_have_text("Offline: 5 waiting")
        expect(page.locator("[name=cards]:checked")).to_have_count(1)
        page.set_viewport_size({"width": 360, "height": 640})
        keeper.tap(page.locator(".actions button.main"))
        expect(page.locator(".pile .waiting")).to_have_text(["An 2♠"])
        page.goto("about:blank")
        page.go_back()
        page.clock.fast_forward("03:00:00")
        expect(page.locator(".pile .waiting")).to_have_text(["An 2♠"])
        tap_all(keeper, [("p3", ["9d", "9c", "9h", "9s"])])
        shut(page)
        context.set_offline(False)

        keeper.page = page = context.new_page()
        page.goto(night)
        expect(page.locator(NET)).to_have_text("Saved")
        expect(page.locator(".pile li:not(.bomb)")).to_have_count(2)
        expected = ["round", "play", "pass", "play", "declare", "declare", "round", "play", "play"]
        assert kinds(page) == expected
        page.goto(f"{night}/rounds/1/settle")
        expect(page.locator("button[value=settle]")).to_be_enabled()


def test_between_rounds_a_note_and_the_next_round_wait_like_moves(
    context: BrowserContext, server: str
) -> None:
    keeper = Teller(context.new_page(), server)
    keeper.sit_down(NAMES, "thirteen-kneeling")
    night, page = keeper.look(), keeper.page
    context.set_offline(True)
    keeper.tap(page.locator("#beside summary").first)
    keeper.tap(page.locator(".noting .choice:has([value=deals])"))
    page.locator(".noting [name=player]").select_option("p3")
    keeper.tap(page.locator(".noting button"))
    expect(page.locator(".waits li")).to_have_text(["Record the note · deals next · Chi"])
    keeper.tap(page.locator("main button[value=round]"))
    tap_all(keeper, MOVES[:1])
    keeper.tap(page.locator("button[value=undo]"))
    keeper.tap(page.locator("button[value=undo]"))
    expect(page.locator("h1")).to_have_text("The first round")
    keeper.tap(page.locator("main button[value=round]"))
    tap_all(keeper, MOVES[:2])
    context.set_offline(False)
    expect(page.locator(NET).first).to_have_attribute("data-state", "saved")
    expect(page.locator(".pile li")).to_have_count(2)
    assert kinds(page) == ["note", "round", "play", "undo", "undo", "round", "play", "play"]
    assert page.url == night


def test_hands_and_settling_wait_and_the_next_round_begins_on_the_page_that_settles(
    context: BrowserContext, server: str
) -> None:
    keeper = Teller(context.new_page(), server)
    keeper.sit_down(NAMES[:3], "southern-winner-takes-all")
    keeper.tell("round", opening=True)
    keeper.tell("play", seat="p1", cards=[f"{rank}s" for rank in "3456789TJQKA"])
    for seat in ("p2", "p3"):
        keeper.tell("pass", seat=seat)
    keeper.tell("play", seat="p1", cards=["2s"])
    page = keeper.page
    page.goto(f"{server}/n/{keeper.night}/rounds/1/settle")
    context.set_offline(True)
    keeper.tap(page.locator('.key:has([value="2h"])'))
    keeper.tap(page.locator("button[value=declare]"))
    expect(page.locator("[name=seat][value=p3]")).to_be_checked()
    keeper.tap(page.locator("button[value=none]"))
    expect(page.locator(".waits li")).to_have_count(2)
    begin_next(keeper, "p1")
    tap_all(keeper, [("p1", ["4d"])])
    context.set_offline(False)
    page.wait_for_url(f"**/n/{keeper.night}")
    expect(page.locator(".pile li")).to_have_count(1)
    assert kinds(page)[5:] == ["declare", "declare", "round", "play"]
    page.goto(f"{server}/n/{keeper.night}/rounds/1/settle")
    context.set_offline(True)
    keeper.tap(page.locator("button[value=settle]"))
    expect(page.locator("button[value=settle]")).to_be_disabled()
    context.set_offline(False)
    page.wait_for_url(f"**/n/{keeper.night}")
    assert kinds(page)[-1] == "settle"


def test_who_passes_is_counted_over_several_piles_that_wait(context: BrowserContext, keeper: Teller) -> None:
    page = keeper.page
    context.set_offline(True)
    for move in (("p1", ["3s"]), ("p1", ["4s", "4c"])):
        tap_all(keeper, [move])
        keeper.tap(page.locator("button[value=pass-all]"))
    tap_all(keeper, [("p1", ["5s"])])
    context.set_offline(False)
    expect(page.locator(NET)).to_have_text("Saved")
    moves = [(part["kind"], part.get("player")) for entry in log(page) for part in entry["parts"]]  # type: ignore[attr-defined]
    passes = [("pass", "p2"), ("pass", "p3"), ("pass", "p4")]
    lead = ("play", "p1")
    assert moves[1:] == [lead, *passes, lead, *passes, lead]


def test_rounds_that_wait_each_go_the_other_way_round_where_the_direction_changes(
    context: BrowserContext, server: str
) -> None:
    keeper = Teller(context.new_page(), server)
    keeper.sit_down(NAMES, "casual")
    keeper.tell("round", opening=True)
    keeper.look()
    page = keeper.page
    context.set_offline(True)
    orders = []
    for seat, suit in (("p1", "s"), ("p2", "c"), ("p3", "d")):
        orders.append([one.get_attribute("value") for one in page.locator("[name=seat]").all()])
        keeper.choose(seat, [f"{rank}{suit}" for rank in "3456789TJQKA2"])
        keeper.tap(page.locator("button[value=claim]"))
        expect(page.locator("[name=cards]:checked")).to_have_count(0)
        begin_next(keeper, '""')
        expect(page.locator(".closing")).to_have_count(0)
    assert orders == [["p1", "p2", "p3", "p4"], ["p4", "p3", "p2", "p1"], ["p1", "p2", "p3", "p4"]]
    context.set_offline(False)
    expect(page.locator(NET)).to_have_text("Saved")
    sat = [entry["parts"][0]["seats"] for entry in log(page) if entry["kind"] == "round"]  # type: ignore[index]
    assert sat == [*orders, ["p4", "p3", "p2", "p1"]]


def test_an_undo_waits_in_line_like_a_move(context: BrowserContext, keeper: Teller) -> None:
    page = keeper.page
    context.set_offline(True)
    tap_all(keeper, MOVES[:2])
    keeper.tap(page.locator("button[value=undo]"))
    expect(page.locator(".pile s")).to_have_text("Bình 5♣")
    expect(page.locator('.key:has([value="5c"]) input')).to_be_enabled()
    tap_all(keeper, [("p2", ["6c"])])
    context.set_offline(False)
    expect(page.locator(NET)).to_have_text("Saved")
    assert kinds(page) == ["round", "play", "play", "undo", "play"]
    expect(page.locator(".pile li")).to_have_text([re.compile("An 3♠"), re.compile("Bình 6♣")])


def test_a_refused_move_goes_back_to_the_grid_with_what_to_do(keeper: Teller) -> None:
    page = keeper.page
    tap_all(keeper, [("p1", ["3s", "3c"]), ("p2", ["6c", "6d"])])
    expect(page.locator(NET)).to_have_text("Saved")
    keeper.choose("p3", ["5c", "5d"])
    keeper.tap(page.locator(".actions button.main"))
    notice = page.locator(".felt .notice")
    expect(notice).to_be_visible()
    expect(page.locator("[name=cards]:checked")).to_have_count(2)
    expect(page.locator("[name=seat][value=p3]")).to_be_checked()
    expect(page.locator(".pile .waiting")).to_have_count(0)
    keeper.tap(notice.locator("[data-stood]"))
    expect(notice).to_have_count(0)
    expect(page.locator(NET)).to_have_text("Saved")
    assert list(plays(page))[-1] == ("p3", "5c 5d")


def test_what_waits_while_another_keeper_records_waits_for_a_decision(
    context: BrowserContext, keeper: Teller
) -> None:
    page = keeper.page
    tap_offline(context, keeper, MOVES[1:3])
    keeper.tell("pass", seat="p2")
    panel = what_is_asked(context, page)
    expect(panel.locator("[data-theirs] li")).to_have_text(["Bình pass"])
    expect(panel.locator("[data-mine] li")).to_have_text(["Bình 5♣", "Chi 9♦"])
    expect(page.locator(NET)).to_have_text("Stopped: 2 waiting")
    assert list(plays(page)) == AS_LAID[:1]
    keeper.tap(panel.locator("[data-do=record]"))
    # Bình has passed by now, so the rules refuse the play, and both wait for the next decision.
    expect(panel.locator("[data-mine] :disabled")).to_have_count(1)
    expect(panel.locator("[data-mine] li")).to_have_count(2)
    keeper.tap(panel.locator("[data-do=stood]"))
    expect(page.locator(NET)).to_have_text("Saved")
    assert list(plays(page)) == AS_LAID[:3]


def test_of_what_waits_while_another_keeper_records_each_entry_is_decided_by_itself(
    context: BrowserContext, keeper: Teller
) -> None:
    page = keeper.page
    tap_offline(context, keeper, MOVES[1:3])
    expect(page.locator(".pile .waiting").first).to_have_attribute("data-waits", "not judged yet")
    keeper.tell("play", seat="p2", cards=["5d"])
    panel = what_is_asked(context, page)
    expect(panel.locator("[data-theirs] li")).to_have_text(["Bình 5♦"])
    record = panel.locator("[data-do=record]")
    ticks = panel.locator("[data-mine] label")
    for tick in ticks.all():
        keeper.tap(tick)
    expect(record).to_be_disabled()
    keeper.tap(ticks.nth(1))
    keeper.tap(record)
    expect(page.locator(NET)).to_have_text("Saved")
    assert list(plays(page)) == [AS_LAID[0], ("p2", "5d"), AS_LAID[2]]


def test_an_undo_goes_with_what_it_takes_back_and_never_takes_back_what_another_keeper_recorded(
    context: BrowserContext, keeper: Teller
) -> None:
    page = keeper.page
    tap_offline(context, keeper, MOVES[1:2])
    keeper.tap(page.locator("button[value=undo]"))
    tap_all(keeper, [("p2", ["Ac"])])
    keeper.tell("play", seat="p2", cards=["6c"])
    keeper.tell("play", seat="p3", cards=["9d"])
    panel = what_is_asked(context, page)
    keeper.tap(panel.locator("[data-do=record]"))
    expect(panel.locator("[data-theirs]")).to_be_hidden()
    expect(panel.locator("[data-mine] li")).to_have_text(["Bình 5♣ · ↶ Undo", "Bình A♣"])
    keeper.tap(panel.locator("[data-do=record]"))
    # Passes of Dũng and An are not inferred, as nobody has seen them, so it is not yet Bình's turn.
    expect(page.locator(".felt .notice")).to_contain_text("Dũng")
    expect(page.locator("[name=cards]:checked")).to_have_count(1)
    assert list(plays(page)) == [AS_LAID[0], ("p2", "6c"), ("p3", "9d")]
    assert {"undo", "pass"}.isdisjoint(kinds(page))
