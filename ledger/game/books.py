"""A ruleset's combinations, ready for use: reads cards as what they are, and remembers them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ledger.game.caches import BoundedCache
from ledger.game.cards import RED, Cards, Deck, Rank, Suit, bits, union
from ledger.game.combinations import Bomb, Combination, Combinations, Shape, Target, Ties, Trump

_TRUMPS, _ALIKE = Shape(0), Shape(0, 2)
"""In place of a shape, where combinations are kin that have none in common."""


@dataclass(frozen=True, slots=True)
class _Row:
    """What a bomb beats, as the book's bits."""

    rank: Rank | None
    chops: int
    bomb: bool
    alike: bool


class Reply(NamedTuple):
    """A shape of which some block beats a combination."""

    shape: Shape
    alike: bool
    """Whether blocks of it compare with the combination by the highest card."""
    chopping: tuple[Rank | None, ...]
    """With what rank on top a block of it beats the combination, however high that is; None: with any."""


class Book:
    """The combinations of one ruleset.

    A book is shared by all rounds of a ruleset; what it answers depends on nothing else.
    """

    def __init__(
        self, deck: Deck, combinations: Combinations, bombs: tuple[Bomb, ...], trumps: tuple[Trump, ...] = ()
    ) -> None:
        self.deck = deck
        self.combinations = combinations
        self.shapes = tuple(combinations.shapes())
        self._limits = {shape: (combinations.highest(shape) + 1) * deck.rank_bits for shape in self.shapes}
        """How many bits a block of each shape has at the most."""
        if combinations.follow_suits:
            bombs = (*_twos_over_all(combinations), *bombs)
        every = dict.fromkeys(
            [target for bomb in bombs for target in bomb.beats]
            + [target for trump in trumps for target in trump.beats]
        )
        self._targets = {target: 1 << bit for bit, target in enumerate(every)}
        self._rows: dict[Shape, list[_Row]] = {}
        for bomb in bombs:
            row = _Row(bomb.rank, self._bits(bomb.beats), not bomb.plain, bomb.alike)
            self._rows.setdefault(bomb.shape, []).append(row)
        self._trumps = {
            bit: (place, self._bits(trump.beats))
            for place, trump in enumerate(trumps)
            for bit in bits(deck.every(trump.card) if deck.has_twins else deck.bit(trump.card))
        }
        self._kin = {shape: place for place, shape in enumerate((*self.shapes, _TRUMPS, _ALIKE))}
        if not combinations.equal_length:
            # Bombs follow no suit: they stand apart from sequences that must.
            first: dict[bool, int] = {}
            for shape in (shape for shape in self.shapes if shape.width == 1 < shape.length):
                apart = combinations.follow_suits and self.is_bomb(shape)
                self._kin[shape] = first.setdefault(apart, self._kin[shape])
        self._alike = self._kin[_ALIKE]
        self.read: Callable[[Cards], Combination | None] = BoundedCache(self._classify).__getitem__
        """The combination that some cards are, or None."""
        self._replies = BoundedCache(self._answering)

    def lows(self, cards: Cards, shape: Shape, highest: Rank = Rank.ACE) -> Iterator[int]:
        """The lowest rank of every block of this shape that can be made of some of the cards.

        Blocks of several ranks go up to `highest` at the most.
        """
        return blocks(cards, self.deck, shape, highest)

    def is_bomb(self, shape: Shape) -> bool:
        """Whether blocks of this shape are bombs, whatever their rank."""
        return any(row.bomb and row.rank is None for row in self._rows.get(shape, ()))

    def can_be_bombed(self, top: Combination) -> bool:
        """Whether a bomb of another shape beats a combination."""
        return any(
            row.bomb and (row.chops & top.marks or (row.alike and self._may_be_higher(shape, top)))
            for shape, rows in self._rows.items()
            if shape != top.shape
            for row in rows
        )

    def can_be_beaten(self, top: Combination) -> bool:
        """Whether anything that is no bomb of another shape beats a combination, whoever may hold it."""
        if self.trumps_over(top):
            return True
        if self.is_trump(top):
            return False
        bits, packs = self.deck.rank_bits, self.deck.packs
        ties = self.deck.has_twins and self.combinations.ties is not Ties.HIGHER_ONLY
        highest = self._limits[top.shape] - 1 + ties
        if top.followed:
            highest -= (len(Suit) - top.followed.bit_length()) * packs
        higher = highest > top.top if top.shape.width * 2 <= bits else highest // bits > top.top // bits
        return higher or any(
            row.chops & top.marks for rows in self._rows.values() for row in rows if not row.bomb
        )

    def replies(self, top: Combination) -> tuple[Reply, ...]:
        """The shapes of which some block beats a combination, in the order of `shapes`."""
        return self._replies[top.shape, top.kin, top.marks]

    def suits_to_follow(self, top: Combination) -> frozenset[Suit] | None:
        """The suits that an answer of the same shape must have, or None if any will do."""
        return frozenset(suit for suit in Suit if top.followed >> suit & 1) if top.followed else None

    def is_trump(self, top: Combination) -> bool:
        """Whether this is a trump, which nothing beats but a later one."""
        return top.kin == self._kin[_TRUMPS]

    def trumps_over(self, top: Combination) -> Cards:
        """The trumps that beat a combination."""
        found: Cards = 0
        for card in self._trumps:
            trump = self.read(card)
            found |= card if trump is not None and trump.beats(top) else 0
        return found

    def _may_be_higher(self, shape: Shape, top: Combination) -> bool:
        """Whether a block of another shape may be higher than a bomb that compares with it."""
        return top.kin == self._alike and self._limits[shape] - 1 > top.top

    def _answering(self, what: tuple[Shape, int, int]) -> tuple[Reply, ...]:
        """The replies to a combination of this shape, kin and these marks."""
        shape, kin, marks = what
        trump = kin == self._kin[_TRUMPS]
        replies = []
        for other in self.shapes:
            alike = (other == shape and not trump) or self._are_alike(other, kin)
            chopping = tuple(row.rank for row in self._rows.get(other, ()) if row.chops & marks)
            if alike or chopping:
                replies.append(Reply(other, alike, chopping))
        return tuple(replies)

    def _are_alike(self, shape: Shape, kin: int) -> bool:
        """Whether a block of this shape compares with one of another by the highest card."""
        if kin == self._alike:
            return any(row.alike for row in self._rows.get(shape, ()))
        return not self.combinations.equal_length and self._kin[shape] == kin

    def _bits(self, targets: tuple[Target, ...]) -> int:
        return union(self._targets[target] for target in targets)

    def _classify(self, cards: Cards) -> Combination | None:
        if trump := self._trumps.get(cards):
            return self._trump(cards, *trump)
        held = [card.suit for card in self.deck.cards(cards)]
        shape = self._shape(cards, held)
        if shape is None:
            return None
        top = self.deck.order(cards.bit_length() - 1)
        rank = Rank(top // self.deck.rank_bits)
        suits = union(1 << suit for suit in held)
        suited = shape.width == 1 and shape.length > 1 and suits.bit_count() == 1
        rows = [row for row in self._rows.get(shape, ()) if row.rank in (None, rank)]
        bomb = any(row.bomb for row in rows)
        follow = self.combinations.follow_suits and rank is not Rank.TWO and not bomb
        alike = any(row.alike for row in rows)
        return Combination(
            cards=cards,
            shape=shape,
            kin=self._kin[_ALIKE if alike else shape],
            top=top,
            reach=top + (self.combinations.ties is not Ties.HIGHER_ONLY),
            size=shape.size,
            bomb=bomb,
            suited=suited,
            suits=suits,
            followed=suits if follow else 0,
            marks=union(
                bit
                for target, bit in self._targets.items()
                if target.names(shape, rank) and not (target.plain and bomb)
            ),
            chops=union(row.chops for row in rows),
        )

    def _shape(self, cards: Cards, suits: list[Suit]) -> Shape | None:
        """The shape that these cards are, if the ruleset has it and nothing about their suits forbids it."""
        for shape in shapes_of(cards, self.deck):
            if cards.bit_length() <= self._limits.get(shape, 0) and self._suits_agree(shape, suits, cards):
                return shape
        return None

    def _suits_agree(self, shape: Shape, suits: list[Suit], cards: Cards) -> bool:
        """Whether nothing about the suits of a shape's cards forbids it."""
        rules = self.combinations
        if shape.width == 1 and shape.length > 1:
            return not rules.one_suit or len(set(suits)) == 1
        if shape.width != 2 or (rules.follow_suits and not cards & ~self.deck.rank(Rank.TWO)):
            return True
        if rules.one_colour_throughout and len({suit in RED for suit in suits}) > 1 and shape.length > 1:
            return False
        return not rules.one_colour or one_colour(suits)

    def _trump(self, cards: Cards, place: int, chops: int) -> Combination:
        """A trump beats what it names, and lower trumps; nothing that names a target beats a trump."""
        return Combination(
            cards=cards,
            shape=Shape(1),
            kin=self._kin[_TRUMPS],
            top=place,
            reach=place,
            size=1,
            bomb=False,
            suited=False,
            suits=union(1 << card.suit for card in self.deck.cards(cards)),
            followed=0,
            marks=0,
            chops=chops,
        )


def _twos_over_all(combinations: Combinations) -> Iterator[Bomb]:
    """2s need not follow suit: one beats any single card, two any pair, and so on."""
    for shape in map(Shape, combinations.same_rank):
        yield Bomb(shape, (Target(shape, below=Rank.TWO),), rank=Rank.TWO, plain=True)


def one_colour(suits: list[Suit]) -> bool:
    """Whether the cards of each pair, two by two, are of one colour."""
    return all((low in RED) == (high in RED) for low, high in zip(suits[::2], suits[1::2], strict=True))


def shapes_of(cards: Cards, deck: Deck) -> Iterator[Shape]:
    """The blocks that these cards form: one of consecutive ranks, and the loose one, or none."""
    if not cards:
        return
    bits, one = deck.rank_bits, (1 << deck.rank_bits) - 1
    low = ((cards & -cards).bit_length() - 1) // bits * bits
    held = [(cards >> place & one).bit_count() for place in range(low, cards.bit_length(), bits)]
    width, length = held[0], len(held) - held.count(0)
    if held.count(width) < length:
        return
    if length == len(held):
        yield Shape(width, length)
    yield Shape(width, length, loose=True)


def blocks(cards: Cards, deck: Deck, shape: Shape, highest: Rank) -> Iterator[int]:
    """The lowest rank of every block of this shape, of consecutive ranks, that can be made of some cards."""
    bits, one = deck.rank_bits, (1 << deck.rank_bits) - 1
    stock = [(cards >> low & one).bit_count() >= shape.width for low in range(0, 13 * bits, bits)]
    ends = 13 if shape.length == 1 else highest + 1
    for low in range(ends - shape.length + 1):
        if all(stock[low : low + shape.length]):
            yield low
