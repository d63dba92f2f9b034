"""Every round of a night in a line: whether it counts, how it was entered, what it brought, what was corrected."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ledger.recorder.bodies import Logged
from ledger.recorder.slots import chain, slots_of, standing, taken_back
from ledger.store import PaymentRow

Data = dict[str, Any]


def outlines(
    players: Collection[str], payments: Iterable[PaymentRow], rounds: Mapping[int, Sequence[Logged]]
) -> list[Data]:
    """Those of some rounds whose beginning stands.

    `result`: entered as its result, and not move by move. `void`: why it does not count. `corrections` are those
    that stand. `net`: what it brought everyone by now, all corrections included; None while nothing is posted.
    `payments` are all of the night; `rounds` holds the events of each round by its number.
    """
    posted: dict[int, list[PaymentRow]] = {}
    for row in payments:
        posted.setdefault(row.round, []).append(row)
    found = []
    for number, events in rounds.items():
        by_kind = {entry.kind: entry for entry in standing(slots_of(events))}
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
                "net": net_of(players, posted.get(number, ())) if settled else None,
            }
        )
    return found


def net_of(players: Iterable[str], payments: Iterable[PaymentRow]) -> dict[str, int]:
    """What some payments brought each player."""
    net = dict.fromkeys(players, 0)
    for row in payments:
        net[row.payer] -= row.points
        net[row.payee] += row.points
    return net


def _corrections(events: Sequence[Logged]) -> list[Data]:
    taken = taken_back(events)
    return [
        {"seq": event.seq, "at": event.at, "reason": event.content["reason"]}
        for event in events
        if event.kind == "correct" and chain(event.seq, taken)[1]
    ]
