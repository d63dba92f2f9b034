"""The account of a night: every payment with its reason and its cause, balances, running totals."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from itertools import groupby
from typing import Any

from ledger.recorder.agreement import night_disputes
from ledger.recorder.bodies import Logged
from ledger.recorder.drafts import ADJUSTMENT
from ledger.recorder.outlines import outlines
from ledger.recorder.slots import slots_of, standing_moves
from ledger.recorder.state import NightState, read_events
from ledger.recorder.views import head_data, players_data
from ledger.store import PaymentRow, Reader

Data = dict[str, Any]

_POSTING = ("settle", "correct", "void", "adjust", "decide")
"""Kinds of events that payments are posted by."""


def ledger(reader: Reader, state: NightState, *, after_round: int, limit: int | None) -> Data:
    """Some rounds, each in a line, and their payments; the balances and the running totals of all."""
    night = state.terms.night
    everything = reader.payments(night)
    rows = (
        reader.payments(night, after_round=after_round, limit_rounds=limit)
        if after_round or limit
        else everything
    )
    disputes = {one["payment"]: one for one in night_disputes(reader, night) if one["payment"]}
    reversed_by = {
        f"{row.reverses_seq}.{row.reverses_idx}": f"{row.seq}.{row.idx}"
        for row in everything
        if row.reverses_seq is not None
    }
    posting = {event.seq: event for event in read_events(reader.events_of_kinds(night, _POSTING))}
    moves = _move_numbers(reader, night, {row.round for row in rows if row.cause})
    return {
        **head_data(state.head),
        "players": players_data(reader.names(night)),
        "payments": [
            _payment_row(row, posting[row.seq], moves)
            | {
                "reversed_by": reversed_by.get(f"{row.seq}.{row.idx}"),
                "dispute": disputes.get(f"{row.seq}.{row.idx}"),
            }
            for row in rows
        ],
        "balances": dict.fromkeys(state.players, 0) | reader.balances(night),
        "rounds": outlines(reader, state, everything, range(after_round + 1, state.newest + 1)[:limit]),
        "totals": _totals(state.players, everything, posting),
    }


def _move_numbers(reader: Reader, night: str, rounds: set[int]) -> dict[str, int]:
    """Address -> the number that a move has in its round now."""
    return {
        entry.address: number
        for one in rounds
        for number, entry in enumerate(
            standing_moves(slots_of(read_events(reader.events_of_round(night, one)))), start=1
        )
    }


def _payment_row(row: PaymentRow, event: Logged, moves: Mapping[str, int]) -> Data:
    data = {field.name: getattr(row, field.name) for field in fields(row)}
    reverses = (data.pop("reverses_seq"), data.pop("reverses_idx"))
    return {
        **data,
        "reverses": None if reverses[0] is None else f"{reverses[0]}.{reverses[1]}",
        "move": moves.get(row.cause) if row.cause else None,
        "note": event.content["reason"] if row.reason == ADJUSTMENT else None,
        "posted_by": _posted_by(event),
    }


def _posted_by(event: Logged) -> Data:
    """What posted a payment: its round's settling, a correction, a void, or a hand; and why, where one said."""
    return {"seq": event.seq, "kind": event.kind, "at": event.at, "reason": event.content.get("reason")}


def _totals(
    players: tuple[str, ...], rows: Iterable[PaymentRow], posting: Mapping[int, Logged]
) -> list[Data]:
    """What each settled round, each correction of one and each adjustment (round 0) brought each player, and the
    running total after it, in the order in which they were posted."""
    total = dict.fromkeys(players, 0)
    totals = []
    for (seq, number), some in groupby(rows, key=lambda row: (row.seq, row.round)):
        brought = dict.fromkeys(players, 0)
        for row in some:
            brought[row.payer] -= row.points
            brought[row.payee] += row.points
        total = {player: total[player] + brought[player] for player in players}
        totals.append(
            {"round": number, "net": brought, "total": total, "posted_by": _posted_by(posting[seq])}
        )
    return totals
