"""The ledger of a night: every payment with its reason and its cause, balances, running totals."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter

from ledger.game.notation import Tag
from ledger.game.payments import post
from ledger.game.terms import Stake
from ledger.recorder.drafts import ADJUSTMENT
from ledger.recorder.events.dispute import Agreed, agreed
from ledger.recorder.events.index import KINDS
from ledger.recorder.history import read_events
from ledger.recorder.round_log import RoundLog
from ledger.recorder.rounds import Rounds
from ledger.recorder.state import NightState
from ledger.recorder.views import attributes
from ledger.recorder.views.dispute import DisputeView, disputes_in
from ledger.recorder.views.night import (
    ChainHead,
    NamedPlayer,
    StakeInUse,
    view_head,
    view_players,
    view_stake,
)
from ledger.recorder.views.outline import RoundLine, round_line, with_everyone
from ledger.recorder.views.worth import (
    BegunUnder,
    Unit,
    Won,
    Worths,
    add_up,
    begun_under,
    in_money,
    worths,
)
from ledger.store import EventBody, NewPayment

_POSTING = tuple(kind for kind, event in KINDS.items() if event.posts)
"""Kinds of events that post payments."""


@dataclass(frozen=True, slots=True)
class PostedBy:
    """The event that posted a payment: a settling, correction, voiding, decision or adjustment."""

    seq: int
    kind: str
    at: str
    reason: str | None
    """The reason, for kinds that have one."""
    round: int
    """The round that it is about; 0 for none."""


@dataclass(frozen=True, slots=True)
class LedgerPayment:
    """A posted payment."""

    seq: int
    idx: int
    payer: Tag
    payee: Tag
    points: int
    reason: str
    clause: str
    round: int
    """0 for none."""
    cause: str | None
    """The address of the move that caused it."""
    reverses: str | None
    """The address of the payment that it takes back."""
    note: str | None
    """The keeper's reason, for an adjustment."""
    posted_by: PostedBy
    move: int | None
    """The current number of the move that caused it; None if no such move stands."""
    reversed_by: str | None
    """The address of the payment that takes it back."""
    dispute: DisputeView | None
    """Its last dispute."""

    @property
    def address(self) -> str:
        """Its permanent name."""
        return f"{self.seq}.{self.idx}"


@dataclass(frozen=True, slots=True)
class RunningTotal:
    """What one event posted for a round, and every player's total after it."""

    round: int
    """0 for an adjustment."""
    net: dict[str, int]
    total: dict[str, int]
    posted_by: PostedBy


@dataclass(frozen=True, kw_only=True)
class LedgerView(ChainHead):
    """The ledger of a night, or of some of its rounds, at one head."""

    night: str
    date: str
    stake: StakeInUse | None
    players: list[NamedPlayer]
    payments: list[LedgerPayment]
    """In the order of posting; reversed payments and their reversals included."""
    balances: dict[str, int]
    rounds: list[RoundLine]
    totals: list[RunningTotal]
    won: dict[str, str] | None
    """Player -> money won, an amount in the currency of the night; None if points are worth nothing."""
    money: dict[str, int]
    """Player -> balance in the `unit`: points, or money if points were worth different sums."""
    worths: Worths
    unit: Unit

    def worth_of(self, payment: LedgerPayment) -> Stake | None:
        """What a point of a payment is worth."""
        return self.worths.of(payment.posted_by.round, payment.posted_by.seq)

    @property
    def names(self) -> dict[str, str]:
        """Player -> name."""
        return {player.player: player.name for player in self.players}

    @property
    def counted(self) -> int:
        """The number of settled rounds that count."""
        return sum(round.settled and round.void is None for round in self.rounds)

    @property
    def entered(self) -> dict[int, str]:
        """Round -> how it was recorded: `moves` (move by move) or `result`."""
        return {round.number: "result" if round.result else "moves" for round in self.rounds}


@dataclass(frozen=True, slots=True)
class RoundAccount:
    """Everything that the ledger page shows of a round; number 0 is for payments of no round."""

    number: int
    line: RoundLine | None
    """None if its beginning does not stand, and for 0."""
    payments: list[LedgerPayment]
    totals: list[RunningTotal]
    """Its lines in the running totals."""
    agreed: dict[str, Agreed] | None
    """Player -> since when they agree with it; None if it is not settled or does not count."""
    seats: list[str]
    disputes: list[DisputeView]
    begun: BegunUnder
    times: int
    """How many times its payments count."""


def view_won(state: NightState, accounts: Mapping[int, RoundAccount]) -> Won:
    """What each player has won, from the accounts of all rounds."""
    if not state.agreements.since:
        stake = state.terms.stake
        return Won(Worths(stake), Unit(stake), dict(state.net))
    agreed = view_worths(state, accounts)
    paid = chain.from_iterable(one.payments for one in accounts.values())
    return add_up(
        state.players, agreed, ((agreed.of(one.posted_by.round, one.posted_by.seq), one) for one in paid)
    )


def view_worths(state: NightState, accounts: Mapping[int, RoundAccount]) -> Worths:
    """What a point was worth in each round that has begun."""
    begun = (one.begun for one in accounts.values() if one.line is not None or one.begun.stand)
    return worths(state.agreements, begun)


