"""Going out, being knocked out, and how a round ends: clauses OUT, KNOCK and END."""

import pytest

from ledger.game.errors import Code, Verdict
from tests.game.stories import FIRST_OUT, IN_TURN, WHOLE_ROUND
from tests.game.table import CLASSIC, WINNER_TAKES_ALL, after, found, paid, refused, run, tags, turn, verdict


@pytest.mark.parametrize("players", [2, 3, 4])
def test_s_out_players_take_places_in_the_order_in_which_they_go_out(players: int) -> None:
    round = after(WHOLE_ROUND[players], players=players)
    assert tags(round.places) == ["p1 p2", "p1 p2 p3", "p1 p2 p3 p4"][players - 2]
    assert turn(round) == "over"


def test_s_out_a_player_who_is_out_does_not_act_any_more() -> None:
    for move in ("-", "- !"):
        error = refused(f"{FIRST_OUT[4]}\np1 {move}")
        assert verdict(error.refusal) == (Code.NOT_IN_ROUND, Verdict.IMPOSSIBLE, "S-OUT")


@pytest.mark.parametrize("played", [0, 1, 2, 3])
def test_s_knock_whoever_has_not_played_when_the_first_goes_out_is_knocked_out(played: int) -> None:
    others = "\n".join(IN_TURN.splitlines()[1 : played + 1])
    round = after(f"p1 3s\n{others}\np1 2s\np1 {run('s', '4')}")
    assert tags(round.seats_in(round.knocked_out)) == ["p2 p3 p4", "p3 p4", "p4", ""][played]
    assert round.over is (played < 2)
    assert tags(round.places) == ["p1", "p1 p2", "p1", "p1"][played]


@pytest.mark.parametrize("move", ["-", "2h"])
def test_s_knock_a_knocked_out_player_does_not_act_any_more(move: str) -> None:
    story = f"p1 3s\np2 4c\np3 5d\np1 2s\np1 {run('s', '4')}"
    error = refused(f"{story}\np4 {move}")
    assert verdict(error.refusal) == (Code.NOT_IN_ROUND, Verdict.IRREGULAR, "S-KNOCK")


def test_s_knock_counts_only_those_without_a_card_played_and_not_those_who_passed_this_pile() -> None:
    round = after(f"p1 3s\np2 4c\np3 -\np4 -\np1 2s\np1 {run('s', '4')}")
    assert tags(round.seats_in(round.knocked_out)) == "p3 p4"


@pytest.mark.parametrize("move", ["2h", "3h 4h", "-"])
def test_s_knock_a_knocked_out_player_whose_move_stood_stays_out_and_last(move: str) -> None:
    story = f"p1 3s\np2 4c\np3 5d\np1 2s\np1 {run('s', '4')}\np2 -\np3 -"
    round = after(f"{story}\np2 3c\np4 {move} !")
    assert "not-in-round S-KNOCK 12" in found(round)
    assert turn(round) == "p2 answers" if move == "3h 4h" else "p3 answers"
    assert tags(round.seats_in(round.active)) == "p2 p3"
    assert tags(round.seats_in(round.knocked_out)) == "p4"


def test_s_knock_a_knocked_out_player_who_sheds_everything_takes_no_place() -> None:
    story = f"p1 3s\np2 4c\np3 5d\np1 2s\np1 {run('s', '4')}\np2 -\np3 -\np2 3c"
    round = after(f"{story}\np4 {run('h')} !\np4 2h !")
    assert (round.cards_left[3], tags(round.places)) == (0, "p1")
    assert turn(round) == "p2 answers"


def test_s_knock_nobody_is_knocked_out_where_the_winner_takes_all() -> None:
    round = after(f"p1 {run('s')}\np1 2s", ruleset=WINNER_TAKES_ALL)
    assert round.knocked_out == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_s_end_classic_goes_on_until_one_player_is_left_who_takes_the_next_place(players: int) -> None:
    assert after(FIRST_OUT[players], players=players).over is (players == 2)
    round = after(WHOLE_ROUND[players], players=players)
    assert round.over
    assert round.cards_left[round.places[-1]] > 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_s_end_the_winner_takes_all_as_the_first_player_goes_out(players: int) -> None:
    round = after(FIRST_OUT[players], players=players, ruleset=WINNER_TAKES_ALL)
    assert round.over
    assert tags(round.places) == "p1"


@pytest.mark.parametrize("ruleset", [CLASSIC, WINNER_TAKES_ALL])
@pytest.mark.parametrize("move", ["p2 -", "p2 2c", "p1 2h", "p3 claims " + run("d") + " 2d"])
def test_s_end_nothing_is_played_passed_or_claimed_in_a_round_that_is_over(move: str, ruleset: str) -> None:
    error = refused(f"p1 {run('s')}\np1 2s\n{move} !", ruleset=ruleset)
    assert verdict(error.refusal) == (Code.ROUND_OVER, Verdict.IMPOSSIBLE, "S-END")


@pytest.mark.parametrize("move", ["shows 2c", "declares none"])
def test_s_end_nothing_is_shown_or_declared_in_a_round_that_runs(move: str) -> None:
    error = refused(f"p1 3s\np2 {move}")
    assert verdict(error.refusal) == (Code.ROUND_NOT_OVER, Verdict.IMPOSSIBLE, "S-END")


def test_s_end_closes_the_pile_in_progress_with_whoever_played_last_on_top() -> None:
    round = after(f"p1 {run('s', '3', 'T')}\np1 Js\np2 2h\np3 -\np4 -\np1 Ks Kc Kd Kh")
    assert round.over
    assert paid(round) == [
        "p2 p1 2 bomb-bonus S-CHOP",
        "p3 p1 4 placement S-FULL",
        "p4 p1 4 placement S-FULL",
    ]
