"""The clauses that the southern rules lack: what each says where a table plays it, and nothing elsewhere."""

from dataclasses import replace

import pytest

from ledger.game.customs import Gives, Kneels, Owes
from ledger.game.errors import Clause, Code, Verdict
from ledger.game.fold import begin
from ledger.game.legal_cards import legal_cards
from ledger.game.moves import Claim
from ledger.game.round import Header
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import OwedCard
from tests.game.stories import WHOLE_ROUND
from tests.game.table import after, cards, found, net, paid, refused, run, told, turn, verdict

IRREGULAR, IMPOSSIBLE = Verdict.IRREGULAR, Verdict.IMPOSSIBLE


# Going on beating oneself


FORWARD = ["passing.forward=yes"]
ALL_PASSED = "round 1 lead p1\np1 5s\np2 -\np3 -\np4 -"


def test_t_forward_the_winner_of_a_pile_lays_on_it_again_and_then_leads() -> None:
    story = f"{ALL_PASSED}\np1 forward 9s"
    assert turn(after(story, ruleset="thirteen", rules=FORWARD)) == "p1 leads"
    pile = after(story, ruleset="thirteen", rules=FORWARD).pile
    assert [laid.cards for laid in pile] == [cards("5s"), cards("9s")]
    assert turn(after(f"{story}\np1 3s", ruleset="thirteen", rules=FORWARD)) == "p2 answers"


@pytest.mark.parametrize(
    ("story", "rules", "code", "clause"),
    [
        (f"{ALL_PASSED}\np1 forward 9s", [], Code.NOT_YOUR_TURN, "T-FORWARD"),
        ("round 1 lead p1\np1 5s\np2 forward 9s", FORWARD, Code.NOT_YOUR_TURN, "T-FORWARD"),
        ("round 1 lead p1\np1 forward 5s", FORWARD, Code.NOT_YOUR_TURN, "T-FORWARD"),
        (f"{ALL_PASSED}\np2 forward 9s", FORWARD, Code.LOCKED_OUT, "T-PASS"),
        (f"{ALL_PASSED}\np1 forward 4s", FORWARD, Code.DOES_NOT_BEAT, "T-COMPARE"),
    ],
)
def test_t_forward_only_the_winner_and_only_with_what_beats_the_top(
    story: str, rules: list[str], code: Code, clause: str
) -> None:
    refusal = refused(story, ruleset="thirteen", rules=rules, strict=True).refusal
    assert verdict(refusal) == (code, IRREGULAR, clause)


LATE_FOUR_PAIRS = "5s 5c 6s 6c 7s 7c 8s 8c"


@pytest.mark.parametrize(
    ("rules", "bomb"),
    [(FORWARD, LATE_FOUR_PAIRS), ([*FORWARD, "no-turn-needed=all"], "5s 5c 5d 5h")],
    ids=["late", "at any time"],
)
def test_s_forward_nobody_may_answer_not_even_with_a_bomb(rules: list[str], bomb: str) -> None:
    story = "round 1 lead p1\np1 3s\np2 -\np3 -\np4 -"
    assert turn(after(f"{story}\np1 4s\np2 2s\np3 {bomb}", rules=rules)) == "p4 answers"
    answer = refused(f"{story}\np1 forward 2s\np2 {bomb}", rules=rules)
    assert verdict(answer.refusal) == (Code.LOCKED_OUT, IRREGULAR, "S-PASS")
    assert legal_cards(after(f"{story}\np1 forward 2s", rules=rules), 1) == 0


# Following suit


@pytest.mark.parametrize("story", ["p1 6c\np2 2d", "p1 6c 6s\np2 2d 2h", "p1 6c 6s 6d\np2 2s 2d 2h"])
def test_s_compare_where_suits_are_followed_twos_are_free_of_it(story: str) -> None:
    follows = ["combinations.follow_suits=yes"]
    assert turn(after(f"round 1 lead p1\n{story}", rules=follows)) == "p3 answers"
    lower = refused("round 1 lead p1\np1 2c\np2 2s", rules=follows).refusal
    assert verdict(lower) == (Code.DOES_NOT_BEAT, IRREGULAR, "S-COMPARE")


# Sequences of one suit


SUITED = "round 1 lead p1\np1 3s 4s 5s"
OPTIONAL = ["suit-lock=optional"]


def test_ak_suit_lock_a_sequence_of_one_suit_asks_for_others() -> None:
    refusal = refused(f"{SUITED}\np2 4c 5d 6h", ruleset="akita").refusal
    assert verdict(refusal) == (Code.SUIT_LOCKED, IRREGULAR, "AK-SUIT-LOCK")
    assert turn(after(f"{SUITED}\np2 4h 5h 6h", ruleset="akita")) == "p3 answers"
    assert turn(after("round 1 lead p1\np1 3s 4s 5c\np2 4c 5d 6h", ruleset="akita")) == "p3 answers"


