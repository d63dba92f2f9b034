"""A round -> payments, each with its steps, its cause and its clauses; and the status of a round.

Every payment goes from one player to another, so that a round always sums to zero. Payments of nothing, or to
oneself, are left out.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, assert_never

from ledger.game.cards import Cards
from ledger.game.errors import Clause
from ledger.game.hands import (
    Hand,
    Source,
    hand_of,
    hand_values_beside_cards,
    holders,
    last_twos,
    missing_hands,
    pays_full_hand,
    pays_per_card,
    twos_that_double,
    waits_for_count,
)
from ledger.game.moves import Bid, Declare, Play, Show
from ledger.game.payments import Payment, Reason, Step, StepKind, chops_in, covered, multiplied
from ledger.game.round import PilePlay, Round
from ledger.game.rulesets.paying import Payee, PlacePayment
from ledger.game.special_sets import Appraiser


class Status(StrEnum):
    """How far a round has progressed."""

    IN_PROGRESS = "in-progress"
    UNSETTLED = "unsettled"
    """Ended, but hands are missing."""
    SETTLED = "settled"
    INSTANT_WIN = "instant-win"
    VOID = "void"
    """It does not count."""


def status(round: Round) -> Status:
    """How far the round has progressed."""
    if round.void is not None:
        return Status.VOID
    if round.claims:
        return Status.INSTANT_WIN
    if not round.over:
        return Status.IN_PROGRESS
    return Status.UNSETTLED if missing_hands(round) else Status.SETTLED


def payments(round: Round) -> list[Payment]:
    """The payments of a round so far, in the order of `Reason`: bonuses by move, most others by the payer's seat.

    All are multiplied by the factor of its header. Bonuses of a pile that is still open are provisional, and so are
    all payments of an unsettled round. A void round has none.
    """
    if round.void is not None:
        return []
    if round.claims:
        found = [*_instant_wins(round)]
    else:
        found = [*_bonuses(round)]
        if round.over:
            found += at_the_end(round)
    paid = [payment for payment in found if payment.points and payment.payer != payment.payee]
    if (times := round.header.times) > 1:
        paid = [_counting(payment, times) for payment in paid]
    if missing_hands(round):
        return [payment._replace(provisional=True) for payment in paid]
    return paid


def _counting(payment: Payment, times: int) -> Payment:
    """A payment of a round that counts so many times."""
    steps = multiplied(payment.steps, times, StepKind.ROUND_COUNTS)
    return payment._replace(points=times * payment.points, steps=steps)


def hands(round: Round) -> dict[int, Hand]:
    """Player -> hand, for the known hands of players left with cards at the end of a round."""
    if not round.over or round.claims:
        return {}
    known = {player: hand_of(round, player) for player in holders(round)}
    return {player: hand for player, hand in known.items() if hand is not None}


def _payment(
    round: Round,
    payer: int,
    payee: int,
    steps: tuple[Step, ...],
    reason: Reason,
    clause: Clause,
    move: int,
    *,
    moves: Iterable[int] = (),
    clauses: Iterable[Clause] = (),
    source: Source | None = None,
    provisional: bool = False,
) -> Payment:
    """A payment of the sum of its steps; `moves` and `clauses` are further ones that it is based on."""
    own, clause_of = round.ruleset.clause(clause), round.ruleset.clause
    return Payment(
        payer,
        payee,
        sum([step.points for step in steps]),
        reason,
        own,
        move,
        steps,
        tuple(sorted({move, *moves})),
        (own, *map(clause_of, clauses)),
        source,
        provisional,
    )


def _instant_wins(round: Round) -> Iterator[Payment]:
    """Clause INSTANT: every other player pays the winner; hands of the list may have points of their own."""
    ruleset = round.ruleset
    for claimant, move in round.winning_claims:
        hand = round.shown[claimant]
        win = round.compiled.instant_win(hand, opening=round.opening)
        points = ruleset.instant_wins.points if win is None or win.points is None else win.points
        steps = (Step(StepKind.INSTANT_WIN, points, hand, name=win.name if win else ""),)
        for payer in round.header.seats:
            yield _payment(round, payer, claimant, steps, Reason.INSTANT_WIN, Clause.INSTANT, move)


def _bonuses(round: Round) -> Iterator[Payment]:
    """Clauses CHOP, CHOP-OUT: what players pay for bombs on their plays."""
    ruleset = round.ruleset
    piles: list[Sequence[PilePlay]] = [*round.chops]
    if still_open := round.bombed and not round.over:
        piles.append(round.pile)
    for pile in piles:
        for chop in chops_in(pile, ruleset):
            if not chop.is_free(ruleset.payments):
                yield _payment(
                    round,
                    chop.beaten.player,
                    chop.bomb.player,
                    chop.steps(round.compiled.capture_values),
                    Reason.BOMB_BONUS,
                    Clause.CHOP,
                    chop.bomb.move,
                    moves=[chop.beaten.move, *(play.move for play in chop.taken)],
                    clauses=(Clause.SPECIAL,) if chop.each is None else (),
                    provisional=still_open and pile is piles[-1],
                )


def at_the_end(round: Round) -> list[Payment]:
    """The payments of a round that has ended, with those of nothing, or to oneself."""
    rules = round.ruleset.payments
    if twos := last_twos(round):
        return [*_last_twos(round, twos)]
    found = [*_placement(round)]
    if rules.card:
        found += _card_count(round)
    if rules.got_to_get_in:
        found += _got_to_get_in(round)
    if rules.lowest_last or rules.lowest_left:
        found += _last_card(round)
    if round.bids:
        found += _contracts(round)
    if rules.for_hoarding:
        found += _hoarding(round)
    if rules.lowest_last_doubles and _is_lowest(round, round.last_play(round.places[0])[1]):
        found = [_doubled(payment, round) for payment in found]
    return covered(round, found) if round.covers else found


def _doubled(payment: Payment, round: Round) -> Payment:
    """Clause LAST-CARD: a payment doubled, because the winner went out with the lowest card alone."""
    number, _ = round.last_play(round.places[0])
    times = round.ruleset.payments.doubles_by
    return payment._replace(
        points=times * payment.points,
        steps=multiplied(payment.steps, times),
        moves=tuple(sorted({*payment.moves, number})),
        clauses=(*payment.clauses, round.ruleset.clause(Clause.LAST_CARD)),
    )


def _last_twos(round: Round, twos: Cards) -> Iterator[Payment]:
    """Clause END: a winner whose last play was of 2s pays every other player for them."""
    winner, count, each = round.places[0], twos.bit_count(), round.ruleset.payments.last_twos
    number, _ = round.last_play(winner)
    steps = (Step(StepKind.LAST_TWOS, count * each, twos, number, count, each),)
    for payee in round.header.seats:
        yield _payment(round, winner, payee, steps, Reason.PLACEMENT, Clause.END, number)


def _placement(round: Round) -> Iterator[Payment]:
    """Clauses PLACE, FULL, by payer's seat."""
    rules, places, rows = round.ruleset.payments, round.places, place_rows(round)
    winner = places[0]
    for payer in round.header.seats:
        if rules.full_hand and rules.full_from and waits_for_count(round, payer):
            continue
        if pays_full_hand(round, payer):
            step = Step(StepKind.FULL_HAND, rules.full_hand, count=round.cards_left[payer])
            yield _for_place(round, payer, winner, step, Clause.FULL)
        elif payer not in places:
            step = Step(StepKind.NO_PLACE, rules.left, count=round.cards_left[payer])
            yield _for_place(round, payer, winner, step, Clause.PLACE)
        else:
            place = places.index(payer) + 1
            for row in rows:
                if row.payer == place:
                    step = Step(StepKind.PLACE, row.points, count=row.players, places=(place, row.payee))
                    yield _for_place(round, payer, places[row.payee - 1], step, Clause.PLACE)


