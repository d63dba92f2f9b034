"""The rest of a round as its result: what was recorded stays and is paid, and what contradicts it is refused."""

from collections import Counter
from random import Random

import pytest

from ledger.game.cards import union
from ledger.game.corpus import greedy, patient
from ledger.game.deals import Dealt
from ledger.game.errors import Code, Verdict
from ledger.game.explaining import explain
from ledger.game.fold import apply, replay
from ledger.game.moves import Bid, Bombed, Move, Result, Show
from ledger.game.payments import chops_in
from ledger.game.round import Header, Round
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.paying import Chain
from ledger.game.scoring import Status, payments, status
from tests.game.generator import play_round
from tests.game.table import after, found, paid, refused, run, verdict

IMPOSSIBLE = Verdict.IMPOSSIBLE
OUT = f"""round 1 lead p1
p1 3s
p2 4c
p3 5c
p4 6c
p1 2s
p2 -
p3 -
p4 -
p1 {run("s", "4", "A")}
"""
"""p1 goes out; the others have played a card each."""
UNTOUCHED = OUT.replace("p2 4c", "p2 -").replace("p1 2s\np2 -\n", "p1 2s\n")
"""The same, and p2 has only passed: so p2 was knocked out."""
BOMBED = "round 1 lead p1\np1 2d\np2 6s 6c 6d 6h\n"
"""p2 has bombed p1's 2♦, and the pile still runs."""


def test_s_chop_the_bombs_that_were_recorded_are_paid_and_the_rest_by_the_result() -> None:
    round = after(f"{BOMBED}result p3 p2 p1\nknocked p4\nbombed p3 p2 2h\np1 declares none\np4 declares none")
    assert paid(round) == [
        "p1 p2 2 bomb-bonus S-CHOP",
        "p2 p3 2 bomb-bonus S-CHOP",
        "p1 p2 1 placement S-PLACE",
        "p4 p3 4 placement S-FULL",
    ]
    assert [payment.move for payment in payments(round)] == [2, 3, 3, 3]
    assert (status(round), round.over, round.ending_move) == (Status.SETTLED, True, 3)


def test_s_out_whoever_is_out_stays_so_and_the_others_come_in_after() -> None:
    round = after(f"{OUT}result p1 p3 p2 p4\np4 declares 2h")
    assert paid(round) == [
        "p2 p3 1 placement S-PLACE",
        "p4 p1 2 placement S-PLACE",
        "p4 p2 2 hoarding-penalty S-HOARD",
    ]
    places = payments(round)[1]
    assert places.moves == (9, 10)  # p1 went out with move 9; nobody recorded how p4 was left


@pytest.mark.parametrize(
    ("story", "said", "player"),
    [
        (OUT, "result p3 p1 p2 p4", 0),
        (OUT, "result p1 p2 p3\nknocked p4", 3),
        ("round 1 lead p1\np1 3s\n", "result p2 p3 p4\nknocked p1", 0),
        (UNTOUCHED, "result p1 p2 p3 p4", 1),
        (OUT, "result p1 p3 p2 p4\nbombed p1 p2 2h", 0),
    ],
)
def test_s_out_a_result_agrees_with_what_was_recorded(story: str, said: str, player: int) -> None:
    refusal = refused(f"{story}{said}").refusal
    assert verdict(refusal) == (Code.RESULT_CONTRADICTED, IMPOSSIBLE, "S-OUT")
    assert refusal.player == player


def test_s_knock_who_was_knocked_out_by_the_record_is_named_so() -> None:
    round = after(UNTOUCHED + "result p1 p3 p4\nknocked p2\np4 declares none\np2 declares none")
    assert paid(round) == [
        "p2 p1 4 placement S-FULL",
        "p4 p3 1 placement S-PLACE",
    ]


def test_s_seen_of_what_was_seen_a_bomb_takes_only_the_top_from_who_laid_it() -> None:
    laid = "round 1 lead p1\np1 3s\np2 2d\n"
    assert paid(after(f"{laid}result p3 p2 p1 p4\nbombed p3 p2 2d"))[0] == "p2 p3 2 bomb-bonus S-CHOP"
    for story, bomb, move, holder in (
        (laid, "bombed p3 p4 2d", 2, 1),
        (laid, "bombed p3 p2 3s", 1, 0),
        (f"{laid}p3 -\np4 -\np1 -\np2 4s\n", "bombed p3 p2 2d", 2, 1),
        (BOMBED, "bombed p3 p2 6s 6c 6d 6h", 2, 1),
    ):
        refusal = refused(f"{story}result p3 p2 p1 p4\n{bomb}").refusal
        assert verdict(refusal) == (Code.CARD_ALREADY_PLAYED, IMPOSSIBLE, "S-SEEN")
        assert (refusal.move, refusal.holder) == (move, holder)


def test_s_chop_a_bomb_takes_no_more_than_is_held_beside_it() -> None:
    """Of 26 cards dealt to two, 9 have been seen, and 4 of the others bombed."""
    story = f"round 1 lead p1 p1 p2\np1 {run('s', '3', 'J')}\nresult p1 p2\nbombed p1 p2 "
    many = f"{run('c', '3', 'A')} 2c 2d"
    refusal = refused(f"{story}{many}", players=2).refusal
    assert (refusal.code, refusal.count) == (Code.TOO_MANY_CARDS, 13)


def test_s_show_a_hand_has_at_most_what_the_record_leaves() -> None:
    story = f"round 1 lead p1\np1 {run('s', '3', 'J')}\nresult p2 p3 p4 p1\n"
    assert refused(f"{story}p1 shows {run('c', '3', '7')}").refusal.count == 4
    assert status(after(f"{story}p1 shows 2c")) is Status.SETTLED


