"""Every round of a night in a line: whether it counts, how it was entered, what it brought, what was corrected."""

from collections.abc import Iterable
from typing import Any

from ledger.recorder.bodies import Logged
from ledger.recorder.slots import chain, slots_of, taken_back
from ledger.recorder.state import NightState, read_events
from ledger.store import PaymentRow, Reader

Data = dict[str, Any]


def outlines(
    reader: Reader, state: NightState, payments: Iterable[PaymentRow], numbers: Iterable[int]
) -> list[Data]:
    """Those of some rounds whose beginning stands.

    `result`: entered as its result, and not move by move. `void`: why it does not count. `corrections` are those
    that stand. `net`: what it brought everyone by now, all corrections included; None while nothing is posted.
    `payments` are all of the night.
    """
    posted: dict[int, list[PaymentRow]] = {}
    for row in payments:
        posted.setdefault(row.round, []).append(row)
    found = []
    for number in numbers:
        events = read_events(reader.events_of_round(state.terms.night, number))
        standing = [entry for slot in slots_of(events) if (entry := slot.standing)]
        by_kind = {entry.kind: entry for entry in standing}
        if "round" not in by_kind:
            continue
        settled = any(event.kind == "settle" for event in events)
        void = by_kind.get("void")
        found.append(
            {
                "number": number,
                "result": "result" in by_kind,
                "void": void.data["reason"] if void else None,
                "settled": settled,
                "corrections": _corrections(events),
                "net": _net(state.players, posted.get(number, ())) if settled else None,
            }
        )
    return found


def _corrections(events: tuple[Logged, ...]) -> list[Data]:
    taken = taken_back(events)
    return [
        {"seq": event.seq, "at": event.at, "reason": event.content["reason"]}
        for event in events
        if event.kind == "correct" and chain(event.seq, taken)[1]
    ]


def _net(players: Iterable[str], rows: Iterable[PaymentRow]) -> dict[str, int]:
    net = dict.fromkeys(players, 0)
    for row in rows:
        net[row.payer] -= row.points
        net[row.payee] += row.points
    return net
