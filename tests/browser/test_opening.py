"""Coming to the first page, opening a table, and who may lead a round."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phones import PHONES, phone
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

FIVE = ["An", "Bình", "Chi", "Dũng", "Em"]


def top(page: Page, place: str) -> float:
    box = page.locator(place).first.bounding_box()
    assert box is not None
    return box["y"]


def test_a_keeper_who_comes_back_finds_the_table_first(browser: Browser, server: str) -> None:
    with phone(browser, PHONES["320x568"]) as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(FIVE[:4])
        keeper.tell("round", opening=True)
        keeper.tell("result", places=["p2", "p1", "p3", "p4"])
        keeper.tell("declare", seat="p4", sets=[])
        keeper.tell("settle")
        page = keeper.page
        page.goto(server)
        assert top(page, f"a[href='/n/{keeper.night}']") < 200 < top(page, "form[action='/']")
        assert "Bình +2" in page.locator("main li").first.inner_text()


def test_four_rulesets_are_in_sight_and_the_others_a_tap_away(browser: Browser, server: str) -> None:
    with phone(browser) as context:
        page = context.new_page()
        page.goto(server)
        shown = page.locator(".presets .choice:visible")
        expect(shown).to_have_count(4)
        page.locator(".presets summary").tap()
        expect(shown).to_have_count(22)
        page.reload()
        page.locator("#search").fill("hawaii")
        expect(shown).to_have_count(2)


def test_only_who_sits_may_lead(browser: Browser, server: str) -> None:
    with phone(browser) as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(FIVE)
        keeper.look()
        page = keeper.page
        leaders = page.locator("label:has([name=leader]):not(:has([value='']))")
        expect(leaders.locator("visible=true")).to_have_count(4)
        assert top(page, "[name=seats]") < top(page, "[name=leader]")
        page.locator("[name=seats]").nth(1).select_option("p5")
        expect(page.locator("label:has([name=leader][value=p5])")).to_be_visible()
        expect(page.locator("label:has([name=leader][value=p2])")).to_be_hidden()


def test_the_keepers_link_is_folded_away_and_no_picture_leads_nowhere(browser: Browser, server: str) -> None:
    with phone(browser) as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(FIVE[:4])
        page = keeper.page
        page.goto(f"{server}/n/{keeper.night}/links")
        assert page.locator(".invite .qr").count() == 0
        expect(page.locator("main div.notice.calm")).to_contain_text("--lan")
        expect(page.locator(".folded input")).to_be_hidden()
        page.locator(".folded summary").tap()
        expect(page.locator(".folded input")).to_be_visible()
