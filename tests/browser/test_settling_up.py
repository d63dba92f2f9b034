"""Settling up on a phone: a result is entered and settled by tapping, then paid with one tap per transfer."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phones import BUTTON, MEASURE, PHONES, SIDEWAYS, phone, wrong
from tests.browser.telling import Teller
from tests.soaking import further

pytestmark = pytest.mark.browser

SIZES = {name: PHONES[name] for name in ("320x568", "390x664")}


@pytest.fixture(params=further(SIZES.values(), "larger phones"))
def keeper(request: pytest.FixtureRequest, browser: Browser, server: str) -> Iterator[Teller]:
    """A keeper at a table of four, before its first round."""
    with phone(browser, request.param) as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(["Ba", "Mẹ", "Lan", "Tú"])
        keeper.look()
        yield keeper
        assert keeper.trouble == []


def enter_result(keeper: Teller) -> None:
    """Mẹ came first, Ba second, Lan third; Tú had played nothing; Mẹ had bombed Lan's 2♦."""
    page = keeper.page
    keeper.leave(page.locator("main a[href$='/result']"))
    for player in ("p2", "p1", "p3", "p4"):
        keeper.tap(page.locator(f".came[value='tap {player}']"))
    for name, value in (("who", "p2"), ("whom", "p3"), ("cards", "2d")):
        keeper.tap(page.locator(f".pick:has([name={name}][value='{value}'])"))
    keeper.leave(page.locator("button.main[value=result]"))


def fits(page: Page) -> bool:
    return bool(page.evaluate(SIDEWAYS) <= 0)


def test_a_result_is_entered_settled_and_paid_from_a_phone(keeper: Teller) -> None:
    page = keeper.page
    enter_result(keeper)
    assert "chỉ ghi kết quả" in page.locator("main").inner_text()
    # The 2♦ is 2; the third pays the second 1; knocked out: 4 to the winner. Ba +1, Mẹ +6, Lan −3, Tú −4.
    keeper.leave(page.locator("main a[href$='/settle-up']"))
    transfers = page.locator("h2:has-text('Còn phải trả') + ul .transfer")
    expect(transfers).to_have_count(3)
    assert fits(page)
    for button in page.locator(".transfer button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= BUTTON
    for left in (2, 1, 0):
        keeper.leave(page.locator(".transfer button").first)
        expect(transfers).to_have_count(left)
    assert "Không ai nợ ai" in page.locator("main").inner_text()
    keeper.leave(page.locator(".transfer button").first)
    expect(page.locator(".transfer s").first).to_be_visible()
    expect(transfers).to_have_count(1)


def test_a_round_that_has_just_begun_leads_to_its_result_and_still_fits(keeper: Teller) -> None:
    keeper.begin_round()
    measured = keeper.page.evaluate(MEASURE)
    assert not measured["scrolls"]
    assert measured["outside"] == measured["over"] == measured["cut"] == []
    keeper.leave(keeper.page.locator("a[href$='/result']"))
    assert fits(keeper.page)
    assert keeper.page.locator(".came").count() == 4


def test_the_lines_for_the_chat_are_selected_and_copied_and_a_sheet_is_offered_where_there_is_one(
    keeper: Teller,
) -> None:
    page = keeper.page
    page.add_init_script(
        "navigator.canShare = () => true; navigator.share = async (data) => { window.shared = data }"
    )
    page.goto(f"{page.url}/settle-up")
    keeper.tap(page.locator("[data-share]"))
    assert page.evaluate("window.shared.text") == page.locator("textarea").input_value()
    keeper.tap(page.locator("[data-copy]"))
    selected = page.evaluate(
        "(() => { const f = document.querySelector('textarea');"
        " return f.value.slice(f.selectionStart, f.selectionEnd) })()"
    )
    assert selected == page.locator("textarea").input_value()


@pytest.mark.parametrize(("allowed", "words"), [(True, "Đã sao chép"), (False, "Sao chép")])
def test_a_copy_is_confirmed_only_if_the_browser_allows_it(keeper: Teller, allowed: bool, words: str) -> None:
    page = keeper.page
    answer = "async () => {}" if allowed else "async () => { throw new Error('denied') }"
    page.add_init_script(f"navigator.clipboard.writeText = {answer}")
    page.goto(f"{page.url}/settle-up")
    keeper.tap(page.locator("[data-copy]"))
    page.evaluate("() => new Promise((done) => setTimeout(done, 50))")  # an error would be reported by now
    expect(page.locator("[data-copy]")).to_have_text(words)


def test_without_a_sheet_there_is_no_button_for_one(keeper: Teller) -> None:
    keeper.page.add_init_script("navigator.canShare = undefined")
    keeper.page.goto(f"{keeper.page.url}/settle-up")
    expect(keeper.page.locator("[data-copy]")).to_be_visible()
    expect(keeper.page.locator("[data-share]")).to_be_hidden()


def test_axe_finds_nothing_on_a_result_before_and_after_it_is_entered(keeper: Teller) -> None:
    page = keeper.page
    page.emulate_media(color_scheme="dark")
    night = page.url
    page.goto(f"{night}/result")
    assert (wrong(page), fits(page)) == ([], True)
    page.goto(night)
    enter_result(keeper)
    for place in (
        "",
        "/settle-up",
        "/settle-up/p3",
        "/rounds",
        "/rounds/1",
        "/rounds/1/correct?target=2.0",
        "/ledger",
    ):
        page.goto(night + place)
        assert (wrong(page), fits(page)) == ([], True), place
