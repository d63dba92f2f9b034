"""The log of a server: one JSON object a line on standard error, or readable lines if that is a terminal.

It must never contain cards, names, links or texts that people typed. So an exception is logged by its type and its
traceback's lines, without its message, which may quote a value. Each answered request has a line with its request
id, a few counts, the night's id, the URL rule instead of the address, and the code of a refusal.
"""

import logging
import os
import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from functools import partial
from time import perf_counter
from typing import Final, TextIO

from flask import Flask, Response, g, request
from flask.globals import app_ctx, request_ctx
from structlog.dev import ConsoleRenderer
from structlog.processors import JSONRenderer, TimeStamper
from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level
from structlog.typing import EventDict, Processor, WrappedLogger


def log_to(stream: TextIO) -> None:
    """Write the program's log, and warnings of libraries, to a stream."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(readable=stream.isatty()))
    handler.addFilter(_without_what_waitress_says)
    LOG.setLevel(logging.INFO)
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False  # no line has them
    logging.getLogger().handlers = [handler]
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns of each request that waits


def _without_what_waitress_says(record: logging.LogRecord) -> bool:
    """Replace waitress's message about a failed request: it has the address, which may be a link."""
    if record.name.startswith("waitress") and record.levelno >= logging.ERROR:
        record.msg, record.args = "a request failed outside of the application", ()
    return True


def formatter(*, readable: bool) -> logging.Formatter:
    """The formatter of log lines: readable, or JSON."""
    last: Processor = ConsoleRenderer() if readable else JSONRenderer(ensure_ascii=False)
    return ProcessorFormatter(
        foreign_pre_chain=[
            ExtraAdder(FACTS),
            add_log_level,
            TimeStamper(fmt="iso", utc=True, key="timestamp"),
        ],
        processors=[ProcessorFormatter.remove_processors_meta, _in_order, last],
    )


def _in_order(logger: WrappedLogger, name: str, fields: EventDict) -> EventDict:
    """Order the fields of a line: time, level, event; an exception is reduced to its types and lines."""
    error = fields.pop("exc_info", None)
    ordered = {
        "timestamp": fields.pop("timestamp"),
        "level": fields.pop("level"),
        "event": fields.pop("event"),
        **fields,
    }
    if error and error[1] is not None:
        ordered["errors"] = list(_errors(error[1]))
    return ordered


def _errors(error: BaseException | None) -> Iterator[dict[str, str | list[str]]]:
    """The type and the traceback's lines of an exception, then of its causes."""
    while error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        yield {
            "type": f"{type(error).__module__}.{type(error).__qualname__}",
            "lines": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
        }
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


HEADER: Final = "X-Request-ID"
LOG: Final = logging.getLogger("tienlen")
"""The program's logger; `log_to` configures it in a server."""

_WELL_FORMED: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})
_QUIET: Final = frozenset({"health.health"})
"""Endpoints that monitoring polls: they are logged only if they fail."""


@dataclass(frozen=True, slots=True)
class Served:
    """One request and its answer. `route` is the URL rule, never the address, which may be secret; `recorded` are
    the kinds of the entries that the request appended."""

    id: str
    method: str
    route: str
    status: int
    ms: float
    night: str | None
    role: str | None
    code: str | None
    recorded: tuple[str, ...]


_OF_REQUESTS: Final = tuple(field.name for field in fields(Served))
FACTS: Final = (*_OF_REQUESTS, "error", "says")
"""The only extra fields that a line of the log may have."""


def observe(app: Flask, proxies: int, *counts: Callable[[Served], None]) -> None:
    """Give every request an id, and log every answer. Call this before other hooks are set, so that its own see a
    request first and an answer last.

    Each of `counts` is called with every answered request. The id of a trusted proxy is used if it sends one.
    """

    def begin() -> None:
        g.began = perf_counter()
        given = request.headers.get(HEADER, "") if proxies else ""
        g.request_id = given if _WELL_FORMED.fullmatch(given) else os.urandom(8).hex()

    def end(response: Response) -> Response:
        served = _served(response)
        response.headers[HEADER] = served.id
        tell = partial(_tell, _level(response.status_code), served, counts)
        if response.is_streamed:
            tell()
        else:
            response.call_on_close(tell)
        return response

    app.before_request(begin)
    app.after_request(end)


def _tell(level: int, served: Served, counts: Iterable[Callable[[Served], None]]) -> None:
    """Log and count an answer: after it was sent, so that no client waits; for a stream, at its start."""
    if LOG.isEnabledFor(level):
        facts = ((name, getattr(served, name)) for name in _OF_REQUESTS)
        LOG.log(level, "request", extra={name: value for name, value in facts if value not in (None, ())})
    for count in counts:
        count(served)


def request_id() -> str:
    """The id of this request, as in the log; empty if the app is not observed."""
    return str(g.get("request_id", ""))


def note_role(role: str) -> None:
    """Note the role of this request's link for the log."""
    g.role = role


def note_code(code: str) -> None:
    """Note the code of this request's problem for the log."""
    g.code = code


def note_recorded(kind: str) -> None:
    """Note the kind of an entry that this request appended."""
    g.recorded = (*g.get("recorded", ()), kind)


def _served(response: Response) -> Served:
    asked, noted = request_ctx.request, app_ctx.g  # each proxy costs some calls at every use
    night = (asked.view_args or {}).get("night")
    return Served(
        id=noted.request_id,
        method=asked.method if asked.method in _METHODS else "other",
        route=asked.url_rule.rule if asked.url_rule else "none",
        status=response.status_code,
        ms=round((perf_counter() - noted.began) * 1000, 1),
        night=str(night) if night else None,
        role=noted.get("role"),
        code=noted.get("code"),
        recorded=noted.get("recorded", ()),
    )


def _level(status: int) -> int:
    if status >= 500:
        return logging.ERROR
    # 304 is not worth a line: a phone without a stream polls every few seconds.
    return logging.DEBUG if status == 304 or request.endpoint in _QUIET else logging.INFO
