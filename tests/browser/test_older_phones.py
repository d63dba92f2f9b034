"""Phones of a few years ago with the last browser made for them, simulated by removing newer features. What pages
use at all is looked up in tests/javascript/browsers."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.keeper import first_round
from tests.browser.phones import phone, script
from tests.browser.telling import Teller

NAMES = ["Bà ngoại", "Bình", "Nguyễn Thị Chi", "Dũng"]


@pytest.fixture
def keeper(browser: Browser, server: str) -> Iterator[Teller]:
    with phone(browser) as context:
        context.add_init_script(f"({script('without')})()")
        keeper = Teller(context.new_page(), server)
        yield keeper
        assert keeper.trouble == []


@pytest.mark.browser
def test_a_round_is_tapped_settled_corrected_and_shared(keeper: Teller) -> None:
    page = keeper.page
    plays, paid = first_round("southern-05.tln")
    home = keeper.open_table(NAMES)
    assert page.evaluate("!('timeout' in AbortSignal) && !('checkVisibility' in document.body)")
    keeper.begin_round()
    keeper.record_round(plays[:12])
    with keeper.telling():
        keeper.tell_plays(plays[12:-3])
    keeper.record_round(plays[-3:])
    page.wait_for_url("**/settle")
    keeper.leave(page.locator("button[value=settle]"))
    assert sorted(posted(page, home)) == sorted(paid)

    keeper.tap(page.locator("#beside summary").first)
    keeper.tap(page.locator(".noting .choice:has([value=deals])"))
    keeper.leave(page.locator(".noting button[value=note]"))
    expect(page.locator("#beside")).to_contain_text("chia bài")
    keeper.begin_round()
    keeper.play("p4", ["3s"])

    page.goto(f"{home}/rounds/1/correct")
    with page.expect_navigation():
        page.locator("[name=target]").select_option(index=2)

    page.goto(f"{home}/settle-up")
    keeper.tap(page.locator("[data-picture]"))
    expect(page.locator("figure img")).to_be_visible()


def posted(page: Page, home: str) -> list[str]:
    """The payments of a night, as lines of a replay."""
    night = home.rpartition("/")[2]
    rows = page.request.get(f"{home.partition('/n/')[0]}/api/v1/nights/{night}/ledger").json()["payments"]
    return [" ".join(map(str, (row["payer"], row["payee"], row["points"], row["reason"]))) for row in rows]
