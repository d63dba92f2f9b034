"""The log of a server: one JSON object a line on standard error, or readable lines where that is a terminal.

What it must never hold are cards, names, links and texts that people typed. So an error is told by its type and by
the lines of the program that it came through, without its message, and a request by its rule: what Python or the
database say of a value may be that value. Of a request that was answered there is a line, a few counts, and an id
that people can name: a night goes by its id, an address by the rule that it follows, a refusal by its code.
"""

import logging
import os
import re
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import partial
from time import perf_counter
from types import TracebackType
from typing import Final, TextIO

from flask import Flask, Response, g, request
from structlog.dev import ConsoleRenderer
from structlog.processors import JSONRenderer, TimeStamper
from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level
from structlog.typing import EventDict, Processor, WrappedLogger


def log_to(stream: TextIO) -> None:
    """Write the program's log, and that of libraries from warnings on, to a stream."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(readable=stream.isatty()))
    handler.addFilter(_without_what_waitress_says)
    LOG.setLevel(logging.INFO)
    logging.getLogger().handlers = [handler]
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # that somebody waited is no news


def _without_what_waitress_says(record: logging.LogRecord) -> bool:
    """Waitress names the address where a request failed, which may be a link: the error and its lines stay."""
    if record.name.startswith("waitress") and record.levelno >= logging.ERROR:
        record.msg, record.args = "a request failed outside of the application", ()
    return True


def formatter(*, readable: bool) -> logging.Formatter:
    """How a record becomes a line."""
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
    """The fields of a line in order: time, level, what happened; an error by its type and lines alone."""
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
    """An error, then what it came from: of which type, and through which lines of the program."""
    while error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        yield {
            "type": f"{type(error).__module__}.{type(error).__qualname__}",
            "lines": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
        }
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


HEADER: Final = "X-Request-ID"
LOG: Final = logging.getLogger("tienlen")
"""Where everything is said that whoever runs the server should know; what becomes of it is the server's choice."""

_WELL_FORMED: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})
_QUIET: Final = frozenset({"health.health"})
"""Asked every few seconds by whatever watches over the server: worth a line only when it is not well."""


@dataclass(frozen=True, slots=True)
class Served:
    """One request and its answer. `route` is the rule that the address followed, never the address: that may be a
    secret. `recorded` are the kinds of the entries that it appended."""

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
"""All that a line of the log may say of a request: a closed list, as a second lock."""


def observe(app: Flask, *, proxies: int, count: Callable[[Served], None] | None) -> None:
    """Give every request an id, and say of every answer what it was. To be called before other hooks are set: then
    this one sees a request first, and an answer last.

    `count` is called with every request that was answered. A proxy's own id is taken where one is trusted to be in
    front.
    """

    def begin() -> None:
        g.began = perf_counter()
        g.request_id = (proxies and _given()) or os.urandom(8).hex()

    def end(response: Response) -> Response:
        response.headers[HEADER] = request_id()
        level = _level(response.status_code)
        if count is not None or LOG.isEnabledFor(level):
            tell = partial(_tell, level, _served(response), count)
            if response.is_streamed:
                tell()
            else:
                response.call_on_close(tell)
        return response

    def fail(error: tuple[type, BaseException, TracebackType] | tuple[None, None, None]) -> None:
        LOG.error("failed", exc_info=error, extra={"id": request_id()})

    app.before_request(begin)
    app.after_request(end)
    app.log_exception = fail  # type: ignore[method-assign, assignment]


def _tell(level: int, served: Served, count: Callable[[Served], None] | None) -> None:
    """Say what an answer was once it has gone out, which nobody is to wait for; of a stream, as it begins."""
    LOG.log(level, "request", extra=_facts(served))
    if count is not None:
        count(served)


def request_id() -> str:
    """The id of this request, for whoever asks what became of it."""
    return str(g.get("request_id", ""))


def note_role(role: str) -> None:
    """Note with which kind of link this request came."""
    g.role = role


def note_code(code: str) -> None:
    """Note why this request was refused."""
    g.code = code


def note_recorded(kind: str) -> None:
    """Note that this request appended an entry."""
    g.recorded = (*g.get("recorded", ()), kind)


def _given() -> str:
    given = request.headers.get(HEADER, "")
    return given if _WELL_FORMED.fullmatch(given) else ""


def _served(response: Response) -> Served:
    night = (request.view_args or {}).get("night")
    return Served(
        id=request_id(),
        method=request.method if request.method in _METHODS else "other",
        route=request.url_rule.rule if request.url_rule else "none",
        status=response.status_code,
        ms=round((perf_counter() - g.began) * 1000, 1),
        night=str(night) if night else None,
        role=g.get("role"),
        code=g.get("code"),
        recorded=g.get("recorded", ()),
    )


def _level(status: int) -> int:
    if status >= 500:
        return logging.ERROR
    # That there is nothing new is no news: a phone that cannot hold a stream asks every few seconds.
    return logging.DEBUG if status == 304 or request.endpoint in _QUIET else logging.INFO


def _facts(served: Served) -> dict[str, object]:
    """The facts of a request for its line, without those that it has not."""
    facts = ((name, getattr(served, name)) for name in _OF_REQUESTS)
    return {name: value for name, value in facts if value not in (None, ())}
