"""Undo and redo, corrections of entries, void rounds."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, Final, Literal, Self, TypedDict

from marshmallow import ValidationError, validates_schema
from marshmallow.fields import Dict, List, Nested
from marshmallow.validate import Length

from ledger.recorder import fields
from ledger.recorder.agreements import AGREE
from ledger.recorder.drafts import Draft
from ledger.recorder.events.correcting import Change, correct, void
from ledger.recorder.events.event import OF_EVERY_EVENT, REGISTERED, Event, requested
from ledger.recorder.fields import Request
from ledger.recorder.parts import Part
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.revisions import UNDOABLE, follow_undos, taken_back
from ledger.recorder.round_log import RoundLog
from ledger.recorder.state import NightState
from ledger.store import EventBody, read_place

MOST_CHANGES = 64
CHANGES = f"a list of 1 to {MOST_CHANGES} changes"


ChangeData = TypedDict(
    "ChangeData", {"target": str, "before": str, "after": str, "with": Mapping[str, Any] | None}, total=False
)
"""A change as loaded by `ChangeSchema`: `target`, `before` or `after`, and `with`."""


class CorrectedEntry(Dict):
    """An entry inside a correction, loaded by the schema of its kind."""

    def _deserialize(self, value: object, attr: str | None, data: Any, **kwargs: Any) -> Any:
        entry: Mapping[str, Any] = super()._deserialize(value, attr, data, **kwargs)  # type: ignore[no-untyped-call]
        kind = entry.get("kind")
        if not (isinstance(kind, str) and kind in REGISTERED and REGISTERED[kind].is_entry):
            known = ", ".join(kind for kind, event in REGISTERED.items() if event.is_entry)
            raise ValidationError(f"a kind of entry ({known})")
        return _schema_of_entry(kind).load(entry)


class ChangeSchema(Request):
    """One change of a correction: replaces or strikes a move (or a round's beginning), or inserts a forgotten move
    before or after another."""

    target = fields.Address(metadata={"description": "The entry that is replaced, or struck."})
    before = fields.Address(metadata={"description": "The move that a forgotten one comes before."})
    after = fields.Address(metadata={"description": "The move that a forgotten one comes after, at the end."})
    with_ = CorrectedEntry(
        data_key="with",
        attribute="with",
        required=True,
        allow_none=True,
        error_messages={"invalid": "an entry as it was, or null"},
        metadata={
            "description": "The entry as it was: the fields of its kind, no id, no after. null: there was none.",
            "example": {"kind": "play", "seat": "p2", "cards": ["7d", "7h"]},
        },
    )
    openapi: ClassVar = {"minProperties": 2, "maxProperties": 2}

    @validates_schema
    def one_place(self, data: ChangeData, **kwargs: Any) -> None:
        if len(data.keys() & {"target", "before", "after"}) != 1:
            raise ValidationError("one of `target`, `before` and `after`", "target")
        if "target" not in data and data["with"] is None:
            raise ValidationError("an entry as it was", "with")


@cache
def _schema_of_entry(kind: str) -> Request:
    """The schema of an entry inside a correction: the fields of its kind, and `kind`."""
    return type(REGISTERED[kind].schema)(exclude=set(OF_EVERY_EVENT) - {"kind"})


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesCorrected(Event):
    """Corrects entries of one round; if it was settled, the difference in payments is posted."""

    kind = "correct"
    changes_rounds = True
    posts = True

    changes: tuple[Change, ...] = requested(
        List(
            Nested(ChangeSchema),
            required=True,
            validate=Length(1, MOST_CHANGES, error=CHANGES),
            error_messages={"invalid": CHANGES},
            metadata={
                "example": [{"target": "12.2", "with": {"kind": "play", "seat": "p2", "cards": ["7d"]}}]
            },
        )
    )
    reason: str = requested(fields.reason())

    @classmethod
    def read(cls, content: Mapping[str, Any]) -> Self:
        return cls(changes=tuple(map(read_change, content["changes"])), reason=content["reason"])

    def target_entry(self) -> int:
        return read_place(self.changes[0].address)[0]

    def draft(self, state: NightState) -> Draft:
        return correct(state, self.changes)


_PUT: Final = ("before", "after")
"""Fields of a change that name the place of a forgotten move."""


def read_change(change: ChangeData) -> Change:
    """A change as it is judged."""
    held, entry = change["with"], None
    if held is not None:
        content = {name: value for name, value in held.items() if name != "kind"}
        entry = REGISTERED[held["kind"]].read(content)
    put: Literal["before", "after"] | None = next((put for put in _PUT if put in change), None)
    return Change(change[put or "target"], entry, put)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundVoided(Event):
    """Voids a round; its posted payments are reversed."""

    kind = "void"
    in_replays = True
    changes_rounds = True
    posts = True

    round: int = requested(fields.round_number(required=True))
    reason: str = requested(fields.reason())

    def draft(self, state: NightState) -> Draft:
        return void(state, self.round, self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone(Event):
    """Undoes the last entry, or correction, of the running round."""

    kind = "undo"
    changes_rounds = True

    def draft(self, state: NightState) -> Draft:
        target = undo_target(state)
        if target is None:
            raise Problem(ProblemCode.NOTHING_TO_UNDO)
        return _take_back("undo", *target)


@dataclass(frozen=True, slots=True, kw_only=True)
class Redone(Event):
    """Redoes what the last undo took back."""

    kind = "redo"
    changes_rounds = True

    def draft(self, state: NightState) -> Draft:
        target = redo_target(state)
        if target is None:
            raise Problem(ProblemCode.NOTHING_TO_REDO)
        return _take_back("redo", *target)


def undo_target(state: NightState) -> tuple[RoundLog, EventBody] | None:
    """The event that an undo would take back (or that event's last redo), with its round; None if there is none.

    It is the newest that stands of the running round and of new terms before the next one.
    """
    current, next_round = state.current, state.logs.get(state.newest)
    events: list[EventBody] = []
    if current is not None and not current.settled:
        events += current.events
    if next_round is not None and next_round.round is None and next_round.agreed:
        events += next_round.events
        events.sort(key=attrgetter("seq"))
    taken, by_seq = taken_back(events), {event.seq: event for event in events}
    for event in reversed(events):
        if event.kind in UNDOABLE:
            seq, standing = follow_undos(event.seq, taken)
            if standing and event.kind == AGREE and state.paid_at > event.seq:
                return None  # what was paid since was worth what the table had agreed on
            if standing:
                # The header below an undone one cannot be undone: the round before it is no longer loaded.
                lost = event.kind == "round" and event.round < state.newest
                return None if lost else (state.logs[event.round], by_seq[seq])
    return None


def redo_target(state: NightState) -> tuple[RoundLog, EventBody] | None:
    """The undo that a redo would take back: the last standing, unless something was recorded or settled since."""
    current = state.current
    first = min(state.newest - 1, current.number if current else 0)
    recent = [log for number, log in state.logs.items() if number >= first]
    taken = {target for log in recent for target in taken_back(log.events)}
    found = [event for log in recent if (event := _deciding(log, taken)) is not None]
    last = max(found, key=lambda event: event.seq, default=None)
    if last is not None and state.paid_at > last.seq and _is_of_agreement(state.logs[last.round], last):
        return None
    return (state.logs[last.round], last) if last is not None and last.kind == "undo" else None


def _is_of_agreement(log: RoundLog, undo: EventBody) -> bool:
    """Whether an undo took back new terms."""
    chain = log.chain_at(f"{undo.seq}.0")
    return chain is not None and chain.versions[0].kind == AGREE


def _deciding(log: RoundLog, taken: Collection[int]) -> EventBody | None:
    """The last event of a round that was recorded or settled, or is an undo that stands (was not `taken` back)."""
    deciding = (
        event
        for event in reversed(log.events)
        if event.kind in UNDOABLE
        or event.kind == "settle"
        or (event.kind == "undo" and event.seq not in taken)
    )
    return next(deciding, None)


def _take_back(kind: str, log: RoundLog, event: EventBody) -> Draft:
    """Draft an undo or redo: every place that the event touched returns to its state before it."""
    parts: list[Part] = []
    for place in range(len(event.parts)):
        chain = log.chain_at(f"{event.seq}.{place}")
        assert chain is not None
        part: Part = {"kind": kind, "corrects": chain.last.address}
        parts.append(part if chain.last.event.seq == event.seq else part | {"takes_back": event.seq})
    return Draft(log.number, parts)
