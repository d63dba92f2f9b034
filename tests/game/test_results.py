"""Results as values; `tests/cases/rounds/results.txt` covers their payments and refusals."""

import pytest

from ledger.game.errors import Clause, Code, Refused
from ledger.game.fold import apply, begin
from ledger.game.moves import Bombed, Claim, Play, Result, Show
from ledger.game.round import Header
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.southern import CLASSIC as RULES
from ledger.game.scoring import Status, status
from tests.game.table import cards, net


def test_a_result_without_a_winner_is_none() -> None:
    with pytest.raises(Refused) as caught:
        apply(begin(RULES, Header((0, 1))), Result((), (0, 1)))
    assert caught.value.refusal.code is Code.RESULT_INCOMPLETE


@pytest.mark.parametrize(
    ("bomb", "clause", "player"),
    [
        (Bombed(1, 1, cards("2s")), Clause.CHOP, 1),
        (Bombed(1, 0, 0), Clause.CHOP, 1),
        (Bombed(1, 2, cards("2s")), Clause.KNOCK, 2),
        (Bombed(2, 1, cards("2s")), Clause.KNOCK, 2),
    ],
)
def test_s_chop_a_bomb_takes_something_from_another_who_has_played(
    bomb: Bombed, clause: Clause, player: int
) -> None:
    with pytest.raises(Refused) as caught:
        apply(begin(RULES, Header((0, 1, 2))), Result((0, 1), (2,), (bomb,)))
    refusal = caught.value.refusal
    assert (refusal.code, refusal.clause) == (Code.RESULT_CONTRADICTED, RULES.clause(clause))
    assert refusal.player == player


def test_the_result_is_told_only_once_by_a_value() -> None:
    result = Result((2, 0), (), (Bombed(0, 2, cards("2s")), Bombed(2, 0, cards("2h"))))
    assert (result.player, result.cards, result.twice) == (2, cards("2s 2h"), 0)
    assert Result(()).player == -1


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=lambda ruleset: ruleset.id)
def test_a_result_is_taken_under_every_ruleset_and_sums_to_nothing(ruleset: Ruleset) -> None:
    for players in ruleset.deal.players:
        seats = tuple(range(players))
        round = apply(begin(ruleset, Header(seats)), Result(seats, (), (Bombed(0, 1, 1 << 51),)))
        assert round.over
        for player in seats:
            if round.cards_left[player]:
                round = apply(round, Show(player, 1 << player * ruleset.deck.packs))
        for late in (Play(0, 2), Claim(0, 2)):
            with pytest.raises(Refused):
                apply(round, late)
        assert status(round) is Status.SETTLED
        assert not sum(net(round))
