"""What is known of the hands left at the end: clauses SEEN, REST and SHOW."""

import pytest

from ledger.game.errors import Code, Verdict
from ledger.game.hands import missing_hands
from ledger.game.scoring import Status, payments, status
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import WINNER_TAKES_ALL, after, cards, hands, net, paid, refused, run, tags, verdict

IMPOSSIBLE = Verdict.IMPOSSIBLE

# p1 has won and takes all; p2, p3 and p4 hold the other twelve clubs, diamonds and hearts.
OPEN = FIRST_OUT[4]
CLUBS = "3c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2c"
DIAMONDS = "3d 4d 6d 7d 8d 9d Td Jd Qd Kd Ad 2d"
HEARTS = "3h 4h 5h 7h 8h 9h Th Jh Qh Kh Ah 2h"

TWO_LEFT = f"round 1 lead p2\np2 {run('c', '3', 'J')}\np2 Qc\np1 2s\np1 {run('s', '3', 'J')}"
"""Of two players, p1 is about to go out and p2 has three cards."""


@pytest.mark.parametrize(
    ("story", "card", "move", "holder"),
    [
        ("p1 3s\np2 3s", "3s", 1, 0),
        ("p1 3s\np2 4s\np3 -\np4 -\np1 -\np2 4s 4c", "4s", 2, 1),
        ("p1 3s 4s 5s\np2 4h 5s 6d", "5s", 1, 0),
    ],
)
def test_s_seen_no_card_is_played_twice_in_a_round(story: str, card: str, move: int, holder: int) -> None:
    for mark in ("", " !"):
        refusal = refused(story + mark).refusal
        assert verdict(refusal) == (Code.CARD_ALREADY_PLAYED, IMPOSSIBLE, "S-SEEN")
        assert (refusal.card, refusal.move, refusal.holder) == (card, move, holder)


def test_s_seen_a_card_is_traced_to_the_move_that_showed_it() -> None:
    round = after("p1 3s\np2 -\np3 4s")
    assert round.seen_in(cards("4s")) == (3, 2)
    with pytest.raises(LookupError):
        round.seen_in(cards("5s"))


@pytest.mark.parametrize("move", ["p1 3s 3s", "p1 claims 3s 3s", "p1 4s 5s 5s"])
def test_s_seen_no_card_is_named_twice_in_a_move(move: str) -> None:
    for mark in ("", " !"):
        assert verdict(refused(move + mark).refusal) == (Code.CARD_TWICE, IMPOSSIBLE, "S-SEEN")


def test_s_seen_nobody_plays_more_than_thirteen_cards() -> None:
    story = f"p1 {run('s', '3', 'K')}\np1 2s\np1 3c 4c 5c"
    for mark in ("", " !"):
        refusal = refused(story + mark).refusal
        assert verdict(refusal) == (Code.TOO_MANY_CARDS, IMPOSSIBLE, "S-SEEN")
        assert refusal.count == 1
    assert refused(f"{FIRST_OUT[4]}\np1 3d").refusal.code is Code.TOO_MANY_CARDS


def test_s_seen_shown_cards_are_as_many_as_the_player_still_holds() -> None:
    for shown in ("2c", f"{CLUBS} 4d"):
        refusal = refused(f"{OPEN}\np2 shows {shown}", ruleset=WINNER_TAKES_ALL).refusal
        assert verdict(refusal) == (Code.SHOWN_COUNT, IMPOSSIBLE, "S-SEEN")
        assert refusal.count == 12


def test_s_seen_a_player_who_is_out_or_has_shown_has_nothing_left_to_show() -> None:
    for story in (f"{OPEN}\np1 shows 3c", f"{OPEN}\np2 shows {CLUBS}\np2 shows {CLUBS}"):
        refusal = refused(story, ruleset=WINNER_TAKES_ALL).refusal
        assert verdict(refusal) == (Code.SHOWN_COUNT, IMPOSSIBLE, "S-SEEN")
        assert refusal.count == 0


@pytest.mark.parametrize(
    ("story", "card", "move", "holder"),
    [
        (f"p2 shows {CLUBS.replace('3c', '4c')}", "4c", 2, 1),
        (f"p2 shows {CLUBS}\np3 shows {DIAMONDS.replace('3d', 'Ac')}", "Ac", 10, 1),
    ],
)
def test_s_seen_shown_cards_have_not_been_seen(story: str, card: str, move: int, holder: int) -> None:
    refusal = refused(f"{OPEN}\n{story}", ruleset=WINNER_TAKES_ALL).refusal
    assert verdict(refusal) == (Code.SHOWN_ALREADY_PLAYED, IMPOSSIBLE, "S-SEEN")
    assert (refusal.card, refusal.move, refusal.holder) == (card, move, holder)


@pytest.mark.parametrize("move", [f"p2 shows 3c 3c {CLUBS[6:]}", "p2 declares 2h, 2h", "p2 declares 2h 2h"])
def test_s_seen_no_card_is_shown_or_declared_twice(move: str) -> None:
    refusal = refused(f"{OPEN}\n{move}", ruleset=WINNER_TAKES_ALL).refusal
    assert verdict(refusal) == (Code.CARD_TWICE, IMPOSSIBLE, "S-SEEN")


