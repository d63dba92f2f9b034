"""gunicorn's worker, but for what it answers by itself, and for how long it waits for the rest of a request: to
whatever is no HTTP, no application is asked."""

import json
import socket
from contextlib import suppress
from http import HTTPStatus
from time import monotonic
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
    the log: an address may be somebody's secret.

    Whoever sends a request holds a thread until all of it has come, and gunicorn would wait for ever.
    """

    SENDING_SECONDS = 20.0
    """How long that may take. What has come by then is all there is."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[no-untyped-call]
        self._sending: dict[Any, float] = {}

    def handle(self, conn: Any) -> Any:
        self._sending[conn] = monotonic() + self.SENDING_SECONDS
        try:
            return super().handle(conn)  # type: ignore[no-untyped-call]
        finally:
            self._sending.pop(conn, None)

    def handle_request(self, req: Any, conn: Any) -> Any:
        if req.method in ("GET", "HEAD"):
            self._sending.pop(conn, None)  # it is not read on; its answer may be a stream
        return super().handle_request(req, conn)  # type: ignore[no-untyped-call]

    def murder_pending(self) -> None:
        super().murder_pending()  # type: ignore[no-untyped-call]
        now = monotonic()
        for conn, until in self._sending.copy().items():
            if until < now:
                self._sending.pop(conn, None)
                with suppress(OSError):
                    conn.sock.shutdown(socket.SHUT_RD)  # whoever reads it is told that there is no more

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
