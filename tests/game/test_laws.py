"""Laws that hold in every round, over southern rounds made up from seeds; for every preset see `rulesets`."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from ledger.game import notation
from ledger.game.errors import Notice, Refused, Verdict
from ledger.game.hands import deduced_player, holders, missing_hands
from ledger.game.moves import Claim, Declare, Move, Pass, Play, Show
from ledger.game.nights import Adjustment, Entry, Joined, Night, due_header, last_counting, totals
from ledger.game.noticing import findings
from ledger.game.payments import Reason, post
from ledger.game.possible import playable
from ledger.game.rounds import apply, begin, fold_in_place, replay, voided
from ledger.game.rulesets.southern import CLASSIC, WINNER_TAKES_ALL
from ledger.game.scoring import Status, payments, status
from ledger.game.state import Header, Round
from ledger.game.verdicts import judge
from tests.game.generator import Dealt, as_result, at_random, greedy, layable, patient, play_round
from tests.game.rulesets.laws import contents, refused
from tests.game.table import NAMES

pytestmark = pytest.mark.slow

SOUTHERN = (CLASSIC, WINNER_TAKES_ALL)
SEEDS = range(100)
FEW_SEEDS = range(0, 100, 4)


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
    assert sum(bool(round.knocked) for round in ends) >= 3
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


@pytest.mark.parametrize("seed", SEEDS)
def test_every_position_sums_to_zero_and_pays_whole_points_between_two_players(seed: int) -> None:
    for dealt in positions(seed):
        paid = payments(dealt.round)
        assert sum(post(paid).values()) == 0
        for payment in paid:
            assert payment.points > 0
            assert payment.payer != payment.payee
            assert {payment.payer, payment.payee} <= set(dealt.round.header.seats)
            assert 1 <= payment.move <= len(dealt.round.moves)


@pytest.mark.parametrize("seed", SEEDS)
def test_replaying_at_once_gives_what_applying_one_by_one_gives(seed: int) -> None:
    round = positions(seed)[-1].round
    fresh = begin(round.ruleset, round.header)
    assert contents(replay(fresh, round.moves)) == contents(round)
    assert contents(replay(fresh, round.moves, infer=True)) == contents(round)
    assert contents(fresh) == contents(begin(round.ruleset, round.header))
    assert contents(fold_in_place(fresh, round.moves)) == contents(round)


@pytest.mark.parametrize("seed", FEW_SEEDS)
def test_applying_a_move_leaves_the_old_round_as_it_was(seed: int) -> None:
    for before, after in pairwise(positions(seed)):
        was = contents(before.round)
        apply(before.round, after.round.moves[-1])
        with pytest.raises(Refused):
            apply(before.round, Play(before.round.header.seats[0], 0b11, twice=0b1))
        assert contents(before.round) == was


@pytest.mark.parametrize("seed", SEEDS)
def test_each_player_finishes_once(seed: int) -> None:
    round = positions(seed)[-1].round
    assert round.over
    if round.claims:
        return
    finished = [*round.places, *round.seats_in(round.knocked)]
    assert len(set(finished)) == len(finished)
    if round.ruleset.ending.at_first_out:
        assert round.places == [player for player in round.header.seats if not round.left[player]]
    else:
        assert set(finished) == set(round.header.seats)


@pytest.mark.parametrize("seed", FEW_SEEDS)
def test_somebody_can_always_act_until_the_round_is_over(seed: int) -> None:
    for dealt in positions(seed):
        round = dealt.round
        can = [
            player
            for player in round.header.seats
            if playable(round, player) or not judge(round, Pass(player))
        ]
        assert bool(can) is not round.over


@pytest.mark.parametrize("seed", SEEDS)
def test_a_card_that_is_really_played_was_playable(seed: int) -> None:
    for before, after in pairwise(positions(seed)):
        move = after.round.moves[-1]
        if isinstance(move, Play):
            assert move.cards & ~playable(before.round, move.player) == 0


@pytest.mark.parametrize("seed", FEW_SEEDS)
def test_the_judge_and_the_fold_say_the_same_of_every_move(seed: int) -> None:
    chance = Random(seed)
    for dealt in positions(seed):
        for move in candidates(chance, dealt):
            refusal = judge(dealt.round, move)
            stands = refusal is None or (refusal.verdict is Verdict.IRREGULAR and stood(move))
            assert refused(dealt.round, move) == (None if stands else refusal)


def candidates(chance: Random, dealt: Dealt) -> Iterator[Move]:
    """Moves of every kind, legal and not, with and without the mark."""
    for player in range(4):
        held = dealt.hands.get(player, 0)
        for mark in (False, True):
            yield Pass(player, mark)
            yield Play(player, 1 << chance.randrange(52), mark)
            yield Play(player, chance.getrandbits(52) & chance.getrandbits(52) & chance.getrandbits(52), mark)
            combinations = list(layable(held))
            for cards in chance.sample(combinations, min(6, len(combinations))):
                yield Play(player, cards, mark)
            yield Claim(player, held, mark)
        yield Show(player, held & ~dealt.round.seen)
        yield Show(player, 1 << chance.randrange(52))
        yield Declare(player, ())
        yield Declare(player, (1 << chance.randrange(48, 52),))


def stood(move: Move) -> bool:
    return isinstance(move, Play | Pass | Claim) and move.stood


@pytest.mark.parametrize("seed", SEEDS)
def test_a_settled_round_charges_what_was_really_held(seed: int) -> None:
    dealt = positions(seed)[-1]
    round, value = dealt.round, dealt.round.ruleset.values.total
    if (player := deduced_player(round)) is not None and not round.claims:
        assert round.unseen == dealt.left(player)
    charged = {
        payment.payer: payment.points for payment in payments(round) if payment.reason == "hoarding-penalty"
    }
    for player in holders(round):
        if not round.claims and player not in missing_hands(round):
            assert charged.get(player, 0) == value(dealt.left(player))


@pytest.mark.parametrize("seed", SEEDS)
def test_instant_wins_that_were_missed_are_those_that_were_dealt_and_became_known(seed: int) -> None:
    dealt = positions(seed)[-1]
    round = dealt.round
    missed = {finding.player for finding in findings(round) if finding.code == Notice.UNCLAIMED_INSTANT_WIN}
    known = {
        player
        for player in round.header.seats
        if not round.left[player] or player in round.shown or player == deduced_player(round)
    }
    wins = {
        player for player in known if round.ruleset.instant_win(dealt.hands[player], opening=round.opening)
    }
    assert missed == (set() if round.claims else wins)


@pytest.mark.parametrize("seed", SEEDS)
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


@pytest.mark.parametrize("seed", FEW_SEEDS)
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
    night = Night(ruleset, NAMES[:8], entries=tuple(entries))
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


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_stands_the_round_goes_on_and_sums_to_zero(seed: int) -> None:
    """A table that lets everything stand: all that can have happened is recorded, and read again the same."""
    chance = Random(seed)
    ruleset = chance.choice(SOUTHERN)
    round = begin(ruleset, Header(tuple(range(chance.choice((2, 3, 4))))))
    while not round.over:
        player = chance.choice(round.header.seats)
        combination = chance.choice(list(layable(round.unseen)))
        cards = chance.choice((combination, round.unseen & chance.getrandbits(52) & chance.getrandbits(52)))
        move: Play | Pass = (
            Pass(player, True) if chance.random() < 0.5 or not cards else Play(player, cards, True)
        )
        refusal = judge(round, move)
        if refusal is None or refusal.verdict is Verdict.IRREGULAR:
            before, round = round, apply(round, move)
            assert len(round.findings) == len(before.findings) + (refusal is not None)
            assert round.over or round.active >> round.turn & 1 or round.turn == -1
        assert sum(post(payments(round)).values()) == 0
    findings(round)
    night = Night(ruleset, NAMES[: len(round.header.seats)], entries=(round,))
    text = notation.write(night)
    (again,) = notation.replay(notation.read(text), strict=True).rounds
    assert contents(again) == contents(round)


def test_a_seed_makes_the_same_round_every_time() -> None:
    header = Header((0, 1, 2, 3))
    one, other = (list(play_round(Random(7), CLASSIC, header, patient))[-1].round for _ in range(2))
    assert contents(one) == contents(other)