def test_where_passing_draws_a_hand_may_have_drawn_all_that_was_left() -> None:
    story = "round 1 lead p1 p1 p2 p3\np1 3s\np2 -\nresult p2 p3 p1\n"
    refusal = refused(f"{story}p1 shows 4s\np1 shows 5s", ruleset="draw-pile", players=3).refusal
    assert refusal.code is Code.SHOWN_COUNT
    round = after(story, ruleset="draw-pile", players=3)
    assert round.cards_left[0] == 12 + round.to_draw


def test_n_end_only_a_recorded_last_play_is_taken_for_one() -> None:
    """The winner's last play that was recorded is no last play: nobody is paid for 2s, nor for the 3♠."""
    for card in ("2h", "3s"):
        round = after(
            f"round 1 lead p1\np1 {card}\nresult p1\np2 shows 4s\np3 shows 5s\np4 shows 6s",
            ruleset="northern",
        )
        assert {line.split()[1] for line in paid(round)} == {"p1"}
        assert not [line for line in paid(round) if "last" in line]


def test_pp_get_in_who_played_later_than_somebody_went_out_pays_by_what_was_recorded() -> None:
    story = UNTOUCHED
    round = after(f"{story}result p1 p3 p4\nknocked p2", ruleset="pro-play")
    assert [line for line in paid(round) if "get-in" in line] == [
        "p2 p1 2 got-to-get-in PP-GET-IN",
        "p2 p3 2 got-to-get-in PP-GET-IN",
    ]
    round = after(f"{OUT}result p1 p3 p2 p4", ruleset="pro-play")
    assert not [line for line in paid(round) if "get-in" in line]


def test_what_was_recorded_and_what_was_told_are_both_explained() -> None:
    round = after(f"{BOMBED}result p3 p2 p1\nknocked p4\nbombed p3 p2 5c\np1 declares none\np4 declares none")
    assert [(one.move, one.player) for one in explain(round).why_not if one.move == 3] == [(3, 1)]
    assert not found(round)


def rest_of(cut: Round, whole: Round) -> Result:
    """The result of a round after some of its moves, as its players would say it."""
    at = len(cut.moves)
    piles = [pile for pile in whole.chops if pile[0].move > at]
    chops = [chop for pile in piles for chop in chops_in(pile, whole.ruleset)]
    chops = [chop for chop in chops if not chop.is_free(whole.ruleset.payments)]
    bombs = [
        Bombed(chop.bomb.player, chop.beaten.player, union(laid.cards for laid in chop.taken))
        for chop in chops
    ]
    untouched = tuple(player for player in whole.header.seats if whole.untouched(player))
    if not whole.ruleset.never_played_matters:
        return Result(tuple(whole.places), (), tuple(bombs))
    places = tuple(player for player in whole.places if player not in untouched)
    return Result(places, untouched, tuple(bombs))


def cuts(chance: Random, positions: list[Dealt]) -> list[Round]:
    """Some positions that lie within no pile that is paid for, once all bets are made."""
    whole = positions[-1].round
    within = {number for pile in whole.chops for number in range(pile[0].move, pile[-1].move)}
    bets = sum(isinstance(move, Bid) for move in whole.moves)
    running = [one.round for one in positions if not one.round.over and len(one.round.moves) >= bets]
    running = [one for one in running if len(one.moves) not in within]
    return chance.sample(running, min(4, len(running)))


def told_alike(round: Round) -> Counter[tuple[int, int, int, str]]:
    return Counter((one.payer, one.payee, one.points, one.reason) for one in payments(round))


@pytest.mark.parametrize(
    "preset", ["southern-classic", "southern-winner-takes-all", "card-count", "thirteen", "core", "pro-play"]
)
def test_the_rest_of_a_round_as_its_result_pays_what_its_moves_would_have_paid(preset: str) -> None:
    """Whatever was recorded before, from the first move to the last but one."""
    ruleset, compared = PRESETS[preset], 0
    for seed in range(80):
        chance = Random(seed)
        positions = list(
            play_round(
                chance, ruleset, Header((0, 1, 2, 3), leader=0), patient if seed % 2 else greedy, bombs=True
            )
        )
        last = positions[-1]
        ended = next(one.round for one in positions if one.round.over)
        if ended.claims or not simple(ruleset, ended):
            continue
        shown: list[Move] = [Show(player, last.left(player)) for player in range(4) if last.left(player)]
        whole = shown_at_the_end(ended, shown)
        for cut in cuts(chance, positions):
            rest = shown_at_the_end(apply(cut, rest_of(cut, ended)), shown)
            assert told_alike(rest) == told_alike(whole), (seed, len(cut.moves))
            compared += 1
    assert compared > 100


def simple(ruleset: Ruleset, round: Round) -> bool:
    """Whether a result can say it all: it names the cards that a bomb took, not which were laid together, nor in
    which order."""
    worth = round.rules.capture_values.total
    if ruleset.payments.chain is Chain.WHOLE_PILE:
        taken = [[laid.cards for laid in pile[:-1]] for pile in round.chops]
        return all(worth(union(plays)) == sum(map(worth, plays)) for plays in taken)
    return all(sum(laid.bomb for laid in pile) < 2 for pile in round.chops)


def shown_at_the_end(round: Round, shown: list[Move]) -> Round:
    return replay(round, [move for move in shown if round.cards_left[move.player]])
