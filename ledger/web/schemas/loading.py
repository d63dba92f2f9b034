"""From what was sent to what was meant: a schema, or a problem that lists every field that is wrong."""

from typing import Any

from flask import request
from marshmallow import Schema, ValidationError

from ledger.recorder import KINDS, EventRequest, Problem, ProblemCode
from ledger.recorder.events.event import OF_EVERY_EVENT
from ledger.recorder.schemas.request import MISSING, wrong_fields

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


def event_request(sent: Data) -> EventRequest:
    """The event that was sent, each field of its kind checked; raises a Problem that lists what is wrong."""
    kind = sent.get("kind")
    asked = KINDS.get(kind) if isinstance(kind, str) else None
    if asked is None:
        expected = f"a kind of event ({', '.join(KINDS)})" if "kind" in sent else MISSING
        raise Problem(ProblemCode.UNREADABLE, fields={"kind": [expected]})
    event = load(asked.schema, sent)
    content = {name: value for name, value in event.items() if name not in OF_EVERY_EVENT}
    return EventRequest(event["id"], event.get("after"), event["kind"], content, event.get("at"))
