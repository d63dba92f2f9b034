"""The log of a server: one JSON object a line on standard error, or readable lines where that is a terminal.

What it must never hold are cards, names, links and texts that people typed. So an error is told by its type and by
the lines of the program that it came through, without its message, and a request by its rule: what Python or the
database say of a value may be that value.
"""

import logging
import traceback
from collections.abc import Iterator
from typing import TextIO

from structlog.dev import ConsoleRenderer
from structlog.processors import JSONRenderer, TimeStamper
from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level
from structlog.typing import EventDict, Processor, WrappedLogger

from ledger.web.observability.request_log import FACTS, LOG


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
        processors=[ProcessorFormatter.remove_processors_meta, _told, last],
    )


def _told(logger: WrappedLogger, name: str, said: EventDict) -> EventDict:
    """What happened first, and an error without what it says."""
    error = said.pop("exc_info", None)
    told = {
        "timestamp": said.pop("timestamp"),
        "level": said.pop("level"),
        "event": said.pop("event"),
        **said,
    }
    if error and error[1] is not None:
        told["errors"] = list(_errors(error[1]))
    return told


def _errors(error: BaseException | None) -> Iterator[dict[str, str | list[str]]]:
    """An error, then what it came from: of which type, and through which lines of the program."""
    while error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        yield {
            "type": f"{type(error).__module__}.{type(error).__qualname__}",
            "lines": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
        }
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
