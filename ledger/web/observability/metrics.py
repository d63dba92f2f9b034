"""Metrics for Prometheus, summed over all processes.

Labels come from closed lists (routes, codes, kinds), never from nights, names or cards. Processes of one server
share a folder (`FOLDER_VARIABLE`), which `tienlen serve` makes; without it, a process reports only its own counts.

They are served on a separate port: `/metrics`, and `/status`, which has nothing secret. Behind a proxy on the same
machine every request comes from a loopback address, so only the port tells the host's own requests apart.
"""

import json
import os
import platform
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask, Response
from werkzeug.sansio.utils import host_is_trusted
from werkzeug.wrappers import Request

from ledger.recorder import StoreError
from ledger.resources import release
from ledger.web.logs import Served
from ledger.web.recorder import recorder

FOLDER_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"  # read by prometheus_client when it is imported
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Metrics:
    """The metrics of this process; `text` sums those of all processes of the server."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        own = self._own = CollectorRegistry()
        self._requests = Counter(
            "tienlen_requests", "Requests answered.", ["method", "route", "status"], registry=own
        )
        self._seconds = Histogram(
            "tienlen_request_seconds",
            "How long an answer took; of a stream, until it began.",
            ["method", "route"],
            buckets=_SECONDS,
            registry=own,
        )
        self._entries = Counter("tienlen_entries", "Entries recorded.", ["kind"], registry=own)
        self._refusals = Counter("tienlen_refusals", "Requests refused (4xx).", ["code"], registry=own)
        self._conflicts = Counter(
            "tienlen_conflicts", "Of these, what came too late for the night (409).", ["code"], registry=own
        )
        self._failures = Counter("tienlen_failures", "Requests that failed (5xx).", ["code"], registry=own)
        self._streams = Gauge(
            "tienlen_open_streams", "Streams that are open.", registry=own, multiprocess_mode="livesum"
        )
        self._differences = Gauge(
            "tienlen_audit_mismatches",
            "1 if the last audit found a difference, else 0.",
            registry=own,
            multiprocess_mode="mostrecent",
        )
        self._audited = Gauge(
            "tienlen_audit_timestamp_seconds",
            "When the last audit ended; 0 before the first.",
            registry=own,
            multiprocess_mode="max",
        )
        build = Gauge(
            "tienlen_build_info", "1.", ["version", "python"], registry=own, multiprocess_mode="mostrecent"
        )
        build.labels(release(), platform.python_version()).set(1)

    def served(self, served: Served) -> None:
        """Count a request and its answer."""
        self._requests.labels(served.method, served.route, str(served.status)).inc()
        self._seconds.labels(served.method, served.route).observe(served.ms / 1000)
        for kind in served.recorded:
            self._entries.labels(kind).inc()
        code = served.code or "unnamed"
        if served.status >= 500:
            self._failures.labels(code).inc()
        elif served.status >= 400:
            self._refusals.labels(code).inc()
            if served.status == 409:
                self._conflicts.labels(code).inc()

    def streams(self, count: int) -> None:
        """Set the number of streams that this process has open."""
        self._streams.set(count)

    def audited(self, different: bool) -> None:
        """Set the result and the time of the last audit."""
        self._differences.set(different)
        self._audited.set_to_current_time()

    def text(self) -> bytes:
        """The metrics of all processes in Prometheus's text format."""
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        if FOLDER_VARIABLE not in os.environ:
            return generate_latest(self._own)

        class Everyone(MultiProcessCollector):
            def collect(self) -> Any:
                """The counts of all processes, without files that have just been made and are still empty."""
                files = [file for file in Path(self._path).glob("*.db") if _is_begun(file)]
                return self.merge(map(str, files))  # type: ignore[no-untyped-call]

        everyone = CollectorRegistry()
        Everyone(everyone)  # type: ignore[no-untyped-call]
        return generate_latest(everyone)


def _is_begun(file: Path) -> bool:
    try:
        return file.stat().st_size > 0
    except FileNotFoundError:  # its process has ended
        return False


def forget_process(process: int) -> None:
    """Drop the open streams of a process that has ended."""
    if FOLDER_VARIABLE in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(process)  # type: ignore[no-untyped-call]


_LOCAL: Final = ("localhost", "127.0.0.1")
"""The host names of this machine. A request that another site's DNS name leads here has that site's name."""


def add_metrics_app(app: Flask, port: int, metrics: Metrics) -> None:
    """Serve `/metrics` and `/status` on a port, and nothing else there; other ports are unchanged."""
    public = app.wsgi_app
    pages: dict[str, Callable[[], Response]] = {
        "/metrics": lambda: Response(metrics.text(), content_type=CONTENT_TYPE),
        "/status": lambda: _status(app),
    }

    def either(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        if environ["SERVER_PORT"] != str(port):  # the socket's port, not that of a `Host` header
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
            data, status = recorder().status(), 200
    except StoreError as error:
        data, status = {"error": str(error)}, 503
    return Response(json.dumps(data, indent=1) + "\n", status, content_type="application/json")
