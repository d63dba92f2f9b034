"""Explanations apart from their steps, which `tests/cases/rounds/explaining.txt` covers; and that every reason
occurs."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from ledger.game.explaining import About, WhyNot, explain
from ledger.game.fold import begin
from ledger.game.hands import Source
from ledger.game.moves import Play
from ledger.game.payments import Payment, StepKind
from ledger.game.round import Header, Round
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from tests.game.rulesets.laws import is_explained
from tests.game.short_rounds import cases
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import ALL_CARDS, WINNER_TAKES_ALL, after, cards, run
from tests.game.test_statistics import record as recorded

CHAIN = "round 1 lead p1\np1 2c\np2 2d\np3 3s 3c 3d 3h\np4 4s 4c 4d 4h\np1 -\np2 -\np3 -\np4 5s"
KNOCKED_OUT = f"p1 3s\np2 4c\np3 5d\np1 2s\np1 {run('s', '4')}\np2 -\np3 -\np2 {run('c', '5')}\np2 2c\np2 3c"
NOTHING_PLAYED = f"p1 3s\np2 -\np1 2s\np2 -\np1 {run('s', '4')}"


def only(explanations: Iterable[Payment]) -> Payment:
    (one,) = explanations
    return one


def paying(id: str = "southern-classic", **payments: object) -> Ruleset:
    """A preset with some fields of its payments replaced."""
    return replace(PRESETS[id], payments=replace(PRESETS[id].payments, **payments))  # type: ignore[arg-type]


def left_with(held: str, *, ruleset: Ruleset = PRESETS["southern-classic"]) -> Round:
    """A round that p1 has won, by irregular moves that stood; p2 has played one card and shows twelve."""
    free = [card for card in ALL_CARDS if card not in held.split()]
    lead, answer, others = free[0], free[1], " ".join(free[2:14])
    story = f"round 1 lead p1\np1 {lead}\np2 {answer} !\np1 {others} !\np2 shows {held}"
    return begin(ruleset, Header((0, 1), 0), after(story, players=2).moves)


def test_a_bomb_bonus_names_the_bomb_what_it_beat_and_every_play_below() -> None:
    one = only(explain(after(CHAIN)).why)
    assert one.moves == (1, 2, 3, 4)
    assert one.clauses == ("S-CHOP", "S-SPECIAL")
    assert not one.provisional


@pytest.mark.parametrize(
    ("known", "source", "clause"),
    [("p4 shows 3h 4h 5h 7h 8h 9h Th Jh Qh Kh Ah 2h", "shown", "S-SHOW"), ("", "deduced", "S-REST")],
)
def test_hoarding_names_the_moves_by_which_the_hand_is_known(known: str, source: str, clause: str) -> None:
    round = after(f"{WHOLE_ROUND[4]}\n{known}")
    hoarding = explain(round).why[-1]
    ended = round.ending_move
    assert hoarding.source == source
    assert hoarding.clauses == ("S-HOARD", "S-SPECIAL", clause)
    assert hoarding.moves == ((ended, ended + 1) if known else (ended,))
    assert hoarding.cards == cards("2h")


def test_a_hand_that_is_deduced_rests_on_what_the_others_showed() -> None:
    shown = [
        f"p{player} shows {' '.join(rank + suit for rank in held)}"
        for player, suit, held in ((2, "c", "356789TJQKA2"), (3, "d", "346789TJQKA2"))
    ]
    round = after("\n".join([FIRST_OUT[4], *shown]), ruleset=WINNER_TAKES_ALL)
    hoarding = explain(round).why[-1]
    assert (hoarding.payer, hoarding.source) == (3, "deduced")
    assert hoarding.moves == (round.ending_move, round.ending_move + 1, round.ending_move + 2)
    assert explain(round).why[-2].moves == (round.ending_move, round.ending_move + 2)


def test_a_knocked_out_players_hand_is_paid_to_the_winner() -> None:
    round = after(f"{KNOCKED_OUT}\np4 declares 2h\np3 declares 2d")
    explained = explain(round)
    hoarding = explained.why[-1]
    assert hoarding.clauses == ("S-HOARD", "S-SPECIAL", "S-KNOCK", "S-SHOW")
    assert hoarding.moves == (round.ending_move, round.ending_move + 1)
    assert (hoarding.source, hoarding.provisional) == (Source.DECLARED, False)
    (nothing,) = explained.why_not
    assert (nothing.player, nothing.other, nothing.move) == (1, 3, 0)


def test_all_payments_may_still_change_while_a_hand_is_missing() -> None:
    assert all(one.provisional for one in explain(after(KNOCKED_OUT)).why)


def test_places_are_paid_by_the_plays_with_which_payer_and_payee_went_out() -> None:
    round = after(WHOLE_ROUND[4])
    first, second, third = (
        max(
            number
            for number, move in enumerate(round.moves, start=1)
            if isinstance(move, Play) and move.player == player
        )
        for player in (0, 1, 2)
    )
    assert third == round.ending_move
    assert [one.moves for one in explain(round).why[:2]] == [(second, third), (first, third)]
    full = explain(after(f"p1 3s\np2 4c\np1 2s\np1 {run('s', '4')}")).why[0]
    assert full.clauses == ("S-FULL", "S-KNOCK")


@pytest.mark.parametrize(
    "record", ["by-hand-04-results-voids-and-a-newcomer", "by-hand-05-results-where-the-winner-takes-all"]
)
def test_every_round_of_the_records_with_results_and_voids_is_explained(record: str) -> None:
    night = recorded(record)
    assert any(round.result is not None for round in night.rounds)
    for round in night.rounds:
        is_explained(round)


# The closed lists


def provoked() -> dict[WhyNot, Callable[[], Round]]:
    """Reason for no payment -> the first case that has it."""
    found: dict[WhyNot, Callable[[], Round]] = {}
    for case in cases():
        if case.place.startswith("explaining"):
            for one in explain(case.played()).why_not:
                found.setdefault(one.reason, case.played)
    return found


PROVOKED = provoked()


def test_every_reason_for_no_payment_comes_about() -> None:
    assert set(PROVOKED) == set(WhyNot)


def test_every_kind_of_step_and_everything_to_be_asked_about_comes_about() -> None:
    explained = [explain(case.played()) for case in cases() if case.place.startswith("explaining")]
    assert {step.kind for one in explained for why in one.why for step in why.steps} == set(StepKind)
    assert {why_not.about for one in explained for why_not in one.why_not} == set(About)
