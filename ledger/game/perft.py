"""Perft: how many ways there are to play so many moves from a deal on, so that engines can be compared."""

from collections.abc import Iterator

from ledger.game.deals import Dealt
from ledger.game.moves import Move


def perft(dealt: Dealt, depth: int) -> int:
    """How many sequences of exactly so many moves there are; a round that is over before has none."""
    if not depth:
        return 1
    moves = dealt.moves()
    return len(moves) if depth == 1 else sum(perft(dealt.after(move), depth - 1) for move in moves)


def divide(dealt: Dealt, depth: int) -> Iterator[tuple[Move, int]]:
    """Each first move, and how many sequences of so many moves begin with it."""
    for move in dealt.moves():
        yield move, perft(dealt.after(move), depth - 1)
