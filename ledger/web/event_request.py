"""What is asked to be recorded, for pages and programs alike."""

from typing import Any

from ledger.recorder import KINDS, EventRequest, Problem, ProblemCode
from ledger.recorder.schemas.request import MISSING
from ledger.web.schemas.loading import load

_OF_EVERY_EVENT = frozenset({"id", "after", "at", "kind"})


def event_request(sent: dict[str, Any]) -> EventRequest:
    """The event that was sent, each field of its kind checked; raises a Problem that lists what is wrong."""
    kind = sent.get("kind")
    asked = KINDS.get(kind) if isinstance(kind, str) else None
    if asked is None:
        expected = f"a kind of event ({', '.join(KINDS)})" if "kind" in sent else MISSING
        raise Problem(ProblemCode.UNREADABLE, fields={"kind": [expected]})
    event = load(asked.schema, sent)
    content = {name: value for name, value in event.items() if name not in _OF_EVERY_EVENT}
    return EventRequest(event["id"], event.get("after"), event["kind"], content, event.get("at"))
