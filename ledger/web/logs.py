"""The log of a server: one JSON object a line on standard error, or readable lines where that is a terminal.

What it must never hold are cards, names, links and texts that people typed. So an error is told by its type and by
the lines of the program that it came through, without its message, and a request by its rule: what Python or the
database say of a value may be that value.
"""

import logging
import sys
import traceback
from collections.abc import Iterator
from typing import Any, TextIO

from gunicorn import glogging
from structlog.dev import ConsoleRenderer
from structlog.processors import JSONRenderer, TimeStamper
from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level
from structlog.typing import EventDict, Processor, WrappedLogger

from ledger.web.observing import FACTS, LOG


class ServerLog(glogging.Logger):
    """gunicorn's own messages, in the same form and the same stream."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)  # type: ignore[no-untyped-call]
        log_to(sys.stderr, self.error_log)


def log_to(stream: TextIO, *also: logging.Logger) -> None:
    """Write the program's log, and that of libraries from warnings on, to a stream; the other loggers with them."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(readable=stream.isatty()))
    LOG.setLevel(logging.INFO)
    logging.getLogger().handlers = [handler]
    for logger in also:
        logger.handlers = [handler]


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


def _errors(error: BaseException | None) -> Iterator[dict[str, Any]]:
    """An error, then what it came from: of which type, and through which lines of the program."""
    while error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        yield {
            "type": f"{type(error).__module__}.{type(error).__qualname__}",
            "lines": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
        }
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
