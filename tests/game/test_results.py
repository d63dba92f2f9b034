"""Results as values, and as the rest of a round, which pays what its moves would have paid;
`tests/cases/rounds/results.txt` covers their payments and refusals."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise
from random import Random

import pytest

from ledger.game.cards import union
from ledger.game.corpus import greedy, patient
from ledger.game.deals import Dealt
from ledger.game.errors import Clause, Code, Refused
from ledger.game.explaining import explain
from ledger.game.fold import apply, begin, replay
from ledger.game.moves import Bid, Bombed, Claim, Move, Play, Result, Show
from ledger.game.payments import chops_in
from ledger.game.round import Header, PilePlay, Round
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.paying import Chain
from ledger.game.rulesets.southern import CLASSIC as RULES
from ledger.game.scoring import Status, payments, status
from tests.game.generator import play_round
from tests.game.table import after, cards, found, net, ruleset_of


def test_a_result_without_a_winner_is_none() -> None:
    with pytest.raises(Refused) as caught:
        apply(begin(RULES, Header((0, 1))), Result((), (0, 1)))
    assert caught.value.refusal.code is Code.RESULT_INCOMPLETE


@pytest.mark.parametrize(
    ("bomb", "clause", "player"),
    [
        (Bombed(1, 1, cards("2s")), Clause.CHOP, 1),
        (Bombed(1, 0, 0), Clause.CHOP, 1),
        (Bombed(1, 2, cards("2s")), Clause.KNOCK, 2),
        (Bombed(2, 1, cards("2s")), Clause.KNOCK, 2),
    ],
)
def test_s_chop_a_bomb_takes_something_from_another_player(bomb: Bombed, clause: Clause, player: int) -> None:
    with pytest.raises(Refused) as caught:
        apply(begin(RULES, Header((0, 1, 2))), Result((0, 1), (2,), (bomb,)))
    refusal = caught.value.refusal
    assert (refusal.code, refusal.clause) == (Code.RESULT_CONTRADICTED, RULES.clause(clause))
    assert refusal.player == player


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


# The rest of a round as its result

DIVIDED = Chain.LAST_COUNTING, Chain.LAST_DOUBLING
"""The chains by which a result lists all that bombs beat."""
BOMBED = "round 1 lead p1\np1 2d\np2 6s 6c 6d 6h\n"
"""p2 has bombed p1's 2♦, and the pile continues."""


def test_what_was_recorded_and_what_was_told_are_both_explained() -> None:
    round = after(f"{BOMBED}result p3 p2 p1\nknocked p4\nbombed p3 p2 5c\np1 declares none\np4 declares none")
    assert [(one.move, one.player) for one in explain(round).why_not if one.move == 3] == [(3, 1)]
    assert not found(round)


def rest_of(cut: Round, whole: Round) -> Result:
    """The result to record after `cut` so that the round ends like `whole`."""
    at = len(cut.moves)
    rules = whole.ruleset.payments
    piles = [pile for pile in whole.chops if pile[0].move > at]
    chops = [(pile, chop) for pile in piles for chop in chops_in(pile, whole.ruleset)]
    bombs = [
        Bombed(chop.bomb.player, chop.beaten.player, union(play.cards for play in taken))
        for pile, chop in chops
        if not chop.is_free(rules)
        for taken in [cut_by_bombs(pile) if rules.chain in DIVIDED else chop.taken]
    ]
    untouched = tuple(player for player in whole.header.seats if whole.untouched(player))
    if not whole.ruleset.never_played_matters:
        return Result(tuple(whole.places), (), tuple(bombs))
    places = tuple(player for player in whole.places if player not in untouched)
    return Result(places, untouched, tuple(bombs))


def cut_by_bombs(pile: Sequence[PilePlay]) -> list[PilePlay]:
    """The plays of a pile that bombs beat."""
    return [beaten for beaten, above in pairwise(pile) if above.bomb]


def cuts(chance: Random, positions: list[Dealt]) -> list[Round]:
    """Some positions outside piles with bomb bonuses, after all bets."""
    whole = positions[-1].round
    within = {number for pile in whole.chops for number in range(pile[0].move, pile[-1].move)}
    bets = sum(isinstance(move, Bid) for move in whole.moves)
    running = [one.round for one in positions if not one.round.over and len(one.round.moves) >= bets]
    running = [one for one in running if len(one.moves) not in within]
    return chance.sample(running, min(4, len(running)))


def told_alike(round: Round) -> Counter[tuple[int, int, int, str]]:
    return Counter((one.payer, one.payee, one.points, one.reason) for one in payments(round))


@pytest.mark.parametrize(
    "table",
    [
        *("southern-classic", "southern-winner-takes-all", "card-count", "thirteen", "core", "pro-play"),
        "southern-classic payments.chain=last-counting payments.chop_unit=3",
        "southern-classic payments.chain=last-doubling",
    ],
)
def test_the_rest_of_a_round_as_its_result_pays_what_its_moves_would_have_paid(table: str) -> None:
    """At random positions, from the first move to the last but one."""
    ruleset, compared, bombed = ruleset_of(table), 0, 0
    for seed in range(400 if ruleset.payments.chain in DIVIDED else 80):
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
            bombed += any(
                len(cut_by_bombs(pile)) > 1 for pile in ended.chops if pile[0].move > len(cut.moves)
            )
    assert compared > 100
    assert bombed or ruleset.payments.chain not in DIVIDED


def simple(ruleset: Ruleset, round: Round) -> bool:
    """Whether a result can express the bombs of a round: it lists the cards that a bomb took, but neither plays nor
    their order."""
    worth = round.compiled.capture_values.total
    if ruleset.payments.chain is Chain.WHOLE_PILE:
        taken = [[play.cards for play in pile[:-1]] for pile in round.chops]
        return all(worth(union(plays)) == sum(map(worth, plays)) for plays in taken)
    if ruleset.payments.chain in DIVIDED:
        return all(map(is_divided, round.chops))
    return all(sum(play.bomb for play in pile) < 2 for pile in round.chops)


def is_divided(pile: Sequence[PilePlay]) -> bool:
    """Whether bombs lie on a play that is none, and no two plays of them hold the same or neighbouring ranks."""
    ranks = [{card // 4 for card in range(52) if play.cards >> card & 1} for play in cut_by_bombs(pile)]
    apart = all(abs(low - high) > 1 for one, other in combinations(ranks, 2) for low in one for high in other)
    return apart and not cut_by_bombs(pile)[0].bomb


def shown_at_the_end(round: Round, shown: list[Move]) -> Round:
    return replay(round, [move for move in shown if round.cards_left[move.player]])
