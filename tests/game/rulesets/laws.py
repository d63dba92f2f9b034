"""Laws that hold in every round of every ruleset; a broken one raises AssertionError."""

from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from random import Random

from ledger.game import notation
from ledger.game.cards import Rank, union
from ledger.game.corpus import at_random, greedy, patient
from ledger.game.deals import Dealt
from ledger.game.errors import Notice, Refusal, Refused, Verdict
from ledger.game.explaining import About, Explained, WhyNot, explain
from ledger.game.findings import findings
from ledger.game.fold import apply, begin, fold_in_place, positions, replay
from ledger.game.hands import deduced_player, holders, last_twos, missing_hands
from ledger.game.judge import judge
from ledger.game.legal_cards import legal_cards
from ledger.game.moves import NOBODY, Claim, Cover, CoverReason, Declare, Move, Pass, Play, Show
from ledger.game.night import Night, begin_round, due_header, totals
from ledger.game.payments import Payment, Reason, StepKind, post
from ledger.game.round import Header, Round
from ledger.game.rulesets.model import Ruleset
from ledger.game.scoring import hands, payments
from ledger.game.terms import Terms
from tests.game.generator import as_read, layable, play_round

_ENOUGH = 1500
"""The number of positions after which a round counts as endless."""


def hold(ruleset: Ruleset, players: int, seed: int) -> list[Dealt]:
    """Check the laws over one random round; returns its positions."""
    chance = Random(f"{ruleset.id} {players} {seed}")
    seats = list(range(players))
    chance.shuffle(seats)
    header = Header(tuple(seats), chance.choice((None, seats[0])))
    choose, bombs = chance.choice((greedy, at_random, patient)), chance.random() < 0.7
    positions = []
    claims, covers = chance.random() < 0.2, not seed % 2
    for dealt in play_round(chance, ruleset, header, choose, bombs=bombs, claims=claims, covers=covers):
        positions.append(dealt)
        assert len(positions) < _ENOUGH, "the round does not end"
    for dealt in positions:
        _sums_to_zero(dealt.round)
        _somebody_can_move(dealt.round)
    for before, after in pairwise(positions):
        _was_playable(before, after.round)
        _leaves_what_was(before.round, after.round.moves[-1])
        assert sum(after.round.cards_left) == sum(after.left(seat).bit_count() for seat in seats)
    for dealt in chance.sample(positions, min(6, len(positions))):
        _judge_and_fold_agree(chance, dealt)
        is_explained(dealt.round)
    last = positions[-1]
    is_explained(last.round)
    _covers_move_payments(last.round)
    _is_over(last)
    _replays_the_same(last.round)
    return positions


def hold_whatever_stands(ruleset: Ruleset, players: int, seed: int) -> Round:
    """A table that lets irregular moves stand: the round ends, sums to zero, and survives a text round trip."""
    chance = Random(f"{ruleset.id} {players} {seed} !")
    round = begin(ruleset, Header(tuple(range(players))))
    for _ in range(_ENOUGH):
        if round.over:
            break
        player = chance.choice(round.header.seats)
        combinations = list(layable(round.unseen, ruleset, [chance.choice(round.compiled.index.shapes)]))
        picked = chance.choice([*combinations, round.unseen & _some(chance, round)])
        cards = as_read(ruleset.deck, picked)
        move: Move = (
            Play(player, cards, True, forward=chance.random() < 0.1)
            if cards and chance.random() < 0.5
            else Pass(player, True)
        )
        refusal = judge(round, move)
        if refusal is None or refusal.verdict is Verdict.IRREGULAR:
            before, round = round, apply(round, move)
            assert len(round.findings) == len(before.findings) + (refusal is not None)
            assert round.over or round.active >> round.turn & 1 or round.turn == NOBODY
        _sums_to_zero(round)
    assert round.over, "the round does not end"
    findings(round)
    is_explained(round)
    _is_the_same_as_text(Night(Terms(ruleset), _names(players), entries=(round,)))
    return round


