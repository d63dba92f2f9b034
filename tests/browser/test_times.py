"""A phone shows days and times in its own time zone, wherever the server is."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.keeper import Keeper, first_round
from tests.browser.phones import phone
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

NAMES = ["An", "Bình", "Chi", "Dũng"]


@pytest.mark.parametrize(("zone", "ahead"), [("Asia/Kathmandu", "+05:45"), ("America/St_Johns", "-0[23]:30")])
def test_a_table_is_opened_in_the_phones_zone(browser: Browser, server: str, zone: str, ahead: str) -> None:
    with phone(browser, timezone_id=zone) as context:
        keeper = Keeper(context.new_page(), server)
        keeper.page.goto(server)
        expect(keeper.page.locator("[name=zone]")).to_have_value(re.compile(f"^{ahead}$".replace("+", r"\+")))
        keeper.open_table(NAMES)
        assert keeper.trouble == []


@pytest.mark.parametrize(("locale", "day"), [("en-GB", "20 Nov"), ("vi-VN", "20/11")])
def test_times_are_the_phones_and_have_a_day_on_another_one(
    browser: Browser, server: str, locale: str, day: str
) -> None:
    with phone(browser, locale=locale, timezone_id="America/Los_Angeles") as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(NAMES)
        keeper.tell_round(first_round("southern-05.tln")[0])
        page = keeper.page
        page.goto(f"{keeper.look()}/rounds/1")
        times = page.evaluate("""() => [...document.querySelectorAll("time[datetime]")].map((one) => [
          new Date(one.dateTime).toLocaleTimeString("en-GB").slice(0, "minute" in one.dataset ? 5 : 8),
          one.textContent])""")
        assert {len(text) for _, text in times} == {5, 8}
        assert all(here == text for here, text in times)
        page.request.post(keeper.links["seats"]["p2"])
        keeper.tell_outside_play("confirm", round=1)
        agreed = page.locator("#agreement time")
        expect(agreed).to_have_text(re.compile(r"^\d\d:\d\d:\d\d$"))
        page.evaluate("""() => {
          document.querySelector("#agreement time").dateTime = "2025-11-21T05:06:07.000Z";
          document.dispatchEvent(new Event("renewed"));
        }""")
        expect(agreed).to_have_text(f"21:06:07, {day}")
