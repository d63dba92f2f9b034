"""Passing, winning a pile, and coming in late: clauses PASS, PILE and LATE."""

from random import Random

import pytest

from ledger.game.corpus import patient
from ledger.game.errors import Code, Verdict
from ledger.game.fold import begin, fold_in_place
from ledger.game.round import Header
from ledger.game.rulesets.overrides import with_rules
from ledger.game.rulesets.southern import CLASSIC as CLASSIC_RULES
from tests.game.generator import play_round
from tests.game.table import CLASSIC, WINNER_TAKES_ALL, after, found, paid, refused, run, turn, verdict

FOUR_PAIRS = "4c 4h 5c 5h 6c 6h 7c 7h"
HIGHER_FOUR_PAIRS = "8c 8h 9c 9h Tc Th Jc Jh"
IRREGULAR = Verdict.IRREGULAR


@pytest.mark.parametrize(
    ("players", "story", "expected"),
    [
        (4, "p1 3s", "p2 answers"),
        (4, "p1 3s\np2 4s", "p3 answers"),
        (4, "p1 3s\np2 4s\np3 -", "p4 answers"),
        (4, "p1 3s\np2 4s\np3 -\np4 -", "p1 answers"),
        (4, "p1 3s\np2 4s\np3 -\np4 -\np1 -", "p2 leads"),
        (4, "p1 3s\np2 -\np3 4s\np4 -\np1 5s", "p3 answers"),
        (4, "p4 3s\np1 -\np2 -\np3 -", "p4 leads"),
        (3, "p1 3s\np2 -\np3 4s", "p1 answers"),
        (3, "p1 3s\np2 -\np3 4s\np1 -", "p3 leads"),
        (2, "p2 3s", "p1 answers"),
        (2, "p2 3s\np1 -", "p2 leads"),
    ],
)
def test_s_pass_in_turn_a_player_beats_the_top_or_passes(players: int, story: str, expected: str) -> None:
    assert turn(after(story, players=players, strict=True)) == expected


def test_a_round_that_nobody_else_holds_goes_on_where_it_is() -> None:
    told = after("p1 3s\np2 4s\np3 -")
    round = begin(told.ruleset, told.header)
    assert fold_in_place(round, told.moves) is round
    assert (round.moves, turn(round)) == (told.moves, "p4 answers")


@pytest.mark.parametrize("ruleset", [CLASSIC, WINNER_TAKES_ALL])
@pytest.mark.parametrize("move", ["-", "9s", "9s 9c", "5c 5h 6c 6h 7c 7h", "9s 9c 9d 9h"])
def test_s_pass_a_pass_locks_that_player_out_until_the_pile_closes(move: str, ruleset: str) -> None:
    story = "p1 3s\np2 -\np3 4s\np4 -\np1 5s\np3 2s"
    error = refused(f"{story}\np2 {move}", ruleset=ruleset)
    assert verdict(error.refusal) == (Code.LOCKED_OUT, IRREGULAR, "S-PASS")


def test_s_pass_locks_end_when_the_next_pile_is_led() -> None:
    story = "p1 3s\np2 -\np3 4s\np4 -\np1 -"
    assert turn(after(f"{story}\np3 5s\np4 -\np1 -\np2 6s", strict=True)) == "p3 answers"


@pytest.mark.parametrize(
    ("story", "player"),
    [("round 1 lead p2", "p2"), ("p1 3s\np2 -\np3 -\np4 -", "p1"), ("round 1 opening", "p3")],
)
def test_s_pass_whoever_is_to_lead_must_play(story: str, player: str) -> None:
    error = refused(f"{story}\n{player} -")
    assert verdict(error.refusal) == (Code.PASS_ON_EMPTY_PILE, IRREGULAR, "S-PASS")


@pytest.mark.parametrize("move", ["p3 -", "p3 4s", "p4 4s 4h", "p1 4s"])
def test_s_pass_out_of_turn_nobody_passes_or_plays(move: str) -> None:
    error = refused(f"p1 3s\n{move}", strict=True)
    assert verdict(error.refusal) == (Code.NOT_YOUR_TURN, IRREGULAR, "S-PASS")
    assert error.refusal.expected == (1,)


def test_s_pass_a_table_may_agree_that_a_pass_does_not_lock() -> None:
    story = "p1 3s\np2 -\np3 4s\np4 -\np1 -\np2 5s"
    assert turn(after(story, rules=["passing.locks=no"], strict=True)) == "p3 answers"


