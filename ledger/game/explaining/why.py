"""Why a payment is made: the moves, the clauses, and the arithmetic step by step."""

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from ledger.game.cards import Rank
from ledger.game.errors import Clause
from ledger.game.explaining.values import Explanation, Step, StepKind
from ledger.game.hands import Source, counts_cards, hand_of, values_beside_cards
from ledger.game.moves import Bid, Declare, Play, Show
from ledger.game.scoring import (
    Chop,
    Payment,
    Reason,
    Status,
    bets,
    bonuses,
    claimed,
    last_out,
    left_with_lowest,
    status,
)
from ledger.game.state import Round


def why(round: Round, paid: Sequence[Payment]) -> Iterator[Explanation]:
    """The explanation of each payment of a round."""
    # Payments alike are told apart by their order alone: several bombs of a result, several bets.
    chops = (chop for chop, payment in bonuses(round) if payment in paid)
    bettors = (player for player, payment in bets(round) if payment in paid)
    for payment in paid:
        yield _why(round, payment, chops, bettors)


def _why(round: Round, payment: Payment, chops: Iterator[Chop], bettors: Iterator[int]) -> Explanation:
    match payment.reason:
        case Reason.BOMB_BONUS:
            return _bomb_bonus(round, payment, next(chops))
        case Reason.INSTANT_WIN:
            return _explanation(round, payment, [_instant_win(round, payment)], ())
        case Reason.PLACEMENT:
            return _placement(round, payment)
        case Reason.CARD_COUNT:
            return _of_hand(round, payment, list(_card_count(round, payment)))
        case Reason.GOT_TO_GET_IN:
            step = Step(kind=StepKind.GOT_TO_GET_IN, points=round.ruleset.payments.got_to_get_in)
            return _explanation(round, payment, [step], ())
        case Reason.LAST_CARD:
            return _last_card(round, payment)
        case Reason.CONTRACT:
            return _contract(round, payment, next(bettors))
        case Reason.HOARDING_PENALTY:
            return _of_hand(round, payment, list(_hoarding(round, payment)))
        case _:
            assert_never(payment.reason)


def _explanation(
    round: Round,
    payment: Payment,
    steps: Iterable[Step],
    moves: Iterable[int | None],
    clauses: Iterable[Clause] = (),
    *,
    source: Source | None = None,
    provisional: bool = False,
) -> Explanation:
    """An explanation with the payment's own move and clause."""
    return Explanation(
        payment=payment,
        steps=tuple(steps),
        moves=tuple(sorted({payment.move, *(move for move in moves if move)})),
        clauses=(payment.clause, *map(round.ruleset.clause, clauses)),
        source=source,
        provisional=provisional or status(round) is Status.UNSETTLED,
    )


def _bomb_bonus(round: Round, payment: Payment, chop: Chop) -> Explanation:
    still_open = not round.over and chop.bomb in round.pile
    valued = (Clause.SPECIAL,) if chop.each is None else ()
    moves = [chop.beaten.move, *(laid.move for laid in chop.taken)]
    steps = _taken(round, chop)
    return _explanation(round, payment, steps, moves, valued, provisional=still_open)


def _taken(round: Round, chop: Chop) -> Iterator[Step]:
    """What a bomb takes, play by play, as the table's chain has it."""
    if chop.each is not None:
        for laid in chop.taken:
            points = chop.times * chop.each
            yield Step(
                kind=StepKind.CHOP,
                points=points,
                cards=laid.cards,
                move=laid.move,
                count=chop.times,
                each=chop.each,
            )
        return
    together = 0
    for laid in chop.taken:
        for worth in round.ruleset.captured_values.best(laid.cards):
            together += worth.points
            yield Step(kind=StepKind.SPECIAL_SET, points=worth.points, cards=worth.cards, move=laid.move)
    if chop.times > 1:
        yield Step(kind=StepKind.DOUBLING, points=together * (chop.times - 1), count=chop.times)


def _instant_win(round: Round, payment: Payment) -> Step:
    """The hand that was claimed, as the list calls it."""
    hand = round.shown[payment.payee]
    win = round.ruleset.instant_win(hand, opening=round.opening)
    points = claimed(round, payment.payee)
    return Step(kind=StepKind.INSTANT_WIN, points=points, cards=hand, name=win.name if win else "")


