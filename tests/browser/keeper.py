"""A keeper who records a replay by tapping: the cards, the seat if it is not the next one, the button."""

from collections.abc import Iterator
from pathlib import Path
from time import monotonic

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, expect

RECORDS = Path(__file__).parents[1] / "records"
SAME_TAP = 400
"""Milliseconds after which a second tap in the same place is no bounce; `Keeper.tap` waits so long."""


def trouble_on(page: Page, home: str) -> list[str]:
    """Collect problems of a page from now on: errors, and requests to addresses that do not begin with `home`."""
    trouble: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error":
            trouble.append(message.text)

    def look(request: Request) -> None:
        if not request.url.startswith(home):
            trouble.append(request.url)

    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", hear)
    page.on("request", look)
    return trouble


class Keeper:
    """Taps a page of the program on a phone, and counts the taps."""

    def __init__(self, page: Page, server: str) -> None:
        self.server = server
        self.taps = 0
        self._tapped, self._place = 0.0, ""
        self.hold(page)

    def hold(self, page: Page) -> None:
        """Go on with this page."""
        self.page, self.trouble = page, trouble_on(page, self.server)

    def open_table(self, names: list[str], rules: str = "") -> str:
        """Open a table, with a link's `rules` query if given; returns its address."""
        self.page.goto(f"{self.server}/?{rules}" if rules else self.server)
        if len(names) > 4:
            self.page.locator("#open summary").first.tap()
        for place, name in enumerate(names):
            self.page.locator("[name=players]").nth(place).fill(name)
        self.leave(self.page.locator("main button.main"))
        return self.page.url

    def begin_round(self) -> None:
        self.leave(self.page.locator("button[value=round]"))

    def play(self, seat: str, cards: list[str]) -> None:
        self.choose(seat, cards)
        self.enter(self.page.locator(".actions button.main"))

    def choose(self, seat: str, cards: list[str]) -> None:
        """Tap the seat, unless the page expects it, and the cards."""
        self.choose_seat(seat)
        taken: list[str] = []
        for card in cards:
            self.tap(self.page.locator(f'.key:has([value="{card}"])'))
            taken += [card]
            chosen = self.page.locator(f'[name=cards][value="{card}"]:checked')
            expect(chosen).to_have_count(taken.count(card))

    def queue(self, plays: list[tuple[str, list[str]]]) -> None:
        """Tap some plays without waiting for the server."""
        for seat, cards in plays:
            self.choose(seat, cards)
            self.tap(self.page.locator(".actions button.main"))
            expect(self.page.locator("[name=cards]:checked")).to_have_count(0)

    def choose_seat(self, seat: str) -> None:
        if not self.page.locator(f"[name=seat][value={seat}]").is_checked():
            self.tap(self.page.locator(f".seat:has([value={seat}])"))

    def all_others_pass(self) -> None:
        """Tap that all others pass; then nobody is left to pass."""
        button = self.page.locator("button[value=pass-all]")
        self.enter(button)
        expect(button).to_be_disabled()

    def record_round(self, plays: list[tuple[str, list[str]]]) -> None:
        """Record a round; passes are tapped only if the player who passed leads next."""
        for passed, seat, cards in plays_of(plays):
            if passed:
                self.all_others_pass()
            self.play(seat, cards)

    def tap(self, place: Locator) -> None:
        self.taps += 1
        if str(place) == self._place:
            since = (monotonic() - self._tapped) * 1000
            self.page.wait_for_timeout(max(SAME_TAP - since, 0))
        place.tap()
        self._tapped, self._place = monotonic(), str(place)

    def enter(self, place: Locator) -> None:
        """Tap a button that records, and wait until the page shows the entry."""
        seq = self.page.locator(".proof").get_attribute("data-seq")
        self.tap(place)
        expect(self.page.locator(f'.proof:not([data-seq="{seq}"])')).to_be_attached()

    def leave(self, place: Locator) -> None:
        """Tap a link or button that leads to another page."""
        with self.page.expect_navigation():
            self.tap(place)


def plays_of(moves: list[tuple[str, list[str]]]) -> Iterator[tuple[list[str], str, list[str]]]:
    """The plays of a round, each with the passes to be recorded before it: those of all others if the player had
    passed and leads next, else none, since choosing a seat implies the passes before it."""
    passed: list[str] = []
    for seat, cards in moves:
        if cards:
            yield passed if seat in passed else [], seat, cards
            passed = []
        else:
            passed.append(seat)


def first_round(name: str) -> tuple[list[tuple[str, list[str]]], list[str]]:
    """The first round of a replay: its moves (a pass has no cards), and its payment lines."""
    plays: list[tuple[str, list[str]]] = []
    paid: list[str] = []
    for line in (RECORDS / name).read_text().split("round ")[1].splitlines()[1:]:
        seat, *cards = line.split() or [""]
        if seat == "=":
            paid.append(" ".join(cards))
        elif seat:
            plays.append((seat, [] if cards == ["-"] else cards))
    return plays, paid
