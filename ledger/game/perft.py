"""Perft: counts the sequences of moves from a deal, so that engines can be compared."""

from collections.abc import Iterator

from ledger.game.deals import Dealt
from ledger.game.moves import Move


def perft(dealt: Dealt, depth: int) -> int:
    """The number of sequences of exactly `depth` moves; a round that ends sooner has none."""
    if not depth:
        return 1
    moves = dealt.moves()
    return len(moves) if depth == 1 else sum(perft(dealt.after(move), depth - 1) for move in moves)


def divide(dealt: Dealt, depth: int) -> Iterator[tuple[Move, int]]:
    """Each first move, with the number of sequences of `depth` moves that begin with it."""
    for move in dealt.moves():
        yield move, perft(dealt.after(move), depth - 1)
