"""What a screen reader reads, from the browser's accessibility tree: a recorded round, whole and in order."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from ledger.game.cards import Deck
from ledger.language import LANGUAGES, Speaker, speaker
from tests.browser.conftest import NAMES
from tests.browser.keeper import first_round, plays_of
from tests.browser.phones import leave_empty, phone, speak
from tests.browser.telling import Teller, at_table

pytestmark = pytest.mark.browser

Node = dict[str, Any]
MOVES, PAID = first_round("southern-05.tln")
WHO = dict(zip(("p1", "p2", "p3", "p4"), NAMES, strict=True))
WORDS = tuple(map(speaker, LANGUAGES))
COLLECT = """
  window.read = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) window.read.push(...[...addedNodes].map((one) => one.textContent));
  }).observe(document.querySelector("#heard"), { childList: true });
"""
"""Keeps the lines that are added to the live region."""


@pytest.fixture(scope="module")
def keeper(browser: Browser, server: str) -> Iterator[Teller]:
    """The phone of a keeper: one round is settled, and the next is begun."""
    with at_table(browser, server, names=NAMES) as keeper:
        leave_empty(keeper.page)
        keeper.tell_round(MOVES)
        keeper.tell("round lead p4; p4 4d; p1 5d")
        yield keeper


class Tree:
    """The accessibility tree of a page as it is now."""

    def __init__(self, page: Page) -> None:
        session = page.context.new_cdp_session(page)
        nodes: list[Node] = session.send("Accessibility.getFullAXTree")["nodes"]
        session.detach()
        self._nodes, self._root = {node["nodeId"]: node for node in nodes}, nodes[0]

    def each(self, root: Node | None = None) -> Iterator[Node]:
        """What is read, in order; of a picture only its name."""
        node = root or self._root
        if not node["ignored"]:
            yield node
        if role(node) != "image":
            for child in node.get("childIds", ()):
                if child in self._nodes:
                    yield from self.each(self._nodes[child])

    def names(self, *roles: str) -> list[str]:
        """The names of what has one of these roles."""
        return [node["name"]["value"] for node in self.each() if role(node) in roles]

    def texts(self, of: str) -> list[str]:
        """The whole text of each part of this role."""
        return [self._text(node) for node in self.each() if role(node) == of]

    def _text(self, part: Node) -> str:
        leaves = [node for node in self.each(part) if role(node) in ("StaticText", "image")]
        return " ".join(" ".join(node["name"]["value"] for node in leaves).split())


def role(node: Node) -> str:
    return str(node.get("role", {}).get("value"))


def told(words: Speaker, cards: list[str]) -> str:
    return words.card_names(cards) if cards else words.move_kind("pass")


@pytest.mark.parametrize("words", WORDS, ids=LANGUAGES)
def test_the_page_of_a_round_reads_its_payments_and_every_move_in_order(
    keeper: Teller, words: Speaker
) -> None:
    page = keeper.page
    page.goto(f"{keeper.server}/n/{keeper.night}/rounds/1?move=40")
    speak(page, words.language)
    turn = page.locator(".seat[aria-current=true]")
    expect(turn).to_contain_text([WHO[MOVES[40][0]]])
    for pile in page.locator(".pile-of").all():
        if pile.get_attribute("open") is None:
            pile.locator("summary").first.press("Enter")
    tree = Tree(page)
    paid = [line for line in tree.texts("listitem") if "→" in line]
    payments = [f"{WHO[payer]} → {WHO[payee]} {points} " for payer, payee, points, _ in map(str.split, PAID)]
    assert len(paid) == len(payments)
    assert [line for line, start in zip(paid, payments, strict=True) if not line.startswith(start)] == []
    rows = tree.texts("row")
    moves = [
        f"{place} {WHO[who]}: {told(words, cards)} " for place, (who, cards) in enumerate(MOVES, start=1)
    ]
    assert len(rows) == len(moves)
    assert [row for row, start in zip(rows, moves, strict=True) if not row.startswith(start)] == []


@pytest.mark.parametrize("words", WORDS, ids=LANGUAGES)
def test_the_table_reads_whose_cards_what_lies_there_whose_turn_it_is_and_every_card(
    keeper: Teller, words: Speaker
) -> None:
    page = keeper.page
    keeper.look()
    speak(page, words.language)
    tree = Tree(page)
    cards = [words.card_name(name) for name in Deck().names]
    assert tree.names("checkbox") == cards
    assert [name.split()[0] for name in tree.names("radio")] == NAMES
    record = page.locator(".actions button.main").inner_text()
    order = [tree.names("radio")[0]]
    order += [
        words.card_name("4d"),
        words.card_name("5d"),
        page.locator(".say .turn").inner_text(),
        cards[0],
        record,
    ]
    read = tree.names("radio", "image", "StaticText", "checkbox", "button")
    places = [read.index(one) for one in order]
    assert places == sorted(places)


def test_each_move_is_announced_once_and_in_order_in_the_watchers_language(
    browser: Browser, server: str
) -> None:
    moves = MOVES[:-2]  # after the last move the page changes
    with (
        at_table(browser, server, "round opening", names=NAMES) as keeper,
        phone(browser, locale="vi-VN") as one,
        phone(browser, locale="en-GB") as other,
    ):
        leave_empty(keeper.page)
        watchers = [(keeper.watch(phone), words) for phone, words in zip((one, other), WORDS, strict=True)]
        for page, _ in watchers:
            page.evaluate(COLLECT)
        for number, (passed, who, cards) in enumerate(plays_of(moves), start=1):
            keeper.tell_plays([*((other, []) for other in passed), (who, cards)])
            # A page has as many of the last moves as three plays can be.
            for page, words in watchers if number % 3 == 0 or cards == moves[-1][1] else ():
                expect(page.locator("#heard")).to_contain_text(f"{WHO[who]}, {told(words, cards)}")
        for page, words in watchers:
            lines = [line.split(". ") for line in page.evaluate("window.read")]
            assert [move for line in lines for move in line[:-1]] == [
                f"{WHO[who]}{', ' if cards else ' '}{told(words, cards)}" for who, cards in moves
            ]
            assert lines[-1][-1] == page.locator(".say .turn").inner_text()
            (log,) = [node for node in Tree(page).each() if role(node) == "log"]
            assert {"name": "live", "value": {"type": "token", "value": "polite"}} in log["properties"]
