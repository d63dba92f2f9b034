"""A whole round recorded by tapping, with scripts and without."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.keeper import Keeper, first_round
from tests.browser.phones import PHONES, phone

pytestmark = pytest.mark.browser

NAMES = ["An", "Bình", "Chi", "Dũng"]
SIZE = PHONES["360x640"]


@pytest.mark.parametrize("scripts", [True, False], ids=["with-scripts", "without-scripts"])
def test_a_whole_round_is_recorded_by_tapping_settled_and_paid(
    browser: Browser, server: str, scripts: bool
) -> None:
    context = phone(browser, SIZE, java_script_enabled=scripts)
    keeper = Keeper(context.new_page(), server)
    page = keeper.page
    night = keeper.open_table(NAMES)
    keeper.begin_round()
    plays, paid = first_round("southern-05.tln")
    keeper.taps = 0
    keeper.record_round(plays)
    assert page.url == f"{night}/rounds/1/settle"
    assert keeper.taps / len(plays) < 3.1
    keeper.leave(page.locator("button[value=settle]"))
    page.goto(f"{night}/ledger")
    shown = [line.split("\n")[:2] for line in page.locator("section .lines li:not(.sum)").all_inner_texts()]
    who = dict(zip(["p1", "p2", "p3", "p4"], NAMES, strict=True))
    wanted = [[f"{who[payer]} → {who[payee]}", points] for payer, payee, points, _ in map(str.split, paid)]
    assert shown == wanted
    assert not keeper.trouble
    context.close()


def test_the_button_names_what_will_be_recorded(browser: Browser, server: str) -> None:
    context = phone(browser, PHONES["320x568"])
    keeper = Keeper(context.new_page(), server)
    keeper.open_table(["Lan", "Mẹ", "Ba"])
    keeper.begin_round()
    button = keeper.page.locator(".actions button.main")
    expect(button).to_have_text("Ghi")
    keeper.choose("p2", ["7h", "7d"])
    expect(button).to_have_text("Đôi 7♦ 7♥ → Mẹ")
    keeper.choose("p2", ["8s", "8c", "9s", "9h"])
    expect(button).to_have_text("Ba đôi thông 7♦ 7♥ 8♠ 8♣ 9♠ 9♥ → Mẹ")
    context.close()


def test_choosing_a_later_seat_says_beforehand_who_passes(browser: Browser, server: str) -> None:
    context = phone(browser, SIZE, locale="en-GB", java_script_enabled=False)
    keeper = Keeper(context.new_page(), server)
    keeper.open_table(NAMES)
    keeper.begin_round()
    keeper.play("p1", ["3s"])
    ghosts = keeper.page.locator(".ghosts:visible")
    expect(ghosts).to_have_count(0)
    keeper.choose("p4", ["5h"])
    expect(ghosts).to_have_text("Bình and Chi: passing")
    context.close()


def test_a_selection_survives_a_reload(browser: Browser, server: str) -> None:
    context = phone(browser, SIZE)
    keeper = Keeper(context.new_page(), server)
    keeper.open_table(NAMES)
    keeper.begin_round()
    keeper.choose("p3", ["3s", "3h"])
    keeper.page.reload()
    expect(keeper.page.locator("[name=cards]:checked")).to_have_count(2)
    expect(keeper.page.locator("[name=seat][value=p3]")).to_be_checked()
    keeper.record(keeper.page.locator(".actions button.main"))
    expect(keeper.page.locator("[name=cards]:checked")).to_have_count(0)
    context.close()


def test_back_shows_the_table_as_it_is_and_records_nothing(browser: Browser, server: str) -> None:
    context = phone(browser, SIZE)
    keeper = Keeper(context.new_page(), server)
    night = keeper.open_table(NAMES)
    keeper.begin_round()
    keeper.play("p1", ["3s"])
    keeper.page.goto(f"{night}/ledger")
    keeper.page.go_back()
    expect(keeper.page.locator('[value="3s"]')).to_be_disabled()
    context.close()
