"""Blocks: the cards that form a pattern, and the search for them in a set of cards.

Combinations, bombs, special sets and instant wins are all found by `find_blocks`, and by nothing else.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from ledger.game.cards import Cards, Deck, Rank, Suit, bits, shown, union
from ledger.game.patterns import ANY_SUITS, COLOURS, Pattern, SuitGroups, SuitRule


class Block(NamedTuple):
    """All sets of cards that form a pattern, made from the same stock of each rank.

    >>> from ledger.game.cards import Card
    >>> deck = Deck()
    >>> hand, _ = deck.gather(map(Card.read, ["3s", "3h", "4s", "4h", "5c"]))
    >>> (run,) = find_blocks(deck, Pattern(1, 3), hand)
    >>> print(str(run).partition("stocks=")[2])
    (<3s 3h of one pack>, <4s 4h of one pack>, <5c of one pack>), top=2)
    >>> run.ranks(deck), run.cards == hand
    ([0, 1, 2], True)
    >>> [deck.write(cards) for cards in run.each(deck)]
    [('3s', '4s', '5c'), ('3s', '4h', '5c'), ('3h', '4s', '5c'), ('3h', '4h', '5c')]
    >>> [deck.write(cards) for cards in run.holding(deck, deck.bit(Card.read("4h"))).each(deck)]
    [('3s', '4h', '5c'), ('3h', '4h', '5c')]
    >>> [deck.write(cards) for cards in run.keeping(deck, (Suit.SPADES, Suit.CLUBS)).each(deck)]
    [('3s', '4s', '5c')]
    >>> [[deck.write(cards) for cards in of_rank] for of_rank in run.choices(deck)]
    [[('3s',), ('3h',)], [('4s',), ('4h',)], [('5c',)]]
    >>> run.of_ranks(deck, [Rank.THREE, Rank.FOUR, Rank.FIVE]) == run, run.of_ranks(deck, [Rank.FOUR, Rank.FIVE])
    (True, None)
    """

    pattern: Pattern
    suits: SuitGroups
    """The cards of each rank come from one of these groups."""
    stocks: tuple[Cards, ...]
    """The cards of each rank, low to high. A loose pattern takes the last of these ranks, and any of the others."""
    top: int
    """The highest rank, which each set has."""
    needed: Cards = 0
    """Cards of one rank, one of which each set holds; 0: any cards will do."""

    @property
    def cards(self) -> Cards:
        """The cards that are in any of these sets."""
        return union(self.stocks)

    def ranks(self, deck: Deck) -> list[int]:
        """The rank of each stock."""
        return [deck.rank_of(stock) for stock in self.stocks]

    def holding(self, deck: Deck, needed: Cards) -> "Block | None":
        """The sets that hold one of these cards of one rank; None if there is none."""
        for index, stock in enumerate(self.stocks):
            if stock & needed:
                found = self._replace(needed=stock & needed)
                taken = union(found._taken(deck, stock))
                stocks = (*self.stocks[:index], taken, *self.stocks[index + 1 :])
                return found._replace(stocks=stocks) if taken else None
        return None

    def keeping(self, deck: Deck, suits: Collection[Suit]) -> "Block | None":
        """The sets whose cards are all of these suits; None if there is none."""
        groups = tuple(tuple(suit for suit in group if suit in suits) for group in self.suits)
        found = self._replace(suits=groups, stocks=tuple(stock & deck.suits(suits) for stock in self.stocks))
        return found if all(found.choices(deck)) else None

    def without(self, deck: Deck, wider: "Block") -> "Block | None":
        """The sets that are not also in a `wider` block of the same shape and ranks; None if there is none.

        All of them if that block's suits must agree, too, or it lacks a card that each of them must hold. Not of a
        loose pattern.

        >>> from ledger.game.cards import Card
        >>> deck = Deck()
        >>> hand, _ = deck.gather(map(Card.read, ["3s", "3h", "4s", "4h", "5s", "5h"]))
        >>> high = find_blocks(deck, Pattern(1, 3), hand)[0].holding(deck, deck.bit(Card.read("5h")))
        >>> suited = find_blocks(deck, Pattern(1, 3, suits=SuitRule.ONE_SUIT), hand)
        >>> [deck.write(block.cards) for block in suited if block.without(deck, high)]
        [('3s', '4s', '5s')]
        """
        stocks = zip(self.stocks, wider.stocks, strict=True)
        if wider.pattern != self.pattern.shape or any(
            stock & ~more for stock, more in stocks if not more & wider.needed
        ):
            return self
        found = self._replace(stocks=tuple(stock & ~wider.needed for stock in self.stocks))
        return found if wider.needed and not self.needed and all(found.choices(deck)) else None

    def of_ranks(self, deck: Deck, ranks: Sequence[int]) -> "Block | None":
        """The sets of just these ranks; None if there is none."""
        own = self.ranks(deck)
        if len(ranks) != self.pattern.length or ranks[-1] != own[-1] or not set(ranks) <= set(own):
            return None
        stocks = tuple(stock for rank, stock in zip(own, self.stocks, strict=True) if rank in ranks)
        return self._replace(stocks=stocks) if not self.needed or self.needed & union(stocks) else None

    def choices(self, deck: Deck) -> list[list[Cards]]:
        """For each stock, the cards that a set may take of it: any choice goes with any other."""
        return [self._taken(deck, stock) for stock in self.stocks]

    def _taken(self, deck: Deck, stock: Cards) -> list[Cards]:
        """The cards that a set may take of one stock."""
        taken: list[Cards] = []
        for group in self.suits:
            taken += map(sum, combinations(bits(stock & deck.suits(group)), self.pattern.width))
        return [cards for cards in taken if self.needed & cards] if self.needed & stock else taken

    def each(self, deck: Deck) -> Iterator[Cards]:
        """The cards of each set."""
        for lower in combinations(self.stocks[:-1], self.pattern.length - 1):
            block = self._replace(stocks=(*lower, self.stocks[-1]))
            if not self.needed or self.needed & block.cards:
                yield from map(sum, product(*block.choices(deck)))

    def __repr__(self) -> str:
        return shown(self)


def find_blocks(
    deck: Deck, pattern: Pattern, cards: Cards, highest: Rank = Rank.ACE, *, rank: Rank | None = None
) -> list[Block]:
    """Find all blocks of a pattern in some cards, one for each group of suits where the suits must agree.

    With a `rank`, only those with this top rank; else sequences reach up to `highest` at most.

    >>> from ledger.game.cards import Card
    >>> deck = Deck()
    >>> hand, _ = deck.gather(map(Card.read, ["3s", "4s", "4h", "5s", "6h"]))
    >>> [deck.write(block.cards) for block in find_blocks(deck, Pattern(1, 3), hand)]
    [('3s', '4s', '4h', '5s'), ('4s', '4h', '5s', '6h')]
    >>> suited = Pattern(1, 3, suits=SuitRule.ONE_SUIT)
    >>> [deck.write(block.cards) for block in find_blocks(deck, suited, hand)]
    [('3s', '4s', '5s')]
    """
    found: list[Block] = []
    for suits, stock in _stocks(deck, pattern, cards):
        if spans := _spans(deck, pattern, stock, highest if rank is None else rank):
            lowest = deck.rank(Rank.THREE)
            of_rank = [stock & lowest << one * deck.rank_bits for one in range(Rank.TWO + 1)]
            found += [
                Block(pattern, suits, tuple(map(of_rank.__getitem__, ranks)), ranks[-1])
                for ranks in spans
                if rank is None or ranks[-1] == rank
            ]
    return found


def _spans(deck: Deck, pattern: Pattern, stock: Cards, highest: Rank) -> Sequence[Sequence[int]]:
    """The ranks of each block, ignoring suits."""
    if not (starts := _starts(deck, pattern, stock, highest)):
        return ()
    lows = [rank for rank in range(starts.bit_length()) if starts >> rank & 1]
    if pattern.loose:
        return [lows[:end] for end in range(pattern.length, len(lows) + 1)]
    return [range(low, low + pattern.length) for low in lows]


def is_block(deck: Deck, pattern: Pattern, cards: Cards, highest: Rank = Rank.ACE) -> bool:
    """Whether the cards are exactly one block of a pattern.

    >>> is_block(Deck(), Pattern(2), 0b11), is_block(Deck(), Pattern(2), 0b10001)
    (True, False)
    """
    if cards.bit_count() != pattern.width * pattern.length:
        return False
    starts = 0
    for _, stock in _stocks(deck, pattern, cards):
        starts |= _starts(deck, pattern, stock, highest)
    return bool(starts)


def _stocks(deck: Deck, pattern: Pattern, cards: Cards) -> list[tuple[SuitGroups, Cards]]:
    """The cards that blocks are made from; one stock per group of suits where a block must keep to one group."""
    match pattern.suits:
        case SuitRule.PAIRS if pattern.width == 2:
            return [(COLOURS, deck.paired(cards))]
        case SuitRule.PAIRS_BUT_TWOS if pattern.width == 2:
            twos = cards & deck.rank(Rank.TWO)
            return [(COLOURS, deck.paired(cards & ~twos)), (ANY_SUITS, twos)]
        case SuitRule.ONE_COLOUR | SuitRule.ONE_SUIT:
            return [((group,), cards & deck.suits(group)) for group in pattern.suits.groups()]
        case _:
            return [(ANY_SUITS, cards)]


def _starts(deck: Deck, pattern: Pattern, stock: Cards, highest: Rank) -> int:
    """The lowest ranks of all blocks of a pattern, ignoring suits; for a loose one, every rank that it may use: one
    bit per rank.

    >>> bin(_starts(Deck(), Pattern(1, 3), 0b0001_0001_0001_0001, Rank.ACE))
    '0b11'
    """
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
def _wide(stock: Cards, rank_bits: int) -> tuple[int, ...]:
    """Number of cards, from 1 -> the ranks of which there are at least as many, one bit per rank.

    >>> [bin(ranks) for ranks in _wide(0b0001_0011, 4)[1:]]
    ['0b11', '0b1', '0b0', '0b0']
    """
    wide, held = [0] * (rank_bits + 1), stock
    while held:
        rank = (held.bit_length() - 1) // rank_bits
        wide[(held >> rank * rank_bits).bit_count()] |= 1 << rank
        held &= (1 << rank * rank_bits) - 1
    for width in range(rank_bits, 0, -1):
        wide[width - 1] |= wide[width]
    return tuple(wide)
