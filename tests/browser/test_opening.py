"""The first page, opening a table, and who may lead a round."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phones import PHONES, phone
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

FOUR_NINES = ["3s", "4c", "5d", "6h", "7s", "8c", "9s", "9c", "9d", "9h", "Td", "Jh", "Ks"]
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


def filled(page: Page, name: str) -> list[str]:
    return [field.input_value() for field in page.locator(f"[name='{name}']").all()]


def test_prices_follow_the_rules_that_are_chosen_and_keep_what_was_typed(
    browser: Browser, server: str
) -> None:
    with phone(browser) as context:
        page = context.new_page()
        page.goto(server)
        page.locator("#prices > summary").tap()
        four = page.locator("[name='price.four-of-a-kind']")
        expect(four).to_have_attribute("placeholder", "3")
        page.locator("[name='price.red-two']").fill("6")
        page.locator("#apart").check()
        page.locator("[value=card-count]").check()
        expect(four).to_have_attribute("placeholder", "12")
        expect(page.locator("[name='price.red-two']")).to_have_value("6")
        expect(page.locator("[name='price.red-two.left']")).to_be_visible()
        expect(page.locator("[name='price.places.4']")).to_have_count(0)
        page.locator(".presets summary").tap()
        page.locator("[value=family]").check()
        expect(page.locator("[name='price.places.4']")).to_have_count(4)
        expect(page.locator("[name='price.places.3']")).to_have_count(0)


def test_places_are_filled_in_and_checked_while_they_are_typed(browser: Browser, server: str) -> None:
    with phone(browser) as context:
        page = context.new_page()
        page.goto(server)
        page.locator("#prices > summary").tap()
        places = page.locator(".places").filter(has=page.locator("[name='price.places.4']"))
        fields = places.locator("input")
        for place, points in enumerate(("3", "1", "-1")):
            fields.nth(place).fill(points)
        page.locator("#search").focus()
        assert filled(page, "price.places.4") == ["3", "1", "-1", "-3"]

        fields.nth(3).fill("-2")
        page.locator("#search").focus()
        expect(places.locator("output")).to_have_text("còn lệch: 1")
        for place, points in enumerate(("6", "3", "3", "6")):
            fields.nth(place).fill(points)
        page.locator("#search").focus()
        assert filled(page, "price.places.4") == ["6", "3", "-3", "-6"]
        expect(places.locator("output")).to_have_text("")


def test_a_search_finds_prices_and_house_rules_by_what_people_say(browser: Browser, server: str) -> None:
    with phone(browser) as context:
        page = context.new_page()
        page.goto(server)
        for phrase, found in {
            "thối": "price.red-two",
            "đền": "price.full-hand",
            "cóng": "price.full-hand",
            "chặt heo": "price.black-two",
            "chồng": "price.four-of-a-kind",
            "sảnh rồng": "price.wins.dragon",
        }.items():
            page.locator("#search").fill(phrase)
            expect(page.locator(f"[name='{found}']")).to_be_visible()
        expect(page.locator("[name='price.black-two']")).to_be_hidden()
        page.locator("#search").fill("triple beats")
        expect(page.locator("#none")).not_to_have_text("")
        page.locator("#search").fill("")
        expect(page.locator("[name='price.black-two']")).to_be_visible()


def play_for_every_price(page: Page, server: str) -> str:
    """Record a round that pays 2s, a bomb, places and a hand of thirteen cards; returns its night's address."""
    page.get_by_role("link", name="Vào bàn").tap()
    keeper = Teller(page, server)
    with keeper.telling():
        keeper.tell("round", opening=True)
        bomb = {"seat": "p2", "beat": "p3", "captured": ["2c", "2d"]}
        keeper.tell("result", places=["p1", "p2", "p3"], knocked_out=["p4"], bombs=[bomb])
        keeper.tell("show", seat="p3", cards=["2s"])
        keeper.tell("show", seat="p4", cards=FOUR_NINES)
        keeper.tell("settle")
    return f"{server}/n/{keeper.night}"


def points_of(page: Page) -> dict[str, int]:
    """Everybody's points in the first table of a season."""
    rows = page.locator("table.season").first.locator("tbody tr").all()
    cells = [row.locator("th, td").all_inner_texts() for row in rows]
    return {name: int(points.replace("\N{MINUS SIGN}", "-")) for name, points, *_ in cells}


def test_a_table_types_its_prices_plays_and_reads_each_on_its_payments(browser: Browser, server: str) -> None:
    with phone(browser) as context:
        page = context.new_page()
        page.goto(server)
        for place, name in enumerate(FIVE[:4]):
            page.locator("[name=players]").nth(place).fill(name)
        page.locator("#prices > summary").tap()
        for label, price in {"Heo đen": "3", "Heo đỏ": "6", "Tứ quý": "9", "Cóng": "12"}.items():
            page.get_by_label(label, exact=True).fill(price)
        for place, points in enumerate(("3", "1", "1", "3")):
            page.locator("[name='price.places.4']").nth(place).fill(points)
        page.locator("form[action='/'] .main").tap()
        night = play_for_every_price(page, server)
        page.goto(f"{night}/rounds/1")
        text = " ".join(page.locator("main").inner_text().split())
        for payment in (
            *("Chi → Bình 9 chặt", "Chi → Bình 1 thứ hạng", "Chi → Bình 3 thối"),
            *("Dũng → An 12 cóng", "Dũng → An 9 thối"),
        ):
            assert payment in text
        page.goto(server)
        page.locator(".chip", has_text="An, Bình, Chi, Dũng").tap()
        expect(page.locator("[name='price.red-two']")).to_have_value("6")
        assert filled(page, "price.places.4") == ["3", "1", "-1", "-3"]

        # They play every week: the next night joins their season.
        page.goto(f"{night}/group")
        page.locator("main input[name=name]").fill("Hội thứ sáu")
        page.get_by_role("button", name="Lập nhóm").tap()
        expect(page.locator("h1")).to_have_text("Hội thứ sáu")
        once = points_of(page)
        assert (sum(once.values()), once["Dũng"] < once["Chi"] < once["Bình"] < once["An"]) == (0, True)
        page.goto(server)
        page.locator(".chip", has_text="An, Bình, Chi, Dũng").tap()
        for place, name in enumerate(FIVE[:4]):
            page.locator("[name=players]").nth(place).fill(name)
        page.locator("[name=group]").select_option("Hội thứ sáu")
        page.locator("form[action='/'] .main").tap()
        play_for_every_price(page, server)
        page.goto(server)
        page.get_by_role("link", name="Hội thứ sáu").tap()
        expect(page.locator("main ul.lines").first.locator("li")).to_have_count(2)
        assert points_of(page) == {name: 2 * points for name, points in once.items()}