def hold_of_hands(ruleset: Ruleset, players: int, seed: int) -> int:
    """A hand known at the end costs just the special sets that were held, where they are paid for, and is a finding
    if it was dealt as an unclaimed instant win. Returns the points charged."""
    chance = Random(f"{ruleset.id} {players} {seed} hands")
    header = Header(tuple(range(players)), chance.choice((None, 0)))
    choose = chance.choice((greedy, at_random, patient))
    *_, last = play_round(chance, ruleset, header, choose, bombs=True, claims=seed == 0)
    round, charged = last.round, dict[int, int]()
    for payment in payments(round):
        if payment.reason is Reason.HOARDING_PENALTY:
            charged[payment.payer] = payment.points
    missed = {one.player for one in findings(round) if one.code is Notice.UNCLAIMED_INSTANT_WIN}
    known = {
        player
        for player in header.seats
        if not round.cards_left[player] or player in round.shown or player == deduced_player(round)
    }
    dealt = {
        player for player in known if round.compiled.instant_win(last.hands[player], opening=round.opening)
    }
    assert missed == (set() if round.claims or ruleset.deal.draw_pile else dealt)
    if ruleset.payments.hoarding and not ruleset.payments.card and not round.claims:
        for player in set(holders(round)) - set(missing_hands(round)):
            assert charged.get(player, 0) == round.compiled.hand_values.total(last.left(player))
    return sum(charged.values())


def hold_over_a_night(ruleset: Ruleset, players: int, seed: int) -> Night:
    """A night of several rounds with due headers, to text and back."""
    chance = Random(f"{ruleset.id} {players} {seed} night")
    rounds: list[Round] = []
    for _ in range(3):
        previous = rounds[-1] if rounds else None
        header = due_header(ruleset, tuple(range(players)), previous)
        *_, last = play_round(chance, ruleset, header, at_random, bombs=True, claims=True, covers=True)
        begun = begin_round(ruleset, players, header, previous, last.round.moves)
        assert contents(begun) == contents(last.round)
        rounds.append(last.round)
    night = Night(Terms(ruleset), _names(players), entries=tuple(rounds))
    _is_the_same_as_text(night)
    assert sum(totals(night)) == 0
    return night


def is_explained(round: Round) -> None:
    """The steps of every payment sum to it, and everything that was not paid has a reason, and nothing else.

    A void round has no explanations.
    """
    explained = explain(round)
    if round.void is not None:
        assert explained == Explained((), ())
        return
    assert [*explained.why] == payments(round)
    for one in explained.why:
        assert one.points == sum(step.points for step in one.steps), (one, round.moves)
        assert one.move in one.moves
        assert set(one.moves) <= set(range(1, len(round.moves) + 1))
        assert one.clause == one.clauses[0]
    _bombs_are_explained(round, explained)
    _twos_are_explained(round, explained)
    _players_are_explained(round, explained)


def _bombs_are_explained(round: Round, explained: Explained) -> None:
    """Each bomb either earned something or has a reason why not. Bombs of a result are not plays."""
    if round.result is not None:
        return
    earned = {one.move for one in explained.why if one.reason is Reason.BOMB_BONUS}
    nothing = [one.move for one in explained.why_not if one.about is About.BOMB]
    bombs = [
        number
        for number, move in enumerate(round.moves, start=1)
        if isinstance(move, Play)
        and (read := round.compiled.index.read(move.cards)) is not None
        and read.bomb
    ]
    assert sorted([*earned, *nothing]) == bombs


def _twos_are_explained(round: Round, explained: Explained) -> None:
    """Each 2 that was beaten, or left in a known hand, is in a step or has a reason why not."""
    twos = round.ruleset.deck.rank(Rank.TWO)
    steps = [step for one in explained.why for step in one.steps]
    explained_moves = [(step.move, step.cards) for step in steps]
    explained_moves += [
        (0 if one.reason is WhyNot.COVERED else one.move, one.cards) for one in explained.why_not
    ]
    for number, beaten in _beaten_plays(round):
        explained_here = union(cards for move, cards in explained_moves if move == number)
        assert not beaten & twos & ~explained_here, (number, round.ruleset.deck.write(beaten))
    if round.over and not round.claims:
        waited_for = missing_hands(round)
        held = union(hand.cards for player, hand in hands(round).items() if player not in waited_for)
        assert not held & twos & ~union(cards for move, cards in explained_moves if not move)


