"""The keyboard alone: from the first page to the next round, with the focus shown and kept at every stop."""

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import NAMES
from tests.browser.phones import phone, script
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

FOCUSED = script("focused")
CARD, RECORD, PASS, UNDO = ".grid [name=cards]", ".actions button.main", "[value=pass]", "[value=undo]"
BEGIN, TITLE = "main [value=round]", "h1"
TO_A_CARD, FROM_A_CARD = 4, 3
"""How many stops a card is after the seats, and *Pass* after a card: the cards themselves are one stop."""


class Typist:
    """A person who only presses keys, and sees after each where the focus is."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def is_at(self, place: str) -> bool:
        return bool(self.page.evaluate("(place) => document.activeElement.matches(place)", place))

    def sees(self, place: str) -> None:
        """The focus is at this place, and shown."""
        expect(self.page.locator(place).and_(self.page.locator(":focus"))).to_be_visible()
        assert self.page.evaluate(FOCUSED, False) == [], place

    def walk(self, place: str, most: int, key: str = "Tab") -> None:
        """Press a key until the focus is at the place, `most` times at most; each stop is shown."""
        for _ in range(most):
            self.press(key)
            assert self.page.evaluate(FOCUSED, False) == []
            if self.is_at(place):
                return
        raise AssertionError(f"{place} is more than {most} stops away")

    def enter(self, *keys: str) -> None:
        """Press keys of which the last records, and wait until the page shows the entry."""
        seq = self.page.locator(".proof").get_attribute("data-seq")
        self.press(*keys)
        expect(self.page.locator(f'.proof:not([data-seq="{seq}"])')).to_be_attached()

    def play(self, typed: str) -> None:
        self.page.keyboard.type(typed)
        self.enter("Enter")

    def leave(self, *keys: str) -> None:
        """Press keys of which the last leads to another page."""
        with self.page.expect_navigation():
            self.press(*keys)


def test_a_night_is_kept_by_the_keyboard_alone(browser: Browser, server: str) -> None:
    """From the first page, through a round of two with a bomb, to the next one."""
    with phone(browser, (390, 844), locale="en-GB") as context:
        page = context.new_page()
        person = Typist(page)
        page.goto(server)
        person.walk("[name=players]", 4)
        page.keyboard.type(NAMES[0])
        person.walk("[name=players]", 1)
        page.keyboard.type(NAMES[1])
        person.walk("summary", 3)
        person.press("Enter", "Enter")
        person.sees("summary")
        person.walk("[name=players]", 1, "Shift+Tab")
        person.leave("Enter")
        person.walk(BEGIN, 12)
        person.leave("Enter")

        person.sees("[name=seat]")
        person.press("Space")
        person.walk(CARD, TO_A_CARD)
        person.walk("[value='5s']", 2, "ArrowDown")
        person.walk("[value='5d']", 2, "ArrowRight")
        person.press("Space", "Space")
        person.walk("[value='3d']", 2, "ArrowUp")
        person.walk("[value='3s']", 2, "ArrowLeft")
        person.enter("Space", "Enter")
        person.sees("[value='3c']")
        person.walk(UNDO, FROM_A_CARD)
        person.enter("Enter")
        person.sees(UNDO)
        person.walk("[value=redo]", 1)
        person.enter("Enter")
        person.sees(CARD)  # nothing is left to redo

        page.keyboard.type("3h4h")
        person.press("Enter")
        expect(page.locator(".felt .notice")).to_be_visible()
        person.walk("[data-clear]", 4, "Shift+Tab")
        person.press("Enter")
        person.sees(RECORD)
        person.play("2h")
        person.play("4s4c4d4h")
        person.walk(PASS, FROM_A_CARD)
        person.enter("Enter")
        person.sees(PASS)
        page.keyboard.type("5s6s7s8s9sTsJsQs")
        person.sees(RECORD)
        person.leave("Enter")

        person.sees(TITLE)
        person.walk("[value=none]", 3)
        person.leave("Enter")
        person.sees(TITLE)
        person.walk("[value=settle]", 4)
        person.leave("Enter")
        person.sees(TITLE)
        person.walk(BEGIN, 6)
        person.leave("Enter")
        person.sees("[name=seat]:checked")


def test_the_focus_is_kept_when_a_dialog_closes_and_led_to_what_must_be_decided(
    context: BrowserContext, keeper: Teller
) -> None:
    page = keeper.page
    keeper.record("play", seat="p1", cards=["3s"])
    keeper.look()
    person = Typist(page)
    context.set_offline(True)
    page.keyboard.type("5c")
    person.walk(CARD, 20)
    person.press("Enter")
    over = "[data-closing]"
    person.walk(over, TO_A_CARD, "Shift+Tab")
    for back in ("", "dialog [type=button]:not([value])"):
        person.press("Enter")
        person.sees("dialog :enabled")
        if back:
            person.walk(back, 5)
        person.press("Enter" if back else "Escape")
        person.sees(over)
    keeper.record("play", seat="p2", cards=["6d"])
    context.set_offline(False)
    person.sees(".pending")
    person.walk("[data-do=drop]", 3)
    person.press("Enter")
    person.sees(RECORD)
