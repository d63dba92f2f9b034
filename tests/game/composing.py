"""Combinations composed as the page does it: the playable ones that contain the tapped cards."""

from collections.abc import Iterator
from itertools import combinations, product

from ledger.game.cards import Cards, Deck, bits, union
from ledger.game.patterns import BlockSet

Block = tuple[int, list[list[Cards]]]
"""The lowest rank of some combinations, and for each rank the sets of its cards that they may contain."""


def blocks(deck: Deck, way: BlockSet, tapped: Cards = 0) -> Iterator[Block]:
    """The blocks of a set that contain the tapped cards."""
    for low in range(13):
        ranks = [deck.rank(rank) for rank in range(low, low + way.shape.length)]
        if (way.starts >> low & 1 or low == way.edge) and not tapped & ~union(ranks):
            yield low, [list(_choices(deck, way, rank, tapped, edge=low == way.edge)) for rank in ranks]


def composed(block: Block) -> Iterator[Cards]:
    """All combinations of a block."""
    return map(union, product(*block[1]))


def _choices(deck: Deck, way: BlockSet, rank: Cards, tapped: Cards, *, edge: bool) -> Iterator[Cards]:
    for group in way.suits:
        suits = union(deck.suit(suit) for suit in group)
        for some in map(union, combinations(bits(way.stock & rank & suits), way.shape.width)):
            if tapped & rank & ~some == 0 and not (edge and way.needed & rank and not way.needed & some):
                yield some
