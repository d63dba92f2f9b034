"""Who agrees with what, which payments and moves are disputed, and what was handed over, as plain data."""

from collections.abc import Iterable
from typing import Any

from ledger.recorder.agreeing import decisions
from ledger.recorder.bodies import Logged
from ledger.recorder.rounds import RoundLog
from ledger.recorder.slots import Entry, Slot, standing
from ledger.recorder.state import read_events
from ledger.store import Reader

Data = dict[str, Any]


def disputes_data(log: RoundLog) -> list[Data]:
    """The disputes of one round, each with the decision that closed it."""
    return _disputes(log.events)


def night_disputes(reader: Reader, night: str) -> list[Data]:
    """All disputes of a night, in order."""
    return _disputes(read_events(reader.events_of_kinds(night, ("dispute", "decide"))))


def agreement(reader: Reader, night: str) -> Data:
    """Round -> who agrees with it as it stands, and who sits in it; and the disputes of the night."""
    agreed: dict[int, dict[str, str]] = {}
    voided: dict[int, str] = {}
    """Settled round -> the address of its voiding, while that stands."""
    events = read_events(reader.events_of_kinds(night, _ASKED))
    for event in events:
        match event.kind:
            case "settle":
                agreed[event.round] = {}
            case "confirm" if event.round in agreed:
                agreed[event.round][event.parts[0]["player"]] = event.at
            case "correct":
                if any(part.get("corrects") == voided.get(event.round, "") for part in event.parts):
                    agreed[event.round] = {}
                    del voided[event.round]
                elif event.round in agreed:
                    agreed[event.round] = {}
            case "void" if event.round in agreed:
                del agreed[event.round]
                voided[event.round] = f"{event.seq}.0"
    seats = _seats(events)
    return {
        "agreed": agreed,
        "seats": {number: seats[number] for number in agreed},
        "disputes": night_disputes(reader, night),
    }


_ASKED = ("round", "undo", "redo", "settle", "confirm", "correct", "void")


def _seats(events: Iterable[Logged]) -> dict[int, list[str]]:
    """Round -> who sits in it, as its header stands."""
    headers: dict[str, list[Entry]] = {}
    for event in events:
        for part, data in enumerate(event.parts):
            entry = Entry(event, part)
            if event.kind == "round":
                headers[entry.address] = [entry]
            elif (versions := headers.get(data.get("corrects", ""))) is not None:
                versions.append(entry)
                headers[entry.address] = versions
    slots = (Slot(tuple(versions)) for versions in headers.values())
    return {entry.event.round: entry.data["seats"] for entry in standing(slots)}


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


def _disputes(events: Iterable[Logged]) -> list[Data]:
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
