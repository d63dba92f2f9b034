"""Generated rulesets: the generator names the plays that the judge allows, in every way of playing."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

import pytest

from ledger.game.corpus import deal
from ledger.game.deals import Dealt
from ledger.game.fold import begin
from ledger.game.moves import NOBODY, Move, Play
from ledger.game.notation import move_line
from ledger.game.round import Header, Round
from ledger.game.rulesets import Ruleset
from tests.game.judging import after, legal, position
from tests.game.rulesets.generated import PLAYING, rulesets
from tests.soaking import further

_PLAIN = 8
"""The number of lists of rulesets that a plain run checks."""

WAYS = ("lead", "answer", "late", "intruding", "any time")


def way_of(round: Round, move: Move) -> str:
    """The way in which a legal play is made."""
    assert isinstance(move, Play)
    read = round.compiled.index.read(move.cards)
    assert read is not None
    if move.player == round.turn or round.turn == NOBODY:
        return "lead" if round.leading else "answer"
    if round.top is not None and read.is_one_of(round.ruleset.passing.any_time):
        return "any time"
    return "late" if round.passed(move.player) else "intruding"


def short_round(name: str, ruleset: Ruleset) -> Iterator[tuple[Round, list[Move]]]:
    """The positions of a random round with short hands, and the legal moves of each.

    The generator must name those that the judge allows, who is asked about every subset of every hand.
    """
    chance = Random(name)
    players, size = chance.choice(ruleset.deal.players), chance.choice((3, 4, 5, 6))
    few = replace(ruleset, deal=replace(ruleset.deal, hand=size, equal=False))
    header = Header(tuple(range(players)), chance.choice((None, 0)))
    dealt = Dealt(begin(few, header), *deal(chance, header.seats, size, few.deck, bombs=True))
    at = position(dealt)
    while not at.round.over and len(at.round.moves) < 40:
        steps = list(legal(at))
        named = [move_line(move, few.deck) for move, _ in steps]
        found = dealt.moves()
        assert sorted(named) == sorted(move_line(move, few.deck) for move in found), at.round
        yield at.round, found
        if not steps:
            break  # Nobody may begin with what they were dealt.
        move, cards = chance.choice(steps)
        at, dealt = after(at, move, cards), dealt.after(move)


@cache
def ways_of(seed: int) -> Counter[str]:
    """How often each way of playing came about in rounds of some rulesets, after the law was checked in them."""
    ways = Counter[str]()
    for name, ruleset in islice(rulesets(str(seed), PLAYING, ("deal.packs", "1")), 12):
        for round, moves in short_round(name, ruleset):
            ways.update(way_of(round, move) for move in moves if isinstance(move, Play))
    return ways


@pytest.mark.parametrize("seed", further(range(24), plain=_PLAIN))
def test_the_judge_allows_what_the_generator_names(seed: int) -> None:
    assert ways_of(seed)


def test_every_way_of_playing_comes_about() -> None:
    ways = sum(map(ways_of, range(_PLAIN)), Counter[str]())
    assert set(ways) == set(WAYS)
