"""Error responses: RFC 9457 JSON for programs, a page for people."""

import json
from collections.abc import Mapping
from enum import StrEnum
from http import HTTPStatus
from typing import Any, Self

from flask import Flask, Response, make_response, request
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
)
from ledger.web.logs import LOG, note_code, request_id
from ledger.web.preferences import speaker
from ledger.web.reading import release, render, snapshot
from ledger.web.recorder import recorder

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 2
"""The `Retry-After` of a 503 without one of its own."""


class WebCode(StrEnum):
    """The error codes of the web interface that the recorder's `ProblemCode` lacks, each with its status."""

    status: int

    def __new__(cls, code: str, status: int) -> Self:
        made = str.__new__(cls, code)
        made._value_, made.status = code, status
        return made

    OTHER_SITE = "other-site", 403
    METHOD_NOT_ALLOWED = "method-not-allowed", 405
    TOO_LARGE = "too-large", 413
    UNSUPPORTED_TYPE = "unsupported-type", 415
    TOO_MANY_REQUESTS = "too-many-requests", 429
    INTERNAL = "internal", 500
    BUSY = "busy", 503
    FULL = "full", 503
    OUTCOME_UNKNOWN = "outcome-unknown", 503
    UNAVAILABLE = "unavailable", 503


_CODES: dict[int, str] = {code.status: code for code in WebCode} | {
    403: ProblemCode.FORBIDDEN,
    404: ProblemCode.NOT_FOUND,
}
"""The codes for Flask's own errors, by status."""


def web_problem(code: WebCode, **facts: Any) -> Problem:
    """A problem with a code of the web interface, and its status."""
    return Problem(code, status=code.status, **facts)


def answer_problems(app: Flask) -> None:
    """Register the error handlers, which answer in the client's format and language."""
    app.register_error_handler(Problem, answer)
    app.register_error_handler(StoreError, answer_store)
    app.register_error_handler(HTTPException, _answer_http)
    app.register_error_handler(Exception, _answer_unexpected)


def problem_data(problem: Problem) -> dict[str, object]:
    """A problem as its JSON object: the members that all problems have, and the facts of this one."""
    if problem.refusal is None:
        detail = speaker().problem(problem.code, problem.facts)
    else:
        detail = _refusal(problem, problem.refusal)
    data = {
        "type": "about:blank",
        "title": HTTPStatus(problem.status).phrase,
        "status": problem.status,
        "detail": detail,
        "code": problem.code,
        "request_id": request_id(),
    }
    if problem.clause is not None:
        data["clause"] = problem.clause
    return {**as_data(_facts(problem)), **data}


def page_detail(problem: Problem) -> str:
    """The detail for a page, which names fields by their labels."""
    if problem.refusal is not None:
        return _refusal(problem, problem.refusal)
    facts, labels = dict(problem.facts), _labels()
    if since := facts.get("events"):
        facts["count"] = len(since) + facts.get("more", 0)
    if "fields" in facts:
        # Of a nested field, `changes.0.with.cards`, the page shows the innermost.
        facts["fields"] = {
            labels.get(name.rpartition(".")[2], name): wrong for name, wrong in facts["fields"].items()
        }
    return speaker().problem(problem.code, facts)


def _labels() -> dict[str, str]:
    """The labels on pages of the API's fields that people fill in."""
    words = speaker()
    return {
        "name": words.gettext("Name"),
        "payer": words.gettext("Who pays"),
        "payee": words.gettext("Who is paid"),
        "points": words.gettext("Points"),
        "reason": words.gettext("Reason"),
        "decision": words.gettext("Decision"),
        "leader": words.gettext("Who leads"),
        "rules": words.gettext("Rules"),
        "stake": words.gettext("What a point is worth"),
        "all_rounds": words.gettext("For which rounds"),
        "times": words.gettext("Every payment of this round counts"),
        "seats": words.gettext("Who sits in, in playing order"),
        "places": words.gettext("Who came in, in order"),
        "cards": words.gettext("Cards"),
        "changes": words.gettext("Which entry"),
    }


def _refusal(problem: Problem, refusal: Refusal) -> str:
    """The sentence of a refusal; for a correction, with the later move that blocks it."""
    names, blocked = _names(), problem.facts.get("blocked")
    if blocked:
        return speaker().blocked(refusal, names, blocked["move"])
    return speaker().refusal(refusal, names)


def _names() -> dict[int, str]:
    """The names of the players of the requested night, by number; empty if they cannot be read."""
    try:
        names = snapshot().night(str((request.view_args or {})["night"])).names
    except (KeyError, Problem, StoreError):
        return {}  # a sentence with players' tags is better than none
    return dict(enumerate(names.values()))


def _facts(problem: Problem) -> Mapping[str, object]:
    """The facts of a problem and of its refusal, with players as tags."""
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
    """Whether to answer with JSON: always for /api and /healthz, elsewhere if the client prefers it to HTML."""
    if request.path.startswith("/api/") or request.path == "/healthz":
        return True
    best = request.accept_mimetypes.best_match(["text/html", "application/json", MEDIA_TYPE], "text/html")
    return best != "text/html"


def answer(problem: Problem) -> Response:
    """A problem as a response: JSON or a page."""
    note_code(problem.code)
    data = problem_data(problem)
    if wants_json():
        response = make_response(json.dumps(data, ensure_ascii=False), problem.status)
        response.content_type = MEDIA_TYPE
    else:
        data["detail"] = page_detail(problem)
        response = make_response(render("shared/error.html", problem=data), problem.status)
    if problem.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if problem.status in (429, 503):
        response.headers["Retry-After"] = str(problem.facts.get("retry_after", RETRY_SECONDS))
    return response


def answer_store(error: StoreError, **facts: str) -> Response:
    """Answer an error of the store, which has recorded nothing or cannot tell; the log has the reason."""
    # Other errors may quote a recorded value, which must not be logged.
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
    return answer(web_problem(code, **facts))


def _answer_unexpected(error: Exception) -> Response:
    """Answer an unexpected exception with the first entry of the requested night that is not as it was recorded;
    without one it is a bug, and is raised again. The night is not audited: a bug would make each request dear."""
    night = (request.view_args or {}).get("night")
    release()
    altered = recorder().altered_entry(night) if night else None
    if altered is None:
        raise error
    return answer_store(altered)


def _answer_http(error: HTTPException) -> Response | HTTPException:
    """Answer an exception of Flask's own: a redirect is unchanged, an error keeps its headers (`Allow`)."""
    status = error.code or 500
    if status < 400:
        return error
    code = _CODES.get(status, WebCode.INTERNAL if status >= 500 else ProblemCode.UNREADABLE)
    response = answer(Problem(code, status=status))
    for name, value in error.get_headers():
        if name not in ("Content-Type", "Content-Length"):
            response.headers[name] = value
    return response