def view_ledger(
    state: NightState,
    names: Mapping[str, str],
    accounts: Mapping[int, RoundAccount],
    *,
    after_round: int = 0,
    limit: int | None = None,
) -> LedgerView:
    """The ledger from the accounts of all rounds: the outlines and payments of some; balances and running totals of
    all.

    Payments of no round come with round 1, so that all pages together have each payment once.
    """
    shown = [accounts[number] for number in range(after_round + 1, state.newest + 1)[:limit]]
    totals = sorted(
        chain.from_iterable(one.totals for one in accounts.values()),
        key=lambda line: (line.posted_by.seq, not line.round),
    )
    won, balances = view_won(state, accounts), dict.fromkeys(state.players, 0)
    stake = won.unit.stake
    for line in totals:
        balances = {player: points + line.net[player] for player, points in balances.items()}
    paid = chain.from_iterable(one.payments for one in ([] if after_round else [accounts[0]]) + shown)
    return LedgerView(
        **attributes(view_head(state.head)),
        night=state.night,
        date=state.terms.date,
        stake=view_stake(won.worths.now),
        players=view_players(names),
        payments=sorted(paid, key=attrgetter("seq", "idx")),
        balances=balances,
        rounds=[one.line for one in shown if one.line],
        totals=totals,
        won=None
        if stake is None
        else {player: f"{in_money(stake, count):f}" for player, count in won.counts.items()},
        money=won.counts,
        worths=won.worths,
        unit=won.unit,
    )


def view_accounts(state: NightState, rounds: Rounds) -> dict[int, RoundAccount]:
    """The accounts of all rounds, and of the payments of no round; those of rounds that have not changed are
    kept."""

    def make(missing: Collection[int]) -> dict[int, RoundAccount]:
        return {one.number: one for one in _accounts(state, rounds, missing)}

    return rounds.cached_by_round("accounts", range(state.newest + 1), make, names=state.players)


def _accounts(state: NightState, rounds: Rounds, numbers: Collection[int]) -> Iterator[RoundAccount]:
    for number, log in rounds.loaded(numbers):
        # A waiving decision belongs to the disputed round, but the payment that it posts to none.
        own = log.events if number else read_events(rounds.reader.events_of_kinds(state.night, _POSTING))
        posted = [(event, paid) for event in own if event.payments and (paid := _payments(event, number))]
        line, agreeing, disputes = round_line(log), agreed(log.events), disputes_in(log.events)
        yield RoundAccount(
            number=number,
            line=line and with_everyone(state.players, [line])[0],
            payments=_view_payments(log, posted, {one.payment: one for one in disputes}),
            totals=[_total(state.players, number, *some) for some in posted],
            agreed=agreeing,
            seats=[] if agreeing is None or log.header is None else log.header.data["seats"],
            disputes=disputes,
            begun=begun_under(log),
            times=log.round.header.times if log.round else 1,
        )


def _payments(event: EventBody, number: int) -> dict[int, NewPayment]:
    """The payments that an event posted for a round, by their places among all that it posted."""
    return {place: payment for place, payment in enumerate(event.payments) if payment.round == number}


@dataclass(frozen=True, slots=True)
class Agreement:
    """The players who agree with each round of a night, and its disputes."""

    agreed: dict[int, dict[str, Agreed]]
    """Settled round -> player -> since when they agree with it as it stands."""
    seats: dict[int, list[str]]
    """Settled round -> the players in it."""
    disputes: list[DisputeView]


def view_agreement(accounts: Mapping[int, RoundAccount]) -> Agreement:
    """The agreement of a night."""
    asked = {number: one for number, one in accounts.items() if one.agreed is not None}
    return Agreement(
        agreed={number: one.agreed or {} for number, one in asked.items()},
        seats={number: one.seats for number, one in asked.items()},
        disputes=sorted(
            chain.from_iterable(one.disputes for one in accounts.values()), key=attrgetter("seq")
        ),
    )


def _view_payments(
    log: RoundLog,
    posted: Sequence[tuple[EventBody, Mapping[int, NewPayment]]],
    disputed: Mapping[str | None, DisputeView],
) -> list[LedgerPayment]:
    """The payments of a round, posted by some events; a reversal is of the same round as what it reverses."""
    reversed_by = {
        one.reverses: f"{event.seq}.{idx}"
        for event, paid in posted
        for idx, one in paid.items()
        if one.reverses
    }
    return [
        LedgerPayment(
            seq=event.seq,
            idx=idx,
            payer=one.payer,
            payee=one.payee,
            points=one.points,
            reason=one.reason,
            clause=one.clause,
            round=one.round,
            cause=one.cause,
            reverses="{}.{}".format(*one.reverses) if one.reverses else None,
            note=event.content["reason"] if one.reason == ADJUSTMENT else None,
            posted_by=by,
            move=log.move_at(one.cause) if one.cause else None,
            reversed_by=reversed_by.get((event.seq, idx)),
            dispute=disputed.get(f"{event.seq}.{idx}"),
        )
        for event, paid in posted
        for by in [posted_by(event)]
        for idx, one in paid.items()
    ]


def posted_by(event: EventBody) -> PostedBy:
    """View the event that posted a payment."""
    return PostedBy(event.seq, event.kind, event.at, event.content.get("reason"), event.round)


def _total(
    players: Sequence[str], number: int, event: EventBody, paid: Mapping[int, NewPayment]
) -> RunningTotal:
    """The line of an event and a round (0: adjustments) in the running totals: what it brought each player, and
    the totals after it. Those are the event's own, without the waivers that it reversed as well (in round 0)."""
    waived = post(payment for payment in event.payments if number and not payment.round)
    return RunningTotal(
        round=number,
        net=post(paid.values(), dict.fromkeys(players, 0)),
        total={player: event.net.get(player, 0) - waived.get(player, 0) for player in players},
        posted_by=posted_by(event),
    )