def test_ak_suit_lock_binds_sequences_alone() -> None:
    stood = after(f"{SUITED}\np2 Ks !\np3 Ad", ruleset="akita")
    assert turn(stood) == "p4 answers"
    assert stood.suit_locked
    refusal = refused(f"{SUITED}\np2 Ks !\np3 Qd", ruleset="akita").refusal
    assert verdict(refusal) == (Code.DOES_NOT_BEAT, IRREGULAR, "AK-COMPARE")


def test_am_suit_lock_holds_back_no_trump() -> None:
    assert turn(after(f"{SUITED}\np2 3h", ruleset="amsterdam", rules=["suit-lock=forced"])) == "p3 answers"


def test_ak_suit_lock_ends_with_the_pile() -> None:
    led = after(f"{SUITED}\np2 -\np3 -\np4 -\np1 6s 7s 8c\np2 7c 8d 9h", ruleset="akita")
    assert not led.suit_locked


def test_ak_suit_lock_a_bomb_comes_in_all_the_same_and_the_lock_goes_on() -> None:
    assert after(f"{SUITED}\np2 6s 6c 6d 6h", ruleset="akita").suit_locked


@pytest.mark.parametrize(
    ("story", "locked"),
    [
        (SUITED, False),
        ("round 1 lead p1\np1 locks 3s 4s 5s", True),
        ("round 1 lead p1\np1 locks 3s 4s 5s\np2 4h 5h 6h", True),
        ("round 1 lead p1\np1 locks 3s 4s 5s\np2 unlocks 4h 5h 6h", False),
        ("round 1 lead p1\np1 3s 4s 5s\np2 locks 4h 5h 6h", True),
        ("round 1 lead p1\np1 locks 3s 4s 5c", False),
    ],
)
def test_t_suit_lock_may_be_the_players_choice(story: str, locked: bool) -> None:
    assert after(story, ruleset="thirteen", rules=OPTIONAL).suit_locked is locked


def test_s_suit_lock_nobody_plays_it_in_the_south() -> None:
    assert not after("round 1 lead p1\np1 locks 3s 4s 5s").suit_locked
    assert turn(after(f"{SUITED}\np2 4c 5d 6h")) == "p3 answers"


# Trumps


def test_am_trump_beats_what_it_names_and_only_a_higher_one_beats_it() -> None:
    assert turn(after("round 1 lead p1\np1 2h\np2 3d\np3 3h", ruleset="amsterdam")) == "p4 answers"
    refusal = refused("round 1 lead p1\np1 2h\np2 3d\np3 2s", ruleset="amsterdam").refusal
    assert verdict(refusal) == (Code.DOES_NOT_BEAT, IRREGULAR, "AM-TRUMP")
    refusal = refused("round 1 lead p1\np1 2h\np2 3h\np3 3d", ruleset="amsterdam").refusal
    assert verdict(refusal) == (Code.DOES_NOT_BEAT, IRREGULAR, "AM-TRUMP")


# A pile to draw from


def test_t_draw_whoever_passes_takes_a_card_from_the_pile() -> None:
    round = after("p1 3s\np2 -\np3 -", players=3, ruleset="draw-pile")
    assert (round.cards_left, round.drawn, round.to_draw) == ([12, 14, 14], 2, 11)


def test_t_draw_a_pass_that_leads_and_stood_draws_too() -> None:
    round = after("round 1 lead p1\np1 - !", players=3, ruleset="draw-pile")
    assert (round.cards_left, round.drawn) == ([14, 13, 13], 1)


def test_t_missed_a_hand_that_has_drawn_is_not_known_by_what_was_played_of_it() -> None:
    pairs = "".join(f"p2 {rank}s {rank}c\np3 -\np1 -\n" for rank in "56789T")
    story = f"p1 3s\np2 -\np3 -\np1 4s\np2 2h\np3 -\np1 -\n{pairs}"
    round = after(story, players=3, ruleset="draw-pile")
    assert round.played[1].bit_count() == round.hand_size
    assert found(round) == []


def test_s_draw_nobody_draws_where_there_is_no_pile() -> None:
    round = after("p1 3s\np2 -", players=3)
    assert (round.cards_left, round.drawn, round.to_draw) == ([12, 13, 13], 0, 0)


# What is paid


