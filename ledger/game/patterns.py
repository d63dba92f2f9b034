"""Patterns of cards, and the search for them in a set of cards.

A block is a set of cards that forms a pattern. Combinations, bombs, special sets and instant wins are all defined
by patterns, and `find_blocks` alone decides which cards form one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple, TypeAlias

from ledger.game.agreed import agreed
from ledger.game.cards import BLACK, RED, Card, Cards, Deck, Rank, Suit, bits, union
from ledger.game.errors import Clause

SuitGroups: TypeAlias = tuple[tuple[Suit, ...], ...]
"""Groups of suits: the cards that a block takes of one rank all belong to one group."""

_ALL: SuitGroups = (tuple(Suit),)
_COLOURS: SuitGroups = (BLACK, RED)


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
        """The groups of suits: all cards of a block must belong to one of them."""
        if self is SuitRule.ONE_SUIT:
            return tuple((suit,) for suit in Suit)
        return _COLOURS if self is SuitRule.ONE_COLOUR else _ALL


@dataclass(frozen=True, slots=True, order=True)
class Pattern:
    """`width` cards of each of `length` ranks, which are consecutive unless it is `loose`.

    >>> SEQUENCE_OF_SIX = Pattern(1, 6, suits=SuitRule.ONE_SUIT)
    >>> SEQUENCE_OF_SIX.size
    6
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
        """Whether every block of the other pattern is also a block of this one."""
        return self.shape == other.shape and self.suits <= other.suits


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
        """The name of a pattern."""
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

    def names(self, pattern: Pattern, rank: int) -> bool:
        """Whether every block of this pattern and top rank is included, if it is not a bomb."""
        return (
            (self.shape is None or self.shape.covers(pattern))
            and self.rank in (None, rank)
            and (self.below is None or rank < self.below)
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
    """A block of cards that is worth points; with `suits`, only in these suits."""

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
    """Which patterns may be played, and with which cards (clause COMBO)."""

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


class BlockSet(NamedTuple):
    """All blocks of a pattern that can be made from some cards, given by their lowest ranks."""

    shape: Pattern
    suits: SuitGroups
    """The cards of each rank come from one of these groups."""
    stock: Cards
    """The cards that blocks are made from."""
    starts: int
    """The lowest ranks, one bit per rank; for a loose pattern, every rank that a block may use."""
    edge: int | None = None
    """One more lowest rank, whose blocks must hold one of the `needed` cards."""
    needed: Cards = 0
    """Some cards of one rank."""

    def without(self, starts: int) -> "BlockSet":
        """The same without the blocks that start at these ranks."""
        if self.edge is not None and starts >> self.edge & 1:
            return self._replace(starts=self.starts & ~starts, edge=None, needed=0)
        return self._replace(starts=self.starts & ~starts) if self.starts & starts else self

    def without_those_of(self, other: "BlockSet") -> "BlockSet":
        """The same without blocks of the other set, whose pattern has no suit rule; some that start at its `edge`
        may remain."""
        if other.shape != self.shape.shape:
            return self
        held = self.shape.is_run and other.edge is not None and self.stock & other.needed
        return self.without(other.starts | (1 << (other.edge or 0) if held else 0))

    def ending(self, rank: Rank | None) -> int:
        """The lowest ranks of the blocks with this top rank; None means any."""
        if rank is None:
            return self.starts
        if self.shape.loose:
            ranks = self.starts & (2 << rank) - 1
            return ranks if ranks >> rank & 1 and ranks.bit_count() >= self.shape.length else 0
        return self.starts & 1 << rank >> self.shape.length - 1

    def each(self, deck: Deck) -> Iterator[Cards]:
        """The cards of each block."""
        length = self.shape.length
        runs = (range(low, low + length) for low in range(14 - length))
        for ranks in combinations(range(13), length) if self.shape.loose else runs:
            if choices := self.choices(ranks, deck):
                yield from map(union, product(*choices))

    def choices(self, ranks: Sequence[int], deck: Deck) -> list[list[Cards]]:
        """For each of these ranks, the cards that a block of just them may take of it; empty if there is none."""
        lows = ranks if self.shape.loose else ranks[:1]
        spread = self.edge not in (None, *ranks) if self.shape.loose else ranks[-1] - ranks[0] >= len(ranks)
        if spread or not all(self.starts >> low & 1 or low == self.edge for low in lows):
            return []
        needed, choices = self.needed if self.edge in lows else 0, []
        for rank in map(deck.rank, ranks):
            stocks = (self.stock & rank & deck.suits(group) for group in self.suits)
            made = (union(some) for stock in stocks for some in combinations(bits(stock), self.shape.width))
            choices.append([cards for cards in made if not needed & rank or needed & cards])
        return choices if all(choices) else []

    def cards(self, deck: Deck) -> Cards:
        """The cards that are in any of these blocks."""
        length, ranks = 1 if self.shape.loose else self.shape.length, self.starts
        for _ in range(length - 1):
            ranks |= ranks << 1
        found = self.stock & deck.ranks[ranks]
        if self.edge is None or self.shape.loose:
            return found
        span = self.stock & deck.ranks[(1 << length) - 1 << self.edge]
        if self.shape.width == 1:
            # A block of width 1 holds only a needed card of that rank; wider blocks may hold any besides it.
            span &= ~deck.rank((self.needed.bit_length() - 1) // deck.rank_bits) | self.needed
        return found | span


def find_blocks(deck: Deck, pattern: Pattern, cards: Cards, highest: Rank = Rank.ACE) -> Iterator[BlockSet]:
    """Find all blocks of a pattern in some cards; one result per group of suits where the suits must agree.

    Blocks of consecutive ranks reach up to `highest` at most.

    >>> deck = Deck()
    >>> hand, _ = deck.gather(map(Card.read, ["3s", "4s", "4h", "5s", "6h"]))
    >>> [bin(found.starts) for found in find_blocks(deck, Pattern(1, 3), hand)]
    ['0b11']
    >>> suited = Pattern(1, 3, suits=SuitRule.ONE_SUIT)
    >>> [deck.write(found.cards(deck)) for found in find_blocks(deck, suited, hand)]
    [('3s', '4s', '5s')]
    """
    for suits, stock in _stocks(deck, pattern, cards):
        if starts := _starts(deck, pattern, stock, highest):
            yield BlockSet(pattern, suits, stock, starts)


def is_block(deck: Deck, pattern: Pattern, cards: Cards, highest: Rank = Rank.ACE) -> bool:
    """Whether the cards are exactly one block of a pattern."""
    if cards.bit_count() != pattern.size:
        return False
    return any(_starts(deck, pattern, stock, highest) for _, stock in _stocks(deck, pattern, cards))


def _stocks(deck: Deck, pattern: Pattern, cards: Cards) -> Iterator[tuple[SuitGroups, Cards]]:
    """The cards that blocks are made from; one stock per group of suits where a block must keep to one group."""
    match pattern.suits:
        case SuitRule.PAIRS if pattern.width == 2:
            yield _COLOURS, deck.paired(cards)
        case SuitRule.PAIRS_BUT_TWOS if pattern.width == 2:
            twos = cards & deck.rank(Rank.TWO)
            yield _COLOURS, deck.paired(cards & ~twos)
            yield _ALL, twos
        case SuitRule.ONE_COLOUR | SuitRule.ONE_SUIT:
            for group in pattern.suits.groups():
                yield (group,), cards & deck.suits(group)
        case _:
            yield _ALL, cards


def _starts(deck: Deck, pattern: Pattern, stock: Cards, highest: Rank) -> int:
    """The lowest ranks of all blocks of a pattern, ignoring suits; for a loose one, every rank that it may use."""
    wide = _wide(stock, deck.rank_bits)[pattern.width]
    if pattern.length == 1:
        return wide
    if pattern.loose:
        return wide if wide.bit_count() >= pattern.length else 0
    found = wide & (2 << highest) - 1
    for _ in range(pattern.length - 1):
        found &= found >> 1
    return found


@lru_cache(maxsize=16)  # one position searches the same cards for every pattern and seat
def _wide(stock: Cards, bits: int) -> tuple[int, ...]:
    """Number of cards, from 1 -> the ranks of which there are at least as many, one bit per rank."""
    wide, held = [0] * (bits + 1), stock
    while held:
        rank = (held.bit_length() - 1) // bits
        wide[(held >> rank * bits).bit_count()] |= 1 << rank
        held &= (1 << rank * bits) - 1
    for width in range(bits, 0, -1):
        wide[width - 1] |= wide[width]
    return tuple(wide)