def test_s_pile_is_won_when_every_other_player_who_still_plays_is_locked() -> None:
    story = "p1 3s\np2 4s\np3 -\np4 -"
    assert turn(after(story)) == "p1 answers"
    assert turn(after(f"{story}\np1 -")) == "p2 leads"


def test_s_pile_if_its_winner_has_gone_out_the_next_player_who_still_plays_leads() -> None:
    story = f"p1 3s\np2 4c\np3 5d\np4 6h\np1 2s\np1 {run('s', '4')}"
    assert turn(after(story)) == "p2 answers"
    story += "\np2 -\np3 -\np4 -"
    assert turn(after(story)) == "p2 leads"
    story += f"\np2 {run('c', '5')}\np2 3c\np3 -\np4 -\np2 2c"
    assert turn(after(story)) == "p3 answers"
    assert turn(after(f"{story}\np3 -\np4 -")) == "p3 leads"


def test_s_pile_its_bonus_is_provisional_until_it_closes() -> None:
    chopped = "p1 3s\np2 2s\np3 4c 4h 5c 5h 6c 6h"
    assert paid(after(chopped)) == ["p2 p3 1 bomb-bonus S-CHOP"]
    # Won, but a late bomb still takes it over.
    won = f"{chopped}\np4 -\np1 -\np2 -"
    assert turn(after(won)) == "p3 leads"
    assert paid(after(f"{won}\np1 {HIGHER_FOUR_PAIRS}")) == ["p3 p1 3 bomb-bonus S-CHOP"]
    # Led anew, it is closed for good.
    closed = f"{won}\np3 7s\np4 -\np1 -\np2 -"
    assert paid(after(closed)) == ["p2 p3 1 bomb-bonus S-CHOP"]
    assert refused(f"{closed}\np1 {HIGHER_FOUR_PAIRS}").refusal.code is Code.DOES_NOT_BEAT


@pytest.mark.parametrize(
    ("top", "bonus"),
    [
        ("2s", 1),
        ("2c 2d", 3),
        ("3c 3h 4s 4d 5s 5d", 2),
        ("Qs Qc Qd Qh", 3),
        ("3c 3h 4s 4d 5s 5d 6s 6d", 4),
    ],
)
def test_s_late_a_locked_player_may_still_chop_with_four_pairs(top: str, bonus: int) -> None:
    story = f"round 1 lead p1\np1 {top}\np2 -"
    round = after(f"{story}\np2 {HIGHER_FOUR_PAIRS}", strict=True)
    assert turn(round) == "p3 answers"
    assert paid(round) == [f"p1 p2 {bonus} bomb-bonus S-CHOP"]


@pytest.mark.parametrize("top", ["9d", "As Ac", "2s 2c 2d", "3c 4c 5c", "8s 8d 9s 9d Ts Td Js Jd"])
def test_s_late_the_four_pairs_must_beat_the_top(top: str) -> None:
    error = refused(f"round 1 lead p1\np1 {top}\np2 -\np2 4s 4h 5d 5h 6c 6h 7c 7h")
    assert verdict(error.refusal) == (Code.DOES_NOT_BEAT, IRREGULAR, "S-BOMB")
    assert error.refusal.top == tuple(top.split())


def test_s_late_a_player_who_has_not_passed_waits_for_the_turn() -> None:
    story = f"round 1 lead p1\np1 2s\np4 {FOUR_PAIRS}"
    assert verdict(refused(story, strict=True).refusal) == (Code.NOT_YOUR_TURN, IRREGULAR, "S-PASS")
    assert len(after(story).moves) == 4


def test_s_late_play_goes_on_from_the_seat_after_among_those_not_locked_and_locks_stay() -> None:
    story = f"p1 3s\np2 -\np3 -\np4 2s\np2 {FOUR_PAIRS}"
    assert turn(after(story)) == "p4 answers"
    assert turn(after(f"{story}\np4 -")) == "p1 answers"
    assert turn(after(f"{story}\np4 -\np1 -")) == "p2 leads"
    assert refused(f"{story}\np3 8c 8h 9c 9h Tc Th").refusal.code is Code.LOCKED_OUT
    assert turn(after(f"{story}\np3 {HIGHER_FOUR_PAIRS}")) == "p4 answers"


