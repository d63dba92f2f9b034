"""The server's settings. Gunicorn reads this module as its configuration (`python:ledger.web.serving`)."""

import gc
from typing import Any

from flask import Flask

from ledger.web import create_app

# Streams will hold threads, so the pool is large; that few of them work at once is the store's care.
worker_class = "gthread"
threads = 32
preload_app = True
reuse_port = True
graceful_timeout = 3
control_socket_disable = True


def pre_fork(server: Any, worker: Any) -> None:
    """What was loaded before the fork is never garbage: unfrozen, every worker would copy it to look at it."""
    gc.freeze()


def application() -> Flask:
    """The application of the installation that the environment names: `tienlen serve` has set it."""
    return create_app()
