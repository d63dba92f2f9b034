"""The ways in which a server is stopped: by a service manager, a terminal, a crash."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from tests.servers import Served

Stop = Callable[[Served], None]


def _signal_every_process(server: Served) -> None:
    for process in (server.process.pid, *server.workers):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGTERM)


def _signal_again_and_again(server: Served) -> None:
    processes = (server.process.pid, *server.workers)
    for _ in range(20):
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGTERM)
        time.sleep(0.01)


def _signal_the_group(number: int) -> Stop:
    return lambda server: os.killpg(server.process.pid, number)


STOPS: Final[dict[str, Stop]] = {
    "SIGTERM to every process": _signal_every_process,  # systemd, by default
    "SIGTERM to the first process": lambda server: server.process.terminate(),  # KillMode=mixed, and Docker
    "SIGTERM again and again": _signal_again_and_again,
    "Ctrl-C": _signal_the_group(signal.SIGINT),
    "a closed terminal": _signal_the_group(signal.SIGHUP),
}
"""The stops after which a server ends by itself."""
