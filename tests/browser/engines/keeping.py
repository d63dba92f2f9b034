"""A keeper who knows a page only by its accessibility tree, and records, mends and settles a round."""

from tests.browser.engines.evening import faults_of
from tests.browser.engines.page import Interrupted, Page
from tests.browser.engines.reading import Node
from tests.browser.phones import LARGE_TEXT, script
from tests.processes import wait_for

MOST = 60
"""The most stops of the Tab key on a page, and the most arrows among seats."""
RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace", "2")
SUITS = ("spades", "clubs", "diamonds", "hearts")


class Keeper:
    """Finds everything by role and name, and activates it as a screen reader does.

    What is announced is read from the live regions, line by line.
    """

    def __init__(self, page: Page) -> None:
        self.page = page

    def find(self, role: str, name: str) -> Node:
        """The enabled node of this role whose name is like this; waits until there is just one."""
        found: list[Node] = []

        def is_there() -> bool:
            found[:] = [one for one in self._read() if one.is_like(role, name)]
            return len(found) == 1 and "disabled" not in found[0].states

        wait_for(is_there, f"{role} {name}")
        return found[0]

    def do(self, role: str, name: str) -> None:
        """Activate it, on the page as it is now."""
        self.page.activate(self.find(role, name))

    def choose(self, *cards: str, typed: bool = True) -> None:
        """Choose cards, or take them back, by their names; on some pages they can be `typed`."""
        for card in cards:
            before = "checked" in self.find("checkbox", card).states
            self._choose(card, typed)
            wait_for(lambda: ("checked" in self.find("checkbox", card).states) is not before, card)  # noqa: B023

    def _choose(self, card: str, typed: bool) -> None:
        self.do("checkbox", card)

    def leave(self, role: str, name: str, to: str) -> None:
        """Activate what leads to a page with this heading."""
        self.do(role, name)
        self.find("heading", to)
        self.hears()

    def hears(self, *expected: str) -> None:
        """Wait until as many lines are announced; these must be they."""
        lines: list[str] = []

        def is_all() -> bool:
            try:
                lines.extend(self.page.evaluate(script("listen")))
            except Interrupted:
                return False
            return len(lines) >= len(expected)

        wait_for(is_all, f"{expected} to be announced")
        assert lines == [*expected], f"{lines} instead of {expected}"

    def _read(self) -> list[Node]:
        """The nodes of the page, once its scripts have run: what is done before them is lost."""
        try:
            is_ready = self.page.evaluate("() => document.readyState === 'complete'")
            return self.page.read() if is_ready else []
        except Interrupted:
            return []


class Typist(Keeper):
    """Goes to everything by Tab and arrows, and types cards."""

    def do(self, role: str, name: str) -> None:
        self.find(role, name)
        self._reach(role, name)
        self.page.press("Enter")

    def _choose(self, card: str, typed: bool) -> None:
        rank, _, suit = card.partition(" of ")
        if typed:
            self.page.press("t" if rank == "10" else rank[0])
            self.page.press(suit[0])
        else:
            self._reach("checkbox", ".*")
            self._reach("checkbox", card, by_arrows=True)
            self.page.press("Space")

    def _reach(self, role: str, name: str, *, by_arrows: bool = False) -> None:
        """Press Tab, or Shift and Tab, or arrows until the focus is there; the tree says which way."""
        for _ in range(MOST):
            nodes, at = self._read_still()
            there = [place for place, one in enumerate(nodes) if one.is_like(role, name)]
            if at in there:
                return
            if by_arrows:
                self.page.press(arrow(nodes[at].name, name))
            else:
                self.page.press("Shift+Tab" if there and at > there[-1] else "Tab")
        raise AssertionError(f"{role} {name} is not reached by the keyboard")

    def _read_still(self) -> tuple[list[Node], int]:
        """The nodes, and the place of the one that has the focus, -1 without one: a tree follows its page some
        frames later, so that two readings must agree."""
        found: list[tuple[list[Node], int]] = []

        def is_still() -> bool:
            self.page.draw()
            nodes = self._read()
            at = max((place for place, one in enumerate(nodes) if "focused" in one.states), default=-1)
            found.append((nodes, at))
            return len(found) > 1 and found[-2][1] == at

        wait_for(is_still, "the focus")
        return found[-1]


def arrow(here: str, there: str) -> str:
    """The arrow that leads from one card's key towards another's: up and down by rank, left and right by suit."""
    (rank, suit), (to_rank, to_suit) = (place_of(card) for card in (here, there))
    if rank != to_rank:
        return "ArrowDown" if rank < to_rank else "ArrowUp"
    return "ArrowRight" if suit < to_suit else "ArrowLeft"


def place_of(card: str) -> tuple[int, int]:
    """The places of a card's rank and suit in playing order."""
    rank, _, suit = card.partition(" of ")
    return RANKS.index(rank), SUITS.index(suit)


class Enlarger(Keeper):
    """Has text at 200 %: every page must be whole on the smallest phone, whose screen holds a quarter."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        width, height = LARGE_TEXT
        page.set_viewport_size({"width": width, "height": height})

    def do(self, role: str, name: str) -> None:
        self.find(role, name)
        assert [*faults_of(self.page, [LARGE_TEXT], colours=False)] == []
        super().do(role, name)


def keep_a_round(keeper: Keeper, link: str) -> None:
    """Take a keeper's link to a table of An and Bình, record a round, mend a suit on the way, and settle it."""
    keeper.page.goto(link)
    keeper.leave("button", "To the table", to="The first round")
    keeper.leave("button", "Begin round 1", to="Round 1")
    keeper.choose("3 of spades")
    keeper.do("button", "An")
    keeper.hears("An, 3 of spades. Bình's turn")
    keeper.choose("2 of diamonds")
    keeper.do("button", "2♦ → Bình")
    keeper.hears("Bình, 2 of diamonds. An's turn")

    keeper.leave("link", "Bình 2 of diamonds.*: correct", to="Correct move 2 .*")
    keeper.choose("2 of diamonds", "2 of hearts", typed=False)
    keeper.do("button", "2♥ → Bình")
    keeper.find("link", "Bình 2 of hearts.*: correct")
    keeper.hears("Bình, 2 of hearts. An's turn")

    fours = [f"4 of {suit}" for suit in SUITS]
    keeper.choose(*fours)
    keeper.do("button", ".*→ An")
    keeper.hears(f"An, four of a kind {' '.join(fours)}. Bình's turn")
    keeper.do("button", "Pass")
    keeper.hears("Bình pass. An leads")
    keeper.choose(*(f"{rank} of spades" for rank in (*range(5, 11), "jack", "queen")))
    keeper.leave("button", ".*→ An", to="Settle round 1")
    keeper.do("button", "No special set → Bình")
    keeper.leave("button", "Settle", to="After round 1")
