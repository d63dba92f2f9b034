"""A result on a phone: a few taps, nothing recorded before the last, and no tap lost."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.phones import BUTTON, LARGE_TEXT, PHONES, SIDEWAYS, await_worker, phone
from tests.browser.telling import Teller
from tests.soaking import further

pytestmark = pytest.mark.browser

SIZES = {name: PHONES[name] for name in ("320x568", "390x664")}
ORDER = ("p2", "p1", "p3")


def came(page: Page, player: str) -> str:
    """The place on a player's button."""
    return page.locator(f".came[value='tap {player}']").inner_text().split("\n")[0]


def sat_down(context: BrowserContext, server: str) -> Teller:
    keeper = Teller(context.new_page(), server)
    keeper.sit_down(["Ba", "Mẹ", "Lan", "Tú"])
    keeper.look()
    return keeper


@pytest.fixture(params=further(SIZES.values(), "larger phones"))
def keeper(request: pytest.FixtureRequest, browser: Browser, server: str) -> Iterator[Teller]:
    """A keeper at a table of four, before its first round."""
    with phone(browser, request.param) as context:
        keeper = sat_down(context, server)
        yield keeper
        assert keeper.trouble == []


def open_form(keeper: Teller) -> None:
    keeper.leave(keeper.page.locator("main a[href$='/result']"))


def tap_order(keeper: Teller, *players: str) -> None:
    for player in players:
        keeper.tap(keeper.page.locator(f".came[value='tap {player}']"))


def tap_bomb(keeper: Teller, who: str, whom: str, *cards: str) -> None:
    for name, value in (("who", who), ("whom", whom), *(("cards", card) for card in cards)):
        keeper.tap(keeper.page.locator(f".pick:has([name={name}][value='{value}'])"))


def settle(keeper: Teller) -> None:
    keeper.leave(keeper.page.locator("button.main[value=result]"))


def net(keeper: Teller) -> dict[str, int]:
    board = keeper.page.request.get(f"{keeper.server}/api/v1/nights/{keeper.night}").json()
    found: dict[str, int] = board["net"]
    return found


def test_a_result_takes_five_taps_and_one_with_a_bomb_eight(keeper: Teller) -> None:
    page = keeper.page
    open_form(keeper)
    tap_order(keeper, *ORDER)
    assert [came(page, player) for player in ("p1", "p2", "p3", "p4")] == ["2", "1", "3", "4"]
    # The payments are shown before anything is recorded.
    expect(page.locator("#outcome li")).to_have_count(2)
    assert page.url.endswith("&what=bomb")
    assert net(keeper) == dict.fromkeys(("p1", "p2", "p3", "p4"), 0)
    settle(keeper)
    assert keeper.taps == 5
    assert net(keeper) == {"p1": 1, "p2": 2, "p3": -1, "p4": -2}
    keeper.taps = 0
    open_form(keeper)
    tap_order(keeper, *ORDER)
    tap_bomb(keeper, "p2", "p3", "2d")
    expect(page.locator("#outcome li")).to_have_count(3)
    settle(keeper)
    assert keeper.taps == 8
    assert net(keeper) == {"p1": 2, "p2": 6, "p3": -4, "p4": -4}


def test_a_second_tap_says_that_somebody_had_played_nothing(keeper: Teller) -> None:
    page = keeper.page
    open_form(keeper)
    tap_order(keeper, *ORDER, "p4")
    expect(page.locator(".came .flag:visible")).to_have_count(1)
    assert came(page, "p3") == "3"
    settle(keeper)
    assert net(keeper) == {"p1": 1, "p2": 4, "p3": -1, "p4": -4}


def test_where_only_the_winner_counts_a_tap_gives_nobody_else_a_place(browser: Browser, server: str) -> None:
    with phone(browser) as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(["Ba", "Mẹ"], "southern-winner-takes-all")
        keeper.look()
        open_form(keeper)
        tap_order(keeper, "p2")
        assert [came(keeper.page, player) for player in ("p2", "p1")] == ["1", "Ba"]


def test_a_keeper_who_fell_behind_ends_the_round_from_the_table(keeper: Teller) -> None:
    """p1's 2♦ was bombed, and nothing after that was recorded."""
    page = keeper.page
    with keeper.telling():
        keeper.tell("round", leader="p1", stood=True)
        keeper.tell("play", seat="p1", cards=["2d"])
        keeper.tell("play", seat="p2", cards=["6s", "6c", "6d", "6h"])
    keeper.taps = 0
    keeper.leave(page.locator(".say a[href$='/result']"))
    tap_order(keeper, *ORDER)
    expect(page.locator("#outcome li")).to_have_count(3)
    settle(keeper)
    assert keeper.taps == 5
    assert net(keeper) == {"p1": -1, "p2": 4, "p3": -1, "p4": -2}


