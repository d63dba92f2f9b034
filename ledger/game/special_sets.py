"""Special sets: cards that are worth points when they are captured or hoarded."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ledger.game.books import blocks, shapes_of
from ledger.game.cards import Card, Cards, Deck, Rank, Suit, bits
from ledger.game.combinations import SINGLE, Combinations, Shape, Target
from ledger.game.memory import Memory


@dataclass(frozen=True, slots=True)
class SpecialSet:
    """A block of cards that is worth points; where `suits` are named, of these suits only."""

    target: Target
    points: int
    suits: tuple[Suit, ...] = ()

    @property
    def shape(self) -> Shape:
        """The shape of the block: a special set has one."""
        assert self.target.shape is not None
        return self.target.shape


class Worth(NamedTuple):
    """A special set among some cards, and its points."""

    cards: Cards
    points: int


class Values:
    """What cards are worth under one list of special sets (clause SPECIAL), which are sets that can be played.

    `whole`: cards that are a special set are worth that, whatever smaller ones they hold. Sets of any ranks (two
    fours of a kind together) are only worth something so.
    """

    def __init__(
        self,
        deck: Deck,
        combinations: Combinations,
        special_sets: tuple[SpecialSet, ...],
        *,
        whole: bool = False,
    ) -> None:
        self.deck = deck
        self._combinations = combinations
        self._whole = whole
        self._singles: dict[int, Cards] = {}
        self._blocks: list[SpecialSet] = []
        self._loose: list[SpecialSet] = []
        for special in special_sets:
            if special.shape == SINGLE:
                self._singles[special.points] = self._singles.get(special.points, 0) | self._cards_of(special)
            else:
                (self._loose if special.shape.loose else self._blocks).append(special)
        self.singles: Cards = 0
        """Every card that is a special set by itself."""
        for cards in self._singles.values():
            self.singles |= cards
        self._smallest = min((special.shape.size for special in self._blocks), default=0)
        self.of: Callable[[Cards], int] = Memory(self._most).__getitem__
        """The largest total over special sets of some cards that share none."""

    def best(self, cards: Cards) -> tuple[Worth, ...]:
        """The special sets that make up that total: of several such choices, always the same one."""
        if self._whole and (one := self._as_one(cards)):
            return (one,)
        total = self.of(cards)
        if total != self._of_singles(cards):
            block = next(
                block
                for block in self.blocks_in(cards)
                if block.points + self.of(cards & ~block.cards) == total
            )
            return (block, *self.best(cards & ~block.cards))
        return tuple(
            Worth(card, points) for points, worth in self._singles.items() for card in bits(cards & worth)
        )

    def blocks_in(self, cards: Cards) -> list[Worth]:
        """Every special set of several cards among some, whether they share cards or not; one for each place."""
        return [
            Worth(block, special.points)
            for special in self._blocks
            for block in self._instances(cards, special)
        ]

    def is_special_set(self, cards: Cards) -> bool:
        """Whether these cards are one special set, no more and no less."""
        return bool(cards & self.singles) if cards.bit_count() == 1 else self._as_one(cards) is not None

    def could_hold(self, cards: Cards, count: int) -> Cards:
        """Which of some unseen cards could be part of a special set held by a player with `count` of them."""
        useful = cards & self.singles if count else 0
        for special in self._blocks:
            if special.shape.size <= count:
                stock = self._stock(cards, special)
                for low in self._lows(cards, special):
                    for rank in range(low, low + special.shape.length):
                        useful |= stock & self.deck.rank(rank)
        return useful

    def _cards_of(self, special: SpecialSet) -> Cards:
        ranks = tuple(Rank) if special.target.rank is None else (special.target.rank,)
        found = 0
        for suit in special.suits or tuple(Suit):
            for rank in ranks:
                found |= self.deck.every(Card(rank, suit))
        return found

    def _as_one(self, cards: Cards) -> Worth | None:
        """The block that these cards are, no more and no less; the one of most points, if they are several."""
        size = cards.bit_count()
        points = [
            special.points
            for special in self._blocks
            if special.shape.size == size and self._lows(cards, special)
        ]
        if self._loose:
            shapes = set(shapes_of(cards, self.deck))
            points += [special.points for special in self._loose if special.shape in shapes]
        return Worth(cards, max(points)) if points else None

    def _most(self, cards: Cards) -> int:
        if self._whole and (one := self._as_one(cards)):
            return one.points
        best = self._of_singles(cards)
        if cards.bit_count() < self._smallest:
            return best
        for block in self.blocks_in(cards):
            best = max(best, block.points + self.of(cards & ~block.cards))
        return best

    def _of_singles(self, cards: Cards) -> int:
        return sum(points * (cards & worth).bit_count() for points, worth in self._singles.items())

    def _lows(self, cards: Cards, special: SpecialSet) -> list[int]:
        shape, rank = special.shape, special.target.rank
        highest = self._combinations.highest(shape) if rank is None else rank
        lows = blocks(self._stock(cards, special), self.deck, shape, highest)
        return [low for low in lows if rank is None or rank == low + shape.length - 1]

    def _instances(self, cards: Cards, special: SpecialSet) -> list[Cards]:
        """One block for each place where it fits: of each rank the cards that are worth least by themselves."""
        stock = self._stock(cards, special)
        return [self._cheapest(stock, low, special.shape) for low in self._lows(cards, special)]

    def _stock(self, cards: Cards, special: SpecialSet) -> Cards:
        """The cards that such a set can be made of."""
        if special.suits:
            cards &= self.deck.suits(special.suits)
        paired = special.shape.width == 2 and self._combinations.one_colour
        return self.deck.paired(cards) if paired else cards

    def _cheapest(self, cards: Cards, low: int, shape: Shape) -> Cards:
        block = 0
        for rank in range(low, low + shape.length):
            held = list(bits(cards & self.deck.rank(rank)))
            held.sort(key=self._worth_alone)
            block |= sum(held[: shape.width])
        return block

    def _worth_alone(self, card: Cards) -> int:
        return max((points for points, worth in self._singles.items() if card & worth), default=0)