def place_rows(round: Round) -> list[PlacePayment]:
    """What places pay each other, by the number of players who take one: a full hand may leave its own (clauses
    PLACE, FULL)."""
    players = len(round.header.seats)
    if round.ruleset.payments.full_hand_leaves:
        players -= sum(pays_full_hand(round, player) for player in round.header.seats)
    return [row for row in round.ruleset.payments.places if row.players == players]


def _for_place(round: Round, payer: int, payee: int, step: Step, clause: Clause) -> Payment:
    return _payment(
        round,
        payer,
        payee,
        (step,),
        Reason.PLACEMENT,
        clause,
        round.ending_move,
        moves=(*_went_out(round, payer), *_went_out(round, payee)),
        clauses=(Clause.KNOCK,) if round.knocked_out >> payer & 1 else (),
    )


def _went_out(round: Round, player: int) -> tuple[int, ...]:
    """The number of the play with which a player went out; empty for others, or if it was not recorded."""
    return round.last_play(player)[:1] if round.played_out >> player & 1 else ()


def _hoarding(round: Round) -> Iterator[Payment]:
    """Clause HOARD: the knocked out pay the winner, others whom the table chose."""
    values, winner = round.compiled.hand_values, round.places[0]
    for payer in holders(round):
        if hand := hand_of(round, payer):
            chosen = hoard_payee(round, payer)
            knocked = bool(round.knocked_out >> payer & 1) and winner != chosen
            steps = _special_sets(values, hand.cards)
            yield _payment(
                round,
                payer,
                winner if knocked else chosen,
                steps,
                Reason.HOARDING_PENALTY,
                Clause.HOARD,
                round.ending_move,
                **_by_hand(round, payer, steps, hand, *([Clause.KNOCK] if knocked else [])),
            )


