"""Two keepers' phones record one round together: nothing is lost or doubled, and who comes second is asked."""

from random import Random

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.conftest import NAMES
from tests.browser.tapping import Tap
from tests.game.table import run
from tests.soak.storm.storm import log, plays
from tests.soak.storm.together import ALONE, BOTH, pair

pytestmark = pytest.mark.browser


def lose_answer(route: Route) -> None:
    route.fetch()
    route.abort("connectionreset")


SHORT = "southern-winner-takes-all"


def test_two_keepers_record_a_round_together_from_its_first_tap_to_its_settlement(
    browser: Browser, server: str
) -> None:
    with pair(browser, server) as two:
        two.sit_down(NAMES[:2], SHORT)
        one, other = two.keepers
        one.tell("round opening")
        two.look()
        two.record(Tap("play", "p1", ("3s",)), 0)
        other.page.route("**/events", lose_answer, times=1)
        two.record(Tap("play", "p2", ("3c",)), 1)
        two.collide(Tap("play", "p1", ("2s",)), Random(1))
        two.record(Tap("pass", "p2"), 1)
        two.record(Tap("play", "p1", tuple(run("s").split()[1:])), 0)
        one.page.wait_for_url("**/settle")
        assert two.done == {ALONE: 4, BOTH: 1}
        # One says what is left in a hand, and the other settles.
        one.tap(one.page.locator('.key:has([value="2h"])'))
        one.tap(one.page.locator("button[value=declare]"))
        expect(one.page.locator("button[value=settle]")).to_be_enabled()
        other.page.goto(one.page.url)
        other.leave(other.page.locator("button[value=settle]"))
        assert list(plays(one.page)) == two.tapped
        assert [entry["kind"] for entry in log(one.page)].count("settle") == 1
