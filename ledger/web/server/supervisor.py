"""The supervisor of a server: it starts a process for each that ends, and ends them all within a few seconds.

A program of its own, in place of the process that loaded the server and forked the others, which would hold a copy
of every page of memory that they change. So it imports little. `serve.supervise` starts it.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic, sleep

REPLACES_VARIABLE = "TIENLEN_REPLACES"
"""Says to the command that serves, which is run again for one process, which has ended and what it inherits."""
STOPS = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
_STOP_SECONDS = 4.5
"""The time that a process has to end after SIGTERM; then it is killed."""
_REPLACE_SECONDS = 0.2
"""The pause before a process that ended by itself is replaced, so that a crash loop is not a busy one."""
_LOOK_SECONDS = 0.02


def watch_over(working: set[int], inherited: str, command: list[str]) -> None:
    """Keep as many processes at work until this one gets SIGTERM, SIGINT or SIGHUP, which are blocked."""
    signal.signal(signal.SIGCHLD, lambda *_: None)  # `sigwait` may miss SIGCHLD if it has no handler
    waking = {*STOPS, signal.SIGCHLD}
    while True:
        for process in _ended_of(working):
            _log(f"process {process} has ended, and is replaced")
            sleep(_REPLACE_SECONDS)
            replaces = {REPLACES_VARIABLE: f"{process} {inherited}"}
            working.add(os.posix_spawn(command[0], command, os.environ | replaces))
        if signal.sigwait(waking) in STOPS:
            break
    for process in working:
        os.kill(process, signal.SIGTERM)
    patience = monotonic() + _STOP_SECONDS
    while working and monotonic() < patience:
        sleep(_LOOK_SECONDS)
        list(_ended_of(working))
    for process in working:
        _log(f"process {process} does not end, and is killed")
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def _ended_of(working: set[int]) -> Iterator[int]:
    """Remove the processes that have ended from a set, and yield their ids."""
    for process in list(working):
        if os.waitpid(process, os.WNOHANG)[0]:
            working.remove(process)
            yield process


def _log(text: str) -> None:
    """Write a line as `ledger.web.logs` does."""
    import json  # imported late, as it may never be needed
    from datetime import UTC, datetime

    at = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    line = {"timestamp": at, "level": "error", "event": "process", "says": text}
    print(json.dumps(line), file=sys.stderr, flush=True)


def _remove(path: str) -> None:
    from shutil import rmtree  # imported late, as the server has ended

    rmtree(path, ignore_errors=True)
    with suppress(OSError):
        os.unlink(path)  # noqa: PTH108  # pathlib takes as much memory as all of this


if __name__ == "__main__":
    _, held, working, inherited, count, *rest = sys.argv
    leftovers, command = rest[: int(count)], rest[int(count) :]
    os.set_inheritable(int(held), False)  # when it closes, the processes end: see `serve`
    watch_over(set(map(int, working.split())), inherited, command)
    for path in leftovers:
        _remove(path)