def _beaten_plays(round: Round) -> Iterator[tuple[int, int]]:
    """Beaten plays as (move number, cards), computed again from the position before each."""
    position, last = begin(round.ruleset, round.header), 0
    for number, move in enumerate(round.moves, start=1):
        after = apply(position, move)
        if isinstance(move, Play):
            if len(after.pile) > 1:
                yield last, after.pile[-2].cards
            last = number
        position = after


def _players_are_explained(round: Round, explained: Explained) -> None:
    """Each player who neither pays nor is paid for a place has a reason."""
    if not round.over:
        return
    if any(one.about in (About.PLACE, About.ROUND) and one.player is None for one in explained.why_not):
        return
    placed = [one for one in explained.why if one.reason is Reason.PLACEMENT]
    settled = {player for one in placed for player in (one.owed_by, one.payee)}
    unpaid = [one for one in explained.why_not if one.about in (About.PLACE, About.ROUND)]
    left_out = {one.player for one in unpaid} | {one.other for one in unpaid if one.reason is WhyNot.COVERED}
    assert settled | left_out >= set(round.header.seats)
    full = {one.owed_by for one in placed if any(step.kind is StepKind.FULL_HAND for step in one.steps)}
    full |= {one.player for one in unpaid if one.reason is WhyNot.COVERED and one.player is not None}
    for one in unpaid:
        assert one.reason is not WhyNot.FULL_INSTEAD or one.other in full, one
        assert one.reason is not WhyNot.VACANT or one.place > len(round.places), one


def hold_of_payments(ruleset: Ruleset, players: int, seed: int) -> list[Payment]:
    """The payments of a round with bombs: they sum to zero, and survive a replay and a text round trip."""
    chance = Random(f"{ruleset.id} {ruleset.scheme} {players} {seed}")
    choose = chance.choice((greedy, at_random, patient))
    header, claims, covers = Header(tuple(range(players))), not seed, seed > 1
    *_, last = play_round(chance, ruleset, header, choose, bombs=True, claims=claims, covers=covers)
    round = last.round
    assert round.over
    _sums_to_zero(round)
    _covers_move_payments(round)
    _replays_the_same(round)
    _is_the_same_as_text(Night(Terms(ruleset), _names(players), entries=(round,)))
    return payments(round)


def contents(round: Round) -> dict[str, object]:
    """Copies of all fields of a round."""
    return {
        one.name: value.copy() if isinstance(value := getattr(round, one.name), list | dict) else value
        for one in fields(round)
    }


def _sums_to_zero(round: Round) -> None:
    paid = payments(round)
    assert sum(post(paid).values()) == 0
    for payment in paid:
        assert payment.points > 0
        assert payment.payer != payment.payee
        assert {payment.payer, payment.payee} <= set(round.header.seats)
        assert 1 <= payment.move <= len(round.moves)


def _covers_move_payments(round: Round) -> None:
    """The same is owed with covers as without; what covered players owe at the end is paid by those who cover them,
    but not to themselves."""
    covers = [move for move in round.moves if isinstance(move, Cover)]
    payers = {player: cover.player for cover in covers for player in cover.covered}
    without = [move for move in round.moves if not isinstance(move, Cover)]
    stays = {Reason.BOMB_BONUS, Reason.INSTANT_WIN, Reason.CONTRACT}
    if covers and last_twos(round):
        stays.add(Reason.PLACEMENT)
    expected = [
        (one.payer if one.reason in stays else payers.get(one.payer, one.payer), *one[1:4], one.steps)
        for one in payments(replay(begin(round.ruleset, round.header), without))
    ]
    found = [(*one[:4], one.steps) for one in payments(round)]
    assert found == [one for one in expected if one[0] != one[1]]
    assert all(one.owed_by in (one.payer, *payers) for one in payments(round))


def _somebody_can_move(round: Round) -> None:
    seats = round.header.seats
    can = any(legal_cards(round, seat) or judge(round, Pass(seat)) is None for seat in seats)
    assert can is not round.over


def _was_playable(before: Dealt, after: Round) -> None:
    move = after.moves[-1]
    if isinstance(move, Play):
        assert not move.cards & ~legal_cards(before.round, move.player), move


