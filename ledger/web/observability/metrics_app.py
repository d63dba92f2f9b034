"""What is told on a port of its own, to whoever runs the server: `/metrics`, and `/status` with nothing secret.

Behind a proxy on the same machine everybody comes from a loopback address: who called proves nothing, but on which
port the connection came in does.
"""

import json
from collections.abc import Callable, Iterable
from typing import Final
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask, Response
from werkzeug.sansio.utils import host_is_trusted
from werkzeug.wrappers import Request

from ledger.recorder import StoreError
from ledger.web.observability.metrics import CONTENT_TYPE, Metrics
from ledger.web.recorder import recorder

_LOCAL: Final = ("localhost", "127.0.0.1")
"""What this machine calls itself. A page of another site that leads a browser here comes by that site's name."""

_Answer = Callable[[], Response]


def add_metrics_app(app: Flask, port: int, metrics: Metrics) -> None:
    """Answer what comes in by a port as said above, and nothing else there; all other ports as before."""
    public = app.wsgi_app
    pages: dict[str, _Answer] = {
        "/metrics": lambda: Response(metrics.text(), content_type=CONTENT_TYPE),
        "/status": lambda: _status(app),
    }

    def either(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        if environ["SERVER_PORT"] != str(port):  # that of the socket, whatever a Host says
            return public(environ, start)
        request = Request(environ)
        if not host_is_trusted(request.headers.get("Host"), _LOCAL):
            return Response("this is told to this machine alone\n", 400, content_type="text/plain")(
                environ, start
            )
        page = pages.get(request.path) if request.method in ("GET", "HEAD") else None
        response = (
            page() if page else Response("no such page: /metrics, /status\n", 404, content_type="text/plain")
        )
        return response(environ, start)

    app.wsgi_app = either  # type: ignore[method-assign, assignment]


def _status(app: Flask) -> Response:
    try:
        with app.app_context():
            data, status = recorder().status().listed(), 200
    except StoreError as error:
        data, status = {"error": str(error)}, 503
    return Response(json.dumps(data, indent=1) + "\n", status, content_type="application/json")
