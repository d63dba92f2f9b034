"""A newcomer: opens a table and records a play, and does nothing but what the words on the screen say."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Error, Page

from tests.browser.phones import script
from tests.processes import wait_for

MOST = 12
"""The most taps after which a newcomer gives up."""
A_PLAYER = ("Người chơi", "Player")
"""The words of a field for somebody's name."""
CARD, NAME = {"Bấm lá đó", "Tap it"}, {"rồi bấm tên", "then the name"}
"""The clauses that ask for a tap: on the card that lies on the table, and on the name of who played it."""
STANDING = """() => {
  const fields = [...document.querySelectorAll("[name=cards]:checked, [name=players]")];
  const asked = [...document.querySelectorAll("[role=alert]")].filter((one) => one.checkVisibility());
  return {
    recorded: [location.pathname.split("/")[2], document.querySelector(".proof")?.dataset.seq],
    chosen: fields.filter((one) => one.value).length,
    shown: [performance.timeOrigin, asked.length],
  };
}"""
"""The night and its last entry; how much is chosen or typed; which page this is, and what it asks or refuses."""


class Newcomer:
    """Somebody with a phone and three friends, of whom one has just played a card.

    They see what is on the screen, do not scroll, and know no words but these rules; the first that applies is
    followed:

    1. A sentence that says what to tap is followed clause by clause (`CARD`, `NAME`): a card or name is tapped
       where a button or key says just that.
    2. An empty field for a player is tapped, and names are typed; the keyboard leads to the next field by itself.
    3. The filled button is tapped. Where there is none, or more than one, they are lost.

    A tap is wasted if nothing is recorded, chosen or typed by it: one that only leads elsewhere, or is refused.
    """

    def __init__(self, page: Page, names: list[str], played: tuple[str, str]) -> None:
        self.page, self.names = page, names
        self.who, self.card = played
        self.typed: list[str] = []
        self.taps: list[str] = []
        self.wasted: list[str] = []

    def walk(self, server: str, until: Callable[[], bool]) -> None:
        """Go on from the first page until something is so."""
        self.page.goto(server)
        while not until():
            assert len(self.taps) < MOST, f"lost after {self.taps}"
            self._go_on()

    def _go_on(self) -> None:
        seen = self._read(script("in_sight"))
        asked = [
            what
            for sentence in seen["sentences"]
            for clause in re.split("[?,.] *", sentence)
            for clauses, what in ((CARD, self.card), (NAME, self.who))
            if clause in clauses
        ]
        fields = [at for hint, at in seen["fields"] if hint.startswith(A_PLAYER)]
        if asked:
            for what in asked:
                self._tap_words(what)
        elif fields and self.names:
            self._tap("a field", fields[0], self._type)
        else:
            filled = [(words, at) for words, is_filled, at in seen["taps"] if is_filled]
            assert len(filled) == 1, f"lost at {self.page.url}: {filled}"
            self._tap(*filled[0])

    def _tap_words(self, what: str) -> None:
        found: list[list[float]] = []

        def finds() -> bool:
            found[:] = [at for words, _, at in self._read(script("in_sight"))["taps"] if words == what]
            return bool(found)

        wait_for(finds, what)
        self._tap(what, found[0])

    def _tap(self, words: str, at: list[float], then: Callable[[], None] = lambda: None) -> None:
        before = self._read(STANDING)
        self.taps.append(words)
        self.page.touchscreen.tap(*at)
        then()
        did: list[bool] = []

        def is_over() -> bool:
            now = self._read(STANDING)
            did[:] = [now["recorded"] != before["recorded"] or now["chosen"] > before["chosen"]]
            return did[0] or now["shown"] != before["shown"]

        wait_for(is_over, f"{words} to do something")
        if not did[0]:
            self.wasted.append(words)

    def _type(self) -> None:
        """Type the names, each into its field."""
        while self.names and self._read("() => document.activeElement.placeholder ?? ''").startswith(
            A_PLAYER
        ):
            self.typed.append(self.names.pop(0))
            self.page.keyboard.type(self.typed[-1])
            self.page.keyboard.press("Tab")

    def _read(self, function: str) -> Any:
        """What a function returns in the page, which may be replaced by another meanwhile."""
        while True:
            try:
                self.page.wait_for_load_state()
                return self.page.evaluate(function)
            except Error as error:
                if "destroyed" not in error.message and "navigat" not in error.message:
                    raise
