"""Void rounds."""

import pytest

from ledger.game.customs import dealer, debts, kneeling, knelt, last, losers, third
from ledger.game.errors import Code, Verdict
from ledger.game.findings import findings
from ledger.game.fold import voided
from ledger.game.hands import missing_hands
from ledger.game.judge import judge
from ledger.game.moves import Play, Show
from ledger.game.night import last_counting
from ledger.game.scoring import Status, payments, status
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import after, replay_story, turn, verdict

STORIES = [
    *("round 1 opening", "p1 3s\np2 2s", FIRST_OUT[4], WHOLE_ROUND[4], WHOLE_ROUND[3], "result p1 p2 p3 p4"),
    *("p1 claims 4s 4c 6s 6c 8s 8c Ts Tc Qs Qc 2s 2c 3s", "p1 3s\np3 4s !"),
]


@pytest.mark.parametrize("story", STORIES)
def test_a_round_may_be_void_however_far_it_has_come(story: str) -> None:
    before = after(story)
    round = voided(before, "misdealt")
    assert before.void is None
    assert (status(round), round.void, turn(round)) == (Status.VOID, "misdealt", "over")
    assert payments(round) == []
    assert findings(round) == []
    assert missing_hands(round) == []
    assert (losers(round), last(round), third(round)) == ((), None, None)
    assert (kneeling([knelt(round)]), debts(round)) == ((), ())
    assert dealer(round.ruleset, round.header.seats, last_counting([round])) is None


@pytest.mark.parametrize("story", STORIES)
def test_s_end_nothing_is_recorded_of_a_void_round(story: str) -> None:
    round = voided(after(story), "misdealt")
    for move in (Play(0, 1), Show(3, 1 << 51)):
        assert verdict(judge(round, move)) == (Code.ROUND_OVER, Verdict.IMPOSSIBLE, "S-END")


def test_s_lead_a_void_round_does_not_count_as_the_previous_one() -> None:
    night = replay_story(f"{WHOLE_ROUND[4]}\nround 2 lead p1\np1 3s\nvoid a card was missing\nround 3\np1 4s")
    first, second, third = night.rounds
    assert (last_counting([]), last_counting([first]), last_counting([first, second])) == (None, first, first)
    assert last_counting(night.rounds) is third
    assert last_counting([second]) is None
