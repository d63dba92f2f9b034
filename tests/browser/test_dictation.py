"""Text dictated with a phone's keyboard chooses cards on the table, or offers plays; recording takes a tap."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phones import PHONES, SIDEWAYS, phone
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser


@pytest.fixture
def keeper(browser: Browser, server: str) -> Iterator[Teller]:
    """The smallest phone, with dictation on; An has led 3♠."""
    with phone(browser, PHONES["320x568"]) as context:
        page = context.new_page()
        page.goto(f"{server}/phone")
        page.locator("[name=set][value=listens]").check()
        page.locator("main button.main").tap()
        page.wait_for_url(f"{server}/")
        teller = Teller(page, server)
        teller.sit_down(["An", "Bình", "Chi", "Dũng"])
        teller.tell("round", leader="p1")
        teller.tell("play", seat="p1", cards=["3s"])
        teller.look()
        yield teller


def say(page: Page, phrase: str) -> None:
    page.locator(".said input").fill(phrase)


def entries(keeper: Teller) -> int:
    """The number of entries in the night."""
    log = keeper.page.request.get(f"{keeper.server}/api/v1/nights/{keeper.night}/events").json()
    return len(log["events"])


def answer(page: Page) -> list[str]:
    return page.locator(".said [role=status] button").all_inner_texts()


def test_one_play_is_chosen_and_waits_for_a_tap(keeper: Teller) -> None:
    page = keeper.page
    say(page, "bảy rô")
    button = page.locator(".actions button.main")
    expect(button).to_have_text("7♦ → Bình")
    assert entries(keeper) == 2
    button.tap()
    expect(page.locator(".pile li").last).to_contain_text("7♦")
    say(page, "heo cơ")
    page.locator(".said input").press("Enter")
    expect(button).to_have_text("2♥ → Chi")
    assert page.evaluate(SIDEWAYS) <= 0


def test_several_are_offered_and_a_pass_is_too(keeper: Teller) -> None:
    page = keeper.page
    say(page, "heo đen")
    expect(page.locator(".said .chip")).to_have_count(2)
    assert answer(page) == ["2♠", "2♣"]
    page.locator(".said .chip", has_text="2♣").tap()
    expect(page.locator(".actions button.main")).to_have_text("2♣ → Bình")
    expect(page.locator(".said input")).to_have_value("")
    say(page, "qua")
    chip = page.locator(".said .chip").first
    expect(chip).to_be_visible()
    assert entries(keeper) == 2
    chip.tap()
    expect(page.locator(".say .turn")).to_contain_text("Chi")


def test_nothing_is_said_to_be_so_and_a_phone_without_network_says_that(keeper: Teller) -> None:
    page = keeper.page
    say(page, "xin chào")
    expect(page.locator(".said [role=status]")).to_have_text("Không có nước nào như “xin chào”.")
    page.context.set_offline(True)
    say(page, "bảy bích")
    expect(page.locator(".said [role=status]")).to_have_text("Cần có mạng và không còn nước nào chờ ghi.")
    page.context.set_offline(False)