def _placement(round: Round, payment: Payment) -> Explanation:
    rules, payer = round.ruleset.payments, payment.payer
    moves = [_went_out(round, payer), _went_out(round, payment.payee), round.ended_by]
    knocked = (Clause.KNOCK,) if round.knocked >> payer & 1 else ()
    if payment.clause == round.ruleset.clause(Clause.END):
        twos = round.moves[payment.move - 1]
        assert isinstance(twos, Play)
        cards = twos.cards & round.ruleset.deck.rank(Rank.TWO)
        count, each = cards.bit_count(), rules.last_twos
        step = Step(
            kind=StepKind.LAST_TWOS,
            points=count * each,
            cards=cards,
            move=payment.move,
            count=count,
            each=each,
        )
        return _explanation(round, payment, [step], ())
    if payment.clause == round.ruleset.clause(Clause.FULL):
        step = Step(kind=StepKind.FULL_HAND, points=rules.full_hand, count=round.left[payer])
    elif payer not in round.places:
        step = Step(kind=StepKind.NO_PLACE, points=rules.left, count=round.left[payer])
    else:
        place, paid = (round.places.index(player) + 1 for player in (payer, payment.payee))
        rows = round.ruleset.place_payments[len(round.header.seats), place]
        points = next(row.points for row in rows if row.payee == paid)
        step = Step(kind=StepKind.PLACE, points=points, places=(place, paid))
    return _explanation(round, payment, [step], moves, knocked)


def _went_out(round: Round, player: int) -> int | None:
    """The play with which a player went out; None for who did not, or in a round that nobody recorded."""
    if round.left[player] or round.result is not None:
        return None
    number, _ = round.last_play(player)
    return number


def _card_count(round: Round, payment: Payment) -> Iterator[Step]:
    rules, payer = round.ruleset.payments, payment.payer
    hand = hand_of(round, payer)
    counted, values = counts_cards(round, payer), values_beside_cards(round, payer)
    left = round.left[payer]
    if counted:
        yield Step(kind=StepKind.CARDS, points=left * rules.card, count=left, each=rules.card)
    else:
        yield Step(kind=StepKind.UNPLAYED, points=rules.unplayed, count=left)
    for cards, points in values.best(hand.cards if hand else 0):
        if values is round.ruleset.values:
            yield Step(kind=StepKind.SPECIAL_SET, points=points, cards=cards)
        else:
            worth = points + rules.card * cards.bit_count()
            yield Step(kind=StepKind.INSTEAD, points=points, cards=cards, count=worth, each=rules.card)


def _hoarding(round: Round, payment: Payment) -> Iterator[Step]:
    hand = hand_of(round, payment.payer)
    for cards, points in round.ruleset.values.best(hand.cards if hand else 0):
        yield Step(kind=StepKind.SPECIAL_SET, points=points, cards=cards)


def _of_hand(round: Round, payment: Payment, steps: list[Step]) -> Explanation:
    """What a hand costs, with the moves and the clauses by which it is known."""
    payer = payment.payer
    hand = hand_of(round, payer)
    source = hand.source if hand else None
    clauses = [Clause.SPECIAL] if any(step.cards for step in steps) else []
    if payment.reason is Reason.HOARDING_PENALTY and payment.payee != last_out(round):
        clauses += [Clause.KNOCK] if round.knocked >> payer & 1 else []
    if source is not None:
        clauses.append(Clause.REST if source is Source.DEDUCED else Clause.SHOW)
    moves = [round.ended_by, *_told_by(round, payer, source)]
    return _explanation(round, payment, steps, moves, clauses, source=source)


def _last_card(round: Round, payment: Payment) -> Explanation:
    """The card that its payer is left with alone, or that the winner went out with."""
    rules = round.ruleset.payments
    hand = hand_of(round, payment.payer)
    if hand is not None and left_with_lowest(round, payment.payer, hand):
        step = Step(kind=StepKind.LAST_CARD, points=rules.lowest_left, cards=hand.cards)
        moves = [round.ended_by, *_told_by(round, payment.payer, hand.source)]
        return _explanation(round, payment, [step], moves, source=hand.source)
    _, cards = round.last_play(payment.payee)
    step = Step(kind=StepKind.LAST_CARD, points=rules.lowest_last, cards=cards)
    return _explanation(round, payment, [step], ())


def _told_by(round: Round, player: int, source: Source | None) -> Iterator[int]:
    """The moves by which a hand is known: its showing or declaration, or what the others showed."""
    for number, move in enumerate(round.moves, start=1):
        match source, move:
            case Source.SHOWN, Show(player=who) if who == player:
                yield number
            case Source.DECLARED, Declare(player=who) if who == player:
                yield number
            case Source.DEDUCED, Show(player=who) if who != player:
                yield number
            case _:
                continue


def _contract(round: Round, payment: Payment, player: int) -> Explanation:
    """A contract that its player has won, and is paid for, or lost, and pays for."""
    name = round.bids[player]
    contract = next(one for one in round.ruleset.contracts if one.name == name)
    points = contract.gain if payment.payee == player else contract.loss
    bids = [number for number, move in enumerate(round.moves, start=1) if move == Bid(player, name)]
    moves = [*bids, _went_out(round, round.places[0])]
    return _explanation(round, payment, [Step(kind=StepKind.CONTRACT, points=points, name=name)], moves)
