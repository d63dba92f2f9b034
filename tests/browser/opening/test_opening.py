"""The first page, opening a table, and who may lead a round."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import NAMES
from tests.browser.journeys import Journey, journeys
from tests.browser.phones import phone
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

TOP = "(one) => one.getBoundingClientRect().top"
FOUR_NINES = ["3s", "4c", "5d", "6h", "7s", "8c", "9s", "9c", "9d", "9h", "Td", "Jh", "Ks"]


@journeys("opening/opening")
def test_the_first_page(journey: Journey, steps: list[str]) -> None:
    journey.go(steps)


def play_for_every_price(page: Page, server: str) -> str:
    """Record a round that pays 2s, a bomb, places and a hand of thirteen cards; returns its night's address."""
    page.wait_for_url("**/n/*")
    keeper = Teller(page, server)
    with keeper.telling():
        keeper.record("round", opening=True)
        bomb = {"seat": "p2", "beat": "p3", "captured": ["2c", "2d"]}
        keeper.record("result", places=["p1", "p2", "p3"], knocked_out=["p4"], bombs=[bomb])
        keeper.record("show", seat="p3", cards=["2s"])
        keeper.record("show", seat="p4", cards=FOUR_NINES)
        keeper.record("settle")
    return f"{server}/n/{keeper.night}"


def points_of(page: Page) -> dict[str, int]:
    """Everybody's points in the standings of a season."""
    rows = [row.locator("b").all_inner_texts() for row in page.locator(".standing").all()]
    return {name: int(points.replace("\N{MINUS SIGN}", "-")) for name, points in rows}


@pytest.mark.parametrize("anchors", ["auto", "none"], ids=["as in Chromium", "as in Safari"])
def test_what_is_said_of_the_rules_moves_none_that_is_tapped(
    browser: Browser, server: str, anchors: str
) -> None:
    """A browser may keep in place what is seen when something above it grows; Safari does not."""
    with phone(browser, locale="en-GB") as context:
        page = context.new_page()
        page.goto(server)
        page.evaluate("(anchors) => document.documentElement.style.overflowAnchor = anchors", anchors)
        page.locator("#rules > summary").tap()
        page.locator("summary", has_text="House rules").tap()
        for choice in (".presets .choice:nth-of-type(2)", ".switch[data-idle~='southern-classic'] :visible"):
            chosen = page.locator(choice).first
            chosen.scroll_into_view_if_needed()
            top = chosen.evaluate(TOP)
            page.locator("#prices").evaluate("(prices) => prices.dataset.old = ''")
            chosen.tap()
            expect(page.locator("#prices:not([data-old])")).to_be_attached()
            assert chosen.evaluate(TOP) == pytest.approx(top, abs=1)
        expect(page.locator("#told .notice")).to_be_attached()


def test_everybodys_link_is_handed_to_the_share_sheet_and_a_players_on_demand(
    browser: Browser, server: str
) -> None:
    with phone(browser) as context:
        page = context.new_page()
        page.add_init_script(
            "navigator.canShare = () => true; navigator.share = (what) => (window.shared = what);"
        )
        page.goto(
            server.replace("127.0.0.1", "table.localhost")
        )  # which other phones could open, as far as is known
        for place, name in enumerate(NAMES):
            page.locator("[name=players]").nth(place).fill(name)
        page.locator("#open .main").tap()
        page.get_by_role("link", name="Mời").tap()
        expect(page.locator(".qr:visible")).to_have_count(1)
        shown = page.locator("input[readonly]:visible")
        expect(shown).to_have_count(1)
        page.get_by_text(NAMES[1], exact=True).tap()
        expect(shown).to_have_count(2)
        for place, link in enumerate(shown.all()):
            page.locator("[data-share]:visible").nth(place).tap()
            assert page.evaluate("() => window.shared") == {"url": link.input_value()}


def test_a_way_to_count_brings_its_usual_number_and_takes_it_back(browser: Browser, server: str) -> None:
    with phone(browser) as context:
        page = context.new_page()
        page.goto(server)
        page.locator("#rules > summary").tap()
        page.locator("#prices > summary").tap()
        chain = page.locator("#prices select", has=page.locator("[value='payments.chain=counting']"))
        chain.select_option("payments.chain=counting")
        number = page.locator("[name='payments.chop_unit']")
        expect(number).to_have_value("1")
        number.fill("2")
        page.locator("[name=ruleset][value=card-count]").check()
        expect(page.locator("[name='price.places.4']")).to_have_count(0)
        expect(number).to_have_value("2")
        number.fill("1")
        chain.select_option("")
        expect(number).to_have_count(0)


def test_a_table_types_its_prices_plays_and_reads_each_on_its_payments(browser: Browser, server: str) -> None:
    with phone(browser) as context:
        page = context.new_page()
        page.goto(server)
        for place, name in enumerate(NAMES):
            page.locator("[name=players]").nth(place).fill(name)
        page.locator("#rules > summary").tap()
        page.locator("#prices > summary").tap()
        for label, price in {"Heo đen": "3", "Heo đỏ": "6", "Tứ quý": "9", "Cóng": "12"}.items():
            page.get_by_label(label, exact=True).fill(price)
        for place, points in enumerate(("3", "1", "1", "3")):
            page.locator("[name='price.places.4']").nth(place).fill(points)
        page.locator("#open .main").tap()
        night = play_for_every_price(page, server)
        page.goto(f"{night}/rounds/1")
        text = " ".join(page.locator("main").inner_text().split())
        for payment in (
            *("Chi → Bình 9 chặt", "Chi → Bình 1 thứ hạng", "Chi → Bình 3 thối"),
            *("Dũng → An 12 cóng", "Dũng → An 9 thối"),
        ):
            assert payment in text
        page.goto(server)
        page.locator("#rules > summary").tap()
        page.locator(".chip", has_text="An, Bình, Chi, Dũng").tap()
        expect(page.locator("[name='price.red-two']")).to_have_value("6")
        places = page.locator("[name='price.places.4']").all()
        assert [place.input_value() for place in places] == ["3", "1", "-1", "-3"]

        # They play every week: the next night joins their season.
        page.goto(f"{night}/group")
        page.locator("main input[name=name]").fill("Hội thứ sáu")
        page.get_by_role("button", name="Lập nhóm").tap()
        expect(page.locator("h1")).to_have_text("Hội thứ sáu")
        once = points_of(page)
        assert (sum(once.values()), once["Dũng"] < once["Chi"] < once["Bình"] < once["An"]) == (0, True)
        page.goto(server)
        page.locator("#rules > summary").tap()
        page.locator(".chip", has_text="An, Bình, Chi, Dũng").tap()
        for place, name in enumerate(NAMES):
            page.locator("[name=players]").nth(place).fill(name)
        page.locator("[name=group]").select_option("Hội thứ sáu")
        page.locator("#open .main").tap()
        play_for_every_price(page, server)
        page.goto(server)
        page.get_by_role("link", name="Hội thứ sáu").tap()
        expect(page.locator("main ul.lines").first.locator("li")).to_have_count(2)
        assert points_of(page) == {name: 2 * points for name, points in once.items()}
