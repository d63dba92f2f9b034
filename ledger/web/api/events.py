"""Recording an event, and reading the log, at once or as it grows."""

from dataclasses import replace

from flask import Response, request

from ledger.recorder import KINDS
from ledger.recorder import preview as preview_of
from ledger.web import schemas
from ledger.web.access import hold_on, link_saying, link_to, links_held, writing_visit
from ledger.web.api import answers
from ledger.web.api.answers import RecordedEvent
from ledger.web.api.calls import JSON, answer, call
from ledger.web.live import live
from ledger.web.pages.people import addresses
from ledger.web.preferences import speaker
from ledger.web.recorder import recorder
from ledger.web.request_body import read_json
from ledger.web.schemas import event_request, load_query

_LOG_PAGE = schemas.LogPage()
_RECORDING = schemas.Recording()
_FOLLOWING = schemas.Following()


@call(
    "/nights/<night:night>/events",
    "POST",
    takes={
        JSON: {"oneOf": [kind.schema for kind in KINDS.values()], "discriminator": {"propertyName": "kind"}}
    },
    query=schemas.Recording,
    answers={201: {JSON: answers.Recorded}, 200: {JSON: {"oneOf": [answers.Recorded, answers.Preview]}}},
    errors=(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
)
def record_event(night: str) -> Response:
    """Record one event. The same event twice is recorded once. With `preview`, tell what it would change.

    The answer to `join` and `revoke` has the links of the night as they are then.
    """
    visit = writing_visit(night)
    event, preview = event_request(read_json()), load_query(_RECORDING)["preview"]
    link = link_saying(event.kind, visit.link)
    if preview:
        with recorder().night(night) as seen:
            would = preview_of(seen, event, link, speaker().finding)
        return answer(would)
    renewing = event.kind in ("join", "revoke")
    held = links_held(night) if renewing else []
    recorded = recorder().record(night, event, link)
    board = recorded.board(link, speaker().finding)
    told = RecordedEvent(recorded.id, recorded.seq, recorded.hash, board)
    if renewing:
        with recorder().night(night) as seen:
            tokens = seen.tokens()
        told = replace(told, links=addresses(tokens), tokens=tokens)
    response = answer(told, 201 if recorded.created else 200)
    if told.tokens:
        hold_on(response, held, told.tokens)
    return response


@call(
    "/nights/<night:night>/events",
    query=schemas.LogPage,
    answers={200: {JSON: answers.Log}},
    errors=(400, 401, 404, 429, 503),
)
def read_log(night: str) -> Response:
    """The log, bodies and hashes as stored.

    The hash of an entry covers its body and the hash before it: INTERFACE.md says how.
    """
    link_to(night)
    page = load_query(_LOG_PAGE)
    with recorder().night(night) as seen:
        events = seen.log(after=page["after"], limit=page["limit"])
    return answer(events)


@call(
    "/nights/<night:night>/live",
    query=schemas.Following,
    answers={200: {"text/event-stream": answers.Message}, 204: {}},
    errors=(400, 401, 404, 429, 503),
)
def follow_night(night: str) -> Response:
    """Server-sent events: the head after every change, with its seq as the `id`; resumes from `Last-Event-ID`.

    204 when too many look on already: ask the board with its `ETag` then.
    """
    link_to(night)
    after: int = load_query(_FOLLOWING)["after"]
    last = request.headers.get("Last-Event-ID", "")
    return live(night, int(last) if last.isascii() and last.isdigit() and len(last) < 16 else after)
