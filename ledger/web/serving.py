"""The server's settings. Gunicorn reads this module as its configuration (`python:ledger.web.serving`)."""

import gc
from dataclasses import replace
from typing import Any

from flask import Flask

from ledger.web import Settings, create_app
from ledger.web.auditing import start_auditor
from ledger.web.live import end_streams_when
from ledger.web.logs import ServerLog
from ledger.web.metrics import forget_process
from ledger.web.preloading import preload
from ledger.web.recording import warm_up

# Streams hold threads, so the pool is large; that few of them work at once is the store's care.
worker_class = "ledger.web.worker.Worker"
logger_class = ServerLog
threads = 64
preload_app = True
reuse_port = True
graceful_timeout = 3
control_socket_disable = True
# Which proxies are believed is the installation's to say (`TIENLEN_PROXIES`): gunicorn would believe this machine.
forwarded_allow_ips = ""

_FOR_ANSWERS = 16
"""Threads that no stream takes."""


def pre_fork(server: Any, worker: Any) -> None:
    """What was loaded before the fork is never garbage: unfrozen, every worker would copy it to look at it.

    `tienlen serve` loads it without looking for garbage on the way. Little is left to look through, so that looking
    more often than Python does costs nothing, and what requests leave behind does not pile up.
    """
    gc.freeze()
    gc.set_threshold(400, 5, 1)
    gc.enable()


def child_exit(server: Any, worker: Any) -> None:
    """What a process counted stays counted; its streams are gone."""
    forget_process(worker.pid)


def post_worker_init(worker: Any) -> None:
    """A process that is told to stop waits for its streams: they end as soon as it is."""
    warm_up(worker.wsgi)
    end_streams_when(worker.wsgi, lambda: not worker.alive)
    start_auditor(worker.wsgi, lambda: bool(worker.alive))


def application() -> Flask:
    """The application of the installation that the environment names: `tienlen serve` has set it."""
    app = create_app(replace(Settings.find(), streams=threads - _FOR_ANSWERS))
    preload(app)
    return app
