"""A round as it stands: position, moves with verdicts, payments, findings, and what may be played next."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.game.errors import Finding
from ledger.game.fold import turns_by_passing
from ledger.game.hands import costly_cards, missing_hands
from ledger.game.legal_cards import higher_singles, legal_cards
from ledger.game.moves import NOBODY, Bid, Cover, Declare, Pass
from ledger.game.notation import Tag, tag
from ledger.game.patterns import Kind, SuitLock
from ledger.game.payments import Payment, post
from ledger.game.report import HandReport, PaymentReport, payment_columns
from ledger.game.round import Round
from ledger.game.scoring import hands, payments, status
from ledger.game.terms import Stake
from ledger.recorder.events.correcting import places_posted
from ledger.recorder.parts import player
from ledger.recorder.round_log import RoundLog
from ledger.recorder.views.dispute import DisputeView, disputes_in
from ledger.recorder.views.entry import EntryRow, rows_of

Say = Callable[[Finding, Mapping[int, str]], str]
"""Words a finding in the reader's language; names are by player number."""

LAST_ROWS = {1: 12, 2: 56}
"""Packs -> how many of a round's last moves the board shows: at a table of eight, seven plays with all passes."""


@dataclass(frozen=True, slots=True)
class PilePlayView:
    """A play on the pile."""

    move: int
    address: str | None
    player: Tag
    cards: list[str]
    combination: Kind | None
    """None for cards that are not a combination and stood."""
    stood: bool
    """Whether it was against the rules and stands."""
    corrected: bool
    """Whether a correction added or replaced it."""


@dataclass(frozen=True, slots=True)
class NeededHand:
    """A hand that must be shown before the round can be settled: its size, and the cards that may be in it."""

    left: int
    cards: list[str]


@dataclass(frozen=True, slots=True)
class ProvisionalPayment(PaymentReport):
    """A payment of a round as it stands."""

    cause: str | None
    """The address of the move that caused it."""


