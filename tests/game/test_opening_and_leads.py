"""Who begins a round, and with what: clauses DEAL, OPEN and LEAD."""

import pytest

from ledger.game.errors import Code, Notice, Verdict
from ledger.game.findings import findings
from ledger.game.notation import Unreadable
from tests.game.table import CLASSIC, WINNER_TAKES_ALL, after, found, refused, run, tags, told, turn, verdict

ONE_SUIT_EACH = f"p1 {run('s')}\np1 2s"
"""The first player goes out before anyone else has played."""
SIX_PAIRS = "3s 3c 5s 5c 7s 7c 9s 9c Js Jc Ks Kc As"
IMPOSSIBLE, IRREGULAR = Verdict.IMPOSSIBLE, Verdict.IRREGULAR


@pytest.mark.parametrize("players", [2, 3, 4])
def test_s_deal_two_to_four_players_hold_thirteen_cards_each(players: int) -> None:
    round = after("p1 3s", players=players)
    assert round.cards_left == [12] + [13] * (players - 1)


@pytest.mark.parametrize("seats", ["p1", "p1 p2 p3 p4 p5"])
def test_s_deal_one_player_or_five_are_no_round(seats: str) -> None:
    error = refused(f"round 1 opening {seats}", players=6)
    assert verdict(error.refusal) == (Code.WRONG_SEAT_COUNT, IMPOSSIBLE, "S-DEAL")
    assert (error.move, error.refusal.count) == (0, 4)


def test_s_deal_a_night_of_more_players_seats_some_of_them_in_any_order() -> None:
    round = after("round 1 lead p5 p5 p2 p6\np5 3s\np2 4s\np6 5s", players=6, strict=True)
    assert turn(round) == "p5 answers"
    assert tags(round.header.seats) == "p5 p2 p6"


def test_s_deal_a_player_who_sits_out_takes_no_part() -> None:
    error = refused("round 1 opening p1 p3\np2 3s", players=3)
    assert verdict(error.refusal) == (Code.NOT_SEATED, IMPOSSIBLE, "S-DEAL")


@pytest.mark.parametrize("player", ["p1", "p2", "p3", "p4"])
def test_s_open_whoever_holds_the_lowest_card_opens(player: str) -> None:
    assert turn(after("round 1 opening")) == "anyone leads"
    assert after(f"{player} 3s", strict=True).opening_move == 1


@pytest.mark.parametrize("play", ["3s", "3s 3h", "3s 3c 3d 3h", "3s 4h 5c", "3s 3c 4s 4c 5s 5c"])
def test_s_open_the_opening_is_any_combination_with_the_lowest_card(play: str) -> None:
    assert found(after(f"p3 {play}", strict=True)) == []


@pytest.mark.parametrize("play", ["3c", "4s 5s 6s", "2h"])
@pytest.mark.parametrize("ruleset", [CLASSIC, WINNER_TAKES_ALL])
def test_s_open_with_four_players_the_opening_contains_the_three_of_spades(play: str, ruleset: str) -> None:
    error = refused(f"p2 {play}", ruleset=ruleset)
    assert verdict(error.refusal) == (Code.MUST_OPEN_LOWEST, IRREGULAR, "S-OPEN")
    assert (error.refusal.card, error.refusal.holder) == ("3s", None)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("play", ["3c", "7h", "9s 9c", "Ts Js Qs"])
def test_s_open_with_fewer_players_the_lowest_card_may_be_in_any_opening(players: int, play: str) -> None:
    assert found(after(f"p2 {play}", players=players, strict=True)) == []


@pytest.mark.parametrize(
    ("story", "move", "player", "both"),
    [
        ("p1 5d 5h\np2 6s 6c\np1 -\np2 5c", 4, 1, ("5c", "5d")),
        ("p1 5d 5h\np2 6s 6c\np1 -\np2 4s 5c 6h", 4, 1, ("4s", "5d")),
        ("p1 6d\np2 -\np1 4c", 3, 0, ("4c", "6d")),
        ("p1 6d\np2 -\np1 4c\np2 -\np1 3c", 3, 0, ("4c", "6d")),
    ],
)
def test_s_open_a_lower_card_played_later_proves_that_the_wrong_player_opened(
    story: str, move: int, player: int, both: tuple[str, str]
) -> None:
    (finding,) = findings(after(story, players=2))
    assert (finding.code, finding.clause, finding.move) == (Notice.OPENING_NOT_LOWEST, "S-OPEN", move)
    assert (finding.player, finding.cards) == (player, both)


def test_s_open_a_lower_card_shown_at_the_end_proves_it_too() -> None:
    story = "p1 5d\np2 6h\np2 7s 8s 9s Ts Js Qs Ks As\np2 2s 2c 2d\np2 6d\np1 shows"
    round = after(f"{story} 3d 5h 6c 7h 8h 9h Tc Jc Qc Kc Ac 2h", players=2)
    (finding,) = findings(round)
    assert (finding.move, finding.player, finding.cards) == (9, 0, ("3d", "5d"))


