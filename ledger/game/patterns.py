"""What cards form: patterns of cards, and where some cards hold them.

Combinations, bombs, special sets and instant wins are all made of patterns, and `find_blocks` alone says which
cards form one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple, TypeAlias

from ledger.game.cards import BLACK, RED, Card, Cards, Deck, Rank, Suit, bits, union

SuitGroups: TypeAlias = tuple[tuple[Suit, ...], ...]
"""Groups of suits, of which the cards of one rank are all of one."""

_ALL: SuitGroups = (tuple(Suit),)
_COLOURS: SuitGroups = (BLACK, RED)


class SuitRule(IntEnum):
    """Which suits the cards of a block must have. Cards that keep a rule keep those before it in the list."""

    ANY = 0
    PAIRS_BUT_TWOS = 1
    """As in PAIRS, but two 2s are a pair whatever their suits."""
    PAIRS = 2
    """The cards of each pair are of one colour."""
    ONE_COLOUR = 3
    ONE_SUIT = 4

    def groups(self) -> SuitGroups:
        """The groups of suits one of which must hold all cards of a block."""
        if self is SuitRule.ONE_SUIT:
            return tuple((suit,) for suit in Suit)
        return _COLOURS if self is SuitRule.ONE_COLOUR else _ALL


@dataclass(frozen=True, slots=True, order=True)
class Pattern:
    """`width` cards of each of `length` ranks: consecutive ones, unless it is `loose`.

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
        """How many cards it holds."""
        return self.width * self.length

    @property
    def is_run(self) -> bool:
        """Whether it is one card each of consecutive ranks."""
        return self.width == 1 < self.length and not self.loose

    @property
    def shape(self) -> "Pattern":
        """The same with cards of any suits."""
        return Pattern(self.width, self.length, self.loose) if self.suits else self

    def strict(self, suits: SuitRule) -> "Pattern":
        """The same where the cards must keep another rule about suits, too."""
        return Pattern(self.width, self.length, self.loose, suits) if suits > self.suits else self

    def covers(self, other: "Pattern") -> bool:
        """Whether every block of the other pattern is one of this."""
        return self.shape == other.shape and self.suits <= other.suits


SINGLE = Pattern(1)
PAIR = Pattern(2)
TRIPLE = Pattern(3)
FOUR_OF_A_KIND = Pattern(4)
THREE_PAIRS = Pattern(2, 3)
FOUR_PAIRS = Pattern(2, 4)
FIVE_PAIRS = Pattern(2, 5)


class Kind(StrEnum):
    """The field's name for a pattern."""

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
    """What may be beaten: blocks of a pattern or of any, with a highest card of one rank or of any."""

    shape: Pattern | None = None
    rank: Rank | None = None
    plain: bool = False
    """Only what is no bomb itself."""
    below: Rank | None = None
    """Only with a lower rank than this one on top."""

    def names(self, pattern: Pattern, rank: int) -> bool:
        """Whether every block of that pattern with that rank on top is meant, if it is no bomb."""
        return (
            (self.shape is None or self.shape.covers(pattern))
            and self.rank in (None, rank)
            and (self.below is None or rank < self.below)
        )


TWO, PAIR_OF_TWOS, TRIPLE_OF_TWOS = (Target(shape, Rank.TWO) for shape in (SINGLE, PAIR, TRIPLE))


@dataclass(frozen=True, slots=True)
class Bomb:
    """A pattern that beats more than a lower one of its own; where a rank is named, only with that on top."""

    shape: Pattern
    beats: tuple[Target, ...]
    rank: Rank | None = None
    plain: bool = False
    """Not called a bomb: it only beats something special (a triple on a single ace)."""
    alike: bool = False
    """Compares with every other such bomb by the highest card, whatever their patterns."""


@dataclass(frozen=True, slots=True)
class Trump:
    """A single card above the order of the others: it beats these targets, and of several the later one wins."""

    card: Card
    beats: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class SpecialSet:
    """A block of cards that is worth points; where `suits` are named, of these suits only."""

    target: Target
    points: int
    suits: tuple[Suit, ...] = ()

    @property
    def shape(self) -> Pattern:
        """The pattern of the block: a special set has one."""
        assert self.target.shape is not None
        return self.target.shape


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

    def shapes(self) -> Iterator[Pattern]:
        """Every pattern that may be played, whatever suits its cards must have."""
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
        """The pattern in the suits in which it may be played."""
        if pattern.is_run:
            return pattern.strict(SuitRule.ONE_SUIT if self.one_suit else SuitRule.ANY)
        return pattern.strict(self.pairs_of(pattern))

    def pairs_of(self, pattern: Pattern) -> SuitRule:
        """What the suits of a pattern's pairs must be: what is no pair in play is none in a hand."""
        if pattern.width != 2:
            return SuitRule.ANY
        if self.one_colour_throughout and pattern.length > 1:
            return SuitRule.ONE_COLOUR
        if not self.one_colour:
            return SuitRule.ANY
        return SuitRule.PAIRS_BUT_TWOS if self.follow_suits and pattern.length == 1 else SuitRule.PAIRS


