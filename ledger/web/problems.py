"""Errors as answers: RFC 9457 for programs, a page for people."""

import json
from collections.abc import Mapping
from enum import StrEnum
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from ledger.game.errors import Refusal
from ledger.game.notation import tag
from ledger.game.report import as_data
from ledger.recorder import (
    EntryUnreadable,
    Problem,
    ProblemCode,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreUnavailable,
    StoreUncertain,
    first_damage,
)
from ledger.web.observability.logs import LOG, note_code, request_id
from ledger.web.preferences import speaker
from ledger.web.recorder import recorder

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 2
"""When to come again after a 503."""


class WebCode(StrEnum):
    """What is wrong with a request before any use case sees it, where the recorder has no word for it."""

    OTHER_SITE = "other-site"
    METHOD_NOT_ALLOWED = "method-not-allowed"
    TOO_LARGE = "too-large"
    UNSUPPORTED_TYPE = "unsupported-type"
    TOO_MANY_REQUESTS = "too-many-requests"
    INTERNAL = "internal"
    BUSY = "busy"
    FULL = "full"
    UNAVAILABLE = "unavailable"
    OUTCOME_UNKNOWN = "outcome-unknown"


_STATUS = {
    WebCode.OTHER_SITE: 403,
    WebCode.METHOD_NOT_ALLOWED: 405,
    WebCode.TOO_LARGE: 413,
    WebCode.UNSUPPORTED_TYPE: 415,
    WebCode.TOO_MANY_REQUESTS: 429,
    WebCode.INTERNAL: 500,
    WebCode.BUSY: 503,
    WebCode.FULL: 503,
    WebCode.OUTCOME_UNKNOWN: 503,
    WebCode.UNAVAILABLE: 503,
}
_CODES: dict[int, str] = {status: code for code, status in _STATUS.items()} | {
    403: ProblemCode.FORBIDDEN,
    404: ProblemCode.NOT_FOUND,
}
"""What Flask's own errors are called here."""


def web_problem(code: WebCode, **facts: Any) -> Problem:
    """The problem that a request is for the web itself."""
    return Problem(code, status=_STATUS[code], **facts)


def answer_problems(app: Flask) -> None:
    """Answer whatever is raised, in the form and the language that the caller can read."""
    app.register_error_handler(Problem, answer)
    app.register_error_handler(StoreError, _answer_store)
    app.register_error_handler(HTTPException, _answer_http)
    app.register_error_handler(Exception, _answer_unexpected)


def problem_data(problem: Problem) -> dict[str, object]:
    """A problem as its JSON object: what every problem has, beside the facts of this one."""
    data = {
        "type": "about:blank",
        "title": HTTPStatus(problem.status).phrase,
        "status": problem.status,
        "detail": _detail(problem),
        "code": problem.code,
        "request_id": request_id(),
    }
    if problem.clause is not None:
        data["clause"] = problem.clause
    return {**as_data(_facts(problem)), **data}


def _detail(problem: Problem) -> str:
    """What is wrong and what to do, in the caller's language."""
    if problem.refusal is None:
        return speaker().problem(problem.code, problem.facts)
    return _refusal(problem, problem.refusal, _names())


def page_detail(problem: Problem, names: Mapping[int, str] | None = None) -> str:
    """The same for a page, whose fields go by their labels. `names` are by player number; without them they are
    asked for, in a transaction of their own."""
    if problem.refusal is not None:
        return _refusal(problem, problem.refusal, _names() if names is None else names)
    facts, labels = dict(problem.facts), _labels()
    if since := facts.get("events"):
        facts["count"] = len(since)
    if "fields" in facts:
        # Of a field in another, `changes.0.with.cards`, the innermost is what the page shows.
        facts["fields"] = {
            labels.get(name.rpartition(".")[2], name): wrong for name, wrong in facts["fields"].items()
        }
    return speaker().problem(problem.code, facts)