def hoard_payee(round: Round, payer: int) -> int:
    """Whom a player who was not knocked out pays for hoarded special sets (clause HOARD)."""
    match round.ruleset.payments.hoard_payee:
        case Payee.WINNER:
            return round.places[0]
        case Payee.LAST_OUT:
            return next(player for player in reversed(round.places) if not round.cards_left[player])
        case Payee.SECOND | Payee.THIRD as payee:
            places = round.places[: 2 if payee is Payee.SECOND else 3]
            return next(player for player in reversed(places) if player != payer)
        case payee:
            assert_never(payee)


def _special_sets(values: Appraiser, cards: Cards) -> tuple[Step, ...]:
    return tuple([Step(StepKind.SPECIAL_SET, worth.points, worth.cards) for worth in values.breakdown(cards)])


def _card_count(round: Round) -> Iterator[Payment]:
    """Clause CARDS: every card left costs something, special sets their own value where that is more."""
    rules, winner = round.ruleset.payments, round.places[0]
    for payer in holders(round):
        if waits_for_count(round, payer):
            continue
        hand, left = hand_of(round, payer), round.cards_left[payer]
        values = hand_values_beside_cards(round, payer)
        if pays_per_card(round, payer):
            first = Step(StepKind.CARDS, left * rules.card, count=left, each=rules.card)
        else:
            first = Step(StepKind.UNPLAYED, rules.unplayed, count=left)
        sets = _special_sets(values, hand.cards if hand else 0)
        if values is not round.compiled.hand_values:
            sets = tuple(_instead(step, rules.card) for step in sets)
        twos = (hand.cards if hand else 0) & twos_that_double(round)
        steps = multiplied((first, *sets), rules.doubles_by ** twos.bit_count())
        reason, number, known = Reason.CARD_COUNT, round.ending_move, _by_hand(round, payer, steps, hand)
        yield _payment(round, payer, winner, steps, reason, Clause.CARDS, number, **known)


def _instead(step: Step, card: int) -> Step:
    """The step of a special set that costs its value instead of its cards at `card` each."""
    worth = step.points + card * step.cards.bit_count()
    return replace(step, kind=StepKind.INSTEAD, count=worth, each=card)