def _leaves_what_was(before: Round, move: Move) -> None:
    """Neither an applied nor a refused move changes the round before it."""
    was = contents(before)
    apply(before, move)
    assert refused(before, Play(before.header.seats[0], 0b11, twice=0b1)) is not None
    assert contents(before) == was


def _judge_and_fold_agree(chance: Random, dealt: Dealt) -> None:
    for move in _candidates(chance, dealt):
        refusal = judge(dealt.round, move)
        marked = isinstance(move, Play | Pass | Claim) and move.stood
        stands = refusal is None or (refusal.verdict is Verdict.IRREGULAR and marked)
        assert refused(dealt.round, move) == (None if stands else refusal), move
        _a_refused_move_leaves_nothing(dealt.round, move)


def _a_refused_move_leaves_nothing(round: Round, move: Move) -> None:
    """Folded in place, with the passes that it implies, a refused move changes nothing."""
    here = round.copy()
    try:
        fold_in_place(here, [move], infer=True)
    except Refused:
        assert contents(here) == contents(round), move


def refused(round: Round, move: Move) -> Refusal | None:
    """The fold's refusal of a move; None if it is accepted."""
    try:
        apply(round, move)
    except Refused as error:
        return error.refusal
    return None


def _candidates(chance: Random, dealt: Dealt) -> Iterator[Move]:
    """Moves of every kind, legal and illegal, with and without the mark that they stood."""
    round = dealt.round
    size = round.ruleset.deck.all.bit_count()
    for player in round.header.seats:
        held = dealt.left(player)
        playable = list(layable(held, round.ruleset))
        for mark in (False, True):
            yield Pass(player, mark)
            yield Play(player, 1 << chance.randrange(size), mark)
            yield Play(player, _some(chance, round) & _some(chance, round), mark)
            for cards in chance.sample(playable, min(4, len(playable))):
                yield Play(player, cards, mark)
                yield Play(player, cards, mark, forward=True)
            yield Claim(player, held, mark)
        yield Show(player, held)
        yield Show(player, 1 << chance.randrange(size))
        yield Declare(player, ())
        yield Declare(player, (1 << chance.randrange(size),))
        yield Cover(player, (chance.choice(round.header.seats),), CoverReason.WARNED)


def _some(chance: Random, round: Round) -> int:
    size = round.ruleset.deck.all.bit_count()
    return chance.getrandbits(size) & chance.getrandbits(size)


def _is_over(dealt: Dealt) -> None:
    """Each player finishes exactly once, and a deduced hand is the one that is held."""
    round = dealt.round
    assert round.over
    if round.claims:
        return
    finished = [*round.places, *round.seats_in(round.knocked_out)]
    assert len(set(finished)) == len(finished)
    if round.ruleset.ending.at_first_out:
        assert round.places == [player for player in round.header.seats if not round.cards_left[player]]
    else:
        assert set(finished) == set(round.header.seats)
    if (player := deduced_player(round)) is not None:
        write = round.ruleset.deck.write
        assert write(round.unseen) == write(dealt.left(player))
    findings(round)


def _replays_the_same(round: Round) -> None:
    fresh = begin(round.ruleset, round.header)
    once, again = replay(fresh, round.moves), replay(fresh, round.moves, infer=True)
    assert contents(once) == contents(round) == contents(again)
    assert payments(once) == payments(round)
    assert contents(fresh) == contents(begin(round.ruleset, round.header))
    assert contents(fold_in_place(fresh, round.moves)) == contents(round)
    *_, last = positions(round)
    assert contents(last) == contents(round)


def _is_the_same_as_text(night: Night) -> None:
    for with_payments in (False, True):
        text = notation.write(night, with_payments=with_payments)
        script = notation.read(text)
        again = notation.replay(script, strict=True)
        assert again.ruleset == night.ruleset
        assert [contents(round) for round in again.rounds] == [contents(round) for round in night.rounds]
        assert notation.write(again, with_payments=with_payments) == text
        assert list(notation.disagreements(script, again)) == []


def _names(players: int) -> tuple[str, ...]:
    return tuple(f"Name {number}" for number in range(1, players + 1))
