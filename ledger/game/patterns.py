"""Patterns that cards can form, and all that is defined by them: targets, bombs, special sets, combinations."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TypeAlias

from ledger.game.agreed import agreed
from ledger.game.cards import BLACK, RED, Card, Rank, Suit
from ledger.game.errors import Clause

SuitGroups: TypeAlias = tuple[tuple[Suit, ...], ...]
"""Groups of suits: the cards that a block takes of one rank all belong to one group."""

ANY_SUITS: SuitGroups = (tuple(Suit),)
COLOURS: SuitGroups = (BLACK, RED)


class SuitRule(IntEnum):
    """Which suits the cards of a block must have. Each rule implies those listed before it."""

    ANY = 0
    PAIRS_BUT_TWOS = 1
    """As PAIRS, but any two 2s are a pair."""
    PAIRS = 2
    """The cards of each pair are of one colour."""
    ONE_COLOUR = 3
    ONE_SUIT = 4

    def groups(self) -> SuitGroups:
        """The groups of suits: all cards of a block must belong to one of them.

        >>> SuitRule.ONE_COLOUR.groups() == (BLACK, RED), len(SuitRule.ONE_SUIT.groups())
        (True, 4)
        """
        if self is SuitRule.ONE_SUIT:
            return tuple((suit,) for suit in Suit)
        return COLOURS if self is SuitRule.ONE_COLOUR else ANY_SUITS


@dataclass(frozen=True, slots=True, order=True)
class Pattern:
    """`width` cards of each of `length` ranks, which are consecutive unless it is `loose`.

    >>> SIX = Pattern(1, 6, suits=SuitRule.ONE_SUIT)
    >>> SIX.size, SIX.is_run
    (6, True)
    >>> SIX.shape == Pattern(1, 6), SIX.shape.strict(SuitRule.ONE_SUIT) == SIX
    (True, True)
    """

    width: int
    length: int = 1
    loose: bool = False
    suits: SuitRule = SuitRule.ANY

    @property
    def size(self) -> int:
        """The number of cards."""
        return self.width * self.length

    @property
    def is_run(self) -> bool:
        """Whether it is a sequence of single cards."""
        return self.width == 1 < self.length and not self.loose

    @property
    def shape(self) -> "Pattern":
        """The same pattern with cards of any suits."""
        return Pattern(self.width, self.length, self.loose) if self.suits else self

    def strict(self, suits: SuitRule) -> "Pattern":
        """The same pattern with this suit rule, if it is stricter than the pattern's own."""
        return Pattern(self.width, self.length, self.loose, suits) if suits > self.suits else self

    def covers(self, other: "Pattern") -> bool:
        """Whether every block of the other pattern is also a block of this one.

        >>> Pattern(1, 3).covers(Pattern(1, 3, suits=SuitRule.ONE_SUIT)), Pattern(1, 3).covers(Pattern(1, 4))
        (True, False)
        """
        return self.shape == other.shape and self.suits <= other.suits

    def holds(self, part: "Pattern") -> bool:
        """Whether the cards of every block of this pattern hold a block of another one.

        >>> Pattern(2, 4).holds(Pattern(2, 3)), Pattern(2, 4).holds(Pattern(1, 4)), Pattern(2, 4).holds(Pattern(3))
        (True, True, False)
        """
        smaller = part.width <= self.width and part.length <= self.length and part.suits <= self.suits
        return smaller and (part.length == 1 or part.loose or not self.loose)


SINGLE = Pattern(1)
PAIR = Pattern(2)
TRIPLE = Pattern(3)
FOUR_OF_A_KIND = Pattern(4)
THREE_PAIRS = Pattern(2, 3)
FOUR_PAIRS = Pattern(2, 4)
FIVE_PAIRS = Pattern(2, 5)


class Kind(StrEnum):
    """The common name of a pattern."""

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
    def of(cls, pattern: Pattern) -> "Kind":
        """The name of a pattern.

        >>> Kind.of(THREE_PAIRS).value, Kind.of(Pattern(1, 6, suits=SuitRule.ONE_SUIT)).value
        ('pair-sequence', 'sequence')
        """
        if pattern.length == 1:
            return _SAME_RANK.get(pattern.width, Kind.MORE_OF_A_KIND)
        return _CONSECUTIVE.get(pattern.width, Kind.FOURS)


_SAME_RANK = {1: Kind.SINGLE, 2: Kind.PAIR, 3: Kind.TRIPLE, 4: Kind.FOUR_OF_A_KIND}
_CONSECUTIVE = {1: Kind.SEQUENCE, 2: Kind.PAIR_SEQUENCE, 3: Kind.TRIPLE_SEQUENCE}


@dataclass(frozen=True, slots=True)
class Target:
    """What a bomb or trump may beat: blocks of one pattern or any, with one top rank or any."""

    shape: Pattern | None = None
    rank: Rank | None = None
    plain: bool = False
    """Only blocks that are not bombs."""
    below: Rank | None = None
    """Only blocks with a lower top rank than this."""

    def includes(self, other: "Target") -> bool:
        """Whether everything that the other target includes is included in this one.

        >>> Target().includes(PAIR_OF_TWOS), PAIR_OF_TWOS.includes(Target(PAIR))
        (True, False)
        >>> Target(PAIR, below=Rank.TWO).includes(Target(PAIR, Rank.ACE))
        True
        """
        highest = other.rank if other.below is None else other.below - 1
        return (
            (self.shape is None or (other.shape is not None and self.shape.covers(other.shape)))
            and self.rank in (None, other.rank)
            and (self.below is None or (highest is not None and highest < self.below))
            and (other.plain or not self.plain)
        )


TWO, PAIR_OF_TWOS, TRIPLE_OF_TWOS = (Target(shape, Rank.TWO) for shape in (SINGLE, PAIR, TRIPLE))


