"""From what was sent to what was meant: a schema, or a problem that lists every field that is wrong."""

from typing import Any

from flask import request
from marshmallow import Schema, ValidationError

from ledger.recorder import Problem, ProblemCode
from ledger.recorder.schemas.request import wrong_fields

Data = dict[str, Any]


def load(schema: Schema, data: Data) -> Data:
    """The data as the schema reads it; raises a Problem with every field that is missing, unknown or wrong."""
    try:
        loaded: Data = schema.load(data)
    except ValidationError as error:
        raise Problem(ProblemCode.UNREADABLE, fields=wrong_fields(error)) from None
    return loaded


def load_query(schema: Schema) -> Data:
    """The query string as the schema reads it."""
    sent = request.args.to_dict(flat=False)
    twice = [name for name, values in sent.items() if len(values) > 1]
    if twice:
        raise Problem(ProblemCode.UNREADABLE, fields={name: ["once"] for name in twice})
    return load(schema, {name: value for name, (value,) in sent.items()})