def _labels() -> dict[str, str]:
    """What the fields of the interface are called on the pages, as far as people fill them in."""
    words = speaker()
    return {
        "name": words.gettext("Name"),
        "payer": words.gettext("Who pays"),
        "payee": words.gettext("Who is paid"),
        "points": words.gettext("Points"),
        "reason": words.gettext("Reason"),
        "decision": words.gettext("Decision"),
        "leader": words.gettext("Who leads"),
        "seats": words.gettext("Who sits in, in playing order"),
        "places": words.gettext("Who came in, in order"),
        "cards": words.gettext("Cards"),
        "changes": words.gettext("Which entry"),
    }


def _refusal(problem: Problem, refusal: Refusal, names: Mapping[int, str]) -> str:
    """Why the rules refuse it; of a correction, which later move is in the way."""
    blocked = problem.facts.get("blocked")
    if blocked:
        return speaker().blocked(refusal, names, blocked["move"])
    return speaker().refusal(refusal, names)


def _names() -> dict[int, str]:
    """Who plays in the night that was asked for, by number."""
    try:
        with recorder().night(str((request.view_args or {})["night"])) as snapshot:
            names = snapshot.names
    except (KeyError, Problem, StoreError):
        return {}  # a sentence with tags in it is better than none
    return dict(enumerate(names.values()))


def _facts(problem: Problem) -> Mapping[str, object]:
    """What is known about it, players as tags and cards as texts."""
    refusal = problem.refusal
    if refusal is None:
        return problem.facts
    return {
        **problem.facts,
        "verdict": refusal.verdict,
        "player": _tag(refusal.player),
        "offered": list(refusal.offered),
        "top": list(refusal.top),
        "card": refusal.card,
        "move": refusal.move,
        "holder": _tag(refusal.holder),
        "expected": [_tag(player) for player in refusal.expected],
        "count": refusal.count,
    }


def _tag(player: int | None) -> str | None:
    return None if player is None else tag(player)


def wants_json() -> bool:
    """Whether a problem is told to a program: under /api always, elsewhere if it asks for JSON rather than HTML."""
    if request.path.startswith("/api/") or request.path == "/healthz":
        return True
    best = request.accept_mimetypes.best_match(["text/html", "application/json", MEDIA_TYPE], "text/html")
    return best != "text/html"


def answer(problem: Problem) -> Response:
    """A problem as an answer."""
    note_code(problem.code)
    data = problem_data(problem)
    if wants_json():
        response = make_response(json.dumps(data, ensure_ascii=False), problem.status)
        response.content_type = MEDIA_TYPE
    else:
        data["detail"] = page_detail(problem)
        response = make_response(render_template("error.html", problem=data), problem.status)
    if problem.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if problem.status in (429, 503):
        response.headers["Retry-After"] = str(problem.facts.get("retry_after", RETRY_SECONDS))
    return response


def _answer_store(error: StoreError) -> Response:
    """The store could not do it, and has recorded nothing, or cannot say whether it has; whoever runs the server is
    told why."""
    # What refuses a value may quote it.
    says = str(error) if isinstance(error, StoreUnavailable) else "refused"
    LOG.error("store", extra={"id": request_id(), "error": type(error).__name__, "says": says})
    match error:
        case EntryUnreadable(seq=seq, what=what):
            return answer(Problem(ProblemCode.ENTRY_UNREADABLE, entry=seq, what=what))
        case StoreBusy():
            code = WebCode.BUSY
        case StoreFull():
            code = WebCode.FULL
        case StoreUncertain():
            code = WebCode.OUTCOME_UNKNOWN
        case _:
            code = WebCode.UNAVAILABLE
    return answer(web_problem(code))


def _answer_unexpected(error: Exception) -> Response:
    """What nobody expected is a fault of this program, unless the log of the night that was asked for says what
    this program never wrote: then the answer says which entry does."""
    night = (request.view_args or {}).get("night")
    damage = first_damage(recorder(), night) if night else None
    if damage is None:
        raise error
    return _answer_store(damage)


def _answer_http(error: HTTPException) -> Response | HTTPException:
    """What Flask itself raised: a redirect stays one; an error keeps its headers (`Allow`)."""
    status = error.code or 500
    if status < 400:
        return error
    code = _CODES.get(status, WebCode.INTERNAL if status >= 500 else ProblemCode.UNREADABLE)
    response = answer(Problem(code, status=status))
    for name, value in error.get_headers():
        if name not in ("Content-Type", "Content-Length"):
            response.headers[name] = value
    return response
