"""Counts for whoever runs the server, as Prometheus reads them, summed over all processes.

Labels are words of closed lists (routes, codes, kinds): no night, no name, no card is one. Processes of one server
count in one folder (`FOLDER_VARIABLE`), which `tienlen serve` makes; without one, a process tells what is its own.
"""

import os
import platform
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from ledger.resources import release
from ledger.web.observability.request_log import Served

FOLDER_VARIABLE: Final = (
    "PROMETHEUS_MULTIPROC_DIR"  # prometheus_client's own: it looks there when it is imported
)
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

_CONFLICT: Final = 409
_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Metrics:
    """The counts of one process; what it tells is what all of them have counted."""

    def __init__(self) -> None:
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
            if served.status == _CONFLICT:
                self._conflicts.labels(code).inc()

    def streams(self, count: int) -> None:
        """Say how many streams this process has open now."""
        self._streams.set(count)

    def audited(self, different: bool) -> None:
        """Say what an audit has found."""
        self._differences.set(different)
        self._audited.set_to_current_time()

    def text(self) -> bytes:
        """Everything that was counted, by all processes."""
        if FOLDER_VARIABLE not in os.environ:
            return generate_latest(self._own)
        everyone = CollectorRegistry()
        MultiProcessCollector(everyone)  # type: ignore[no-untyped-call]
        return generate_latest(everyone)


def forget_process(process: int) -> None:
    """Count the streams of a process no more: it has ended."""
    if FOLDER_VARIABLE in os.environ:
        mark_process_dead(process)  # type: ignore[no-untyped-call]
