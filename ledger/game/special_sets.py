"""Special sets: cards that are worth points when they are captured or hoarded."""

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations_with_replacement
from typing import NamedTuple

from ledger.game.blocks import Block, find_blocks
from ledger.game.caches import BoundedCache
from ledger.game.cards import Card, Cards, Deck, Rank, Suit, bits, union
from ledger.game.choosing import Choosing, Kind, Start
from ledger.game.patterns import SINGLE, Combinations, SpecialSet


class Worth(NamedTuple):
    """A special set among some cards, and its points."""

    cards: Cards
    points: int


class Appraiser:
    """Values cards by one list of special sets (clause SPECIAL), which must be playable.

    `whole`: cards that form one special set are worth just that, whatever smaller sets they hold. Loose sets (two
    fours of a kind of any ranks) count only in this way.
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
        paid = [special for special in special_sets if special.points]
        singles = [special for special in paid if special.shape == SINGLE]
        self._blocks = [special for special in paid if special not in singles and not special.shape.loose]
        self._loose = [special for special in paid if special.shape.loose]
        self._singles: dict[int, Cards] = {}
        """Points -> the cards that are worth them alone: the most, if several of the sets name a card."""
        for special in singles:
            dearer = union(self._cards_of(other) for other in singles if other.points > special.points)
            found = self._singles.get(special.points, 0)
            self._singles[special.points] = found | self._cards_of(special) & ~dearer
        self.singles: Cards = union(self._singles.values())
        """Every card that is a special set by itself."""
        self._breakdowns = BoundedCache(self._chosen)

    def total(self, cards: Cards) -> int:
        """The largest total of special sets among the cards that share no card."""
        return sum([worth.points for worth in self._breakdowns[cards]])

    def breakdown(self, cards: Cards) -> tuple[Worth, ...]:
        """The special sets that make up the total; among equal choices, always the same one."""
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
        """Every special set of several cards, overlapping or not; one for each lowest rank."""
        return [
            Worth(self._cheapest(block), special.points)
            for special in self._blocks
            for block in self._found(cards, special)
        ]

    def is_special_set(self, cards: Cards) -> bool:
        """Whether the cards are exactly one special set."""
        return bool(cards & self.singles) if cards.bit_count() == 1 else self._as_one(cards) is not None

    def could_hold(self, cards: Cards, count: int) -> Cards:
        """Of these unseen cards, those that could be in a special set of a player who holds `count` cards."""
        useful = cards & self.singles if count else 0
        for special in self._blocks:
            if special.shape.size <= count:
                useful |= union(block.cards for block in self._found(cards, special))
        return useful

    def _cards_of(self, special: SpecialSet) -> Cards:
        ranks = tuple(Rank) if special.target.rank is None else (special.target.rank,)
        found = 0
        for suit in special.suits or tuple(Suit):
            for rank in ranks:
                found |= self.deck.every(Card(rank, suit))
        return found

    def _as_one(self, cards: Cards) -> Worth | None:
        """The cards as exactly one block, the most valuable of several; None if they form none."""
        size = cards.bit_count()
        points = [
            special.points
            for special in (*self._blocks, *self._loose)
            if special.shape.size == size and any(self._found(cards, special))
        ]
        return Worth(cards, max(points)) if points else None

    @cached_property
    def choosing(self) -> Choosing:
        """Chooses special sets of several cards, given what each card is worth alone."""
        wanted = [special for special in self._blocks if not self._is_made_up(special)]
        found = [
            (place, special, self._kind(special, blocks), blocks.ranks(self.deck)[0])
            for place, special in enumerate(wanted)
            for blocks in self._found(self.deck.all, special)
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
        """Whether every such set holds one or two smaller ones worth as much, so that it is never chosen."""
        parts = [part for part in self._blocks if self._is_part(part, special)]
        return any(part.points >= special.points for part in parts) or any(
            low.points + high.points >= special.points
            for low, high in combinations_with_replacement(parts, 2)
            if low.shape.length + high.shape.length <= special.shape.length
        )

    def _is_part(self, part: SpecialSet, special: SpecialSet) -> bool:
        """Whether every such set holds a set of kind `part`, from any rank on that leaves room for it."""
        shape, within = part.shape, special.shape
        return (
            part.target.rank is None
            and shape.size < within.size
            and within.holds(shape)
            and self._combinations.highest(shape) >= self._combinations.highest(within)
            and set(part.suits or Suit) >= set(special.suits or Suit)
        )

    def _kind(self, special: SpecialSet, blocks: Block) -> Kind:
        """The cards that some blocks take of each of their ranks."""
        within = self.deck.suits(special.suits or tuple(Suit))
        stocks = (within & self.deck.suits(group) for group in blocks.suits)
        return Kind(blocks.pattern.width, tuple(filter(None, stocks)))

    def _found(self, cards: Cards, special: SpecialSet) -> Iterator[Block]:
        """All such sets that can be made from some cards; pairs keep the ruleset's rule about suits."""
        shape, rank = special.shape, special.target.rank
        shape = shape.strict(self._combinations.pairs_of(shape))
        if special.suits:
            cards &= self.deck.suits(special.suits)
        return find_blocks(self.deck, shape, cards, self._combinations.highest(shape), rank=rank)

    def _cheapest(self, block: Block) -> Cards:
        """The cards of a block that are worth least by themselves."""
        return union(
            union(sorted(bits(stock), key=self._worth_alone)[: block.pattern.width]) for stock in block.stocks
        )

    def _worth_alone(self, card: Cards) -> int:
        return max((points for points, worth in self._singles.items() if card & worth), default=0)