def test_s_late_a_late_bomb_may_come_in_a_won_pile() -> None:
    story = f"p1 3s\np2 2s\np3 -\np4 -\np1 -\np4 {FOUR_PAIRS}"
    round = after(story, strict=True)
    assert turn(round) == "p2 answers"
    assert paid(round) == ["p2 p4 1 bomb-bonus S-CHOP"]
    assert turn(after(f"{story}\np2 -")) == "p4 leads"


def test_s_late_the_winner_of_a_won_pile_may_answer_a_late_bomb() -> None:
    story = f"p1 3s\np2 2s\np3 -\np4 -\np1 -\np4 {FOUR_PAIRS}\np2 {HIGHER_FOUR_PAIRS}"
    round = after(story, strict=True)
    assert turn(round) == "p2 leads"
    assert paid(round) == ["p4 p2 5 bomb-bonus S-CHOP"]


def test_s_late_one_late_bomb_may_follow_another() -> None:
    story = f"p1 3s\np2 -\np3 -\np4 2s\np2 {FOUR_PAIRS}\np3 {HIGHER_FOUR_PAIRS}"
    assert paid(after(story, strict=True)) == ["p2 p3 5 bomb-bonus S-CHOP"]


def test_s_late_what_the_player_who_is_to_lead_plays_is_a_lead_even_after_a_pass() -> None:
    # p1 goes out with a two on top; everyone has passed, so that p2 leads although p2 is locked.
    won = f"p1 3s\np2 4d\np3 5d\np4 6h\np1 7s\np1 {run('s', '8')}\np1 4s 5s 6s\np1 2s\np2 -\np3 -\np4 -"
    assert turn(after(won)) == "p2 leads"
    round = after(f"{won}\np2 {HIGHER_FOUR_PAIRS}")
    assert paid(round) == []
    assert (turn(round), len(round.pile)) == ("p3 answers", 1)
    # Anyone else's four pairs are late and chop the two, which costs nothing: its player went out with it.
    round = after(f"{won}\np3 {HIGHER_FOUR_PAIRS}")
    assert (turn(round), len(round.pile)) == ("p3 leads", 2)
    assert paid(round) == []


def test_s_late_ends_with_the_round() -> None:
    story = f"p1 {run('s')}\np1 2s"
    assert refused(f"{story}\np2 {FOUR_PAIRS}").refusal.code is Code.ROUND_OVER


def test_s_pass_that_stood_on_an_empty_pile_hands_the_lead_to_the_next_seat() -> None:
    assert turn(after("round 1 lead p2\np2 - !")) == "p3 leads"
    assert turn(after("p1 3s\np2 -\np3 -\np4 -\np1 - !")) == "p2 leads"
    round = after("p3 - !\np4 3s")
    assert turn(round) == "p1 answers"
    assert found(round) == ["pass-on-empty-pile S-PASS 1"]


def test_s_pass_that_stood_on_an_empty_pile_locks_nobody_out() -> None:
    assert turn(after("round 1 lead p2\np2 - !\np3 4s\np4 -\np1 -\np2 5s", strict=True)) == "p3 answers"


# Where a bomb lets everybody back in

REOPENS = ["passing.bomb_reopens=yes"]
BOMBED = "p1 3s\np2 -\np3 2s\np4 4s 4c 5s 5c 6s 6c\np1 -"


@pytest.mark.parametrize(
    ("story", "expected", "locked"),
    [
        (BOMBED, "p2 answers", "p3 answers"),
        (f"{BOMBED}\np2 -", "p3 answers", None),
        # Who passes on the bomb is locked out again, until the next one
        (f"{BOMBED}\np2 7s 7c 7d 7h\np3 -\np4 -", "p1 answers", None),
        # A bomb that leads a pile opens nothing: nobody has passed on it
        ("round 1 lead p1\np1 4s 4c 5s 5c 6s 6c\np2 -\np3 8s 8c 9s 9c Ts Tc\np4 -\np1 -", "p2 answers", None),
        ("p1 3s\np2 -\np3 2s\np4 -\np1 -", "p3 leads", "p3 leads"),
    ],
)
def test_a_bomb_lets_everybody_back_in_who_has_passed(story: str, expected: str, locked: str | None) -> None:
    assert turn(after(story, rules=REOPENS, strict=True)) == expected
    if locked:
        assert turn(after(story, strict=True)) == locked


