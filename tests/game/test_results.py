"""Rounds that nobody recorded move by move, entered as their results: what they pay, and what they cannot say."""

import pytest

from ledger.game.errors import Clause, Code, Refused, Verdict
from ledger.game.fold import apply, begin
from ledger.game.legal_cards import legal_cards
from ledger.game.moves import Bombed, Claim, Play, Result, Show
from ledger.game.round import NOBODY, Header
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.southern import CLASSIC as RULES
from ledger.game.scoring import Status, payments, status
from tests.game.table import (
    WINNER_TAKES_ALL,
    after,
    cards,
    found,
    hands,
    net,
    paid,
    refused,
    run,
    tags,
    verdict,
)

IMPOSSIBLE = Verdict.IMPOSSIBLE
PLACES = "result p2 p1 p4 p3"
NO_TWOS = "p3 declares none"


def test_s_place_a_result_pays_places_as_a_round_that_was_played() -> None:
    round = after(f"{PLACES}\n{NO_TWOS}")
    assert paid(round) == ["p3 p2 2 placement S-PLACE", "p4 p1 1 placement S-PLACE"]
    assert status(round) is Status.SETTLED
    assert (round.over, round.turn, round.ending_move, tags(round.places)) == (True, NOBODY, 1, "p2 p1 p4 p3")
    assert {payment.move for payment in payments(round)} == {1}


def test_s_knock_a_result_with_two_knocked_out_pays_eight_nothing_and_twice_four() -> None:
    round = after("result p2 p3\nknocked p1 p4\np1 declares none\np3 declares none\np4 declares none")
    assert paid(round) == ["p1 p2 4 placement S-FULL", "p4 p2 4 placement S-FULL"]
    assert net(round) == [-4, 8, 0, -4]
    assert tags(round.seats_in(round.knocked_out)) == "p1 p4"


def test_s_knock_everybody_but_the_winner_may_be_knocked_out() -> None:
    round = after("result p2\nknocked p1 p3 p4")
    assert [round.cards_left[player] for player in range(4)] == [13, 0, 13, 13]
    assert net(round) == [-4, 12, -4, -4]


def test_s_chop_a_bomb_of_a_result_is_paid_what_it_took_by_whom_it_beat() -> None:
    round = after("result p3 p1 p2\nknocked p4\nbombed p2 p1 2d 2h\nbombed p1 p3 2c Js Jc Qs Qc Ks Kc")
    assert paid(round)[:2] == ["p1 p2 4 bomb-bonus S-CHOP", "p3 p1 3 bomb-bonus S-CHOP"]


def test_s_hoard_hands_of_a_result_are_shown_or_declared() -> None:
    round = after("result p3 p1 p2\nknocked p4\np2 shows 2h 5s\np4 declares 2s")
    assert paid(round) == [
        "p2 p1 1 placement S-PLACE",
        "p4 p3 4 placement S-FULL",
        "p2 p1 2 hoarding-penalty S-HOARD",
        "p4 p3 1 hoarding-penalty S-HOARD",
    ]


def test_s_show_a_result_waits_for_every_hand_and_nothing_is_deduced() -> None:
    round = after(PLACES)
    assert status(round) is Status.UNSETTLED
    assert hands(round) == {}
    assert not found(round)
    assert status(after(f"{PLACES}\np3 shows 3s")) is Status.SETTLED


def test_s_show_a_showing_may_have_any_number_of_cards_but_those_of_a_whole_hand() -> None:
    twelve = run("s", "4", "2")
    assert hands(after(f"{PLACES}\np3 shows {twelve}")) == {"p3": f"shown {twelve}"}
    error = refused(f"{PLACES}\np3 shows 3s {twelve}")
    assert verdict(error.refusal) == (Code.SHOWN_COUNT, IMPOSSIBLE, "S-SHOW")
    assert error.refusal.count == 12
    assert refused(f"{PLACES}\np3 shows 3s\np3 shows 3s").refusal.clause == "S-SEEN"
    assert refused(f"{PLACES}\np1 shows 3s").refusal.count == 0


def test_s_show_whoever_was_knocked_out_shows_a_whole_hand() -> None:
    knocked = "result p2 p1 p3\nknocked p4"
    assert refused(f"{knocked}\np4 shows 3s").refusal.count == 13
    six_pairs = "3s 4s 4c 6s 6c 8s 8c Ts Tc Qs Qc 2s 2c"
    assert found(after(f"{knocked}\np4 shows {six_pairs}")) == ["unclaimed-instant-win S-MISSED 2"]


def test_s_seen_what_a_bomb_took_cannot_be_held() -> None:
    error = refused("result p3 p1 p4 p2\nbombed p1 p3 2d\np2 shows 2d")
    assert verdict(error.refusal) == (Code.SHOWN_ALREADY_PLAYED, IMPOSSIBLE, "S-SEEN")
    assert (error.refusal.card, error.refusal.move, error.refusal.holder) == ("2d", 1, 2)
    assert refused("result p3 p1 p4 p2\nbombed p1 p3 2d\np2 declares 2d").refusal.holder == 2


