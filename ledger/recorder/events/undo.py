"""Undo and redo: the last thing recorded in the running round, taken back and put in force again."""

from dataclasses import dataclass

from ledger.recorder import fields
from ledger.recorder.drafts import Draft
from ledger.recorder.events.event import Event, EventSchema
from ledger.recorder.logged import Logged
from ledger.recorder.parts import Part
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.revisions import UNDOABLE, follow_undos, taken_back
from ledger.recorder.round_log import RoundLog
from ledger.recorder.state import NightState


class UndoSchema(EventSchema):
    """The last recording event of the running round is taken back."""

    kind = fields.Kind("undo")


class RedoSchema(EventSchema):
    """The last undo is taken back."""

    kind = fields.Kind("redo")


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone(Event):
    """The last thing recorded in the running round is taken back."""

    kind = "undo"
    schema = UndoSchema()
    changes_rounds = True

    def draft(self, state: NightState) -> Draft:
        target = undo_target(state)
        if target is None:
            raise Problem(ProblemCode.NOTHING_TO_UNDO)
        return _take_back("undo", *target)


@dataclass(frozen=True, slots=True, kw_only=True)
class Redone(Event):
    """The last undo is taken back."""

    kind = "redo"
    schema = RedoSchema()
    changes_rounds = True

    def draft(self, state: NightState) -> Draft:
        target = redo_target(state)
        if target is None:
            raise Problem(ProblemCode.NOTHING_TO_REDO)
        return _take_back("redo", *target)


def undo_target(state: NightState) -> tuple[RoundLog, Logged] | None:
    """What an undo would take back: an event (or its last redo) of a round."""
    log = state.current
    if log is None or log.settled:
        return None
    taken, by_seq = taken_back(log.events), {event.seq: event for event in log.events}
    for event in reversed(log.events):
        if event.kind in UNDOABLE:
            seq, standing = follow_undos(event.seq, taken)
            if standing:
                # A header below an undone one stays: the round before it is not in sight any more.
                lost = event.kind == "round" and log.number < state.newest
                return None if lost else (log, by_seq[seq])
    return None


def redo_target(state: NightState) -> tuple[RoundLog, Logged] | None:
    """What a redo would take back: the last undo that stands, unless something new was recorded since."""
    current = state.current
    first = min(state.newest - 1, current.number if current else 0)
    recent = [log for number, log in state.logs.items() if number >= first]
    events = [(event, log) for log in recent for event in log.events]
    taken = {target: by for log in recent for target, by in taken_back(log.events).items()}
    for event, log in sorted(events, key=lambda one: one[0].seq, reverse=True):
        if event.kind == "undo" and event.seq not in taken:
            return log, event
        if event.kind in UNDOABLE or event.kind == "settle":
            return None
    return None


def _take_back(kind: str, log: RoundLog, event: Logged) -> Draft:
    """Each place that the event touched is as it was before it."""
    parts: list[Part] = []
    for place in range(len(event.parts)):
        chain = log.chain_at(f"{event.seq}.{place}")
        assert chain is not None
        part: Part = {"kind": kind, "corrects": chain.last.address}
        parts.append(part if chain.last.event.seq == event.seq else part | {"takes_back": event.seq})
    return Draft(log.number, parts)
