"""Laws that hold in every round, over southern rounds made up from seeds; for every preset see `rulesets`."""

from functools import cache
from itertools import pairwise
from random import Random

import pytest

from ledger.game import notation
from ledger.game.corpus import at_random, greedy, patient
from ledger.game.deals import Dealt
from ledger.game.errors import Notice
from ledger.game.findings import findings
from ledger.game.fold import voided
from ledger.game.hands import deduced_player, holders, missing_hands
from ledger.game.moves import Play, Show
from ledger.game.night import Adjustment, Entry, Joined, Night, Terms, due_header, last_counting, totals
from ledger.game.payments import Reason
from ledger.game.round import Header, Round
from ledger.game.rulesets.southern import CLASSIC, WINNER_TAKES_ALL
from ledger.game.scoring import Status, payments, status
from tests.game.generator import as_result, play_round
from tests.game.rulesets.laws import contents
from tests.game.table import NAMES
from tests.soaking import further

pytestmark = pytest.mark.slow

SOUTHERN = (CLASSIC, WINNER_TAKES_ALL)
SEEDS = range(100)


@cache
def positions(seed: int) -> tuple[Dealt, ...]:
    """Every position of one round. Seeds run through numbers of players, rulesets, headers and tempers."""
    chance = Random(seed)
    seats = list(range(4))
    chance.shuffle(seats)
    header_seats = tuple(seats[: chance.choice((2, 3, 4, 4))])
    leader = chance.choice((None, header_seats[0]))
    return tuple(
        play_round(
            chance,
            chance.choice(SOUTHERN),
            Header(header_seats, leader),
            chance.choice((greedy, at_random, patient)),
            bombs=chance.random() < 0.7,
            claims=chance.random() < 0.3,
        )
    )


def test_the_seeds_reach_what_the_rules_are_about() -> None:
    """A generator that made dull rounds only would prove nothing."""
    ends = [positions(seed)[-1].round for seed in SEEDS]
    assert sum(bool(round.claims) for round in ends) >= 3
    assert sum(len(round.chops) for round in ends) >= 5
    assert sum(bool(round.knocked_out) for round in ends) >= 3
    assert (
        sum(any(payment.reason == Reason.HOARDING_PENALTY for payment in payments(round)) for round in ends)
        >= 10
    )
    assert {status(round) for round in ends} == {Status.SETTLED, Status.UNSETTLED, Status.INSTANT_WIN}
    late = [
        move
        for seed in SEEDS
        for before, after in pairwise(positions(seed))
        if isinstance(move := after.round.moves[-1], Play) and before.round.locked(move.player)
    ]
    assert late
    found = [finding.code for round in ends for finding in findings(round)]
    assert Notice.UNCLAIMED_INSTANT_WIN in found


@pytest.mark.parametrize("seed", further(SEEDS, plain=25))
def test_a_settled_round_charges_what_was_really_held(seed: int) -> None:
    dealt = positions(seed)[-1]
    round, value = dealt.round, dealt.round.rules.hand_values.total
    if (player := deduced_player(round)) is not None and not round.claims:
        assert round.unseen == dealt.left(player)
    charged = {
        payment.payer: payment.points for payment in payments(round) if payment.reason == "hoarding-penalty"
    }
    for player in holders(round):
        if not round.claims and player not in missing_hands(round):
            assert charged.get(player, 0) == value(dealt.left(player))


@pytest.mark.parametrize("seed", further(SEEDS, plain=25))
def test_instant_wins_that_were_missed_are_those_that_were_dealt_and_became_known(seed: int) -> None:
    dealt = positions(seed)[-1]
    round = dealt.round
    missed = {finding.player for finding in findings(round) if finding.code == Notice.UNCLAIMED_INSTANT_WIN}
    known = {
        player
        for player in round.header.seats
        if not round.cards_left[player] or player in round.shown or player == deduced_player(round)
    }
    wins = {player for player in known if round.rules.instant_win(dealt.hands[player], opening=round.opening)}
    assert missed == (set() if round.claims else wins)


@pytest.mark.parametrize("seed", further(SEEDS, plain=25))
def test_a_round_entered_as_its_result_pays_what_it_pays_move_by_move(seed: int) -> None:
    dealt = positions(seed)[-1]
    if dealt.round.claims:
        return
    for player in holders(dealt.round):
        if player not in dealt.round.shown:
            dealt = dealt.after(Show(player, dealt.left(player)))
    entered = as_result(dealt)
    assert status(entered) is Status.SETTLED
    assert paid(entered) == paid(dealt.round)


def paid(round: Round) -> list[tuple[object, ...]]:
    """What a round pays, whatever caused it."""
    return sorted(payment[:5] for payment in payments(round))


@pytest.mark.parametrize("seed", further(range(0, 100, 4), plain=5))
def test_a_night_is_the_same_after_it_was_text(seed: int) -> None:
    chance = Random(seed)
    ruleset = chance.choice(SOUTHERN)
    entries: list[Entry] = []
    rounds: list[Round] = []
    for players in range(4, 9):
        seats = tuple(chance.sample(range(players), chance.choice((2, 3, 4))))
        header = due_header(ruleset, seats, last_counting(rounds))
        *_, last = play_round(chance, ruleset, header, at_random, bombs=True, claims=True)
        round = last.round if last.round.claims or chance.random() < 0.6 else as_result(last)
        rounds.append(voided(round, "misdealt") if chance.random() < 0.3 else round)
        entries += [rounds[-1], Adjustment(seats[0], seats[1], chance.randint(1, 9), "chips")]
        entries += [Joined(players)] if players < 8 else []
    night = Night(Terms(ruleset), NAMES[:8], entries=tuple(entries))
    for with_payments in (False, True):
        text = notation.write(night, with_payments=with_payments)
        script = notation.read(text)
        again = notation.replay(script, strict=True)
        assert [contents(round) for round in again.rounds] == [contents(round) for round in night.rounds]
        assert again.adjustments == night.adjustments
        assert [entry for entry in again.entries if isinstance(entry, Joined)] == list(
            map(Joined, range(4, 8))
        )
        assert notation.write(again, with_payments=with_payments) == text
        assert list(notation.disagreements(script, again)) == []
    assert sum(totals(night)) == 0


def test_a_seed_makes_the_same_round_every_time() -> None:
    header = Header((0, 1, 2, 3))
    one, other = (list(play_round(Random(7), CLASSIC, header, patient))[-1].round for _ in range(2))
    assert contents(one) == contents(other)