def _by_hand(
    round: Round, payer: int, steps: Iterable[Step], hand: Hand | None, *clauses: Clause
) -> dict[str, Any]:
    """What a payment for a hand is based on: the moves and the clauses by which the hand is known, and these."""
    source = hand.source if hand else None
    special = [Clause.SPECIAL] if any(step.cards for step in steps) else []
    known = [Clause.REST if source is Source.DEDUCED else Clause.SHOW] if source else []
    moves = _shown_by(round, payer, source)
    return {"moves": moves, "clauses": (*special, *clauses, *known), "source": source}


def _shown_by(round: Round, player: int, source: Source | None) -> Iterator[int]:
    """The moves by which a hand is known: its showing or declaration, or what the others showed."""
    for number, move in enumerate(round.moves[round.ending_move :], start=round.ending_move + 1):
        match source, move:
            case (Source.SHOWN, Show(player=who)) | (Source.DECLARED, Declare(player=who)) if who == player:
                yield number
            case Source.DEDUCED, Show(player=who) if who != player:
                yield number
            case _:
                continue


def _got_to_get_in(round: Round) -> Iterator[Payment]:
    """Clause GET-IN: a player who has played nothing when another goes out pays that player."""
    steps = (Step(StepKind.GOT_TO_GET_IN, round.ruleset.payments.got_to_get_in),)
    first: dict[int, int] = {}
    for number, move in enumerate(round.moves, start=1):
        if isinstance(move, Play):
            first.setdefault(move.player, number)
    for payee in (player for player in round.places if not round.cards_left[player]):
        number = round.last_play(payee)[0]
        for payer in round.header.seats:
            late = first.get(payer, number + 1) > number
            if late and (round.played_out >> payee & 1 or round.untouched(payer)):
                yield _payment(round, payer, payee, steps, Reason.GOT_TO_GET_IN, Clause.GET_IN, number)


def _last_card(round: Round) -> Iterator[Payment]:
    """Clause LAST-CARD: the winner went out with the lowest card alone, or a player is left with it alone."""
    rules, winner = round.ruleset.payments, round.places[0]
    reason, clause = Reason.LAST_CARD, Clause.LAST_CARD
    number, cards = round.last_play(winner)
    if _is_lowest(round, cards):
        for payer in round.header.seats:
            steps = (Step(StepKind.LAST_CARD, rules.lowest_last, cards),)
            yield _payment(round, payer, winner, steps, reason, clause, number)
    for payer in holders(round):
        hand = hand_of(round, payer)
        if hand and round.cards_left[payer] == 1 and _is_lowest(round, hand.cards):
            steps = (Step(StepKind.LAST_CARD, rules.lowest_left, hand.cards),)
            shown = _shown_by(round, payer, hand.source)
            move, source = round.ending_move, hand.source
            yield _payment(round, payer, winner, steps, reason, clause, move, moves=shown, source=source)


def _is_lowest(round: Round, cards: Cards) -> bool:
    """Whether this is the lowest card, alone."""
    return cards.bit_count() == 1 and bool(cards & round.ruleset.deck.lowest)


def _contracts(round: Round) -> Iterator[Payment]:
    """Clause CONTRACT: a player who bet on coming in first is paid by all others, or pays them."""
    offered = {contract.name: contract for contract in round.ruleset.contracts}
    reason, clause, number = Reason.CONTRACT, Clause.CONTRACT, round.ending_move
    for player, name in round.bids.items():
        won = round.places[0] == player
        points = offered[name].gain if won else offered[name].loss
        steps = (Step(StepKind.CONTRACT, points, name=name),)
        moves = (round.moves.index(Bid(player, name)) + 1, *_went_out(round, round.places[0]))
        for other in round.header.seats:
            payer, payee = (other, player) if won else (player, other)
            yield _payment(round, payer, payee, steps, reason, clause, number, moves=moves)