def test_a_half_entered_result_outlives_a_reload_and_the_way_back(keeper: Teller) -> None:
    page = keeper.page
    open_form(keeper)
    tap_order(keeper, "p2", "p1")
    tap_bomb(keeper, "p2", "p3", "2d")
    keeper.tap(page.locator("button[value=extra]"))
    expect(page.locator("[data-extras] .lines li")).to_have_count(1)
    tap_bomb(keeper, "p1", "p4")
    page.reload()
    assert [came(page, player) for player in ("p1", "p2", "p3")] == ["2", "1", "Lan"]
    expect(page.locator("[data-extras] .lines li")).to_have_count(1)
    expect(page.locator("[name=whom][value=p4]")).to_be_checked()
    keeper.leave(page.locator("main > p a"))
    with page.expect_navigation():
        page.go_back()
    assert [came(page, player) for player in ("p1", "p2")] == ["2", "1"]
    expect(page.locator("[name=whom][value=p4]")).to_be_checked()


def test_what_is_tapped_while_an_answer_is_on_its_way_stays(keeper: Teller) -> None:
    page = keeper.page
    open_form(keeper)
    held: list[str] = []
    page.on("request", lambda request: held.append(request.url) if "/result?" in request.url else None)
    page.locator(".came").evaluate_all("(all) => [1, 0, 2].forEach((one) => all[one].click())")
    expect(page.locator("#outcome li")).to_have_count(2)
    assert [came(page, player) for player in ("p1", "p2", "p3", "p4")] == ["2", "1", "3", "4"]
    assert 1 <= len(held) < 4


def test_two_phones_that_end_the_same_round_record_it_once(browser: Browser, keeper: Teller) -> None:
    page = keeper.page
    open_form(keeper)
    tap_order(keeper, *ORDER)
    with phone(browser) as other:
        page_of_other = other.new_page()
        page_of_other.request.post(keeper.links["keeper"])
        second = Teller(page_of_other, keeper.server)
        page_of_other.goto(page.url)
        settle(second)
    keeper.tap(page.locator("button.main[value=result]"))
    expect(page.locator("main [role=alert]")).to_be_visible()
    keeper.trouble.clear()  # the console reports the refusal
    assert [came(page, player) for player in ("p1", "p2", "p3", "p4")] == ["2", "1", "3", "4"]
    assert net(keeper) == {"p1": 1, "p2": 2, "p3": -1, "p4": -2}


@pytest.mark.parametrize("stores", [True, False])
def test_without_a_network_a_result_waits_as_moves_do(browser: Browser, server: str, stores: bool) -> None:
    with phone(browser, service_workers="allow") as context:
        if not stores:
            context.add_init_script(
                "for (const storage of ['indexedDB', 'localStorage', 'sessionStorage'])"
                " Object.defineProperty(window, storage, {get() { throw new Error('denied') }})"
            )
        keeper = sat_down(context, server)
        page = keeper.page
        await_worker(page)
        page.reload()
        open_form(keeper)
        context.set_offline(True)
        tap_order(keeper, *ORDER)
        tap_bomb(keeper, "p2", "p3", "2d")
        button = page.locator("button.main[value=result]")
        if stores:
            keeper.leave(button)
        else:
            keeper.tap(button)
        expect(page.locator(".waits li")).to_have_count(2)
        assert "1. Mẹ · 2. Ba · 3. Lan · 4. Tú" in page.locator(".waits").inner_text()
        context.set_offline(False)
        page.wait_for_url("**/rounds/1/settle")
        keeper.leave(page.locator("button[value=none]"))
        keeper.leave(page.locator("button[value=settle]"))
        assert net(keeper) == {"p1": 1, "p2": 4, "p3": -3, "p4": -2}


def test_an_answer_that_was_lost_records_nothing_twice(keeper: Teller) -> None:
    page = keeper.page
    open_form(keeper)
    tap_order(keeper, *ORDER)
    expect(page.locator("#outcome li")).to_have_count(2)

    def lose(route: Route) -> None:
        if route.request.method == "POST":
            route.fetch(max_redirects=0)
            route.abort()
        else:
            route.continue_()

    page.route("**/result", lose)
    keeper.tap(page.locator("button.main[value=result]"))
    page.wait_for_url("**/rounds/1")
    keeper.trouble.clear()  # the console reports the lost response
    assert net(keeper) == {"p1": 1, "p2": 2, "p3": -1, "p4": -2}
    log = page.request.get(f"{keeper.server}/api/v1/nights/{keeper.night}/events").json()["events"]
    assert [event["kind"] for event in log] == ["round", "result", "declare", "settle"]


def test_the_form_fits_and_what_is_tapped_is_large_enough(context: BrowserContext, server: str) -> None:
    keeper = sat_down(context, server)
    open_form(keeper)
    tap_order(keeper, *ORDER)
    expect(keeper.page.locator("#outcome li")).to_have_count(2)
    for width, height in (*SIZES.values(), LARGE_TEXT):
        keeper.page.set_viewport_size({"width": width, "height": height})
        assert keeper.page.evaluate(SIDEWAYS) <= 0
        for place in keeper.page.locator(".came, [data-result] button.main").all():
            box = place.bounding_box()
            assert box is not None
            assert box["height"] >= BUTTON, width