def test_dl_cards_each_card_left_is_paid_to_the_winner() -> None:
    story = f"p1 3s\np2 4c\np3 5d\np4 6h\np1 2s\np1 {run('s', '4')}"
    assert paid(after(story, ruleset="card-count")) == [
        "p2 p1 12 card-count DL-CARDS",
        "p3 p1 12 card-count DL-CARDS",
        "p4 p1 12 card-count DL-CARDS",
    ]


def test_pp_get_in_whoever_has_played_nothing_pays_each_player_who_goes_out() -> None:
    story = f"p1 3s\np2 -\np3 -\np4 4h\np1 2s\np1 {run('s', '4')}"
    assert [line for line in paid(after(story, ruleset="pro-play")) if "get-in" in line] == [
        "p2 p1 2 got-to-get-in PP-GET-IN",
        "p3 p1 2 got-to-get-in PP-GET-IN",
    ]


@pytest.mark.parametrize(
    ("story", "code"),
    [
        ("p1 contract slam", Code.NO_SUCH_CONTRACT),
        ("p1 contract guaransheed\np1 contract guaransheed", Code.NO_SUCH_CONTRACT),
        ("p1 contract guaransheed\np1 contract blind-guaransheed", Code.NO_SUCH_CONTRACT),
        ("p1 3s\np1 contract guaransheed", Code.CONTRACT_TOO_LATE),
    ],
)
def test_pp_contract_is_of_the_list_and_taken_once_before_the_play(story: str, code: Code) -> None:
    assert verdict(refused(story, ruleset="pro-play").refusal) == (code, IMPOSSIBLE, "PP-CONTRACT")


@pytest.mark.parametrize(
    ("story", "code", "clause"),
    [
        ("round 1 opening p1 p2\np3 contract guaransheed", Code.NOT_SEATED, "PP-DEAL"),
        (f"{WHOLE_ROUND[3]}\np3 contract guaransheed", Code.ROUND_OVER, "PP-END"),
    ],
)
def test_pp_contract_is_taken_by_who_sits_in_a_round_that_runs(story: str, code: Code, clause: str) -> None:
    refusal = refused(story, players=3, ruleset="pro-play").refusal
    assert verdict(refusal) == (code, IMPOSSIBLE, clause)


def test_s_contract_nobody_bets_in_the_south() -> None:
    refusal = refused("p1 contract guaransheed").refusal
    assert verdict(refusal) == (Code.NO_SUCH_CONTRACT, IMPOSSIBLE, "S-CONTRACT")


def test_pp_contract_is_won_by_the_first_place_and_lost_by_any_other() -> None:
    story = f"p1 3s\np2 4c\np1 2s\np1 {run('s', '4')}"
    for who, expected in (("p1", "p2 p1 2 contract PP-CONTRACT"), ("p2", "p2 p1 2 contract PP-CONTRACT")):
        name = "blind-guaransheed" if who == "p1" else "guaransheed"
        round = after(f"{who} contract {name}\n{story}", players=2, ruleset="pro-play")
        assert [line for line in paid(round) if "contract" in line] == [expected]


# Beside the play


def test_t_custom_notes_are_kept_and_move_neither_the_turn_nor_a_point() -> None:
    notes = "note kneels p2 until-first\nnote owes p1 p3 2 highest-two\nnote gives p1 p3 2h"
    told_so = told(f"round 1 opening\np1 3s\n{notes}\np2 4s", ruleset="thirteen-kneeling")
    silent = after("p1 3s\np2 4s", ruleset="thirteen-kneeling")
    assert told_so.notes == [Kneels(1), Owes(0, 2, 2, OwedCard.HIGHEST_TWO), Gives(0, 2, cards("2h"))]
    assert told_so.rounds[0].moves == silent.moves
    assert turn(told_so.rounds[0]) == turn(silent) == "p3 answers"
    assert paid(told_so.rounds[0]) == []


def test_every_clause_has_an_id_under_every_preset() -> None:
    for ruleset in PRESETS.values():
        assert [ruleset.clause(clause) for clause in Clause] == [f"{ruleset.clauses}-{one}" for one in Clause]


@pytest.mark.parametrize("points", [5, None])
def test_s_instant_a_hand_of_the_list_may_be_worth_more_than_the_others(points: int | None) -> None:
    ruleset = PRESETS["southern-classic"]
    first, *others = ruleset.instant_wins.hands
    wins = replace(ruleset.instant_wins, hands=(replace(first, points=points), *others))
    dragon = Claim(0, cards(f"{run('s')} 2h"))
    pairs = Claim(0, cards("4s 4c 6s 6c 8s 8c Ts Tc Qs Qc 2s 2c 3s"))
    for claim, worth in ((dragon, points or 2), (pairs, 2)):
        claimed = begin(replace(ruleset, instant_wins=wins), Header((0, 1)), [claim])
        assert net(claimed) == [worth, -worth]
