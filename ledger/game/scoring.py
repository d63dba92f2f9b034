"""A round -> payments, each with its cause and its clause; and what else there is to say of a round.

Every payment goes from one player to another, so that a round sums to zero whatever happens in it. A payment
of nothing, or to oneself, is none.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple, assert_never

from ledger.game.cards import Cards
from ledger.game.errors import Clause
from ledger.game.hands import (
    Hand,
    counts_cards,
    hand_of,
    holders,
    last_twos,
    missing_hands,
    values_beside_cards,
    waits_for_count,
)
from ledger.game.moves import Play
from ledger.game.rulesets.types import Chain, Payee, Payments, Ruleset
from ledger.game.special_sets import Values
from ledger.game.state import UNSEEN_BOMB, Laid, Round


class Reason(StrEnum):
    """What a payment is for, in the order in which payments are listed."""

    BOMB_BONUS = "bomb-bonus"
    INSTANT_WIN = "instant-win"
    PLACEMENT = "placement"
    CARD_COUNT = "card-count"
    GOT_TO_GET_IN = "got-to-get-in"
    LAST_CARD = "last-card"
    CONTRACT = "contract"
    HOARDING_PENALTY = "hoarding-penalty"


class Status(StrEnum):
    """How far a round has come."""

    IN_PROGRESS = "in-progress"
    UNSETTLED = "unsettled"
    """Ended, but hands are missing."""
    SETTLED = "settled"
    INSTANT_WIN = "instant-win"
    VOID = "void"
    """It does not count."""


class Payment(NamedTuple):
    """`points`, a positive whole number, from one player to another; `move` caused it, `clause` says so."""

    payer: int
    payee: int
    points: int
    reason: Reason
    clause: str
    move: int


class Chop(NamedTuple):
    """A bomb that is paid for, and the plays of its pile that it is paid for."""

    beaten: Laid
    bomb: Laid
    taken: tuple[Laid, ...]
    times: int = 1
    """How many times what they are worth."""
    each: int | None = None
    """What each of them is worth, where bombs are counted; None: its special sets."""

    def points(self, values: Values) -> int:
        """What the player whose play was beaten pays."""
        return self.times * sum(
            values.of(laid.cards) if self.each is None else self.each for laid in self.taken
        )

    def spared(self, rules: Payments) -> bool:
        """Whether nobody pays: the player who would went out with what was beaten (clause CHOP-OUT)."""
        return self.beaten.last and rules.chop_free_if_out


def status(round: Round) -> Status:
    """How far the round has come."""
    if round.void is not None:
        return Status.VOID
    if round.claims:
        return Status.INSTANT_WIN
    if not round.over:
        return Status.IN_PROGRESS
    return Status.UNSETTLED if missing_hands(round) else Status.SETTLED


def payments(round: Round) -> list[Payment]:
    """What has to be paid as far as the round has come: bomb bonuses by move, then placement, then hoarding,
    within these by payer's seat.

    The bonus of a pile that is still open is provisional, and so is everything of a round that is unsettled.
    For a round that does not count nobody pays.
    """
    if round.void is not None:
        return []
    if round.claims:
        found = _instant_wins(round)
    else:
        found = [payment for _, payment in bonuses(round)]
        if round.over:
            found += _at_the_end(round)
    return [payment for payment in found if payment.points and payment.payer != payment.payee]


def hands(round: Round) -> dict[int, Hand]:
    """The hands that are known of players left with cards at the end of a round."""
    if not round.over or round.claims:
        return {}
    known = {player: hand_of(round, player) for player in holders(round)}
    return {player: hand for player, hand in known.items() if hand is not None}


def net(payments: Sequence[Payment]) -> dict[int, int]:
    """Player -> received less paid, for everyone who appears in a payment."""
    totals: dict[int, int] = {}
    for payment in payments:
        totals[payment.payer] = totals.get(payment.payer, 0) - payment.points
        totals[payment.payee] = totals.get(payment.payee, 0) + payment.points
    return totals


def _instant_wins(round: Round) -> list[Payment]:
    clause = round.ruleset.clause(Clause.INSTANT)
    won = [(claimant, claimed(round, claimant), move) for claimant, move in round.winning_claims]
    return [
        Payment(payer, claimant, points, Reason.INSTANT_WIN, clause, move)
        for claimant, points, move in won
        for payer in round.header.seats
    ]


def claimed(round: Round, claimant: int) -> int:
    """What a claim brings from each other player: some hands of some lists are worth more than the others."""
    wins = round.ruleset.instant_wins
    if all(win.points is None for win in wins.hands):
        return wins.points
    win = round.ruleset.instant_win(round.shown[claimant], opening=round.opening)
    return wins.points if win is None or win.points is None else win.points


def bonuses(round: Round) -> Iterator[tuple[Chop, Payment]]:
    """Clauses CHOP, CHOP-OUT: bombs, and how the players whose plays they beat pay for them."""
    piles: list[Sequence[Laid]] = [*round.chops]
    if round.bombed and not round.over:
        piles.append(round.pile)
    for pile in piles:
        rules, clause = round.ruleset.payments, round.ruleset.clause(Clause.CHOP)
        for chop in chops_in(pile, round.ruleset):
            if not chop.spared(rules):
                payer, payee = chop.beaten.player, chop.bomb.player
                points = chop.points(round.ruleset.captured_values)
                yield chop, Payment(payer, payee, points, Reason.BOMB_BONUS, clause, chop.bomb.move)


def chops_in(pile: Sequence[Laid], ruleset: Ruleset) -> Iterator[Chop]:
    """The bombs of one pile that are paid for as the table's chain has it (clause CHOP)."""
    rules = ruleset.payments
    chops = [(beaten, bomb) for beaten, bomb in pairwise(pile) if bomb.bomb]
    match rules.chain:
        case Chain.WHOLE_PILE | Chain.CUT:
            if chops and chops[-1][1] is pile[-1]:
                cut = tuple(beaten for beaten, _ in chops)
                yield Chop(*chops[-1], tuple(pile[:-1]) if rules.chain is Chain.WHOLE_PILE else cut)
        case Chain.EACH:
            yield from (Chop(beaten, bomb, (beaten,)) for beaten, bomb in chops)
        case Chain.DOUBLING:
            for depth, (beaten, bomb) in enumerate(chops):
                yield Chop(beaten, bomb, (chops[0][0],), times=1 << depth)
        case Chain.COUNTING:
            for count, (beaten, bomb) in enumerate(chops, start=1):
                if bomb.combination is UNSEEN_BOMB:
                    count = ruleset.bombs_of_pile(beaten.cards)
                yield Chop(beaten, bomb, (beaten,), times=count, each=rules.chop_unit)
        case _:
            assert_never(rules.chain)


