"""What the fields of answers are made of."""

from typing import Any

from marshmallow import EXCLUDE, Schema
from marshmallow.fields import Boolean, Dict, Integer, List, String


class Answer(Schema):
    """What every answer is: it may have more than it tells."""

    class Meta:
        unknown = EXCLUDE


def text(**kwargs: Any) -> String:
    """A text that is always there."""
    return String(required=True, **kwargs)


def player() -> String:
    """A player's tag."""
    return String(required=True, metadata={"pattern": "^p([1-9]|1[0-2])$"})


def perhaps(field: type[String]) -> String:
    """A text that may be null."""
    return field(required=True, allow_none=True)


def number() -> Integer:
    """A whole number."""
    return Integer(required=True)


def truth(**kwargs: Any) -> Boolean:
    """Yes or no."""
    return Boolean(required=True, **kwargs)


def texts(**kwargs: Any) -> List[str]:
    """Some texts."""
    return List(String(), required=True, **kwargs)


def points() -> Dict:
    """Player -> points."""
    return Dict(String(), Integer(), required=True, metadata={"description": "Player -> points."})
