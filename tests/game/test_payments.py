"""What is paid when a round has ended: clauses PLACE, FULL, SPECIAL and HOARD."""

import pytest

from ledger.game.caches import BoundedCache
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.southern import CLASSIC as RULES
from ledger.game.special_sets import Appraiser
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import CLASSIC, WINNER_TAKES_ALL, after, cards, net, paid, run


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        (4, ["p3 p2 1 placement S-PLACE", "p4 p1 2 placement S-PLACE", "p4 p3 2 hoarding-penalty S-HOARD"]),
        (3, ["p2 p1 1 placement S-PLACE", "p3 p1 2 placement S-PLACE"]),
        (2, ["p2 p1 2 placement S-PLACE"]),
    ],
)
def test_s_place_classic_pays_by_place(players: int, expected: list[str]) -> None:
    assert paid(after(WHOLE_ROUND[players], players=players)) == expected


@pytest.mark.parametrize("players", [2, 3, 4])
def test_s_place_winner_takes_all_pays_the_winner_two_each(players: int) -> None:
    round = after(FIRST_OUT[players], players=players, ruleset=WINNER_TAKES_ALL)
    assert paid(round) == [f"p{payer} p1 2 placement S-PLACE" for payer in range(2, players + 1)]


@pytest.mark.parametrize(
    ("ruleset", "players", "played", "expected"),
    [
        # The four cases by hand: two, one and three knocked out, and the winner takes all.
        (CLASSIC, 4, 1, [8, 0, -4, -4]),
        (CLASSIC, 4, 2, [4, 1, -1, -4]),
        (CLASSIC, 4, 0, [12, -4, -4, -4]),
        (WINNER_TAKES_ALL, 4, 2, [8, -2, -2, -4]),
        (WINNER_TAKES_ALL, 4, 1, [10, -2, -4, -4]),
        (CLASSIC, 3, 1, [5, -1, -4]),
        (CLASSIC, 3, 0, [8, -4, -4]),
        (CLASSIC, 2, 0, [4, -4]),
        (WINNER_TAKES_ALL, 3, 0, [8, -4, -4]),
        (WINNER_TAKES_ALL, 2, 0, [4, -4]),
    ],
)
def test_s_full_whoever_is_left_with_thirteen_cards_pays_the_winner_four(
    ruleset: str, players: int, played: int, expected: list[int]
) -> None:
    others = "\n".join(["", "p2 4c", "p3 5d"][: played + 1])
    story = f"p1 3s{others}\np1 2s\np1 {run('s', '4')}"
    if (played, players, ruleset) == (2, 4, CLASSIC):
        story += f"\np2 -\np3 -\np2 {run('c', '5')}\np2 2c\np2 3c"
    round = after(story, players=players, ruleset=ruleset)
    assert round.over
    assert net(round) == expected
    full = [line for line in paid(round) if line.endswith("S-FULL")]
    assert full == [f"p{payer} p1 4 placement S-FULL" for payer in range(played + 2, players + 1)]


@pytest.mark.parametrize(("move", "passes"), [("2h", "p2 -\np3 -"), ("-", "p3 -")])
def test_s_full_a_knocked_out_player_whose_play_stood_still_pays_as_a_full_hand(
    move: str, passes: str
) -> None:
    story = f"p1 3s\np2 4c\np3 5d\np1 2s\np1 {run('s', '4')}\np2 -\np3 -\np2 3c\np4 {move} !\n{passes}"
    round = after(f"{story}\np2 {run('c', '5')}\np2 2c")
    assert paid(round) == ["p3 p2 1 placement S-PLACE", "p4 p1 4 placement S-FULL"]


def test_s_place_a_payment_without_payer_or_payee_is_not_made() -> None:
    round = after(f"p1 3s\np2 4c\np1 2s\np1 {run('s', '4')}")
    assert paid(round) == ["p3 p1 4 placement S-FULL", "p4 p1 4 placement S-FULL"]