def _at_the_end(round: Round) -> list[Payment]:
    rules = round.ruleset.payments
    if twos := last_twos(round):
        return _last_twos(round, twos)
    found = [*_placement(round)]
    if rules.card:
        found += _card_count(round)
    if rules.got_to_get_in:
        found += _got_to_get_in(round)
    if rules.lowest_last or rules.lowest_left:
        found += _last_card(round)
    if round.bids:
        found += (payment for _, payment in bets(round))
    if rules.for_hoarding:
        found += _hoarding(round)
    return found


def _last_twos(round: Round, twos: Cards) -> list[Payment]:
    """Clause END: a winner whose last play was of 2s pays everybody else for them."""
    winner, clause = round.places[0], round.ruleset.clause(Clause.END)
    number, _ = round.last_play(winner)
    points = round.ruleset.payments.last_twos * twos.bit_count()
    return [Payment(winner, payee, points, Reason.PLACEMENT, clause, number) for payee in round.header.seats]


def _placement(round: Round) -> Iterator[Payment]:
    """Clauses PLACE, FULL, by payer's seat."""
    ruleset, places, move = round.ruleset, round.places, round.ended_by
    rules, table, players = ruleset.payments, ruleset.place_payments, len(round.header.seats)
    winner, reason, clause = places[0], Reason.PLACEMENT, ruleset.clause(Clause.PLACE)
    for payer in round.header.seats:
        if rules.full_from and waits_for_count(round, payer):
            continue
        if rules.full_hand and _holds_full_hand(round, payer):
            yield Payment(payer, winner, rules.full_hand, reason, ruleset.clause(Clause.FULL), move)
        elif payer not in places:
            yield Payment(payer, winner, rules.left, reason, clause, move)
        else:
            for row in table.get((players, places.index(payer) + 1), ()):
                yield Payment(payer, places[row.payee - 1], row.points, reason, clause, move)