def test_s_show_two_players_cannot_declare_the_same_card() -> None:
    error = refused("result p3 p1 p2\nknocked p4\np2 declares 2d\np4 declares 2d")
    assert verdict(error.refusal) == (Code.DECLARATION_CONTRADICTED, IMPOSSIBLE, "S-SHOW")


def test_s_rest_twos_that_nobody_declares_may_have_been_played() -> None:
    assert status(after("result p3 p1 p2\nknocked p4\np2 declares none\np4 declares none")) is Status.SETTLED
    assert status(after("result p3 p1 p2\nknocked p4\np4 declares none\np2 shows 3s")) is Status.SETTLED


@pytest.mark.parametrize("story", ["p1 3s", "p1 -", "p1 claims 3s", "result p1 p2 p3 p4"])
def test_s_end_nothing_is_played_after_a_result(story: str) -> None:
    assert refused(f"{PLACES}\n{story}").refusal.code is Code.ROUND_OVER


@pytest.mark.parametrize(
    ("story", "clause", "expected"),
    [
        ("result p2 p1 p4", "S-OUT", "p3"),
        ("result p1\nknocked p2", "S-OUT", "p3 p4"),
        ("result p1 p2 p3 p4\nknocked p4", "S-OUT", ""),
    ],
)
def test_s_out_a_result_names_everyone_once(story: str, clause: str, expected: str) -> None:
    refusal = refused(story).refusal
    assert verdict(refusal) == (Code.RESULT_INCOMPLETE, IMPOSSIBLE, clause)
    assert tags(refusal.expected) == expected


def test_a_result_without_a_winner_is_none() -> None:
    with pytest.raises(Refused) as caught:
        apply(begin(RULES, Header((0, 1))), Result((), (0, 1)))
    assert caught.value.refusal.code is Code.RESULT_INCOMPLETE


def test_c_knock_nobody_is_knocked_out_where_it_does_not_matter() -> None:
    refusal = refused("result p1 p2 p3\nknocked p4", ruleset="core").refusal
    assert verdict(refusal) == (Code.RESULT_INCOMPLETE, IMPOSSIBLE, "C-KNOCK")
    assert refusal.expected == (3,)


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


def test_s_seen_no_card_is_taken_twice() -> None:
    story = "result p1 p2 p3 p4\nbombed p1 p2 2s"
    assert refused(f"{story}\nbombed p2 p3 2s").refusal.code is Code.CARD_TWICE
    assert refused("result p1 p2 p3 p4\nbombed p1 p2 2s 2s").refusal.card == "2s"


def test_of_two_packs_a_card_is_taken_twice_and_no_oftener() -> None:
    story = "result p1 p2 p3 p4\nbombed p1 p2 2s\nbombed p2 p3 2s"
    rules = ["deal.packs=2"]
    assert paid(after(story, rules=rules))[0] == "p2 p1 1 bomb-bonus S-CHOP"
    refusal = refused(f"{story}\nbombed p1 p3 2s", rules=rules).refusal
    assert refusal.code is Code.CARD_TWICE


def test_s_deal_a_result_names_only_who_sits_in() -> None:
    refusal = refused("round 1 opening p1 p2 p3\nresult p1 p2 p4").refusal
    assert (refusal.code, refusal.player) == (Code.NOT_SEATED, 3)
    assert refused("round 1 opening p1 p2\nresult p1 p2\nbombed p1 p3 2s").refusal.player == 2


def test_nobody_plays_any_more_after_a_result() -> None:
    round = after(PLACES)
    assert not any(legal_cards(round, player) for player in range(4))


def test_s_end_where_the_first_out_ends_the_round_the_others_may_be_left_out() -> None:
    for story in ("result p2", "result p2 p1 p4 p3"):
        round = after(story, ruleset=WINNER_TAKES_ALL)
        assert paid(round) == [f"p{n} p2 2 placement S-PLACE" for n in (1, 3, 4)]
        assert (tags(round.places), round.knocked_out) == ("p2", 0)


def test_s_full_who_had_played_nothing_pays_for_a_full_hand_where_nobody_is_knocked_out() -> None:
    round = after("result p2 p1\nknocked p4\np4 declares 2s", ruleset=WINNER_TAKES_ALL)
    assert paid(round) == [
        "p1 p2 2 placement S-PLACE",
        "p3 p2 2 placement S-PLACE",
        "p4 p2 4 placement S-FULL",
        "p4 p2 1 hoarding-penalty S-HOARD",
    ]


def test_n_end_whoever_has_played_nothing_is_last_where_one_player_is_left() -> None:
    rules = ["ending.at_first_out=no"]
    round = after("result p2 p1 p3\nknocked p4", ruleset="northern", rules=rules)
    assert tags(round.places) == "p2 p1 p3 p4"
    assert [round.cards_left[player] for player in range(4)] == [0, 0, 0, 13]
    refusal = refused("result p2 p1\nknocked p3 p4", ruleset="northern", rules=rules).refusal
    assert (refusal.code, refusal.clause) == (Code.RESULT_INCOMPLETE, "N-KNOCK")


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


# Where cards are counted


