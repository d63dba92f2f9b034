"""Who agrees with what, which payments and moves are disputed, and what was handed over, as plain data."""

from collections.abc import Iterable
from typing import Any

from ledger.recorder.bodies import Logged
from ledger.recorder.events.dispute import agreed, decisions
from ledger.recorder.slots import Entry, Slot, standing
from ledger.recorder.state import read_events
from ledger.store import Reader

Data = dict[str, Any]


def night_disputes(reader: Reader, night: str) -> list[Data]:
    """All disputes of a night, in order."""
    return disputes_in(read_events(reader.events_of_kinds(night, ("dispute", "decide"))))


def agreement(reader: Reader, night: str) -> Data:
    """Round -> who agrees with it as it stands, and who sits in it; and the disputes of the night."""
    events = read_events(reader.events_of_kinds(night, ASKED))
    rounds: dict[int, list[Logged]] = {}
    for event in events:
        rounds.setdefault(event.round, []).append(event)
    asked = {number: who for number, some in rounds.items() if (who := agreed(some)) is not None}
    return {
        "agreed": asked,
        "seats": {number: seats_in(rounds[number]) for number in asked},
        "disputes": night_disputes(reader, night),
    }


ASKED = ("round", "undo", "redo", "settle", "confirm", "correct", "void")
"""Kinds of events that say who agrees with which round."""


def seats_in(events: Iterable[Logged]) -> list[str]:
    """Who sits in a round as its header stands, from its events."""
    headers: dict[str, list[Entry]] = {}
    for event in events:
        for part, data in enumerate(event.parts):
            entry = Entry(event, part)
            if event.kind == "round":
                headers[entry.address] = [entry]
            elif (versions := headers.get(data.get("corrects", ""))) is not None:
                versions.append(entry)
                headers[entry.address] = versions
    *_, header = standing(Slot(tuple(versions)) for versions in headers.values())
    seats: list[str] = header.data["seats"]
    return seats


def handed_over(reader: Reader, night: str) -> list[Data]:
    """What was handed over of the settle-up, in order."""
    return [
        {
            "seq": event.seq,
            "id": event.id,
            "at": event.at,
            **{name: event.content[name] for name in ("payer", "payee", "points")},
        }
        for event in read_events(reader.events_of_kinds(night, ("paid",)))
    ]


def disputes_in(events: Iterable[Logged]) -> list[Data]:
    """The disputes among some events, each with the decision that closed it."""
    events = tuple(events)
    closed = decisions(events)
    return [_dispute(event, closed.get(event.seq)) for event in events if event.kind == "dispute"]


def _dispute(event: Logged, decided: Logged | None) -> Data:
    part = event.parts[0]
    return {
        "seq": event.seq,
        "round": event.round,
        "player": part["player"],
        "payment": part.get("payment"),
        "move": part.get("move"),
        "reason": event.content["reason"],
        "at": event.at,
        "decision": {
            "seq": decided.seq,
            "decision": decided.parts[0]["decision"],
            "reason": decided.content["reason"],
            "at": decided.at,
            "actor": decided.actor,
        }
        if decided
        else None,
    }