def test_whoever_is_let_back_in_must_beat_the_bomb() -> None:
    error = refused(f"{BOMBED}\np2 9s", rules=REOPENS)
    assert error.refusal.code is Code.DOES_NOT_BEAT
    assert verdict(refused(f"{BOMBED}\np2 7s 7c 7d 7h").refusal) == (Code.LOCKED_OUT, IRREGULAR, "S-PASS")


@pytest.mark.parametrize("seed", range(12))
def test_rounds_in_which_bombs_let_others_back_in_come_to_an_end(seed: int) -> None:
    ruleset = with_rules(CLASSIC_RULES, [("passing.bomb_reopens", "yes")])
    *_, last = play_round(Random(seed), ruleset, Header((0, 1, 2, 3), 0), patient, bombs=True)
    assert last.round.over


# Where a bomb that is led is beaten by its own kind alone

ALIKE = ["opening.led_bombs_alike=yes"]
LED = "round 1 lead p1\np1 4s 4c 5s 5c 6s 6c"


@pytest.mark.parametrize("cards", ["7s 7c 7d 7h", "7s 7c 8s 8c 9s 9c Ts Tc"])
def test_s_bomb_of_another_kind_does_not_beat_a_bomb_that_leads_the_pile(cards: str) -> None:
    assert turn(after(f"{LED}\np2 {cards}", strict=True)) == "p3 answers"
    error = refused(f"{LED}\np2 {cards}", rules=ALIKE)
    assert verdict(error.refusal) == (Code.DOES_NOT_BEAT, IRREGULAR, "S-BOMB")
    assert not error.refusal.bombable


def test_a_higher_one_of_its_kind_beats_it_and_must_be_beaten_by_its_kind() -> None:
    story = f"{LED}\np2 6d 6h 7s 7c 8s 8c"
    assert turn(after(story, rules=ALIKE, strict=True)) == "p3 answers"
    assert refused(f"{story}\np3 9s 9c 9d 9h", rules=ALIKE).refusal.code is Code.DOES_NOT_BEAT
    assert turn(after(f"{story}\np3 8d 8h 9s 9c Ts Tc", rules=ALIKE, strict=True)) == "p4 answers"


def test_a_bomb_that_answers_is_beaten_as_ever() -> None:
    story = "round 1 lead p1\np1 2s\np2 4s 4c 5s 5c 6s 6c\np3 7s 7c 7d 7h"
    assert turn(after(story, rules=ALIKE, strict=True)) == "p4 answers"


# Where whoever leads with nothing but 2s passes the lead on

KEPT = ["passing.twos_pass_lead=yes", "ending.no_last_two=yes"]
ONE_LEFT = "round 1 lead p1 p1 p2 p3\np1 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As\np2 -\np3 -"


def test_who_may_hold_nothing_but_2s_passes_the_lead_on() -> None:
    assert turn(after(f"{ONE_LEFT}\np1 -", rules=KEPT, strict=True)) == "p2 leads"
    assert verdict(refused(f"{ONE_LEFT}\np1 -").refusal) == (Code.PASS_ON_EMPTY_PILE, IRREGULAR, "S-PASS")


def test_who_holds_more_cards_than_there_are_2s_does_not() -> None:
    story = "round 1 lead p1 p1 p2 p3\np1 3s 4s 5s 6s 7s 8s 9s\np2 -\np3 -\np1 -"
    assert refused(story, rules=KEPT).refusal.code is Code.PASS_ON_EMPTY_PILE
    seen = "p2 2s\np1 -\np2 2c\np1 -\np2 2d\np1 -\np2 2h\np1 -\np2 3c\np1 4s\np2 -"
    led = "p1 5s 6s 7s 8s 9s Ts Js Qs Ks As\np2 -\np1 3s\np2 -"
    error = refused(f"round 1 lead p2 p1 p2\n{seen}\n{led}\np1 -", rules=KEPT)
    assert error.refusal.code is Code.PASS_ON_EMPTY_PILE


def test_who_could_pass_the_lead_on_does_not_go_out_with_a_2_either() -> None:
    assert after(f"{ONE_LEFT}\np1 2s", rules=["ending.no_last_two=yes"], strict=True).places == [0]
    error = refused(f"{ONE_LEFT}\np1 2s", rules=KEPT)
    assert verdict(error.refusal) == (Code.LAST_CARD_TWO, IRREGULAR, "S-END")