@pytest.mark.parametrize(
    ("held", "worth"),
    [
        ("2s", 1),
        ("2c", 1),
        ("2d", 2),
        ("2h", 2),
        ("2s 2c 2d", 4),
        ("3s 3c 4s 4c 5s 5c", 2),
        ("8s 8c 8d 8h", 3),
        ("3s 3c 4s 4c 5s 5c 6s 6c", 4),
        ("As Ac Ad", 0),
        ("3s 4s 5s 6s 7s", 0),
        ("", 0),
        # The Rulings, and what follows from them.
        ("4s 4c 4d 4h 5s 5c 6s 6c", 3),
        ("3s 3c 3d 3h 4s 4c 5s 5c 6s 6c", 5),
        ("2s 2c 2d 2h", 6),
        ("3s 3c 4s 4c 5s 5c 6s 6c 7s 7c", 4),
        ("3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 8s 8c", 4),
        ("3s 3c 4s 4c 5s 5c 7s 7c 8s 8c 9s 9c", 4),
        ("3s 3c 3d 3h 4s 4c 4d 4h 5s 5c 5d 5h", 9),
        ("3s 3c 3d 3h 4s 4c 4d 4h 5s 5c", 6),
        ("3s 3c 3d 3h 4s 4c 5s 5c 6s 6c 7s 7c", 7),
        ("5s 5c 5d 5h 6s 6c 6d 6h 7s 7c 8s 8c", 6),
        ("3s 3c 3d 3h 4s 4c 4d 4h 5s 5c 6s 6c 7s", 6),
        ("Qs Qc Ks Kc As Ac 2s 2h", 5),
        ("Ks Kc As Ac 2s 2c", 2),
        ("9s 9c 9d 9h 2d", 5),
    ],
)
def test_s_special_the_value_is_the_most_over_sets_that_share_no_card(held: str, worth: int) -> None:
    assert compiled(RULES).hand_values.total(cards(held)) == worth


@pytest.mark.parametrize(
    ("text", "special"),
    [
        ("2s", True),
        ("As", False),
        ("2s 2c", False),
        ("3s 3c 4s 4c 5s 5c", True),
        ("3s 3c 3d 4s 4c 5s", False),
        ("9s 9c 9d 9h", True),
        ("2s 2c 2d 2h", True),
        ("9s 9c 9d Th", False),
        ("3s 3c 4s 4c 5s 5c 6s 6c", True),
        ("3s 3c 4s 4c 5s 5c 6s 6c 7s 7c", False),
        ("Ks Kc As Ac 2s 2c", False),
    ],
)
def test_s_special_a_set_is_one_of_the_list_no_more_and_no_less(text: str, special: bool) -> None:
    assert compiled(RULES).hand_values.is_special_set(cards(text)) is special


def test_s_special_values_are_the_same_when_their_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoundedCache, "LIMIT", 2)
    values = Appraiser(RULES.deck, RULES.combinations, RULES.payments.special_sets)
    assert [values.total(cards(text)) for text in ("2s 3s", "2d 3c", "2h 3d", "2s 3s")] == [1, 2, 2, 1]


def test_s_hoard_the_last_player_left_pays_whoever_went_out_most_recently() -> None:
    assert paid(after(WHOLE_ROUND[4]))[-1] == "p4 p3 2 hoarding-penalty S-HOARD"
    two = after(f"{FIRST_OUT[2]}\np2 shows 2c 3c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", players=2)
    assert paid(two) == ["p2 p1 2 placement S-PLACE", "p2 p1 1 hoarding-penalty S-HOARD"]


def test_s_hoard_a_knocked_out_player_pays_the_winner() -> None:
    story = f"p1 3s\np2 4c\np3 5d\np1 2s\np1 {run('s', '4')}\np2 -\np3 -\np2 {run('c', '5')}\np2 2c\np2 3c"
    round = after(f"{story}\np4 declares 2h\np3 declares 2d")
    assert paid(round) == [
        "p3 p2 1 placement S-PLACE",
        "p4 p1 4 placement S-FULL",
        "p3 p2 2 hoarding-penalty S-HOARD",
        "p4 p1 2 hoarding-penalty S-HOARD",
    ]


def test_s_hoard_everyone_pays_the_winner_who_takes_all() -> None:
    story = f"{FIRST_OUT[4]}\np2 declares 2c\np4 declares 2h\np3 declares 2d"
    round = after(story, ruleset=WINNER_TAKES_ALL)
    assert [line for line in paid(round) if "hoarding" in line] == [
        "p2 p1 1 hoarding-penalty S-HOARD",
        "p3 p1 2 hoarding-penalty S-HOARD",
        "p4 p1 2 hoarding-penalty S-HOARD",
    ]


def test_s_hoard_several_sets_are_added_up() -> None:
    story = f"round 1 lead p1\np1 {run('h', '3', '8')}\np1 {run('h', 'T')}\np1 3s\np2 4c\np1 2s"
    round = after(f"{story}\np2 declares 2c, 2d, 9s 9c 9d 9h", players=2)
    assert paid(round)[-1] == "p2 p1 6 hoarding-penalty S-HOARD"
