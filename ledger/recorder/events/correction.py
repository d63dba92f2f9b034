"""Corrections: entries of a round replaced, struck or put in before others, and rounds that are void."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Self, TypedDict

from marshmallow import ValidationError, validates_schema
from marshmallow.fields import Dict, List, Nested
from marshmallow.validate import Length

from ledger.recorder import fields
from ledger.recorder.correcting import Change, correct, void
from ledger.recorder.drafts import Draft
from ledger.recorder.events.event import OF_EVERY_EVENT, REGISTERED, Event, EventSchema
from ledger.recorder.fields import Request, one_of_both
from ledger.recorder.revisions import seq_of
from ledger.recorder.state import NightState

MOST_CHANGES = 64
CHANGES = f"a list of 1 to {MOST_CHANGES} changes"


ChangeData = TypedDict(
    "ChangeData", {"target": str, "before": str, "with": Mapping[str, Any] | None}, total=False
)
"""A change as `ChangeSchema` has read it: `target` or `before`, and `with`."""


class EntryAsItWas(Dict):
    """An entry inside of a correction, read by the schema of its kind."""

    def _deserialize(self, value: object, attr: str | None, data: Any, **kwargs: Any) -> Any:
        entry: Mapping[str, Any] = super()._deserialize(value, attr, data, **kwargs)  # type: ignore[no-untyped-call]
        kind = entry.get("kind")
        if not (isinstance(kind, str) and kind in REGISTERED and REGISTERED[kind].is_entry):
            known = ", ".join(kind for kind, event in REGISTERED.items() if event.is_entry)
            raise ValidationError(f"a kind of entry ({known})")
        return _schema_of_entry(kind).load(entry)


class ChangeSchema(Request):
    """One change of a correction: a move (or a round's beginning) replaced or struck, or a forgotten move put in
    before another."""

    target = fields.Address(metadata={"description": "The entry that is replaced, or struck."})
    before = fields.Address(metadata={"description": "The move that a forgotten one comes before."})
    with_ = EntryAsItWas(
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
    told: ClassVar = one_of_both("target", "before")

    @validates_schema
    def one_place(self, data: ChangeData, **kwargs: Any) -> None:
        if ("target" in data) == ("before" in data):
            raise ValidationError("either `target` or `before`", "target")
        if "before" in data and data["with"] is None:
            raise ValidationError("an entry as it was", "with")


@cache
def _schema_of_entry(kind: str) -> Request:
    """What an entry is read by that a correction puts in the place of another: its own fields, and its kind."""
    return type(REGISTERED[kind].schema)(exclude=set(OF_EVERY_EVENT) - {"kind"})


class CorrectSchema(EventSchema):
    """Entries of one round put right, all of them or none."""

    kind = fields.Kind("correct")
    changes = List(
        Nested(ChangeSchema),
        required=True,
        validate=Length(1, MOST_CHANGES, error=CHANGES),
        error_messages={"invalid": CHANGES},
        metadata={"example": [{"target": "12.2", "with": {"kind": "play", "seat": "p2", "cards": ["7d"]}}]},
    )
    reason = fields.reason()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesCorrected(Event):
    """Entries of one round are put right; of a settled round the difference is posted."""

    kind = "correct"
    schema = CorrectSchema()
    changes_rounds = True
    posts = True

    changes: tuple[Change, ...]
    reason: str

    @classmethod
    def read(cls, content: Mapping[str, Any]) -> Self:
        return cls(changes=tuple(map(_change, content["changes"])), reason=content["reason"])

    def entry_asked(self) -> int:
        return seq_of(self.changes[0].address)

    def draft(self, state: NightState) -> Draft:
        return correct(state, self.changes)


def _change(said: ChangeData) -> Change:
    held, entry = said["with"], None
    if held is not None:
        content = {name: value for name, value in held.items() if name != "kind"}
        entry = REGISTERED[held["kind"]].read(content)
    return Change(said.get("target") or said["before"], entry, put_before="before" in said)


class VoidSchema(EventSchema):
    """A round does not count: a misdeal, or abandoned."""

    kind = fields.Kind("void")
    round = fields.round_number(required=True)
    reason = fields.reason()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundVoided(Event):
    """A round does not count; whatever it had brought is taken back."""

    kind = "void"
    schema = VoidSchema()
    changes_rounds = True
    posts = True

    round: int
    reason: str

    def draft(self, state: NightState) -> Draft:
        return void(state, self.round, self.reason)
