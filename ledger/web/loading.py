"""From what was sent to what was meant: a schema, or a problem that lists every field that is wrong."""

from collections.abc import Iterator
from typing import Any

from flask import request
from marshmallow import Schema, ValidationError

from ledger.recorder import Problem, ProblemCode

Data = dict[str, Any]


def load(schema: Schema, data: Data) -> Data:
    """The data as the schema reads it; raises a Problem with every field that is missing, unknown or wrong."""
    try:
        loaded: Data = schema.load(data)
    except ValidationError as error:
        fields: dict[str, list[str]] = {}
        for path, message in _flat(error.messages):
            fields.setdefault(path, []).append(message)
        raise Problem(ProblemCode.UNREADABLE, fields=fields) from None
    return loaded


def load_query(schema: Schema) -> Data:
    """The query string as the schema reads it."""
    sent = request.args.to_dict(flat=False)
    twice = [name for name, values in sent.items() if len(values) > 1]
    if twice:
        raise Problem(ProblemCode.UNREADABLE, fields={name: ["once"] for name in twice})
    return load(schema, {name: value for name, (value,) in sent.items()})


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
