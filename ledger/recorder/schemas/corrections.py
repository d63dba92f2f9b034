"""Corrections: entries as they were."""

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import ValidationError, post_load, validates_schema
from marshmallow.fields import Dict, List, Nested
from marshmallow.validate import Length

from ledger.recorder.schemas import fields, play
from ledger.recorder.schemas.play import Event
from ledger.recorder.schemas.request import Request, one_of_both

Data = dict[str, Any]

MOST_CHANGES = 64
CHANGES = f"a list of 1 to {MOST_CHANGES} changes"


class Change(Request):
    """One change of a correction: a move (or a round's beginning) replaced or struck, or a forgotten move put in
    before another."""

    target = fields.Address(metadata={"description": "The entry that is replaced, or struck."})
    before = fields.Address(metadata={"description": "The move that a forgotten one comes before."})
    with_ = Dict(
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
    def one_place(self, data: Data, **kwargs: Any) -> None:
        if ("target" in data) == ("before" in data):
            raise ValidationError("either `target` or `before`", "target")
        if "before" in data and data["with"] is None:
            raise ValidationError("an entry as it was", "with")

    @post_load
    def as_it_was(self, data: Data, **kwargs: Any) -> Data:
        """The entry read by the schema of its kind."""
        return data if data["with"] is None else data | {"with": _entry(data["with"])}


class Correct(Event):
    """Entries of one round put right, all of them or none."""

    kind = fields.Kind("correct")
    changes = List(
        Nested(Change),
        required=True,
        validate=Length(1, MOST_CHANGES, error=CHANGES),
        error_messages={"invalid": CHANGES},
        metadata={"example": [{"target": "12.2", "with": {"kind": "play", "seat": "p2", "cards": ["7d"]}}]},
    )
    reason = fields.reason()


_CLASSES: Mapping[str, type[Event]] = {
    "round": play.Round,
    "play": play.Play,
    "pass": play.Pass,
    "claim": play.Claim,
    "contract": play.Contract,
    "result": play.Result,
    "show": play.Show,
    "declare": play.Declare,
}
_CORRECTABLE = {kind: schema(exclude=("id", "at", "after")) for kind, schema in _CLASSES.items()}
"""What an entry is read by that a correction puts in the place of another."""


def _entry(said: Data) -> Data:
    """An entry inside of a correction; a ValidationError about `with` if it is none."""
    kind = said.get("kind")
    schema = _CORRECTABLE.get(kind) if isinstance(kind, str) else None
    if schema is None:
        raise ValidationError(f"a kind of entry ({', '.join(_CORRECTABLE)})", "with")
    try:
        entry: Data = schema.load(said)
    except ValidationError as error:
        raise ValidationError({"with": error.messages}) from None
    return entry
