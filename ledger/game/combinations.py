"""What some cards are, or nothing; and what beats what.

Every combination is a block: so many cards of each of so many ranks. What beats what, beyond a higher one of the
same kin, is one table from bombs to targets.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from ledger.game.cards import Card, Cards, Rank


@dataclass(frozen=True, slots=True, order=True)
class Shape:
    """`width` cards of each of `length` ranks: consecutive ones, unless it is `loose`."""

    width: int
    length: int = 1
    loose: bool = False

    @property
    def size(self) -> int:
        """How many cards it holds."""
        return self.width * self.length

    @property
    def is_run(self) -> bool:
        """Whether it is one card each of consecutive ranks."""
        return self.width == 1 < self.length and not self.loose


SINGLE = Shape(1)
PAIR = Shape(2)
TRIPLE = Shape(3)
FOUR_OF_A_KIND = Shape(4)
THREE_PAIRS = Shape(2, 3)
FOUR_PAIRS = Shape(2, 4)
FIVE_PAIRS = Shape(2, 5)


class Kind(StrEnum):
    """The field's name for a shape."""

    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    FOUR_OF_A_KIND = "four-of-a-kind"
    MORE_OF_A_KIND = "more-of-a-kind"
    SEQUENCE = "sequence"
    PAIR_SEQUENCE = "pair-sequence"
    TRIPLE_SEQUENCE = "triple-sequence"
    FOURS = "fours"

    @classmethod
    def of(cls, shape: Shape) -> "Kind":
        """The name of a shape."""
        if shape.length == 1:
            return _SAME_RANK.get(shape.width, Kind.MORE_OF_A_KIND)
        return _CONSECUTIVE.get(shape.width, Kind.FOURS)


_SAME_RANK = {1: Kind.SINGLE, 2: Kind.PAIR, 3: Kind.TRIPLE, 4: Kind.FOUR_OF_A_KIND}
_CONSECUTIVE = {1: Kind.SEQUENCE, 2: Kind.PAIR_SEQUENCE, 3: Kind.TRIPLE_SEQUENCE}


class SuitLock(StrEnum):
    """What a sequence of one suit does to the pile that it lies on."""

    NONE = "none"
    FORCED = "forced"
    """Only sequences of one suit may answer it."""
    OPTIONAL = "optional"
    """The same, if its player says so; whoever lays another of one suit may lift it."""


class Ties(StrEnum):
    """What becomes of a combination that is neither higher nor lower than the top: two packs have twins."""

    HIGHER_ONLY = "higher-only"
    """It may not be played."""
    LATER_WINS = "later-wins"
    """It beats the top."""
    EARLIER_STANDS = "earlier-stands"
    """It may be played, but the pile is still that of whoever played the first."""


@dataclass(frozen=True, slots=True)
class Combinations:
    """Which shapes may be played, and which cards may make them (clause COMBO)."""

    same_rank: tuple[int, ...]
    """How many cards of one rank: 1 for singles, 2 for pairs, and so on."""
    sequence_from: int
    """The least number of ranks in a sequence."""
    pair_sequences: tuple[int, ...]
    """How many pairs a pair sequence may hold."""
    top_of_sequences: Rank
    """The highest rank that a sequence may reach."""
    top_of_pair_sequences: Rank = Rank.ACE
    """The highest rank that a sequence of pairs, triples or fours may reach."""
    triple_sequences: tuple[int, ...] = ()
    """How many triples a triple sequence may hold."""
    fours: tuple[int, ...] = ()
    """How many fours of a kind, of any ranks, may be played together."""
    fours_consecutive: tuple[int, ...] = ()
    """The same, of consecutive ranks only."""
    one_suit: bool = False
    """Whether sequences must be of one suit."""
    one_colour: bool = False
    """Whether the cards of each pair must be of one colour."""
    one_colour_throughout: bool = False
    """Whether all cards of a pair sequence must be of one colour."""
    suit_lock: SuitLock = SuitLock.NONE
    follow_suits: bool = False
    """Whether an answer must be of the same suits as what it beats; bombs and 2s are free of that, and 2s of
    the colours of pairs too."""
    ties: Ties = Ties.HIGHER_ONLY
    equal_length: bool = True
    """Whether a sequence is only answered by one of as many cards."""

    def shapes(self) -> Iterator[Shape]:
        """Every shape that may be played."""
        yield from map(Shape, self.same_rank)
        yield from (Shape(1, length) for length in range(self.sequence_from, self.top_of_sequences + 2))
        yield from (Shape(2, length) for length in self.pair_sequences)
        yield from (Shape(3, length) for length in self.triple_sequences)
        yield from (Shape(4, length) for length in self.fours_consecutive)
        yield from (Shape(4, length, loose=True) for length in self.fours)

    def highest(self, shape: Shape) -> Rank:
        """The highest rank that a shape may reach."""
        if shape.length == 1 or shape.loose:
            return Rank.TWO
        return self.top_of_sequences if shape.width == 1 else self.top_of_pair_sequences


@dataclass(frozen=True, slots=True)
class Target:
    """What may be beaten: a shape or any, with a highest card of one rank or of any."""

    shape: Shape | None = None
    rank: Rank | None = None
    plain: bool = False
    """Only what is no bomb itself."""
    below: Rank | None = None
    """Only with a lower rank than this one on top."""

    def names(self, shape: Shape, rank: int) -> bool:
        """Whether this is a block of that shape with that rank on top, whatever else it is."""
        return (
            self.shape in (None, shape)
            and self.rank in (None, rank)
            and (self.below is None or rank < self.below)
        )


@dataclass(frozen=True, slots=True)
class Bomb:
    """A shape that beats more than a lower one of its own; where a rank is named, only with that on top."""

    shape: Shape
    beats: tuple[Target, ...]
    rank: Rank | None = None
    plain: bool = False
    """Not called a bomb: it only beats something special (a triple on a single ace)."""
    alike: bool = False
    """Compares with every other such bomb by the highest card, whatever their shapes."""


@dataclass(frozen=True, slots=True)
class Trump:
    """A single card above the order of the others: it beats these targets, and of several the later one wins."""

    card: Card
    beats: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Combination:
    """Some cards as what they are. `top` is the index of the highest card's bit, and decides among kin."""

    cards: Cards
    shape: Shape
    kin: int
    """What it compares with: combinations of the same kin, by their tops."""
    top: int
    reach: int
    """It beats its kin with tops below this: its own top, or one more where a tie may be played."""
    size: int
    bomb: bool
    suited: bool
    """A sequence of one suit."""
    suits: int
    """Its suits, one bit each."""
    followed: int
    """The suits that an answer of its kin must have, in the same bits; 0: any will do."""
    marks: int
    """Of which targets this is one: a bit a target of the book's list."""
    chops: int
    """Which targets this beats, in the same bits."""

    @property
    def breaks_lock(self) -> bool:
        """A sequence of several suits and no bomb: what may not be laid where the suits are locked. Nothing else is
        bound, though it takes a play that stood to lay it there."""
        return Kind.of(self.shape) is Kind.SEQUENCE and not (self.suited or self.bomb)

    def beats(self, other: "Combination") -> bool:
        """Whether this may be played on the other."""
        higher = self.kin == other.kin and self.reach > other.top and other.followed in (0, self.suits)
        return higher or self.chops & other.marks != 0
