"""What some cards are, or nothing; and what beats what.

Every combination is a block: so many cards of each of so many consecutive ranks. What beats what, beyond a
higher one of the same shape, is one table from bombs to targets.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from ledger.game.cards import Card, Cards, Deck, Rank


@dataclass(frozen=True, slots=True, order=True)
class Shape:
    """`width` cards of each of `length` consecutive ranks."""

    width: int
    length: int = 1

    @property
    def size(self) -> int:
        """How many cards it holds."""
        return self.width * self.length


SINGLE = Shape(1)
PAIR = Shape(2)
TRIPLE = Shape(3)
FOUR_OF_A_KIND = Shape(4)
THREE_PAIRS = Shape(2, 3)
FOUR_PAIRS = Shape(2, 4)


class Kind(StrEnum):
    """The field's name for a shape."""

    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    FOUR_OF_A_KIND = "four-of-a-kind"
    SEQUENCE = "sequence"
    PAIR_SEQUENCE = "pair-sequence"
    TRIPLE_SEQUENCE = "triple-sequence"

    @classmethod
    def of(cls, shape: Shape) -> "Kind":
        """The name of a shape; KeyError for a shape that has none."""
        names = _SAME_RANK if shape.length == 1 else _CONSECUTIVE
        return names[shape.width]


_SAME_RANK = {1: Kind.SINGLE, 2: Kind.PAIR, 3: Kind.TRIPLE, 4: Kind.FOUR_OF_A_KIND}
_CONSECUTIVE = {1: Kind.SEQUENCE, 2: Kind.PAIR_SEQUENCE, 3: Kind.TRIPLE_SEQUENCE}


@dataclass(frozen=True, slots=True)
class Combinations:
    """Which shapes may be played. Sequences of any kind may hold ranks up to `top_of_sequences` only."""

    same_rank: tuple[int, ...]
    """How many cards of one rank: 1 for singles, 2 for pairs, and so on."""
    sequence_from: int
    """The least number of ranks in a sequence."""
    pair_sequences: tuple[int, ...]
    """How many pairs a pair sequence may hold."""
    top_of_sequences: Rank

    def shapes(self) -> Iterator[Shape]:
        """Every shape that may be played."""
        yield from map(Shape, self.same_rank)
        yield from (Shape(1, length) for length in range(self.sequence_from, self.top_of_sequences + 2))
        yield from (Shape(2, length) for length in self.pair_sequences)


@dataclass(frozen=True, slots=True)
class Target:
    """What a bomb may be played on: a shape, of one rank or of any."""

    shape: Shape
    rank: Rank | None = None


@dataclass(frozen=True, slots=True)
class Bomb:
    """A shape that beats more than a lower one of its own."""

    shape: Shape
    beats: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Combination:
    """Some cards as what they are. `top` is the index of the highest card's bit, and decides among equals."""

    cards: Cards
    shape: Shape
    kin: int
    """The number of its shape in the book: only kin compare by their tops."""
    top: int
    size: int
    bomb: bool
    marks: int
    """Of which targets this is one: a bit a target of the book's list."""
    chops: int
    """Which targets this beats, in the same bits."""

    def beats(self, other: "Combination") -> bool:
        """Whether this may be played on the other."""
        if self.kin == other.kin:
            return self.top > other.top
        return self.chops & other.marks != 0


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a book knows of a shape before it has seen a card of it."""

    kin: int
    bomb: bool
    chops: int
    marks: tuple[tuple[Rank | None, int], ...]
    """The rank (None for any) that makes it a target, and that target's bit."""


class Book:
    """The combinations of one ruleset, ready for use: reads cards as combinations and remembers them.

    A book is shared by all rounds of a ruleset. Its memory is bounded; what it answers depends on nothing but
    the ruleset.
    """

    _REMEMBERED = 100_000

    def __init__(self, deck: Deck, combinations: Combinations, bombs: tuple[Bomb, ...]) -> None:
        self.deck = deck
        self.highest_in_sequence = combinations.top_of_sequences
        targets = {
            target: 1 << bit for bit, target in enumerate({t: None for bomb in bombs for t in bomb.beats})
        }
        chops = {bomb.shape: sum(targets[target] for target in bomb.beats) for bomb in bombs}
        self.shapes = {
            shape: _Entry(
                kin=kin,
                bomb=shape in chops,
                chops=chops.get(shape, 0),
                marks=tuple((target.rank, bit) for target, bit in targets.items() if target.shape == shape),
            )
            for kin, shape in enumerate(combinations.shapes())
        }
        self._known: dict[Cards, Combination | None] = {}

    def read(self, cards: Cards) -> Combination | None:
        """The combination that these cards are, or None."""
        try:
            return self._known[cards]
        except KeyError:
            if len(self._known) >= self._REMEMBERED:
                self._known.clear()
            return self._known.setdefault(cards, self._classify(cards))

    def lows(self, cards: Cards, shape: Shape) -> Iterator[int]:
        """The lowest rank of every block of this shape that can be made of some of the cards."""
        return blocks(cards, self.deck, shape, self.highest_in_sequence)

    def _classify(self, cards: Cards) -> Combination | None:
        shape = shape_of(cards, self.deck, self.highest_in_sequence)
        entry = self.shapes.get(shape) if shape else None
        if shape is None or entry is None:
            return None
        top = cards.bit_length() - 1
        rank = top // self.deck.rank_bits
        return Combination(
            cards=cards,
            shape=shape,
            kin=entry.kin,
            top=top,
            size=shape.size,
            bomb=entry.bomb,
            marks=sum(bit for wanted, bit in entry.marks if wanted is None or wanted == rank),
            chops=entry.chops,
        )


def shape_of(cards: Cards, deck: Deck, highest_in_sequence: Rank) -> Shape | None:
    """The block that these cards form, or None. Ranks above `highest_in_sequence` are in no sequence."""
    if not cards:
        return None
    bits = deck.rank_bits
    low = ((cards & -cards).bit_length() - 1) // bits
    high = (cards.bit_length() - 1) // bits
    length = high - low + 1
    width, rest = divmod(cards.bit_count(), length)
    if rest or (length > 1 and high > highest_in_sequence):
        return None
    if all((cards & deck.rank(rank)).bit_count() == width for rank in range(low, high + 1)):
        return Shape(width, length)
    return None


def blocks(cards: Cards, deck: Deck, shape: Shape, highest_in_sequence: Rank) -> Iterator[int]:
    """The lowest rank of every block of this shape that can be made of some of the cards."""
    bits, one = deck.rank_bits, (1 << deck.rank_bits) - 1
    stock = [(cards >> low & one).bit_count() >= shape.width for low in range(0, 13 * bits, bits)]
    ends = 13 if shape.length == 1 else highest_in_sequence + 1
    for low in range(ends - shape.length + 1):
        if all(stock[low : low + shape.length]):
            yield low


def lowest_card(deck: Deck, cards: Cards) -> Card:
    """The lowest card of a set that is not empty."""
    return deck.card((cards & -cards).bit_length() - 1)
