"""gunicorn's worker, but for what it answers by itself: to whatever is no HTTP, no application is asked."""

import json
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from gunicorn.http.errors import LimitRequestHeaders, LimitRequestLine, ParseException
from gunicorn.workers.gthread import ThreadWorker

from ledger.web.headers import ALWAYS, UNLESS_SAID
from ledger.web.problems import MEDIA_TYPE

_TOO_LONG = {
    LimitRequestLine: HTTPStatus.REQUEST_URI_TOO_LONG,
    LimitRequestHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
}


class Worker(ThreadWorker):
    """Answers what it cannot read with the headers of every answer, and repeats nothing of it, neither there nor in
    the log: an address may be somebody's secret."""

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        if isinstance(exc, ParseException):
            status = _TOO_LONG.get(type(exc), HTTPStatus.BAD_REQUEST)
            self.log.info("what came is no HTTP: %s", type(exc).__name__)
        else:
            status = HTTPStatus.INTERNAL_SERVER_ERROR
            self.log.error("a request failed outside of the application", exc_info=exc)
        with suppress(OSError):
            client.settimeout(1)
            client.sendall(_answer(status))


def _answer(status: HTTPStatus) -> bytes:
    """A whole answer, after which the connection is closed."""
    body = json.dumps({"type": "about:blank", "title": status.phrase, "status": status.value})
    about = {"Content-Type": MEDIA_TYPE, "Content-Length": len(body), "Connection": "close"}
    headers = (f"{name}: {value}" for name, value in (ALWAYS | UNLESS_SAID | about).items())
    return "\r\n".join([f"HTTP/1.1 {status.value} {status.phrase}", *headers, "", body]).encode()
