"""The account of a night: every payment with its reason and its cause, balances, running totals."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from ledger.game.payments import post
from ledger.recorder.agreement import ASKED, disputes_in, night_disputes, seats_in
from ledger.recorder.bodies import Logged
from ledger.recorder.drafts import ADJUSTMENT
from ledger.recorder.events.dispute import agreed
from ledger.recorder.events.index import KINDS
from ledger.recorder.outlines import Outline, move_numbers, outline, outlines
from ledger.recorder.remembering import Remembered
from ledger.recorder.state import NightState, read_events
from ledger.recorder.views.night import head_data, players_data
from ledger.store import Payment, Reader

Data = dict[str, Any]

_POSTING = tuple(kind for kind, event in KINDS.items() if event.posts)
"""Kinds of events that payments are posted by."""
_TOLD = tuple({*_POSTING, *ASKED, "dispute"})
"""Kinds of events that tell of a round what is neither its play nor a payment."""


def ledger(
    reader: Reader,
    state: NightState,
    known: Remembered[Outline],
    *,
    after_round: int = 0,
    limit: int | None = None,
) -> Data:
    """Some rounds, each in a line, and their payments; the balances and the running totals of all.

    What belongs to no round comes with the first of them, so that all parts together have each payment once.
    """
    night = state.terms.night
    everything = reader.payments(night)
    shown = range(after_round + 1, state.newest + 1)[:limit]
    rows = [row for row in everything if row.round in shown or not (row.round or after_round)]
    rounds = _outlines(reader, state, known, {*shown, *(row.round for row in rows if row.cause)})
    posting = {event.seq: event for event in read_events(reader.events_of_kinds(night, _POSTING))}
    return {
        **head_data(state.head),
        "players": players_data(reader.names(night)),
        "payments": payment_rows(
            rows,
            payments=everything,
            moves=move_numbers(rounds.values()),
            posting=posting,
            disputes=night_disputes(reader, night),
        ),
        "balances": dict.fromkeys(state.players, 0) | reader.balances(night),
        "rounds": outlines(state.players, everything, [rounds[number] for number in shown]),
        "totals": _totals(state.players, everything, posting),
    }


class RoundAccount(NamedTuple):
    """All that the ledger's page tells of a round, or of the payments that belong to none: number 0."""

    number: int
    line: Data | None
    """The round in a line, as in `ledger`; None where its beginning does not stand, and for 0."""
    payments: Sequence[Data]
    totals: Sequence[Data]
    """The lines of the running totals that it is told in."""
    agreed: Mapping[str, str] | None
    seats: Sequence[str]
    disputes: Sequence[Data]


def round_accounts(
    reader: Reader, state: NightState, known: Remembered[Outline], numbers: Collection[int]
) -> Iterator[RoundAccount]:
    """The accounts of some rounds. Plays and passes are read only of rounds whose outline is not known."""
    night, logs = state.terms.night, state.logs
    rounds = _outlines(reader, state, known, set(numbers) - {0})
    events: dict[int, Sequence[Logged]] = {}
    if not logs.keys() >= set(numbers):
        for event in read_events(reader.events_of_kinds(night, _TOLD)):
            events[event.round] = (*events.get(event.round, ()), event)
    events |= {number: log.events for number, log in logs.items()}
    # A waiver is of the round that was disputed; the payment that it posts, of none.
    posting = {event.seq: event for some in events.values() for event in some}
    for number in numbers:
        rows, own = reader.payments_of_round(night, number), events.get(number, ())
        told = [rounds[number]] if number else []
        agreeing, disputes = agreed(own), disputes_in(own)
        yield RoundAccount(
            number=number,
            line=next(iter(outlines(state.players, rows, told)), None),
            payments=payment_rows(
                rows, payments=rows, moves=move_numbers(told), posting=posting, disputes=disputes
            ),
            totals=_totals(state.players, rows, posting),
            agreed=agreeing,
            seats=[] if agreeing is None else seats_in(own),
            disputes=disputes,
        )


def _outlines(
    reader: Reader, state: NightState, known: Remembered[Outline], numbers: Iterable[int]
) -> Mapping[int, Outline]:
    def make(missing: Iterable[int]) -> dict[int, Outline]:
        return {number: _outline(reader, state, number) for number in missing}

    return known.load(reader, state.terms.night, state.head, numbers, make)


def _outline(reader: Reader, state: NightState, number: int) -> Outline:
    log = state.logs.get(number)
    if log is not None:
        return outline(number, log.events, log.slots)
    return outline(number, read_events(reader.events_of_round(state.terms.night, number)))


def payment_rows(
    rows: Iterable[Payment],
    *,
    payments: Iterable[Payment],
    moves: Mapping[str, int],
    posting: Mapping[int, Logged],
    disputes: Iterable[Data],
) -> list[Data]:
    """Posted payments with the number that the move behind each has now, what posted it, what took it back, and
    the last dispute of it.

    `payments` and `disputes` are all of the night, `moves` has those of each round that a cause lies in, `posting`
    the events that posted the rows, by seq.
    """
    reversed_by = {
        f"{row.reverses_seq}.{row.reverses_idx}": place_of(row)
        for row in payments
        if row.reverses_seq is not None
    }
    disputed = {one["payment"]: one for one in disputes}
    return [
        _payment_row(row, posting[row.seq])
        | {
            "move": moves.get(row.cause) if row.cause else None,
            "reversed_by": reversed_by.get(place_of(row)),
            "dispute": disputed.get(place_of(row)),
        }
        for row in rows
    ]


def place_of(row: Payment) -> str:
    """How a posted payment is named for ever."""
    return f"{row.seq}.{row.idx}"


def posted_by(event: Logged) -> Data:
    """What posted a payment: its round's settling, a correction, a void, or a hand; and why, where one said."""
    return {"seq": event.seq, "kind": event.kind, "at": event.at, "reason": event.content.get("reason")}


def posted_data(row: Payment) -> Data:
    """A posted payment as data, in the order of its columns."""
    return {name: getattr(row, name) for name in Payment.model_fields if name != "night"}


def _payment_row(row: Payment, event: Logged) -> Data:
    data = posted_data(row)
    reverses = (data.pop("reverses_seq"), data.pop("reverses_idx"))
    return {
        **data,
        "reverses": None if reverses[0] is None else f"{reverses[0]}.{reverses[1]}",
        "note": event.content["reason"] if row.reason == ADJUSTMENT else None,
        "posted_by": posted_by(event),
    }


def _totals(players: Sequence[str], rows: Iterable[Payment], posting: Mapping[int, Logged]) -> list[Data]:
    """What each settled round, each correction of one and each adjustment (round 0) brought each player, and the
    running total after it, which the entry itself says; in the order in which they were posted."""
    return [
        {
            "round": number,
            "net": post(some, dict.fromkeys(players, 0)),
            "total": _total_after(posting[seq], number, players),
            "posted_by": posted_by(posting[seq]),
        }
        for (seq, number), some in groupby(rows, key=lambda row: (row.seq, row.round))
    ]


def _total_after(event: Logged, number: int, players: Sequence[str]) -> dict[str, int]:
    """The running total after what an entry posted of a round: what it says itself, but for the waivers that it
    took back beside that."""
    waived = post(payment for payment in event.payments if number and not payment.round)
    return {player: event.net.get(player, 0) - waived.get(player, 0) for player in players}
