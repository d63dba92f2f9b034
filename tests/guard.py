"""The guard of the processes that a run of tests starts: it outlives the run, and ends what the run left behind.

Its standard input is a pipe from the run and from what it starts, with the lines `starts PID`, `ended PID`,
`left FOLDER` and `removed FOLDER`. When the pipe ends or the run is gone, it ends the sessions and deletes the
folders that are left.
"""

import os
import select
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import suppress

GRACE = 2.0
"""Seconds to end after SIGINT. PostgreSQL leaves shared memory behind if it is killed at once."""


def main() -> None:
    sessions, folders = set[str](), set[str]()
    tells = {
        b"starts": sessions.add,
        b"ended": sessions.discard,
        b"left": folders.add,
        b"removed": folders.discard,
    }
    for line in lines_of_run():
        does, _, what = line.partition(b" ")
        tells[does](what.decode())
    is_left(sessions, signal.SIGINT)
    until = time.monotonic() + GRACE
    while is_left(sessions, 0) and time.monotonic() < until:
        time.sleep(0.02)
    is_left(sessions, signal.SIGKILL)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def lines_of_run() -> Iterator[bytes]:
    """The lines of the pipe, until it ends, or is silent and the run is gone: a fork of it may hold the pipe."""
    run, unread = os.getppid(), b""
    while True:
        if not select.select([0], [], [], 0.5)[0]:
            if os.getppid() == run:
                continue
            return
        if not (chunk := os.read(0, 65536)):
            return
        *lines, unread = (unread + chunk).split(b"\n")
        yield from lines


def is_left(sessions: set[str], number: int) -> bool:
    """Send a signal to every session; returns whether there was one."""
    left = False
    for session in sessions:
        with suppress(ProcessLookupError):
            os.killpg(int(session), number)
            left = True
    return left


if __name__ == "__main__":
    main()
