"""A phone shows days and times in its own time zone, wherever the server is."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.phones import phone
from tests.browser.telling import Teller
from tests.stories import A_SETTLED_ROUND

TIMES = """() => [...document.querySelectorAll("time[datetime]")].map((one) => [
  new Date(one.dateTime).toLocaleTimeString("en-GB").slice(0, "minute" in one.dataset ? 5 : 8), one.textContent])"""
LAST_YEAR = """() => {
  document.querySelector("#agreement time").dateTime = "2025-11-21T20:06:07.000Z";
  document.dispatchEvent(new Event("renewed"));
}"""


@pytest.mark.browser
@pytest.mark.parametrize(
    ("zone", "ahead", "locale", "then"),
    [
        ("Asia/Kathmandu", r"\+05:45", "en-GB", "01:51:07, 22 Nov"),
        ("America/St_Johns", "-0[23]:30", "vi-VN", "16:36:07, 21/11"),
    ],
)
def test_times_are_the_phones_and_have_a_day_on_another_one(
    browser: Browser, server: str, zone: str, ahead: str, locale: str, then: str
) -> None:
    with phone(browser, locale=locale, timezone_id=zone) as context:
        keeper = Teller(context.new_page(), server)
        page = keeper.page
        page.goto(server)
        expect(page.locator("[name=zone]")).to_have_value(re.compile(f"^{ahead}$"))
        keeper.sit_down(["An", "Bình"])
        keeper.tell(A_SETTLED_ROUND)
        page.goto(f"{keeper.look()}/rounds/1")
        times = page.evaluate(TIMES)
        assert {len(text) for _, text in times} == {5, 8}
        assert all(here == text for here, text in times)
        page.request.post(keeper.links["seats"]["p2"])
        keeper.record("confirm", round=1)
        agreed = page.locator("#agreement time")
        expect(agreed).to_have_text(re.compile(r"^\d\d:\d\d:\d\d$"))
        page.evaluate(LAST_YEAR)
        expect(agreed).to_have_text(then)
        assert keeper.trouble == []