def test_s_rest_with_four_players_the_last_unseen_cards_are_the_last_players() -> None:
    round = after(WHOLE_ROUND[4])
    assert hands(round) == {"p4": f"deduced {HEARTS}"}
    assert status(round) is Status.SETTLED


def test_s_rest_a_hand_is_deduced_once_all_others_are_shown() -> None:
    story = f"{OPEN}\np2 shows {CLUBS}"
    assert tags(missing_hands(after(story, ruleset=WINNER_TAKES_ALL))) == "p3 p4"
    round = after(f"{story}\np4 shows {HEARTS}", ruleset=WINNER_TAKES_ALL)
    assert hands(round) == {"p2": f"shown {CLUBS}", "p3": f"deduced {DIAMONDS}", "p4": f"shown {HEARTS}"}
    assert status(round) is Status.SETTLED


def test_s_rest_declarations_leave_the_rest_unknown() -> None:
    round = after(f"{OPEN}\np2 declares none\np4 declares 2c, 2h", ruleset=WINNER_TAKES_ALL)
    assert hands(round) == {"p2": "declared", "p4": "declared 2c 2h"}
    assert tags(missing_hands(round)) == "p3"


@pytest.mark.parametrize("players", [2, 3])
def test_s_rest_with_fewer_players_nothing_is_deduced(players: int) -> None:
    assert hands(after(WHOLE_ROUND[players], players=players)) == {}


def test_s_rest_a_showing_that_differs_from_the_deduction_is_refused() -> None:
    refusal = refused(f"{WHOLE_ROUND[4]}\np4 shows {HEARTS.replace('3h', '3d')}").refusal
    assert verdict(refusal) == (Code.SHOWN_ALREADY_PLAYED, IMPOSSIBLE, "S-SEEN")
    assert hands(after(f"{WHOLE_ROUND[4]}\np4 shows {HEARTS}")) == {"p4": f"shown {HEARTS}"}


@pytest.mark.parametrize("declared", ["none", "2s", "2h, 2d", "3h 3d 3s 3c"])
def test_s_rest_a_declaration_that_differs_from_the_deduction_is_refused(declared: str) -> None:
    refusal = refused(f"{WHOLE_ROUND[4]}\np4 declares {declared}").refusal
    assert verdict(refusal) == (Code.DECLARATION_CONTRADICTED, IMPOSSIBLE, "S-REST")


def test_s_rest_a_declaration_of_another_card_of_the_same_worth_is_refused() -> None:
    # 2d and 2h are worth the same, but p3 has played the 2d.
    refusal = refused(f"{WHOLE_ROUND[4]}\np4 declares 2d").refusal
    assert verdict(refusal) == (Code.DECLARATION_CONTRADICTED, IMPOSSIBLE, "S-REST")


def test_s_rest_a_declaration_that_agrees_with_the_deduction_changes_nothing() -> None:
    assert hands(after(f"{WHOLE_ROUND[4]}\np4 declares 2h")) == {"p4": f"deduced {HEARTS}"}


def test_s_rest_a_showing_that_would_deduce_what_was_not_declared_is_refused() -> None:
    story = f"{OPEN}\np4 declares none\np2 shows {CLUBS}\np3 shows {DIAMONDS}"
    refusal = refused(story, ruleset=WINNER_TAKES_ALL).refusal
    assert verdict(refusal) == (Code.DECLARATION_CONTRADICTED, IMPOSSIBLE, "S-REST")
    assert refusal.card == "2h"


def test_s_rest_a_showing_that_would_deduce_what_was_declared_is_taken() -> None:
    story = f"{OPEN}\np4 declares 2h\np2 shows {CLUBS}\np3 shows {DIAMONDS}"
    assert hands(after(story, ruleset=WINNER_TAKES_ALL))["p4"] == f"deduced {HEARTS}"


def test_s_show_until_every_needed_hand_is_there_the_round_is_unsettled_and_the_rest_stands() -> None:
    round = after(FIRST_OUT[2], players=2)
    assert status(round) is Status.UNSETTLED
    assert paid(round) == ["p2 p1 2 placement S-PLACE"]
    assert tags(missing_hands(round)) == "p2"
    assert status(after("p1 3s")) is Status.IN_PROGRESS
    assert missing_hands(after("p1 3s")) == []


@pytest.mark.parametrize(
    ("line", "hand", "points"),
    [
        (f"p2 shows {CLUBS}", f"shown {CLUBS}", 1),
        ("p2 declares 2c", "declared 2c", 1),
        ("p2 declares 2h, 2d", "declared 2d 2h", 4),
        ("p2 declares 3c 3d 5c 5d 4d 4h", "declared 3c 3d 4d 4h 5c 5d", 2),
        ("p2 declares none", "declared", 0),
    ],
)
def test_s_show_each_hand_is_recorded_as_shown_or_declared(line: str, hand: str, points: int) -> None:
    round = after(f"{FIRST_OUT[2]}\n{line}", players=2)
    assert status(round) is Status.SETTLED
    assert hands(round) == {"p2": hand}
    assert (
        sum(payment.points for payment in payments(round) if payment.reason == "hoarding-penalty") == points
    )


