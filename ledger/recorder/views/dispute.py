"""Who agrees with which settled round, and which payments and moves are disputed."""

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.game.notation import Tag
from ledger.recorder.events.dispute import Agreed, agreed, decisions
from ledger.recorder.logged import Logged
from ledger.recorder.revisions import Entry, RevisionChain, standing
from ledger.recorder.state import read_events
from ledger.store import Reader

ASKED = ("round", "undo", "redo", "settle", "confirm", "correct", "void")
"""Kinds of events that say who agrees with which round."""


@dataclass(frozen=True, slots=True)
class Decision:
    """How the keeper closed a dispute."""

    seq: int
    """The entry that closed it; where it is waived, the payment back is that entry's first."""
    decision: str
    """kept, corrected or waived."""
    reason: str
    at: str
    actor: str


@dataclass(frozen=True, slots=True)
class DisputeView:
    """A payment or a move that a player disputes."""

    seq: int
    round: int
    """0: it is about a payment by hand."""
    player: Tag
    payment: str | None
    """The address of the payment, `seq.idx`; None where a move is disputed."""
    move: str | None
    """The address of the move, `seq.part`; None where a payment is disputed."""
    reason: str
    at: str
    decision: Decision | None
    """None while it waits for one."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Who agrees with which round of a night, and what is disputed in it."""

    agreed: dict[int, dict[str, Agreed]]
    """Settled round -> who agrees with it as it stands, and since when."""
    seats: dict[int, list[str]]
    """Settled round -> who sits in it."""
    disputes: list[DisputeView]


def view_agreement(reader: Reader, night: str) -> Agreement:
    """The agreement of a night. Plays and passes are not read."""
    rounds: dict[int, list[Logged]] = {}
    for event in read_events(reader.events_of_kinds(night, ASKED)):
        rounds.setdefault(event.round, []).append(event)
    asked = {number: who for number, some in rounds.items() if (who := agreed(some)) is not None}
    return Agreement(
        agreed=asked,
        seats={number: seats_in(rounds[number]) for number in asked},
        disputes=view_disputes(reader, night),
    )


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
    *_, header = standing(RevisionChain(tuple(versions)) for versions in headers.values())
    seats: list[str] = header.data["seats"]
    return seats


def view_disputes(reader: Reader, night: str) -> list[DisputeView]:
    """All disputes of a night, in order."""
    return disputes_in(read_events(reader.events_of_kinds(night, ("dispute", "decide"))))


def disputes_in(events: Iterable[Logged]) -> list[DisputeView]:
    """The disputes among some events, each with the decision that closed it."""
    events = tuple(events)
    closed = decisions(events)
    return [_dispute(event, closed.get(event.seq)) for event in events if event.kind == "dispute"]


def _dispute(event: Logged, decided: Logged | None) -> DisputeView:
    part = event.parts[0]
    return DisputeView(
        seq=event.seq,
        round=event.round,
        player=part["player"],
        payment=part.get("payment"),
        move=part.get("move"),
        reason=event.content["reason"],
        at=event.at,
        decision=decided and _decision(decided),
    )


def _decision(event: Logged) -> Decision:
    return Decision(event.seq, event.parts[0]["decision"], event.content["reason"], event.at, event.actor)
