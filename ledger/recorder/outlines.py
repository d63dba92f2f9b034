"""Every round of a night in a line: whether it counts, how it was entered, what it brought, what was corrected."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from ledger.game.payments import post
from ledger.recorder.bodies import Logged
from ledger.recorder.parts import MOVES
from ledger.recorder.slots import Slot, chain, slots_of, standing, taken_back
from ledger.store import Payment

Data = dict[str, Any]


class Outline(NamedTuple):
    """What the events of a round come to in a line, small enough to be remembered; payments are no part of it."""

    begun: bool
    """Whether its beginning stands."""
    line: Data
    moves: str
    """The addresses of the moves that stand, in order, with spaces between them; of a move that was corrected, all
    that were ever at its place, with `=` between them."""


def outline(number: int, events: Sequence[Logged], slots: Sequence[Slot] | None = None) -> Outline:
    """A round in a line, from all its events; `slots`, where somebody has made them of these."""
    stood = [slot for slot in (slots_of(events) if slots is None else slots) if slot.standing is not None]
    entries = standing(stood)
    by_kind = {entry.kind: entry for entry in entries}
    void = by_kind.get("void")
    line = {
        "number": number,
        "result": "result" in by_kind,
        "void": void.data["reason"] if void else None,
        "settled": any(event.kind == "settle" for event in events),
        "corrections": _corrections(events),
    }
    moves = " ".join(
        "=".join(version.address for version in slot.versions)
        for slot, entry in zip(stood, entries, strict=True)
        if entry.kind in MOVES
    )
    return Outline("round" in by_kind, line, moves)


def outlines(players: Collection[str], payments: Iterable[Payment], rounds: Iterable[Outline]) -> list[Data]:
    """Those of some rounds whose beginning stands.

    `result`: entered as its result, and not move by move. `void`: why it does not count. `corrections` are those
    that stand. `net`: what it brought everyone by now, all corrections included; None while nothing is posted.
    `payments` are all of the night.
    """
    posted: dict[int, list[Payment]] = {}
    for row in payments:
        posted.setdefault(row.round, []).append(row)
    return [
        line
        | {
            "net": post(posted.get(line["number"], ()), dict.fromkeys(players, 0))
            if line["settled"]
            else None
        }
        for begun, line, _ in rounds
        if begun
    ]


def move_numbers(rounds: Iterable[Outline]) -> dict[str, int]:
    """The number in its round that each move has now, by all addresses that it has had."""
    return {
        address: number
        for round in rounds
        for number, addresses in enumerate(round.moves.split(), start=1)
        for address in addresses.split("=")
    }


def _corrections(events: Sequence[Logged]) -> list[Data]:
    taken = taken_back(events)
    return [
        {"seq": event.seq, "at": event.at, "reason": event.content["reason"]}
        for event in events
        if event.kind == "correct" and chain(event.seq, taken)[1]
    ]
