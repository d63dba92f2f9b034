"""Why each payment is made, step by step, and why others are not."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from ledger.game.cards import Rank, Suit
from ledger.game.explaining import (
    About,
    Explained,
    WhyNot,
    explain,
)
from ledger.game.fold import begin, voided
from ledger.game.hands import Source
from ledger.game.moves import Play, Show
from ledger.game.notation import tag
from ledger.game.patterns import SINGLE, SpecialSet, Target
from ledger.game.payments import Payment, Step, StepKind
from ledger.game.round import Header, Round
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset, Several
from ledger.game.rulesets.paying import Chain
from tests.game.rulesets.laws import is_explained
from tests.game.stories import FIRST_OUT, IN_TURN, WHOLE_ROUND
from tests.game.table import ALL_CARDS, WINNER_TAKES_ALL, after, cards, run
from tests.game.test_bomb_bonus import OUT_WITH_A_TWO
from tests.game.test_statistics import record as recorded


def why(round: Round) -> list[str]:
    """The explanations of a round: `p4 p1 2: place 4→1 2`."""
    return [
        f"{tag(one.payer)} {tag(one.payee)} {one.points}: "
        + ", ".join(_step(round, step) for step in one.steps)
        for one in explain(round).why
    ]


def _step(round: Round, step: Step) -> str:
    facts = [
        *round.ruleset.deck.write(step.cards),
        f"@{step.move}" if step.move else "",
        f"{step.count}×{step.each}" if step.each else f"×{step.count}" if step.count else "",
        step.name,
        "→".join(map(str, step.places)) if any(step.places) else "",
    ]
    return " ".join([step.kind, *filter(None, facts), f"= {step.points}"])


def why_not(round: Round, about: About | None = None) -> list[str]:
    """What brought nothing: `led bomb p1 S-CHOP 4s 4c 4d 4h @1`."""
    write = round.ruleset.deck.write
    return [
        " ".join(
            [
                one.reason,
                *([] if one.player is None else [tag(one.player)]),
                *([] if one.other is None else [tag(one.other)]),
                one.clause,
                *write(one.cards),
                *([f"@{one.move}"] if one.move else []),
                *(["by", *write(one.by)] if one.by else []),
                *([f"place {one.place}"] if one.place else []),
            ]
        )
        for one in explain(round).why_not
        if about in (None, one.about)
    ]


def only(explanations: Iterable[Payment]) -> Payment:
    (one,) = explanations
    return one


def paying(id: str = "southern-classic", **payments: object) -> Ruleset:
    """A preset with some other payments."""
    return replace(PRESETS[id], payments=replace(PRESETS[id].payments, **payments))  # type: ignore[arg-type]


# Bombs


CHAIN = "round 1 lead p1\np1 2c\np2 2d\np3 3s 3c 3d 3h\np4 4s 4c 4d 4h\np1 -\np2 -\np3 -\np4 5s"


@pytest.mark.parametrize(
    ("chain", "unit", "steps", "nothing"),
    [
        (
            Chain.WHOLE_PILE,
            0,
            ["p3 p4 6: special-set 2c @1 = 1, special-set 2d @2 = 2, special-set 3s 3c 3d 3h @3 = 3"],
            ["not-last p3 p2 S-CHOP 3s 3c 3d 3h @3"],
        ),
        (
            Chain.CUT,
            0,
            ["p3 p4 5: special-set 2d @2 = 2, special-set 3s 3c 3d 3h @3 = 3"],
            ["no-bomb p1 p2 S-CHOP 2c @1 by 2d", "not-last p3 p2 S-CHOP 3s 3c 3d 3h @3"],
        ),
        (
            Chain.EACH,
            0,
            ["p2 p3 2: special-set 2d @2 = 2", "p3 p4 3: special-set 3s 3c 3d 3h @3 = 3"],
            ["no-bomb p1 p2 S-CHOP 2c @1 by 2d"],
        ),
        (
            Chain.DOUBLING,
            0,
            ["p2 p3 2: special-set 2d @2 = 2", "p3 p4 4: special-set 2d @2 = 2, doubling ×2 = 2"],
            [
                "no-bomb p1 p2 S-CHOP 2c @1 by 2d",
                "only-first-doubles p3 p4 S-CHOP 3s 3c 3d 3h @3 by 4s 4c 4d 4h",
            ],
        ),
        (
            Chain.FIRST,
            0,
            ["p3 p4 2: special-set 2d @2 = 2"],
            [
                "no-bomb p1 p2 S-CHOP 2c @1 by 2d",
                "not-last p3 p2 S-CHOP 3s 3c 3d 3h @3",
                "only-first p3 p4 S-CHOP 3s 3c 3d 3h @3 by 4s 4c 4d 4h",
            ],
        ),
        (
            Chain.GROWING,
            0,
            [
                "p2 p3 2: special-set 2d @2 = 2",
                "p3 p4 5: special-set 2d @2 = 2, special-set 3s 3c 3d 3h @3 = 3",
            ],
            ["no-bomb p1 p2 S-CHOP 2c @1 by 2d"],
        ),
        (
            Chain.ALL_TO_LAST,
            0,
            ["p2 p4 2: special-set 2d @2 = 2", "p3 p4 3: special-set 3s 3c 3d 3h @3 = 3"],
            ["no-bomb p1 p2 S-CHOP 2c @1 by 2d", "not-last p3 p2 S-CHOP 3s 3c 3d 3h @3"],
        ),
        (
            Chain.COUNTING,
            5,
            ["p2 p3 5: chop 2d @2 1×5 = 5", "p3 p4 10: chop 3s 3c 3d 3h @3 2×5 = 10"],
            ["no-bomb p1 p2 S-CHOP 2c @1 by 2d"],
        ),
    ],
)
def test_a_bomb_bonus_is_counted_as_the_tables_chain_has_it(
    chain: Chain, unit: int, steps: list[str], nothing: list[str]
) -> None:
    round = begin(paying(chain=chain, chop_unit=unit), Header((0, 1, 2, 3), 0), after(CHAIN).moves)
    assert why(round) == steps
    assert why_not(round) == nothing
    is_explained(round)


def test_a_bomb_bonus_names_the_bomb_what_it_beat_and_every_play_below() -> None:
    one = only(explain(after(CHAIN)).why)
    assert one.moves == (1, 2, 3, 4)
    assert one.clauses == ("S-CHOP", "S-SPECIAL")
    assert not one.provisional


def test_s_special_a_set_that_was_captured_is_worth_its_own_points_and_no_other_play_counts() -> None:
    round = after("round 1 lead p1\np1 9s\np2 2d\np3 Js Jc Qs Qc Ks Kc\np4 4s 4c 4d 4h")
    assert why(round) == ["p3 p4 4: special-set 2d @2 = 2, special-set Js Jc Qs Qc Ks Kc @3 = 2"]
    assert only(explain(round).why).provisional


def test_a_bomb_that_is_beaten_by_a_play_that_stood_is_not_the_last_nor_are_its_captures() -> None:
    round = after("round 1 lead p1\np1 2c\np2 3s 3c 3d 3h\np3 9s !")
    assert why_not(round) == [
        "not-last p1 p2 S-CHOP 2c @1 by 3s 3c 3d 3h",
        "not-last p2 p1 S-CHOP 3s 3c 3d 3h @2",
        "pile-open p2 p3 S-PILE 3s 3c 3d 3h @2 by 9s",
    ]


@pytest.mark.parametrize(
    ("story", "ruleset", "expected"),
    [
        ("round 1 lead p1\np1 4s 4c 4d 4h", "southern-classic", ["led p1 S-CHOP 4s 4c 4d 4h @1"]),
        (
            OUT_WITH_A_TWO,
            "southern-classic",
            [
                "beaten-went-out p1 p2 S-CHOP-OUT 2c @12 by 2h",
                "beaten-went-out p2 p3 S-CHOP-OUT 2h @13 by 4s 4c 4d 4h",
                "beaten-went-out p3 p2 S-CHOP-OUT 4s 4c 4d 4h @14",
            ],
        ),
        (
            "round 1 lead p1\np1 2s\np1 4s 4c 4d 4h !",
            "southern-classic",
            ["own-play p1 p1 S-CHOP 2s @1 by 4s 4c 4d 4h", "own-play p1 p1 S-CHOP 4s 4c 4d 4h @2"],
        ),
        (
            "round 1 lead p1\np1 9s\np2 4s 4c 4d 4h !",
            "southern-classic",
            ["worthless p2 p1 S-SPECIAL 4s 4c 4d 4h @2"],
        ),
        ("round 1 lead p1\np1 2s\np2 2h", "southern-classic", ["pile-open p1 p2 S-PILE 2s @1 by 2h"]),
        (
            "round 1 lead p1\np1 2s\np2 2h\np3 -\np4 -\np1 -\np2 3s",
            "southern-classic",
            ["no-bomb p1 p2 S-CHOP 2s @1 by 2h"],
        ),
        (
            "round 1 lead p1\np1 2s\np2 4s 4c 4d 4h",
            "family",
            [
                "not-paid-here p1 p2 F-CHOP 2s @1 by 4s 4c 4d 4h",
                "not-paid-here p2 p1 F-CHOP 4s 4c 4d 4h @2",
            ],
        ),
    ],
)
def test_a_bomb_that_brings_nothing_has_its_reason(story: str, ruleset: str, expected: list[str]) -> None:
    assert why_not(after(story, ruleset=ruleset)) == expected


def test_where_bombs_are_not_paid_for_a_2_under_a_2_is_not_either() -> None:
    assert why_not(after("round 1 lead p1\np1 2s\np2 2h", ruleset="family")) == [
        "not-paid-here p1 p2 F-CHOP 2s @1 by 2h"
    ]


def test_a_2_that_counts_for_nothing_is_worthless_even_where_others_are_paid_for() -> None:
    hearts = SpecialSet(Target(SINGLE, Rank.TWO), 5, suits=(Suit.HEARTS,))
    rules = paying(captured=(hearts,))
    round = begin(
        rules, Header((0, 1, 2, 3), 0), after("round 1 lead p1\np1 2s\np2 2h\np3 4s 4c 4d 4h").moves
    )
    assert why(round) == ["p2 p3 5: special-set 2h @2 = 5"]
    assert why_not(round) == ["worthless p1 p2 S-SPECIAL 2s @1 by 2h"]


# Hands


def left_with(held: str, *, ruleset: Ruleset = PRESETS["southern-classic"]) -> Round:
    """A round that p1 has won, whatever was allowed; p2 has played one card and shows twelve."""
    free = [card for card in ALL_CARDS if card not in held.split()]
    lead, answer, others = free[0], free[1], " ".join(free[2:14])
    story = f"round 1 lead p1\np1 {lead}\np2 {answer} !\np1 {others} !\np2 shows {held}"
    return begin(ruleset, Header((0, 1), 0), after(story, players=2).moves)


def test_hoarding_counts_the_best_choice_of_sets_and_says_which_sets_do_not_count() -> None:
    # 4444 is worth 3, the three pairs 2: of overlapping sets only the higher one counts.
    round = left_with("4s 4c 4d 4h 5s 5c 6s 6c 8s 9s Ts 2d")
    assert why(round)[1:] == ["p2 p1 5: special-set 4s 4c 4d 4h = 3, special-set 2d = 2"]
    assert why_not(round) == ["overlap p2 S-SPECIAL 4s 4c 5s 5c 6s 6c by 4s 4c 4d 4h"]
    is_explained(round)


def test_sets_that_share_nothing_all_count_and_a_set_within_a_set_needs_no_word() -> None:
    round = left_with("3s 3c 3d 3h 4s 4c 5s 5c 6s 6c 7s 7c")
    assert why(round)[1:] == ["p2 p1 7: special-set 3s 3c 3d 3h = 3, special-set 4s 4c 5s 5c 6s 6c 7s 7c = 4"]
    assert why_not(round) == [
        "overlap p2 S-SPECIAL 3s 3c 4s 4c 5s 5c by 3s 3c 3d 3h 4s 4c 5s 5c 6s 6c 7s 7c",
        "overlap p2 S-SPECIAL 3s 3c 4s 4c 5s 5c 6s 6c by 3s 3c 3d 3h 4s 4c 5s 5c 6s 6c 7s 7c",
    ]


def test_four_2s_are_worth_more_one_by_one() -> None:
    round = left_with("2s 2c 2d 2h 4s 6s 8s 9c Ts Jc Qs Kc")
    assert why(round)[1:] == [
        "p2 p1 6: special-set 2s = 1, special-set 2c = 1, special-set 2d = 2, special-set 2h = 2"
    ]
    assert why_not(round) == ["overlap p2 S-SPECIAL 2s 2c 2d 2h by 2s 2c 2d 2h"]


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


KNOCKED_OUT = f"p1 3s\np2 4c\np3 5d\np1 2s\np1 {run('s', '4')}\np2 -\np3 -\np2 {run('c', '5')}\np2 2c\np2 3c"


def test_a_knocked_out_players_hand_is_paid_to_the_winner_and_not_to_the_last_who_went_out() -> None:
    round = after(f"{KNOCKED_OUT}\np4 declares 2h\np3 declares 2d")
    explained = explain(round)
    assert explained.why[-1].clauses == ("S-HOARD", "S-SPECIAL", "S-KNOCK", "S-SHOW")
    assert explained.why[-1].moves == (round.ending_move, round.ending_move + 1)
    assert why_not(round, About.HELD) == ["paid-to-winner p2 p4 S-HOARD"]


def test_where_all_hands_are_paid_to_the_winner_nobody_else_is_left_out() -> None:
    round = after(WHOLE_ROUND[4], ruleset="thirteen-points")
    assert why(round)[-1] == "p4 p1 2: special-set 2h = 2"
    assert why_not(round, About.HELD) == []


def test_a_hand_that_nobody_has_seen_is_missing_and_all_payments_may_still_change() -> None:
    round = after(KNOCKED_OUT)
    assert why_not(round, About.HELD) == ["hand-missing p3 S-SHOW", "hand-missing p4 S-SHOW"]
    assert all(one.provisional for one in explain(round).why)


@pytest.mark.parametrize(
    ("ruleset", "steps", "nothing"),
    [
        # 12 cards, three pairs and a red 2 among them: 12 + (9 - 6) + (6 - 1).
        (
            "card-count",
            "p2 p1 20: cards 12×1 = 12, instead 4s 4c 5s 5c 6s 6c 9×1 = 3, instead 2d 6×1 = 5",
            [],
        ),
        ("thirteen", "", ["not-paid-here p2 T-HOARD 2d"]),
        ("core", "", ["not-paid-here p2 C-HOARD 2d"]),
    ],
)
def test_a_hand_costs_what_the_table_pays_for(ruleset: str, steps: str, nothing: list[str]) -> None:
    round = left_with("4s 4c 5s 5c 6s 6c 8s Td Js Qd Kh 2d", ruleset=PRESETS[ruleset])
    assert [line for line in why(round) if "place" not in line] == ([steps] if steps else [])
    assert why_not(round, About.HELD) == nothing


def test_a_set_may_be_worth_less_than_its_cards() -> None:
    round = left_with("4s 4c 5s 5c 6s 6c 8s Td Js Qd Kh Ah", ruleset=paying("card-count", card=2))
    assert why(round) == ["p2 p1 24: cards 12×2 = 24"]
    assert why_not(round, About.HELD) == ["less-than-cards p2 DL-CARDS 4s 4c 5s 5c 6s 6c"]


def test_a_2_in_a_hand_may_be_worth_nothing_where_other_cards_are_paid_for() -> None:
    bombs = paying(special_sets=PRESETS["southern-classic"].payments.special_sets[2:])
    round = left_with("4s 4c 5s 5c 6s 6c 8s Td Js Qd Kh 2d", ruleset=bombs)
    assert why(round)[1:] == ["p2 p1 2: special-set 4s 4c 5s 5c 6s 6c = 2"]
    assert why_not(round) == ["worthless p2 S-SPECIAL 2d"]


NOTHING_PLAYED = f"p1 3s\np2 -\np1 2s\np2 -\np1 {run('s', '4')}"


@pytest.mark.parametrize(
    ("rules", "step"),
    [
        ({}, "p2 p1 29: unplayed ×13 = 26, special-set 2c = 3"),
        ({"unplayed_replaces": True}, "p2 p1 28: unplayed ×13 = 26, instead 2c 3×1 = 2"),
    ],
)
def test_a_hand_of_which_nothing_was_played_may_cost_a_fixed_sum(rules: dict[str, bool], step: str) -> None:
    moves = after(f"{NOTHING_PLAYED}\np2 shows {run('c')} 2c", players=2).moves
    round = begin(paying("card-count", **rules), Header((0, 1)), moves)
    assert why(round) == [step]


# Places


def test_places_are_paid_by_the_plays_with_which_payer_and_payee_went_out() -> None:
    round = after(WHOLE_ROUND[4])
    assert why(round)[:2] == ["p3 p2 1: place ×4 3→2 = 1", "p4 p1 2: place ×4 4→1 = 2"]
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


def test_full_hands_and_players_without_a_place_say_so() -> None:
    story = f"p1 3s\np2 4c\np1 2s\np1 {run('s', '4')}"
    assert why(after(story))[:2] == ["p3 p1 4: full-hand ×13 = 4", "p4 p1 4: full-hand ×13 = 4"]
    assert explain(after(story)).why[0].clauses == ("S-FULL", "S-KNOCK")
    everyone = why(after(FIRST_OUT[4], ruleset=WINNER_TAKES_ALL))
    assert everyone == [f"p{payer} p1 2: no-place ×12 = 2" for payer in (2, 3, 4)]


def test_the_second_is_not_paid_where_nobody_came_third() -> None:
    story = f"p1 3s\np2 4c\np1 2s\np1 {run('s', '4')}"
    assert why_not(after(story), About.PLACE) == ["vacant p2 S-PLACE place 3"]


def test_the_second_is_not_paid_by_a_third_who_pays_for_a_full_hand() -> None:
    round = begin(paying(full_from=12), Header((0, 1, 2, 3)), after(KNOCKED_OUT).moves)
    assert why(round) == ["p3 p1 4: full-hand ×12 = 4", "p4 p1 4: full-hand ×13 = 4"]
    assert why_not(round, About.PLACE) == ["full-instead p2 p3 S-FULL place 3"]


def test_a_place_in_the_middle_may_neither_pay_nor_be_paid() -> None:
    assert why_not(after(WHOLE_ROUND[4], ruleset="amsterdam"), About.PLACE) == [
        "no-payment-for-place p2 AM-PLACE place 2",
        "no-payment-for-place p3 AM-PLACE place 3",
    ]


def test_a_table_that_only_ranks_pays_for_no_place() -> None:
    assert why_not(after(WHOLE_ROUND[4], ruleset="family"), About.PLACE) == ["not-paid-here F-PLACE"]


# Other payments


def test_an_instant_win_is_explained_by_its_hand_and_ends_all_other_payments() -> None:
    round = after(f"p1 2s !\np2 3c 3d 4c 4d 5c 5d !\np1 claims {run('s', '3', 'A')} 2s !", players=2)
    assert why(round) == [f"p2 p1 2: instant-win {run('s', '3', 'A')} 2s dragon = 2"]
    assert why_not(round) == [
        "instant-win p1 p2 S-INSTANT 2s @1 by 3c 3d 4c 4d 5c 5d",
        "instant-win p2 p1 S-INSTANT 3c 3d 4c 4d 5c 5d @2",
        "instant-win S-INSTANT",
    ]


def test_a_claim_that_stood_is_no_hand_of_the_list() -> None:
    round = after("p1 claims 3s 4c 5s 6s 7s 8s 9s Ts Js Qs Kc Kd 2s !", players=2)
    assert [step.name for one in explain(round).why for step in one.steps] == [""]


def test_a_winner_who_goes_out_with_2s_pays_and_nothing_else_is_paid() -> None:
    ended = f"p1 {run('s', '3', 'A')}\np2 -\np1 2s !\np2 shows {run('c', '3', 'A')} 2c"
    round = after(ended, ruleset="northern", players=2)
    assert why(round) == ["p1 p2 13: last-twos 2s @3 1×13 = 13"]
    assert why_not(round) == [
        f"led p1 N-CHOP {run('s', '3', 'A')} @1",
        "last-twos p1 N-END",
        "last-twos p2 p1 N-END 2c",
    ]


def test_got_to_get_in_and_contracts_are_paid_at_their_numbers() -> None:
    story = f"p1 contract guaransheed\np2 contract blind-guaransheed\n{IN_TURN}\np1 2s\np1 {run('s', '4')}"
    story += f"\np2 -\np3 -\np4 -\np2 {run('c', '5')}\np2 2c\np2 3c\np3 -\np4 -"
    round = after(f"{story}\np3 {run('d', '6')}\np3 2d\np3 4d\np3 3d", ruleset="pro-play")
    assert [line for line in why(round) if "contract" in line] == [
        "p2 p1 1: contract guaransheed = 1",
        "p3 p1 1: contract guaransheed = 1",
        "p4 p1 1: contract guaransheed = 1",
        "p2 p1 2: contract blind-guaransheed = 2",
        "p2 p3 2: contract blind-guaransheed = 2",
        "p2 p4 2: contract blind-guaransheed = 2",
    ]
    assert [one.moves[0] for one in explain(round).why[-6:]] == [1, 1, 1, 2, 2, 2]


def test_whoever_is_left_with_the_lowest_card_alone_pays_for_it() -> None:
    story = f"round 1 lead p1\np1 4c\np2 {run('d', '3', 'A')} !\np1 {run('h', '3', 'A')} !\np2 shows 3s"
    round = begin(paying(lowest_left=7), Header((0, 1), 0), after(story, players=2).moves)
    assert "p2 p1 7: last-card 3s = 7" in why(round)
    is_explained(round)


def test_whoever_has_played_nothing_pays_each_who_goes_out() -> None:
    story = f"p1 3s\np2 -\np3 -\np4 4h\np1 2s\np1 {run('s', '4')}"
    assert [line for line in why(after(story, ruleset="pro-play")) if "get-in" in line] == [
        "p2 p1 2: got-to-get-in = 2",
        "p3 p1 2: got-to-get-in = 2",
    ]


# Claims among several, rounds entered as their result, rounds that do not count


SEVERAL_CLAIMS = f"p1 claims 3s 3c 3d 4s 4c 4d 5s 5c 5d 7s 9s Js Ks\np2 claims {run('h')} 2h"


@pytest.mark.parametrize(
    ("several", "nothing"),
    [
        (Several.EVERY, []),
        (Several.STRONGEST, ["stronger-claim p1 p2 S-INSTANT 3s 3c 3d 4s 4c 4d 5s 5c 5d 7s 9s Js Ks @1"]),
        (Several.FIRST_IN_TURN, [f"earlier-claim p2 p1 S-INSTANT {run('h')} 2h @2"]),
    ],
)
def test_a_claim_that_another_one_takes_everything_from_says_so(several: Several, nothing: list[str]) -> None:
    round = claimed_twice(several)
    assert why_not(round, About.CLAIM) == nothing
    assert len(explain(round).why) == (2 if several is Several.EVERY else 1)
    is_explained(round)


def claimed_twice(several: Several) -> Round:
    """Two instant wins in one round of two players; p1 was to lead."""
    classic = PRESETS["southern-classic"]
    dragon_first = sorted(classic.instant_wins.hands, key=lambda win: win.name != "dragon")
    wins = replace(classic.instant_wins, several=several, hands=tuple(dragon_first))
    moves = after(SEVERAL_CLAIMS, players=2).moves
    return begin(replace(classic, instant_wins=wins), Header((0, 1), 0), moves)


def test_each_bomb_of_a_result_is_explained_by_what_it_took_itself() -> None:
    round = after(
        "result p3 p1 p2\nknocked p4\nbombed p2 p1 2d 2h\nbombed p1 p3 2c Js Jc Qs Qc Ks Kc\np2 declares none"
    )
    assert why(round) == [
        "p1 p2 4: special-set 2d @1 = 2, special-set 2h @1 = 2",
        "p3 p1 3: special-set Js Jc Qs Qc Ks Kc @1 = 2, special-set 2c @1 = 1",
        "p2 p1 1: place ×4 3→2 = 1",
        "p4 p3 4: full-hand ×13 = 4",
    ]
    assert {one.moves for one in explain(round).why} == {(1,)}
    is_explained(round)


def test_two_bombs_of_a_result_that_pay_alike_each_have_their_own_cards() -> None:
    round = after("result p3 p1 p2 p4\nbombed p2 p1 2d\nbombed p2 p1 2h\np4 declares none")
    assert why(round)[:2] == ["p1 p2 2: special-set 2d @1 = 2", "p1 p2 2: special-set 2h @1 = 2"]


def test_what_a_bomb_of_a_result_took_for_nothing_says_why() -> None:
    assert why_not(after("result p3 p1 p2 p4\nbombed p2 p1 9s"), About.PLAYED) == [
        "worthless p1 p2 S-SPECIAL 9s @1"
    ]
    assert why_not(after("result p3 p1 p2 p4\nbombed p2 p1 2d", ruleset="family"), About.PLAYED) == [
        "not-paid-here p1 p2 F-CHOP 2d @1"
    ]


def test_what_no_bomb_can_have_taken_says_so() -> None:
    round = after("result p3 p1 p2 p4\nbombed p2 p1 2s 2c\nbombed p2 p1 2d", ruleset="amsterdam")
    assert why(round)[0] == "p1 p2 1: chop 2d @1 1×1 = 1"
    assert why_not(round, About.PLAYED) == ["not-bombable p1 p2 AM-BOMB 2s 2c @1"]


def test_a_hand_of_a_result_is_missing_until_its_cards_are_counted() -> None:
    round = after("result p1 p2\np2 declares 2d", players=2, ruleset="card-count")
    assert why_not(round, About.HELD) == ["hand-missing p2 DL-SHOW"]


@pytest.mark.parametrize(
    "record", ["by-hand-04-results-voids-and-a-newcomer", "by-hand-05-results-where-the-winner-takes-all"]
)
def test_every_round_of_the_records_with_results_and_voids_is_explained(record: str) -> None:
    night = recorded(record)
    assert any(round.result is not None for round in night.rounds)
    for round in night.rounds:
        is_explained(round)


@pytest.mark.parametrize(
    "story", ["p1 2s\np2 4s 4c 4d 4h", KNOCKED_OUT, SEVERAL_CLAIMS, "result p1 p2 p3 p4"]
)
def test_of_a_round_that_does_not_count_there_is_nothing_to_explain(story: str) -> None:
    round = voided(after(f"round 1 lead p1\n{story}"), "misdealt")
    assert explain(round) == Explained((), ())


# The closed lists, and the data


SHOWN = "4s 4c 4d 4h 5s 5c 6s 6c 8s 9s Ts 2d"
PROVOKED: dict[WhyNot, Callable[[], Round]] = {
    WhyNot.LED: lambda: after("round 1 lead p1\np1 4s 4c 4d 4h"),
    WhyNot.NOT_LAST: lambda: after(CHAIN),
    WhyNot.BEATEN_WENT_OUT: lambda: after(OUT_WITH_A_TWO),
    WhyNot.OWN_PLAY: lambda: after("round 1 lead p1\np1 2s\np1 4s 4c 4d 4h !"),
    WhyNot.WORTHLESS: lambda: after("round 1 lead p1\np1 9s\np2 4s 4c 4d 4h !"),
    WhyNot.NOT_BOMBABLE: lambda: after("result p1 p2 p3 p4\nbombed p2 p1 5c", ruleset="amsterdam"),
    WhyNot.NO_BOMB: lambda: after("round 1 lead p1\np1 2s\np2 2h\np3 -\np4 -\np1 -\np2 3s"),
    WhyNot.PILE_OPEN: lambda: after("round 1 lead p1\np1 2s\np2 2h"),
    WhyNot.ONLY_FIRST: lambda: begin(paying(chain=Chain.FIRST), Header((0, 1, 2, 3), 0), after(CHAIN).moves),
    WhyNot.ONLY_FIRST_DOUBLES: lambda: begin(
        paying(chain=Chain.DOUBLING), Header((0, 1, 2, 3), 0), after(CHAIN).moves
    ),
    WhyNot.OVERLAP: lambda: left_with(SHOWN),
    WhyNot.LESS_THAN_CARDS: lambda: left_with(SHOWN, ruleset=paying("card-count", card=4)),
    WhyNot.PAID_TO_WINNER: lambda: after(f"{KNOCKED_OUT}\np4 declares 2h"),
    WhyNot.HAND_MISSING: lambda: after(KNOCKED_OUT),
    WhyNot.VACANT: lambda: after(f"p1 3s\np2 4c\np1 2s\np1 {run('s', '4')}"),
    WhyNot.FULL_INSTEAD: lambda: begin(paying(full_from=12), Header((0, 1, 2, 3)), after(KNOCKED_OUT).moves),
    WhyNot.NO_PAYMENT_FOR_PLACE: lambda: after(WHOLE_ROUND[4], ruleset="amsterdam"),
    WhyNot.NOT_PAID_HERE: lambda: after(WHOLE_ROUND[4], ruleset="family"),
    WhyNot.INSTANT_WIN: lambda: after(f"p1 claims {run('s')} 2s", players=2),
    WhyNot.STRONGER_CLAIM: lambda: claimed_twice(Several.STRONGEST),
    WhyNot.EARLIER_CLAIM: lambda: claimed_twice(Several.FIRST_IN_TURN),
    WhyNot.LAST_TWOS: lambda: after(f"p1 {run('s')}\np2 -\np1 2s !", ruleset="northern", players=2),
}


@pytest.mark.parametrize("reason", WhyNot)
def test_every_reason_for_no_payment_comes_about(reason: WhyNot) -> None:
    round = PROVOKED[reason]()
    assert reason in {one.reason for one in explain(round).why_not}
    is_explained(round)


def test_every_kind_of_step_and_everything_to_be_asked_about_comes_about() -> None:
    rounds = [provoke() for provoke in PROVOKED.values()]
    rounds += [left_with(SHOWN, ruleset=PRESETS["card-count"])]
    rounds += [begin(PRESETS["card-count"], Header((0, 1)), after(NOTHING_PLAYED, players=2).moves)]
    rounds += [after(f"p1 contract guaransheed\n{NOTHING_PLAYED}", ruleset="pro-play", players=2)]
    rounds += [begin(PRESETS["amsterdam"], Header((0, 1, 2, 3), 0), after(CHAIN, ruleset="amsterdam").moves)]
    rounds += [after(FIRST_OUT[4], ruleset=WINNER_TAKES_ALL)]
    rounds += [after(f"p1 {run('s', '4')}\np2 -\np1 2s\np2 -\np1 3s", ruleset="northern", players=2)]
    explained = [explain(round) for round in rounds]
    assert {step.kind for one in explained for why in one.why for step in why.steps} == set(StepKind)
    assert {why_not.about for one in explained for why_not in one.why_not} == set(About)


def test_an_explanation_says_how_a_hand_is_known_and_which_places_pay() -> None:
    explained = explain(after(f"{KNOCKED_OUT}\np4 declares 2h\np3 declares 2d"))
    assert (explained.why[-1].source, explained.why[-1].provisional) == (Source.DECLARED, False)
    assert explained.why[0].steps[0].places == (3, 2)
    (nothing,) = explained.why_not
    assert (nothing.player, nothing.other, nothing.move) == (1, 3, 0)


def test_the_lowest_card_gone_out_with_and_its_twin_left_are_paid_for_each_by_its_own_step() -> None:
    rules = paying("card-count", lowest_last=3, lowest_left=2)
    rules = replace(rules, deal=replace(rules.deal, players=(2,), hand=1, packs=2))
    three, twin = (1 << place for place in range(2))
    round = begin(rules, Header((0, 1), 0), [Play(0, three), Show(1, twin)])
    assert [line for line in why(round) if "last-card" in line] == [
        "p2 p1 3: last-card 3s = 3",
        "p2 p1 2: last-card 3s = 2",
    ]