def test_s_open_a_lower_card_of_a_late_claim_proves_it_too() -> None:
    round = after(f"p1 5d\np2 claims {SIX_PAIRS} !", players=2)
    assert found(round) == ["claim-too-late S-INSTANT 2", "opening-not-lowest S-OPEN 2"]


def test_s_open_a_lower_card_proves_nothing_in_a_round_that_was_led() -> None:
    assert found(after("round 1 lead p1\np1 5d\np2 -\np1 4d", players=2)) == []


def test_s_open_with_four_players_nothing_is_left_to_prove() -> None:
    assert found(after("p1 9s !\np1 3s")) == ["must-open-lowest S-OPEN 1"]


def test_s_open_applies_again_after_an_instant_win() -> None:
    night = told(f"p1 claims {SIX_PAIRS}\nround 2\np4 3s\n")
    assert night.rounds[1].opening
    error = refused(f"p1 claims {SIX_PAIRS}\nround 2\np4 4s\n")
    assert error.refusal.code is Code.MUST_OPEN_LOWEST
    error = refused(f"p1 claims {SIX_PAIRS}\nround 2 lead p1\n")
    assert verdict(error.refusal) == (Code.WRONG_LEADER, IRREGULAR, "S-OPEN")
    assert (error.move, error.refusal.expected) == (0, ())


def test_s_open_a_table_may_agree_that_an_instant_winner_leads() -> None:
    rules = ["opening.after_instant_win=no"]
    assert turn(after(f"p2 claims {SIX_PAIRS}\nround 2", rules=rules)) == "p2 leads"


@pytest.mark.parametrize("ruleset", [CLASSIC, WINNER_TAKES_ALL])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_s_lead_the_winner_of_the_round_before_leads_any_combination(ruleset: str, players: int) -> None:
    round = after(f"{ONE_SUIT_EACH}\nround 2\np1 9s 9c", players=players, ruleset=ruleset, strict=False)
    assert round.header.leader == 0
    assert turn(after(f"{ONE_SUIT_EACH}\nround 2", players=players, ruleset=ruleset)) == "p1 leads"


@pytest.mark.parametrize("header", ["opening", "lead p2"])
def test_s_lead_another_leader_is_irregular_and_may_stand(header: str) -> None:
    error = refused(f"{ONE_SUIT_EACH}\nround 2 {header}")
    assert verdict(error.refusal) == (Code.WRONG_LEADER, IRREGULAR, "S-LEAD")
    assert (error.round, error.move, error.refusal.expected) == (2, 0, (0,))
    round = after(f"{ONE_SUIT_EACH}\nround 2 {header} !")
    assert found(round) == ["wrong-leader S-LEAD 0"]
    assert round.header.stood


def test_s_lead_the_mark_is_dropped_from_a_header_that_is_right() -> None:
    assert not after(f"{ONE_SUIT_EACH}\nround 2 lead p1 !").header.stood
    assert not after("round 1 opening !").header.stood


def test_s_lead_nobody_else_leads_in_their_place() -> None:
    error = refused(f"{ONE_SUIT_EACH}\nround 2\np2 9s 9c")
    assert verdict(error.refusal) == (Code.NOT_YOUR_TURN, IRREGULAR, "S-PASS")
    assert error.refusal.expected == (0,)


def test_s_lead_if_the_winner_does_not_sit_in_the_lowest_card_opens() -> None:
    story = f"{ONE_SUIT_EACH}\nround 2"
    assert after(f"{story} opening p2 p3 p4").opening
    assert verdict(refused(f"{story} lead p2 p2 p3 p4").refusal) == (Code.WRONG_LEADER, IRREGULAR, "S-OPEN")


def test_s_lead_seats_stay_as_they_were_unless_the_header_names_them() -> None:
    story = f"round 1 opening p2 p1 p3\np1 {run('s')}\np1 2s\nround 2"
    assert tags(after(story).header.seats) == "p2 p1 p3"
    assert tags(after(f"{story} lead p1 p1 p4").header.seats) == "p1 p4"


def test_s_lead_a_record_may_begin_in_the_middle_of_a_night() -> None:
    assert turn(after("round 1 lead p3")) == "p3 leads"
    assert turn(after("round 1")) == "anyone leads"


def test_s_deal_a_round_begins_only_when_the_one_before_is_over() -> None:
    for header in ("", "opening", "lead p1 !"):
        error = refused(f"p1 3s\nround 2 {header}")
        assert verdict(error.refusal) == (Code.ROUND_RUNNING, IMPOSSIBLE, "S-DEAL")


def test_s_deal_the_leader_must_sit_in() -> None:
    error = refused("round 1 lead p4 p1 p2")
    assert verdict(error.refusal) == (Code.NOT_SEATED, IMPOSSIBLE, "S-DEAL")


def test_s_deal_nobody_sits_twice() -> None:
    with pytest.raises(Unreadable, match="each player once"):
        after("round 1 opening p1 p2 p1")
