"""What every request keeps to."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from marshmallow import RAISE, Schema, ValidationError
from marshmallow.fields import Field

MISSING = "missing"
"""What is said of a field that must be there."""


class Request(Schema):
    """What every request keeps to: no field that it does not know."""

    class Meta:
        unknown = RAISE

    error_messages = {"unknown": "no such field", "type": "a JSON object"}  # noqa: RUF012

    told: ClassVar[Mapping[str, object]] = {}
    """What OpenAPI is told beside the fields: how they belong together."""

    def on_bind_field(self, field_name: str, field_obj: Field[Any]) -> None:
        field_obj.error_messages |= {
            "required": MISSING,
            "null": field_obj.error_messages.get("invalid", "not null"),
        }


def one_of_both(one: str, other: str) -> Mapping[str, object]:
    """That one of two fields is there, for OpenAPI."""
    return {"oneOf": [{"required": [one]}, {"required": [other]}]}


def wrong_fields(error: ValidationError) -> dict[str, list[str]]:
    """What is wrong with each field, by its dotted path."""
    fields: dict[str, list[str]] = {}
    for path, message in _flat(error.messages):
        fields.setdefault(path, []).append(message)
    return fields


def _flat(messages: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Marshmallow's nested messages as (dotted path, message)."""
    if isinstance(messages, dict):
        for key, inner in messages.items():
            # "value" and "key" stand between a mapping's entry and what is wrong with it.
            below = (
                path if key in ("_schema", "key", "value") and path else f"{path}.{key}" if path else str(key)
            )
            yield from _flat(inner, below)
    else:
        for message in messages if isinstance(messages, list) else [messages]:
            yield path, str(message)