def test_dl_cards_a_result_waits_for_the_number_of_cards() -> None:
    """A card costs 1; 13 of which nothing was played cost 26."""
    story = "result p2\nknocked p4\np3 shows 4s 5s 6s 7s"
    round = after(f"{story}\np1 declares none", ruleset="card-count")
    assert status(round) is Status.UNSETTLED
    assert "p1" not in [line.split()[0] for line in paid(round)]
    round = after(f"{story}\np4 declares none\np1 declares none\np1 shows 3s 3c 3d", ruleset="card-count")
    assert status(round) is Status.SETTLED
    assert paid(round) == [
        "p1 p2 3 card-count DL-CARDS",
        "p3 p2 4 card-count DL-CARDS",
        "p4 p2 26 card-count DL-CARDS",
    ]


def test_a_full_hand_from_so_many_cards_on_waits_for_their_number() -> None:
    rules = ["payments.full_from=10"]
    waiting = after(f"{PLACES}\n{NO_TWOS}", rules=rules)
    assert status(waiting) is Status.UNSETTLED
    assert paid(waiting) == ["p4 p1 1 placement S-PLACE"]
    full = after(f"{PLACES}\np3 shows {run('s', '3', 'Q')}", rules=rules)
    assert paid(full) == ["p3 p2 4 placement S-FULL", "p4 p1 1 placement S-PLACE"]
    few = after(f"{PLACES}\np3 shows {run('s', '3', 'J')}", rules=rules)
    assert paid(few) == ["p3 p2 2 placement S-PLACE", "p4 p1 1 placement S-PLACE"]


def test_n_end_nobody_is_taken_to_have_gone_out_with_twos() -> None:
    round = after("result p2\np1 shows 3s\np3 shows 4s\np4 shows 5s", ruleset="northern")
    assert {line.split()[1] for line in paid(round)} == {"p2"}


# What other tables pay


def test_pp_get_in_whoever_had_played_nothing_pays_everyone_who_went_out() -> None:
    round = after("result p2 p1 p3\nknocked p4", ruleset="pro-play")
    assert [line for line in paid(round) if "get-in" in line] == [
        "p4 p2 2 got-to-get-in PP-GET-IN",
        "p4 p1 2 got-to-get-in PP-GET-IN",
    ]


def test_pp_contract_a_contract_comes_before_the_result() -> None:
    story = "p1 contract guaransheed\nresult p1 p2 p3 p4"
    round = after(story, ruleset="pro-play")
    bets = [payment for payment in payments(round) if payment.reason == "contract"]
    assert [(payment.payee, payment.move) for payment in bets] == [(0, 2)] * 3
    refusal = refused("result p1 p2 p3 p4\np1 contract guaransheed", ruleset="pro-play").refusal
    assert refusal.code is Code.ROUND_OVER


@pytest.mark.parametrize("chain", ["whole-pile", "cut", "each", "doubling"])
def test_s_chop_where_cards_are_valued_each_bomb_of_a_result_is_the_first_of_its_pile(chain: str) -> None:
    rules = [f"payments.chain={chain}"]
    round = after(f"{PLACES}\nbombed p1 p2 2d 2h\nbombed p4 p1 6s 6c 7s 7c 8s 8c", rules=rules)
    assert paid(round)[:2] == ["p2 p1 4 bomb-bonus S-CHOP", "p1 p4 2 bomb-bonus S-CHOP"]


FIVES, SIXES = "5s 5c 5d 5h", "6s 6c 6d 6h"


@pytest.mark.parametrize(
    ("ruleset", "taken", "fine"),
    [
        ("amsterdam", "2d", 1),
        ("amsterdam", FIVES, 2),
        ("amsterdam", "4s 4c 5s 5c 6s 6c", 2),
        ("amsterdam", f"2d {FIVES}", 2),
        ("amsterdam", f"2d {FIVES} {SIXES}", 3),
        ("amsterdam", f"{FIVES} {SIXES} 7s 7c 7d 7h", 4),
        # No chop takes these
        ("amsterdam", "5c", 0),
        ("amsterdam", "2s 2c", 0),
        ("amsterdam", "3h", 0),
        ("amsterdam", "5s 6s 7s", 0),
        ("amsterdam", f"5c {SIXES}", 0),
        # A play that is one bomb is one, though smaller ones are in it
        ("thirteen", "3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 8s 8c", 2),
        ("thirteen", "2s 2c 4s 4c 5s 5c 6s 6c", 2),
        ("southern-classic", f"2s 2c {FIVES}", 2),
        ("akita", "9s", 1),
    ],
)
def test_am_chop_where_bombs_are_counted_those_that_a_bomb_of_a_result_took_count(
    ruleset: str, taken: str, fine: int
) -> None:
    rules = [] if ruleset == "amsterdam" else ["scheme=loser-pays-winner"]
    round = after(f"result p1 p2 p3 p4\nbombed p4 p1 {taken}", ruleset=ruleset, rules=rules)
    bonuses = [payment.points for payment in payments(round) if payment.reason == "bomb-bonus"]
    assert bonuses == [fine] * bool(fine)