@dataclass(frozen=True, slots=True)
class RoundPayment(ProvisionalPayment):
    """A payment of a round, and where it is posted."""

    posted: str | None
    """Its address in the ledger, `seq.idx`; None if not posted."""
    dispute: DisputeView | None
    """Its last dispute, if any."""
    place: int = 0
    """Its number among the round's payments, from 1; 0 if not numbered."""


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding in a round, with its sentence."""

    code: str
    clause: str
    move: int
    player: str | None
    cards: list[str]
    message: str


@dataclass(frozen=True, slots=True)
class ContractsView:
    """Contracts (bets on one's own first place): those on offer before the first play, and those taken."""

    offered: list[str]
    taken: dict[str, str]


@dataclass(frozen=True, slots=True)
class SuitLockView:
    """Whether a player may choose to lock the pile by a sequence of one suit, and whether it is locked."""

    optional: bool
    locked: bool


@dataclass(frozen=True, kw_only=True)
class Position:
    """The position after some of a round's moves: the pile, and the player to act."""

    turn: str | None
    """The player to act; None if the holder of the lowest card begins, and once the round is over."""
    to: str | None
    """lead or answer; None once the round is over."""
    pile: list[PilePlayView]
    left: dict[str, int]
    """Player -> how many cards they hold."""
    uncounted: list[str]
    """Players for whom `left` is only an upper bound."""
    locked: list[str]
    """Players who have passed and cannot come in on this pile."""
    places: list[str]
    """Players who are out, in order."""
    knocked_out: list[str]


@dataclass(frozen=True, kw_only=True)
class RoundView(Position):
    """A round as it stands."""

    number: int
    opening: bool
    leader: str | None
    stood: bool
    """Whether a player led who was not due to, and it stood."""
    times: int
    """The factor of its payments; usually 1."""
    stake: Stake | None
    """What a point is worth in it."""
    seats: list[str]
    """The players in it, in playing order."""
    status: str
    over: bool
    posted: bool
    """Whether it is settled."""
    void: str | None
    """Why it is void; None if it counts."""
    by_result: bool
    """Whether it was entered as a result, not move by move."""
    waiting: list[str]
    """Players who may still come in on this pile, in order from the player to act."""
    passes: dict[str, list[str]]
    """Player -> who must pass before that player's turn."""
    seen: dict[str, int]
    """Card -> the number of the move that showed it."""
    seen_counts: dict[str, int]
    """Card -> how many copies were seen: two packs have two."""
    to_draw: int | None
    """Cards left to draw for players who pass; None if the rules have no drawing."""
    forward: str | None
    """The player who may go on beating their own pile."""
    contracts: ContractsView
    suit_lock: SuitLockView
    playable: dict[str, list[str]]
    """Player -> the cards that they may be able to play now."""
    alone: list[str]
    """On a pile of singles, the unseen cards that are higher; `playable` says who may play them."""
    moves: list[EntryRow]
    """The last moves that stand; on a round's own page, all."""
    hands: dict[str, HandReport]
    needed: dict[str, NeededHand]
    can_settle: bool
    payments: list[RoundPayment]
    net: dict[str, int]
    findings: list[FindingView]


def view_round(log: RoundLog, names: Mapping[str, str], say: Say, stake: Stake | None = None) -> RoundView:
    """View a round that has begun, in which a point is worth `stake`."""
    round = log.round
    assert round is not None
    rows = rows_of(log)
    deck = round.ruleset.deck
    header = round.header
    paid = payments(round)
    seats = header.seats
    totals = post(paid, dict.fromkeys(seats, 0))
    return RoundView(
        **position_of(round, plays_of(rows[round.pile_from :])),
        number=log.number,
        opening=header.leader is None,
        leader=None if header.leader is None else tag(header.leader),
        stood=header.stood,
        times=header.times,
        stake=stake,
        seats=list(map(tag, seats)),
        status=status(round),
        over=round.over,
        posted=log.settled,
        void=round.void,
        by_result=round.result is not None,
        waiting=list(map(tag, _waiting(round))),
        passes=_passes(round),
        seen=_seen_cards(round),
        seen_counts=dict(Counter(deck.write(round.seen))),
        to_draw=round.to_draw if round.ruleset.deal.draw_pile else None,
        forward=_may_go_forward(round),
        contracts=_contracts(round),
        suit_lock=SuitLockView(
            optional=round.ruleset.combinations.suit_lock is SuitLock.OPTIONAL, locked=round.suit_locked
        ),
        playable={tag(player): list(deck.write(legal_cards(round, player))) for player in seats},
        alone=list(deck.write(higher_singles(round))),
        moves=rows[-LAST_ROWS[deck.packs] :],
        hands={
            tag(player): HandReport(hand.source, list(deck.write(hand.cards)))
            for player, hand in hands(round).items()
        },
        needed={
            tag(player): NeededHand(round.cards_left[player], list(deck.write(costly_cards(round, player))))
            for player in missing_hands(round)
        },
        can_settle=round.over and log.open and not missing_hands(round),
        payments=view_payments(log, paid),
        net={tag(player): points for player, points in totals.items()},
        findings=[_finding(finding, names, say) for finding in log.findings],
    )


def view_payments(log: RoundLog, paid: Sequence[Payment]) -> list[RoundPayment]:
    """The payments of a round, each with its address if posted, and its last dispute."""
    disputes = {one.payment: one for one in disputes_in(log.events)}
    places = [place and f"{place[0]}.{place[1]}" for place in places_posted(log, paid)]
    return [
        RoundPayment(
            **payment_columns(one),
            cause=log.address_of(one.move),
            posted=place,
            dispute=disputes.get(place) if place else None,
        )
        for one, place in zip(paid, places, strict=True)
    ]


def _passes(round: Round) -> dict[str, list[str]]:
    """Player -> who must pass before that player's turn; empty if it is their turn, or does not come."""
    before = dict(reversed(list(turns_by_passing(round))))  # keeps the first of two turns of a player
    return {tag(seat): [tag(one.player) for one in before.get(seat, ())] for seat in round.header.seats}


def plays_of(rows: Iterable[EntryRow]) -> list[PilePlayView]:
    """The plays among some moves that stand, as they lie on a pile."""
    return [
        PilePlayView(
            row.move, row.address, row.player, row.cards, row.combination, row.stood, row.reason is not None
        )
        for row in rows
        if row.kind == "play" and row.move and row.player
    ]


def position_of(round: Round, pile: list[PilePlayView]) -> dict[str, Any]:
    """The attributes of a `Position`: that of a round with these plays on its pile."""
    return {
        "turn": None if round.turn == NOBODY else tag(round.turn),
        "to": None if round.over else "lead" if round.leading else "answer",
        "pile": pile,
        "left": {tag(player): round.cards_left[player] for player in round.header.seats},
        "uncounted": list(map(tag, round.seats_in(round.uncounted))),
        "locked": [] if round.over else list(map(tag, round.seats_in(round.locked_out))),
        "places": [] if round.claims else list(map(tag, round.places)),
        "knocked_out": list(map(tag, round.seats_in(round.knocked_out))),
    }


def _waiting(round: Round) -> list[int]:
    """Players who may still come in on this pile, in order from the player to act."""
    if round.over:
        return []
    if round.turn == NOBODY:
        return list(round.header.seats)
    if round.leading:
        return [round.turn]
    order = [round.turn]
    while (following := round.following[order[-1]]) != round.turn:
        order.append(following)
    return [player for player in order if round.free >> player & 1 and player != round.top_player]


def _seen_cards(round: Round) -> dict[str, int]:
    """Card -> the number of the last move that showed it."""
    write = round.ruleset.deck.write
    return {
        card: number
        for number, move in enumerate(round.moves, start=1)
        if not isinstance(move, Pass | Declare | Cover | Bid)
        for card in write(move.cards)
    }


def _may_go_forward(round: Round) -> str | None:
    """The player who may go on beating their own pile, if the rules allow it."""
    winner = round.top_player
    may = round.ruleset.passing.forward and round.pile and not round.over and round.active >> winner & 1
    return tag(winner) if may else None


def _contracts(round: Round) -> ContractsView:
    """The contracts still offered before the first play, and those taken."""
    offered = [] if round.opening_move or round.over else [offer.name for offer in round.ruleset.contracts]
    return ContractsView(offered, {tag(player): name for player, name in round.bids.items()})


def _finding(finding: Finding, names: Mapping[str, str], say: Say) -> FindingView:
    return FindingView(
        code=finding.code,
        clause=finding.clause,
        move=finding.move,
        player=None if finding.player is None else tag(finding.player),
        cards=list(finding.cards),
        message=say(finding, {player(tag): name for tag, name in names.items()}),
    )
