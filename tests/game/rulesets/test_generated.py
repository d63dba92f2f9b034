"""Generated rulesets: hands win at once where an independent reading of the rows says so, and every round is
explained."""

from collections import Counter
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from ledger.game.corpus import at_random, greedy, patient
from ledger.game.fold import apply, begin
from ledger.game.judge import judge
from ledger.game.moves import Result
from ledger.game.round import Header, Round
from ledger.game.rulesets.compiled import compiled
from tests.game.generator import play_round
from tests.game.rulesets.generated import PAYING, WINNING, rulesets
from tests.game.rulesets.laws import is_explained
from tests.game.rulesets.reading import Reading, hands
from tests.soaking import further

BATCHES = further(range(24), plain=6)
_A_BATCH = 12
"""Rulesets of a batch."""


# Which hands win at once

_BOMBS_WIN = "with:bomb_with=3s,two:bombs=2,one:bombs=1"


@pytest.mark.parametrize("seed", BATCHES)
def test_hands_win_at_once_where_the_rows_say_so(seed: int) -> None:
    won = Counter[str]()
    for name, ruleset in islice(
        rulesets(str(seed), WINNING, ("instant_wins.hands", _BOMBS_WIN), ("deal.packs", "1")), _A_BATCH // 3
    ):
        some = [hand for hand in hands(ruleset) if 2 < hand.bit_count() <= 17]
        for win in ruleset.instant_wins.hands:
            alone = replace(ruleset, instant_wins=replace(ruleset.instant_wins, hands=(win,)))
            for hand in Random(f"{name} {win}").sample(some, min(12, len(some))):
                found, expected = (
                    compiled(alone).instant_win(hand, opening=True),
                    Reading(alone).instant_win(hand, opening=True),
                )
                assert (found and found.name) == expected, ruleset.deck.write(hand)
                won.update([expected] if expected else [])
    assert min(won[name] for name in ("with", "two", "one")) > 0, won


# What is paid


@pytest.mark.parametrize("seed", BATCHES)
def test_every_payment_and_whatever_is_not_paid_is_explained(seed: int) -> None:
    full_hands = ("payments.full_hand", "4"), ("payments.full_hand_leaves", "no" if seed % 2 else "yes")
    for name, ruleset in islice(rulesets(str(seed), PAYING, *full_hands), _A_BATCH):
        chance = Random(name)
        header = Header(tuple(range(chance.choice(ruleset.deal.players))), chance.choice((None, 0)))
        choose = chance.choice((greedy, at_random, patient))
        *_, last = play_round(
            chance, ruleset, header, choose, bombs=True, claims=chance.random() < 0.1, covers=True
        )
        is_explained(last.round)
        is_explained(by_result(chance, last.round))


def by_result(chance: Random, round: Round) -> Round:
    """A round of which only a result was recorded, with as many players who played nothing as the rules allow."""
    begun = ended = begin(round.ruleset, round.header)
    order = chance.sample(round.header.seats, len(round.header.seats))
    for never_played in ((), tuple(order[-1:]), tuple(order[-2:])):
        result = Result(tuple(player for player in order if player not in never_played), never_played)
        if judge(begun, result) is None and (not never_played or chance.random() < 0.6):
            ended = apply(begun, result)
    return ended
