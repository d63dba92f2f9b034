"""What every request keeps to."""

from typing import Any, ClassVar

from marshmallow import RAISE, Schema
from marshmallow.fields import Field

Data = dict[str, Any]

MISSING = "missing"
"""What is said of a field that must be there."""


class Request(Schema):
    """What every request keeps to: no field that it does not know."""

    class Meta:
        unknown = RAISE

    error_messages = {"unknown": "no such field", "type": "a JSON object"}  # noqa: RUF012

    told: ClassVar[Data] = {}
    """What OpenAPI is told beside the fields: how they belong together."""

    def on_bind_field(self, field_name: str, field_obj: Field[Any]) -> None:
        field_obj.error_messages |= {
            "required": MISSING,
            "null": field_obj.error_messages.get("invalid", "not null"),
        }


def one_of_both(one: str, other: str) -> Data:
    """That one of two fields is there, for OpenAPI."""
    return {"oneOf": [{"required": [one]}, {"required": [other]}]}
