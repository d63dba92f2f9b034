"""A whole round recorded by tapping, with and without scripts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.keeper import SAME_TAP, first_round
from tests.browser.phones import PHONES, bounce, phone
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

NAMES = ["An", "Bình", "Chi", "Dũng"]
SIZE = PHONES["360x640"]


def in_round(context: BrowserContext, server: str, names: list[str] = NAMES) -> Teller:
    """A keeper with the page of the first round open."""
    keeper = Teller(context.new_page(), server)
    keeper.sit_down(names)
    keeper.tell("round", opening=True)
    keeper.look()
    return keeper


def test_a_round_is_recorded_by_tapping_settled_and_paid_without_scripts(
    browser: Browser, server: str
) -> None:
    """With scripts rounds are tapped at the tables of test_every_ruleset.py."""
    with phone(browser, SIZE, java_script_enabled=False) as context:
        keeper = Teller(context.new_page(), server)
        page = keeper.page
        night = keeper.open_table(NAMES)
        keeper.begin_round()
        plays, paid = first_round("southern-05.tln")
        keeper.record_round(plays[:6])
        with keeper.telling():
            keeper.tell_plays(plays[6:-3])
        keeper.record_round(plays[-3:])
        assert page.url == f"{night}/rounds/1/settle"
        keeper.leave(page.locator("button[value=settle]"))
        page.goto(f"{night}/ledger")
        page.locator("#round-1 summary").tap()
        lines = page.locator("#round-1 .lines li:not(.sum)").all_inner_texts()
        shown = [line.split("\n")[:2] for line in lines]
        who = dict(zip(["p1", "p2", "p3", "p4"], NAMES, strict=True))
        wanted = [
            [f"{who[payer]} → {who[payee]}", points] for payer, payee, points, _ in map(str.split, paid)
        ]
        assert shown == wanted
        assert not keeper.trouble


def test_the_button_names_what_will_be_recorded(browser: Browser, server: str) -> None:
    with phone(browser, PHONES["320x568"]) as context:
        keeper = in_round(context, server, ["Lan", "Mẹ", "Ba"])
        button = keeper.page.locator(".actions button.main")
        expect(button).to_have_text("Ghi")
        keeper.choose("p2", ["7h", "7d"])
        expect(button).to_have_text("Đôi 7♦ 7♥ → Mẹ")
        keeper.choose("p2", ["8s", "8c", "9s", "9h"])
        expect(button).to_have_text("Ba đôi thông 7♦ 7♥ 8♠ 8♣ 9♠ 9♥ → Mẹ")


def test_the_button_says_the_suits_of_a_few_cards_in_large(browser: Browser, server: str) -> None:
    with phone(browser, PHONES["320x568"]) as context:
        keeper = in_round(context, server, ["Lan", "Mẹ", "Ba"])
        keeper.choose("p2", ["7h", "7d"])
        button = keeper.page.locator(".actions button.main")
        assert button.locator(".suit").all_inner_texts() == ["♦", "♥"]
        sizes = button.evaluate(
            "one => [one, one.querySelector('.suit')].map((part) => parseFloat(getComputedStyle(part).fontSize))"
        )
        assert sizes[1] > 1.25 * sizes[0]
        assert button.evaluate("button => button.scrollHeight <= button.clientHeight")


def test_the_button_says_what_is_recorded_of_a_hand(browser: Browser, server: str) -> None:
    with phone(browser, PHONES["320x568"]) as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(NAMES)
        keeper.tell("round", opening=True)
        keeper.tell("play", seat="p1", cards=[f"{rank}s" for rank in "3456789TJQKA"])
        for seat in ("p2", "p3", "p4"):
            keeper.tell("pass", seat=seat)
        keeper.tell("play", seat="p1", cards=["2s"])
        page = keeper.page
        page.goto(f"{server}/n/{keeper.night}/rounds/1/settle")
        button = page.locator("main form:has([name=seat]) button.main")
        expect(button).to_have_text("Không thối → Bình")
        keeper.choose("p3", ["2c", "2h"])
        expect(button).to_have_text("Khai 2♣ 2♥ → Chi")
        expect(page.locator("button[value=none]")).to_be_disabled()
        keeper.choose("p3", [f"{rank}c" for rank in "3456789TJQK"])
        expect(button).to_have_text("Lật hết 13 lá → Chi")
        keeper.tap(page.locator('.key:has([value="3c"])'))
        expect(button).to_have_text("Khai 12 lá → Chi")
        for rank in "456789TJQK":
            keeper.tap(page.locator(f'.key:has([value="{rank}c"])'))
        keeper.leave(button)
        expect(page.locator("main > .lines .cards").first).to_have_text("2♣2♥")
        expect(button).to_have_text("Không thối → Bình")
        assert not keeper.trouble


def test_a_row_stands_on_the_table_before_the_next_frame_is_drawn(browser: Browser, server: str) -> None:
    with phone(browser, SIZE) as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(NAMES)
        keeper.tell("round", opening=True)
        keeper.look()
        keeper.choose("p1", ["3s"])
        rows = keeper.page.evaluate(
            """() => {
              document.querySelector(".actions button.main").click();
              return document.querySelectorAll(".pile .waiting").length;
            }"""
        )
        assert rows == 1
        expect(keeper.page.locator('.proof[data-seq="2"]')).to_be_attached()


@pytest.fixture
def begun(browser: Browser, server: str) -> Iterator[Teller]:
    """A keeper with the page of a round that has just begun."""
    with phone(browser, SIZE) as context:
        yield in_round(context, server)


SLOW = """() => document.addEventListener("queue", () => {
  for (const until = performance.now() + 300; performance.now() < until; );
})"""
"""Showing an entry takes the phone longer than the time between two taps."""


def test_a_double_tap_records_once_and_warns_of_nothing(begun: Teller) -> None:
    page = begun.page
    begun.choose("p1", ["3s"])
    bounce(page, page.locator(".actions button.main"))
    expect(page.locator(".say .turn")).to_have_text("Tới lượt Bình")
    expect(page.locator('.proof[data-seq="2"]')).to_be_attached()
    expect(page.locator(".felt .notice")).to_have_count(0)
    page.wait_for_timeout(1000)
    begun.tap(page.locator(".actions button.main"))
    expect(page.locator(".felt .notice")).to_be_visible()


@pytest.mark.parametrize("network", [True, False])
def test_a_double_tap_passes_for_one_player_and_two_taps_for_two(begun: Teller, network: bool) -> None:
    page = begun.page
    begun.play("p1", ["3s"])
    page.evaluate(SLOW)
    page.context.set_offline(not network)
    page.wait_for_timeout(SAME_TAP)
    say, button = page.locator(".say .turn"), page.locator("button[value=pass]")
    bounce(page, button)
    page.wait_for_timeout(SAME_TAP)
    expect(say).to_have_text("Tới lượt Chi")
    button.tap()
    expect(say).to_have_text("Tới lượt Dũng")


def test_a_double_tap_on_what_is_offered_does_not_pass_for_the_others(begun: Teller) -> None:
    page = begun.page
    begun.choose("p1", ["3s"])
    offers = page.locator("[data-offer]")
    expect(offers.first).to_be_visible()
    below = page.locator("button[value=pass-all]").bounding_box()
    assert below is not None
    edge = below["x"] + below["width"]
    boxes = ((offer, offer.bounding_box()) for offer in offers.all())
    # The second tap lands on the button under the offers.
    bounce(page, next(offer for offer, box in boxes if box and box["x"] + box["width"] < edge))
    page.wait_for_timeout(SAME_TAP)
    expect(page.locator(".say .turn")).to_have_text("Tới lượt Bình")
    expect(page.locator(".pile li")).to_have_count(1)


def test_choosing_a_later_seat_says_beforehand_who_passes(browser: Browser, server: str) -> None:
    with phone(browser, SIZE, locale="en-GB", java_script_enabled=False) as context:
        keeper = in_round(context, server)
        keeper.play("p1", ["3s"])
        ghosts = keeper.page.locator(".ghosts:visible")
        expect(ghosts).to_have_count(0)
        keeper.choose("p4", ["5h"])
        expect(ghosts).to_have_text("Bình and Chi: passing")


def test_a_selection_survives_a_reload(browser: Browser, server: str) -> None:
    with phone(browser, SIZE) as context:
        keeper = in_round(context, server)
        keeper.choose("p3", ["3s", "3h"])
        keeper.page.reload()
        expect(keeper.page.locator("[name=cards]:checked")).to_have_count(2)
        expect(keeper.page.locator("[name=seat][value=p3]")).to_be_checked()
        keeper.record(keeper.page.locator(".actions button.main"))
        expect(keeper.page.locator("[name=cards]:checked")).to_have_count(0)


AWAKE = """window.asked = [];
const wakeLock = { request(kind) { asked.push(kind); return Promise.resolve({}); } };
Object.defineProperty(navigator, "wakeLock", { value: wakeLock });"""
NEVER_AWAKE = """Object.defineProperty(navigator, "wakeLock", { value: undefined });"""


@pytest.mark.parametrize(
    ("browser_has", "sleeps", "asked"),
    [(AWAKE, False, ["screen"]), (AWAKE, True, []), (NEVER_AWAKE, False, None)],
    ids=["awake", "set to sleep", "without a lock"],
)
def test_the_screen_stays_on_where_it_can_and_may(
    browser: Browser, server: str, browser_has: str, sleeps: bool, asked: list[str] | None
) -> None:
    with phone(browser, SIZE) as context:
        context.add_init_script(browser_has)
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(NAMES)
        keeper.tell("round", opening=True)
        if sleeps:
            context.request.post(f"{server}/phone", form={"set": "sleeps"}, max_redirects=0)
        keeper.look()
        keeper.play("p1", ["3s"])
        assert keeper.page.evaluate("window.asked ?? null") == asked
        assert not keeper.trouble


def test_back_shows_the_table_as_it_is_and_records_nothing(browser: Browser, server: str) -> None:
    with phone(browser, SIZE) as context:
        keeper = in_round(context, server)
        night = keeper.page.url
        keeper.play("p1", ["3s"])
        keeper.page.goto(f"{night}/ledger")
        keeper.page.go_back()
        expect(keeper.page.locator('[value="3s"]')).to_be_disabled()


def test_enter_lets_nothing_stand_that_was_refused(browser: Browser, server: str) -> None:
    with phone(browser, SIZE, java_script_enabled=False) as context:
        keeper = in_round(context, server)
        page = keeper.page
        keeper.play("p1", ["3s"])
        seq = page.locator(".proof").get_attribute("data-seq")
        for card in ("4s", "4c"):
            page.locator(f'.key:has([value="{card}"])').tap()
        keeper.leave(page.locator(".actions button.main"))
        with page.expect_navigation():
            page.locator("[name=seat]:checked").press("Enter")
        expect(page.locator("button[name=stood]")).to_be_visible()
        expect(page.locator(".proof")).to_have_attribute("data-seq", seq or "")


def test_back_to_a_form_that_was_refused_asks_for_its_page(browser: Browser, server: str) -> None:
    """The browser does not ask whether to send the form again, either."""
    with phone(browser, SIZE) as context:
        page = context.new_page()
        page.goto(server)
        for place in (0, 1):
            page.locator("[name=players]").nth(place).fill("An")
        page.locator("main button.main").tap()
        expect(page.get_by_role("alert")).to_be_visible()
        page.goto(f"{server}/rules")
        again = page.go_back()
        assert again is not None
        assert (again.request.method, again.status, page.url) == ("GET", 200, f"{server}/")


@pytest.mark.parametrize(("locale", "typed"), [("vi-VN", "3b3r"), ("en-GB", "3s3d")])
def test_cards_are_typed_on_a_keyboard_in_the_letters_of_the_language(
    browser: Browser, server: str, locale: str, typed: str
) -> None:
    with phone(browser, SIZE, locale=locale) as context:
        keeper = in_round(context, server)
        page = keeper.page
        page.locator("[name=seat][value=p1]").focus()
        page.keyboard.press("Space")
        page.keyboard.type(f"{typed}10{typed[1]}")
        expect(page.locator("[name=cards]:checked")).to_have_count(3)
        page.keyboard.press("Backspace")
        expect(page.locator("[name=cards]:checked")).to_have_count(2)
        page.keyboard.press("Enter")
        expect(page.locator(".pile .cards")).to_have_text("3♠3♦")
        assert not keeper.trouble


def test_what_was_typed_after_a_button_was_pressed_is_recorded_by_enter(
    browser: Browser, server: str
) -> None:
    with phone(browser, SIZE, locale="en-GB") as context:
        keeper = Teller(context.new_page(), server)
        page = keeper.page
        keeper.sit_down(NAMES)
        keeper.tell("round", opening=True)
        for seat, card in (("p1", "3s"), ("p2", "4s"), ("p3", "5s")):
            keeper.tell("play", seat=seat, cards=[card])
        keeper.look()
        pile = page.locator(".pile .cards")
        page.locator("button[value=undo]").click()
        expect(pile).to_have_text(["3♠", "4♠"])
        page.keyboard.press("Enter")
        expect(pile).to_have_text(["3♠"])
        page.keyboard.type("6s")
        page.keyboard.press("Enter")
        expect(pile).to_have_text(["3♠", "6♠"])
        page.wait_for_timeout(SAME_TAP)
        page.locator("button[value=pass]").click()
        expect(page.locator('.proof[data-seq="8"]')).to_be_attached()
        page.keyboard.type("7s")
        page.keyboard.press("Space")
        expect(pile).to_have_text(["3♠", "6♠", "7♠"])
        assert not keeper.trouble


def test_a_round_is_begun_and_played_with_the_keyboard_alone(browser: Browser, server: str) -> None:
    with phone(browser, SIZE, locale="en-GB") as context:
        keeper = in_round(context, server)
        page = keeper.page
        for aim, key in (
            ("[name=seat][value=p1]", "Space"),
            ('[name=cards][value="3s"]', "Space"),
            (".actions button.main", "Enter"),
        ):
            tab_to(page, aim)
            page.keyboard.press(key)
        expect(page.locator(".pile li")).to_have_count(1)
        tab_to(page, "button[value=undo]")
        page.keyboard.press("Enter")
        expect(page.locator(".pile li")).to_have_count(0)


def tab_to(page: Page, aim: str) -> None:
    """Press Tab, or an arrow among seats, until the target has the focus."""
    for _ in range(90):
        if page.locator(f"{aim}:focus").count():
            return
        seats = page.locator("[name=seat]:focus").count() and aim.startswith("[name=seat]")
        page.keyboard.press("ArrowRight" if seats else "Tab")
    raise AssertionError(aim)
