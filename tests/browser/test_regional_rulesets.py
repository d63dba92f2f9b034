"""Rulesets of one place or one club on a phone: chosen on the first page, a round tapped, settled and paid."""

import pytest
from playwright.sync_api import Browser, expect

from ledger.language import speaker
from tests.browser.tables import REGIONAL, play_through
from tests.browser.tapping import Table

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("table", REGIONAL, ids=lambda table: table.preset)
def test_a_round_is_tapped_settled_and_paid(browser: Browser, server: str, table: Table) -> None:
    play_through(browser, server, table)


def test_the_form_tells_beside_a_house_rule_the_words_that_rule_it_out(browser: Browser, server: str) -> None:
    say, context = speaker("vi"), browser.new_context(locale="vi-VN")
    page = context.new_page()
    page.goto(server)
    page.get_by_text(say.gettext("House rules"), exact=True).click()
    lock = page.locator("label.switch", has=page.locator("option[value='suit-lock=optional']"))
    for preset, told in (
        ("hawaii", say.say("says no-trading-or-locks")),
        ("akita", say.gettext("changes nothing under these rules")),
    ):
        page.locator(f"input[name=ruleset][value={preset}]").check()
        expect(lock.locator("small")).to_contain_text(told)
    page.locator("input[name=ruleset][value=thirteen]").check()
    expect(lock.locator("small")).to_have_count(0)
    context.close()