def _holds_full_hand(round: Round, player: int) -> bool:
    """Clause FULL: knocked out, nothing played, or as many cards left as count for a full hand."""
    many = round.ruleset.payments.full_from
    return (
        bool(round.knocked >> player & 1)
        or bool(many and round.left[player] >= many)
        or round.untouched(player)
    )


def _hoarding(round: Round) -> Iterator[Payment]:
    """Clause HOARD: the knocked out pay the winner, others left pay whoever went out most recently."""
    ruleset, winner = round.ruleset, round.places[0]
    latest = winner if ruleset.payments.hoard_payee is Payee.WINNER else last_out(round)
    for payer in holders(round):
        hand = hand_of(round, payer)
        if hand is not None and (points := ruleset.values.of(hand.cards)):
            payee = winner if round.knocked >> payer & 1 else latest
            clause = ruleset.clause(Clause.HOARD)
            yield Payment(payer, payee, points, Reason.HOARDING_PENALTY, clause, round.ended_by)


def last_out(round: Round) -> int:
    """Who went out most recently; somebody has."""
    return next(player for player in reversed(round.places) if not round.left[player])


def _card_count(round: Round) -> Iterator[Payment]:
    """Clause CARDS: every card left costs something, special sets their own value where that is more."""
    rules, clause = round.ruleset.payments, round.ruleset.clause(Clause.CARDS)
    for payer in holders(round):
        if waits_for_count(round, payer):
            continue
        hand = hand_of(round, payer)
        counted = counts_cards(round, payer)
        points = rules.card * round.left[payer] if counted else rules.unplayed
        points += values_beside_cards(round, payer).of(hand.cards if hand else 0)
        yield Payment(payer, round.places[0], points, Reason.CARD_COUNT, clause, round.ended_by)


def _got_to_get_in(round: Round) -> Iterator[Payment]:
    """Clause GET-IN: whoever has played nothing pays each player who goes out, at that moment."""
    points, clause = round.ruleset.payments.got_to_get_in, round.ruleset.clause(Clause.GET_IN)
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for number, move in enumerate(round.moves, start=1):
        if isinstance(move, Play):
            first.setdefault(move.player, number)
            last[move.player] = number
    for payee in (player for player in round.places if not round.left[player]):
        number = last.get(payee, round.ended_by)
        for payer in round.header.seats:
            if first.get(payer, number + 1) > number and (round.result is None or round.untouched(payer)):
                yield Payment(payer, payee, points, Reason.GOT_TO_GET_IN, clause, number)


def _last_card(round: Round) -> Iterator[Payment]:
    """Clause LAST-CARD: the winner went out with the lowest card alone, or somebody is left with it alone."""
    rules, clause = round.ruleset.payments, round.ruleset.clause(Clause.LAST_CARD)
    winner = round.places[0]
    number, cards = round.last_play(winner)
    if _is_lowest(round, cards):
        for payer in round.header.seats:
            yield Payment(payer, winner, rules.lowest_last, Reason.LAST_CARD, clause, number)
    for payer in holders(round):
        hand = hand_of(round, payer)
        if hand is not None and left_with_lowest(round, payer, hand):
            yield Payment(payer, winner, rules.lowest_left, Reason.LAST_CARD, clause, round.ended_by)


def left_with_lowest(round: Round, player: int, hand: Hand) -> bool:
    """Whether a player is left with the lowest card and nothing else."""
    return round.left[player] == 1 and _is_lowest(round, hand.cards)


def _is_lowest(round: Round, cards: Cards) -> bool:
    """Whether this is one card, and none is lower."""
    return cards.bit_count() == 1 and bool(cards & round.ruleset.deck.lowest)


def bets(round: Round) -> Iterator[tuple[int, Payment]]:
    """Clause CONTRACT: who bet on coming in first is paid by everyone, or pays everyone; and whose bet it was."""
    clause = round.ruleset.clause(Clause.CONTRACT)
    offered = {contract.name: contract for contract in round.ruleset.contracts}
    for player, name in round.bids.items():
        contract, won = offered[name], round.places[0] == player
        for other in round.header.seats:
            payer, payee = (other, player) if won else (player, other)
            points = contract.gain if won else contract.loss
            yield player, Payment(payer, payee, points, Reason.CONTRACT, clause, round.ended_by)