class BlockSet(NamedTuple):
    """All blocks of a pattern that can be made of some cards, from these lowest ranks on."""

    shape: Pattern
    suits: SuitGroups
    """The cards of one rank are of one of these groups of suits."""
    stock: Cards
    """The cards that blocks are made of."""
    starts: int
    """The lowest ranks, one bit a rank; of a loose pattern, every rank in it."""
    edge: int | None = None
    """One more lowest rank: a block from there on must hold one of the `needed` cards."""
    needed: Cards = 0
    """Some cards of one rank."""

    def without(self, starts: int) -> "BlockSet":
        """The same without the blocks from these lowest ranks on."""
        if self.edge is not None and starts >> self.edge & 1:
            return self._replace(starts=self.starts & ~starts, edge=None, needed=0)
        return self._replace(starts=self.starts & ~starts) if self.starts & starts else self

    def without_those_of(self, other: "BlockSet") -> "BlockSet":
        """The same without blocks that are among others, which are of any suits; some may be left where these need
        one of some cards."""
        if other.shape != self.shape.shape:
            return self
        held = self.shape.is_run and other.edge is not None and self.stock & other.needed
        return self.without(other.starts | (1 << (other.edge or 0) if held else 0))

    def ending(self, rank: Rank | None) -> int:
        """The lowest ranks of the blocks that have this rank on top, None for any."""
        if rank is None:
            return self.starts
        if self.shape.loose:
            ranks = self.starts & (2 << rank) - 1
            return ranks if ranks >> rank & 1 and ranks.bit_count() >= self.shape.length else 0
        return self.starts & 1 << rank >> self.shape.length - 1

    def each(self, deck: Deck) -> Iterator[Cards]:
        """The cards of each block."""
        lows = [low for low in range(13) if self.starts >> low & 1 or low == self.edge]
        length, loose = self.shape.length, self.shape.loose
        for ranks in combinations(lows, length) if loose else (range(low, low + length) for low in lows):
            if loose and self.edge is not None and self.edge not in ranks:
                continue
            at_edge = self.edge is not None and (loose or ranks[0] == self.edge)
            yield from map(union, product(*(self._of(deck.rank(rank), deck, at_edge) for rank in ranks)))

    def _of(self, rank: Cards, deck: Deck, at_edge: bool) -> Iterator[Cards]:
        """What a block may hold of one rank."""
        needed = self.needed & rank if at_edge else 0
        for group in self.suits:
            for some in combinations(bits(self.stock & rank & deck.suits(group)), self.shape.width):
                if not needed or needed & union(some):
                    yield union(some)

    def cards(self, deck: Deck) -> Cards:
        """The cards that these blocks are made of."""
        length = 1 if self.shape.loose else self.shape.length
        ranks = self.starts
        for _ in range(length - 1):
            ranks |= ranks << 1
        found = self.stock & deck.ranks[ranks]
        if self.edge is None or self.shape.loose:
            return found
        span = self.stock & deck.ranks[(1 << length) - 1 << self.edge]
        if self.shape.width == 1:
            # Beside a needed card none of its rank has room; wider blocks may hold any.
            span &= ~deck.rank((self.needed.bit_length() - 1) // deck.rank_bits) | self.needed
        return found | span


def find_blocks(deck: Deck, pattern: Pattern, cards: Cards, highest: Rank = Rank.ACE) -> Iterator[BlockSet]:
    """All blocks of a pattern that can be made of some cards, apart where their suits must agree.

    Blocks of several consecutive ranks go up to `highest` at the most.

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
    """Whether some cards are one block of a pattern, no more and no less."""
    return cards.bit_count() == pattern.size and any(find_blocks(deck, pattern, cards, highest))


def _stocks(deck: Deck, pattern: Pattern, cards: Cards) -> Iterator[tuple[SuitGroups, Cards]]:
    """The cards that blocks are made of, apart where all cards of a block must be of one group of suits."""
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
    """The lowest ranks of all blocks of a pattern, whatever the suits; of a loose one, every rank in it."""
    wide = _wide(stock, deck.rank_bits)[pattern.width]
    if pattern.length == 1:
        return wide
    if pattern.loose:
        return wide if wide.bit_count() >= pattern.length else 0
    found = wide & (2 << highest) - 1
    for _ in range(pattern.length - 1):
        found &= found >> 1
    return found


@lru_cache(maxsize=16)  # all patterns, and all seats of a position, are looked for in the same cards
def _wide(stock: Cards, bits: int) -> tuple[int, ...]:
    """How many cards -> the ranks of which there are as many among some cards, one bit a rank."""
    wide, one = [0] * (bits + 1), (1 << bits) - 1
    for rank in range(13):
        wide[(stock >> rank * bits & one).bit_count()] |= 1 << rank
    for width in range(bits, 0, -1):
        wide[width - 1] |= wide[width]
    return tuple(wide)
