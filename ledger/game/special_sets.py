"""Special sets: cards that are worth points when they are captured or hoarded."""

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations_with_replacement
from typing import NamedTuple

from ledger.game.caches import BoundedCache
from ledger.game.cards import Card, Cards, Deck, Rank, Suit, bits, union
from ledger.game.choosing import Choosing, Kind, Start
from ledger.game.patterns import SINGLE, BlockSet, Combinations, Pattern, SpecialSet, SuitRule, find_blocks


class Worth(NamedTuple):
    """A special set among some cards, and its points."""

    cards: Cards
    points: int


class Appraiser:
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
        for special in (one for one in special_sets if one.points):
            if special.shape == SINGLE:
                self._singles[special.points] = self._singles.get(special.points, 0) | self._cards_of(special)
            else:
                (self._loose if special.shape.loose else self._blocks).append(special)
        self.singles: Cards = 0
        """Every card that is a special set by itself."""
        for cards in self._singles.values():
            self.singles |= cards
        self._breakdowns = BoundedCache(self._chosen)

    def total(self, cards: Cards) -> int:
        """The largest total over special sets of some cards that share none."""
        return sum([worth.points for worth in self._breakdowns[cards]])

    def breakdown(self, cards: Cards) -> tuple[Worth, ...]:
        """The special sets that make up that total: of several such choices, always the same one."""
        return self._breakdowns[cards]

    def _chosen(self, cards: Cards) -> tuple[Worth, ...]:
        if self._whole and (one := self._as_one(cards)):
            return (one,)
        chosen = [Worth(block.cards, block.points) for block in self.choosing.best(cards)]
        left = cards & ~union(block.cards for block in chosen)
        alone = (
            Worth(card, points) for points, worth in self._singles.items() for card in bits(left & worth)
        )
        return (*chosen, *alone)

    def blocks_in(self, cards: Cards) -> list[Worth]:
        """Every special set of several cards among some, whether they share cards or not; one for each place."""
        return [
            Worth(self._cheapest(found.stock, low, special.shape), special.points)
            for special in self._blocks
            for found in self._found(cards, special)
            for low in _ranks(found.starts)
        ]

    def is_special_set(self, cards: Cards) -> bool:
        """Whether these cards are one special set, no more and no less."""
        return bool(cards & self.singles) if cards.bit_count() == 1 else self._as_one(cards) is not None

    def could_hold(self, cards: Cards, count: int) -> Cards:
        """Which of some unseen cards could be part of a special set held by a player with `count` of them."""
        useful = cards & self.singles if count else 0
        for special in self._blocks:
            if special.shape.size <= count:
                useful |= union(found.cards(self.deck) for found in self._found(cards, special))
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
            for special in (*self._blocks, *self._loose)
            if special.shape.size == size and any(self._found(cards, special))
        ]
        return Worth(cards, max(points)) if points else None

    @cached_property
    def choosing(self) -> Choosing:
        """Chooses special sets of several cards, beside what each card is worth alone."""
        wanted = [special for special in self._blocks if not self._is_made_up(special)]
        found = [
            (place, special, self._kind(blocks), low)
            for place, special in enumerate(wanted)
            for blocks in self._found(self.deck.all, special)
            for low in _ranks(blocks.starts)
        ]
        kinds = [*dict.fromkeys(kind for _, _, kind, _ in found)]
        starts = [
            (low, Start(kinds.index(kind), special.shape.length, special.points, place))
            for place, special, kind, low in found
        ]
        alone = {
            card: sum(points for points, worth in self._singles.items() if card & worth)
            for card in bits(self.singles)
        }
        return Choosing(self.deck, kinds, starts, alone)

    def _is_made_up(self, special: SpecialSet) -> bool:
        """Whether every such special set holds others, at most two, that are worth as much: it is never wanted."""
        parts = [part for part in self._blocks if self._is_part(part, special)]
        return any(part.points >= special.points for part in parts) or any(
            low.points + high.points >= special.points
            for low, high in combinations_with_replacement(parts, 2)
            if low.shape.length + high.shape.length <= special.shape.length
        )

    def _is_part(self, part: SpecialSet, special: SpecialSet) -> bool:
        """Whether every such special set holds one of the other sort, from whichever of its ranks on."""
        shape, within = part.shape, special.shape
        return (
            part.target.rank is None
            and shape.size < within.size
            and shape.width <= within.width
            and shape.length <= within.length
            and self._combinations.highest(shape) >= self._combinations.highest(within)
            and set(part.suits or Suit) >= set(special.suits or Suit)
            and shape.suits <= within.suits
        )

    def _kind(self, blocks: BlockSet) -> Kind:
        """What some blocks take of each of their ranks."""
        stocks = (blocks.stock & self.deck.suits(group) for group in blocks.suits)
        return Kind(blocks.shape.width, tuple(filter(None, stocks)))

    def _found(self, cards: Cards, special: SpecialSet) -> Iterator[BlockSet]:
        """All such sets that can be made of some cards, where pairs may have to be of one colour."""
        shape, rank = special.shape, special.target.rank
        if shape.width == 2 and self._combinations.one_colour:
            shape = shape.strict(SuitRule.PAIRS)
        if special.suits:
            cards &= self.deck.suits(special.suits)
        highest = self._combinations.highest(shape) if rank is None else rank
        for found in find_blocks(self.deck, shape, cards, highest):
            if starts := found.ending(rank):
                yield found._replace(starts=starts)

    def _cheapest(self, stock: Cards, low: int, shape: Pattern) -> Cards:
        """A block from a rank on, of each rank the cards that are worth least by themselves."""
        block = 0
        for rank in range(low, low + shape.length):
            held = sorted(bits(stock & self.deck.rank(rank)), key=self._worth_alone)
            block |= sum(held[: shape.width])
        return block

    def _worth_alone(self, card: Cards) -> int:
        return max((points for points, worth in self._singles.items() if card & worth), default=0)


def _ranks(starts: int) -> Iterator[int]:
    """The ranks of a set of them, one bit a rank."""
    return (bit.bit_length() - 1 for bit in bits(starts))
