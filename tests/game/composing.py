"""Combinations composed as the page does it: the playable ones that contain the tapped cards."""

from collections.abc import Iterator
from itertools import product

from ledger.game.blocks import Block
from ledger.game.cards import Cards, Deck, union

Choices = list[list[Cards]]
"""For each rank of some combinations, the sets of its cards that they may contain."""


def choices(deck: Deck, block: Block, tapped: Cards = 0) -> Choices:
    """What the combinations of a block may contain that contain the tapped cards; empty if there are none."""
    ranks = [deck.rank(rank) for rank in block.ranks(deck)]
    if tapped & ~union(ranks):
        return []
    return [
        [some for some in of_rank if not tapped & rank & ~some]
        for rank, of_rank in zip(ranks, block.choices(deck), strict=True)
    ]


def composed(some: Choices) -> Iterator[Cards]:
    """All combinations of these choices."""
    return map(union, product(*some)) if some else iter(())