@dataclass(frozen=True, slots=True)
class Bomb:
    """A pattern that beats more than lower blocks of its own; with a `rank`, only blocks with that top rank do."""

    shape: Pattern
    beats: tuple[Target, ...]
    rank: Rank | None = None
    plain: bool = False
    """Not called a bomb, because it only beats something special (a triple on a single ace)."""
    alike: bool = False
    """Compares with all other `alike` bombs by the highest card, whatever their patterns."""


@dataclass(frozen=True, slots=True)
class Trump:
    """A single card above the order of the others: it beats its targets and the trumps listed before it."""

    card: Card
    beats: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class SpecialSet:
    """A block of cards that is worth points; with `suits`, only in these suits.

    >>> SpecialSet(TWO, 2, RED).shape == SINGLE
    True
    """

    target: Target
    points: int
    suits: tuple[Suit, ...] = ()

    @property
    def shape(self) -> Pattern:
        """The pattern of the block; validated rulesets always name one."""
        assert self.target.shape is not None
        return self.target.shape


class SuitLock(StrEnum):
    """The effect of a sequence of one suit on its pile."""

    NONE = "none"
    FORCED = "forced"
    """Only sequences of one suit may answer it."""
    OPTIONAL = "optional"
    """The same, if its player says so; the player of a later one may lift the lock."""


class Ties(StrEnum):
    """What happens to a combination that ties with the top, as twins in two packs can."""

    HIGHER_ONLY = "higher-only"
    """It may not be played."""
    LATER_WINS = "later-wins"
    """It beats the top."""
    EARLIER_STANDS = "earlier-stands"
    """It may be played, but the earlier play still wins the pile."""


@dataclass(frozen=True, slots=True)
class Combinations:
    """Which patterns may be played, and with which cards (clause COMBO).

    >>> rules = Combinations((1, 2), 3, (3,), Rank.ACE, one_suit=True, one_colour=True)
    >>> len(list(rules.shapes())), rules.highest(PAIR).name, rules.highest(THREE_PAIRS).name
    (13, 'TWO', 'ACE')
    >>> rules.as_played(Pattern(1, 4)).suits.name, rules.pairs_of(THREE_PAIRS).name
    ('ONE_SUIT', 'PAIRS')
    """

    same_rank: tuple[int, ...]
    """How many cards of one rank: 1 for singles, 2 for pairs, and so on."""
    sequence_from: int
    """The least number of ranks in a sequence."""
    pair_sequences: tuple[int, ...]
    """How many pairs a pair sequence may hold."""
    top_of_sequences: Rank
    """The highest rank that a sequence may reach."""
    top_of_pair_sequences: Rank = agreed(
        Clause.COMBO, "pair_sequences|triple_sequences|fours_consecutive", default=Rank.ACE
    )
    """The highest rank that a sequence of pairs, triples or fours may reach."""
    triple_sequences: tuple[int, ...] = ()
    """How many triples a triple sequence may hold."""
    fours: tuple[int, ...] = ()
    """How many fours of a kind, of any ranks, may be played together."""
    fours_consecutive: tuple[int, ...] = ()
    """The same, of consecutive ranks only."""
    one_suit: bool = False
    """Whether sequences must be of one suit."""
    one_colour: bool = agreed(Clause.COMBO, "pair", default=False)
    """Whether the cards of each pair must be of one colour."""
    one_colour_throughout: bool = agreed(Clause.COMBO, "pair_sequences", default=False)
    """Whether all cards of a pair sequence must be of one colour."""
    suit_lock: SuitLock = agreed(Clause.SUIT_LOCK, "one_suit=no", "follow_suits=no", default=SuitLock.NONE)
    follow_suits: bool = agreed(Clause.COMPARE, default=False)
    """Whether an answer must follow the suits of a play. Bombs and 2s need not, and any two 2s are then a pair."""
    ties: Ties = agreed(Clause.RANK, "deal.packs!=1", "deal.backs=no", default=Ties.HIGHER_ONLY)
    equal_length: bool = agreed(Clause.COMPARE, default=True)
    """Whether only a sequence of the same length may answer a sequence."""

    def shapes(self) -> Iterator[Pattern]:
        """Every pattern that may be played, without suit rules."""
        yield from map(Pattern, self.same_rank)
        yield from (Pattern(1, length) for length in range(self.sequence_from, self.top_of_sequences + 2))
        yield from (Pattern(2, length) for length in self.pair_sequences)
        yield from (Pattern(3, length) for length in self.triple_sequences)
        yield from (Pattern(4, length) for length in self.fours_consecutive)
        yield from (Pattern(4, length, loose=True) for length in self.fours)

    def highest(self, pattern: Pattern) -> Rank:
        """The highest rank that a pattern may reach."""
        if pattern.length == 1 or pattern.loose:
            return Rank.TWO
        return self.top_of_sequences if pattern.width == 1 else self.top_of_pair_sequences

    def as_played(self, pattern: Pattern) -> Pattern:
        """The pattern with the suit rule under which it may be played."""
        if pattern.is_run:
            return pattern.strict(SuitRule.ONE_SUIT if self.one_suit else SuitRule.ANY)
        return pattern.strict(self.pairs_of(pattern))

    def pairs_of(self, pattern: Pattern) -> SuitRule:
        """The suit rule for the pairs of a pattern, in play and in a hand alike."""
        if pattern.width != 2:
            return SuitRule.ANY
        if self.one_colour_throughout and pattern.length > 1:
            return SuitRule.ONE_COLOUR
        if not self.one_colour:
            return SuitRule.ANY
        return SuitRule.PAIRS_BUT_TWOS if self.follow_suits and pattern.length == 1 else SuitRule.PAIRS