def test_s_show_a_hand_that_can_hold_no_special_set_is_not_needed() -> None:
    round = after(f"{TWO_LEFT}\np1 Qs\np2 2c\np1 2d\np1 2h", players=2)
    assert (round.cards_left[1], hands(round)) == (2, {})
    assert status(round) is Status.SETTLED


def test_s_show_a_showing_replaces_a_declaration() -> None:
    round = after(f"{FIRST_OUT[2]}\np2 declares 2h\np2 shows {CLUBS}", players=2)
    assert hands(round) == {"p2": f"shown {CLUBS}"}
    assert round.declared == {}


def test_s_show_a_later_declaration_replaces_an_earlier_one() -> None:
    round = after(f"{FIRST_OUT[2]}\np2 declares 2h\np2 declares none", players=2)
    assert hands(round) == {"p2": "declared"}


def test_s_show_a_declaration_after_a_showing_must_agree_with_it() -> None:
    story = f"{FIRST_OUT[2]}\np2 shows {CLUBS}"
    assert hands(after(f"{story}\np2 declares 2c", players=2)) == {"p2": f"shown {CLUBS}"}
    for declared in ("none", "2d", "2s"):
        refusal = refused(f"{story}\np2 declares {declared}", players=2).refusal
        assert verdict(refusal) == (Code.DECLARATION_CONTRADICTED, IMPOSSIBLE, "S-REST")


@pytest.mark.parametrize(
    ("story", "card", "move", "holder"),
    [
        # Seen, or declared elsewhere.
        ("p2 declares 2s", "2s", 5, 0),
        (f"p3 shows {DIAMONDS}\np2 declares 2d", "2d", 10, 2),
        ("p3 declares 2c\np2 declares 2c", "2c", 10, 2),
        (f"p3 declares 2c\np2 shows {CLUBS}", "2c", 10, 2),
        # An unseen two is declared by nobody.
        ("p2 declares 2c\np3 declares none\np4 declares 2h", "2d", None, None),
        (f"p2 declares 2c\np4 declares none\np3 shows {DIAMONDS}", "2h", None, None),
    ],
)
def test_s_show_a_declaration_is_contradicted_by_a_card(
    story: str, card: str, move: int | None, holder: int | None
) -> None:
    refusal = refused(f"{OPEN}\n{story}", ruleset=WINNER_TAKES_ALL).refusal
    assert verdict(refusal) == (Code.DECLARATION_CONTRADICTED, IMPOSSIBLE, "S-SHOW")
    assert (refusal.card, refusal.move, refusal.holder) == (card, move, holder)


@pytest.mark.parametrize("declared", ["As", "Ac Ad", "2c 2d", "3c 3d 3h", "3c 3h 4d 4h 5c 5h, Ks"])
def test_s_show_a_declared_group_is_a_special_set(declared: str) -> None:
    refusal = refused(f"{OPEN}\np2 declares {declared}", ruleset=WINNER_TAKES_ALL).refusal
    assert (refusal.code, refusal.verdict) == (Code.DECLARATION_CONTRADICTED, IMPOSSIBLE)


def test_s_show_nobody_declares_more_cards_than_they_hold() -> None:
    story = f"{TWO_LEFT}\np1 Qs\np1 Ks\np1 As\np2 declares"
    refusal = refused(f"{story} 3d 3h 4d 4h 5d 5h", players=2).refusal
    assert verdict(refusal) == (Code.DECLARATION_CONTRADICTED, IMPOSSIBLE, "S-SHOW")
    assert refusal.count == 3
    assert net(after(f"{story} 2c, 2d, 2h", players=2)) == [2 + 5, -2 - 5]


def test_s_show_truthful_declarations_settle_a_round() -> None:
    round = after(f"{OPEN}\np2 declares 2c\np3 declares none\np4 declares 2h, 2d", ruleset=WINNER_TAKES_ALL)
    assert status(round) is Status.SETTLED
    assert net(round) == [6 + 1 + 4, -3, -2, -6]


def test_s_show_with_fewer_players_a_two_may_be_out_of_the_round() -> None:
    round = after(f"{FIRST_OUT[3]}\np2 declares none\np3 declares none", players=3, ruleset=WINNER_TAKES_ALL)
    assert status(round) is Status.SETTLED
    assert net(round) == [4, -2, -2]


@pytest.mark.parametrize(
    ("rule", "needed"), [("payments.hoarding=yes", "p2 p3 p4"), ("payments.hoarding=no", "")]
)
def test_s_show_nobody_shows_what_nobody_is_paid_for(rule: str, needed: str) -> None:
    round = after("round 1 opening\nresult p1 p2 p3 p4", ruleset=WINNER_TAKES_ALL, rules=[rule])
    assert tags(missing_hands(round)) == needed
