"""Serve an application in several waitress processes that share a socket, in an environment that has both.

python -m benchmarks.waitresses MODULE:APPLICATION PORT PROCESSES THREADS
"""

import os
import signal
import socket
import sys
from importlib import import_module
from types import FrameType

from waitress.server import create_server


def main() -> None:
    name, port, processes, threads = sys.argv[1], *map(int, sys.argv[2:])
    module, _, attribute = name.partition(":")
    application = getattr(import_module(module), attribute)
    shared = socket.create_server(("127.0.0.1", port), backlog=1024)
    signal.signal(signal.SIGTERM, _stop)
    others: list[int] = []
    for _ in range(processes - 1):
        other = os.fork()
        if not other:
            others.clear()
            break
        others.append(other)
    try:
        create_server(  # type: ignore[no-untyped-call]
            application, sockets=[shared], threads=threads, connection_limit=2000, asyncore_use_poll=True
        ).run()
    finally:
        for other in others:
            os.kill(other, signal.SIGTERM)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit


if __name__ == "__main__":
    main()
