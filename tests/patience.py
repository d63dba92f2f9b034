"""How long to wait for what may never come, however slow the machine is.

A limit on the clock's seconds decides by what else a machine does. These limits are in seconds that the machine has
given: while the processes of a run want a processor and get it a quarter of the time, a second of the clock is a
quarter of one. Where the system does not count that (in /proc/…/schedstat), they are the clock's.

    python -S tests/patience.py PID

watches over the tests of a process: SIGALRM says that one is to be given up. Standard input has a line for each
test: its limit in seconds, and 0 when it has ended.
"""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

SECONDS: Final = 60.0
"""Seconds without anything that is waited for, after which a wait is given up; on an idle machine, whatever a test
waits for takes three at most."""
_LOOK: Final = 1.0
"""Seconds of the clock between two looks at what the machine has given."""
_LOOK_AT_TESTS: Final = 5.0
"""The same for a test, of which it looks more often if its limit is shorter."""
_NEGLIGIBLE: Final = 0.01
"""Seconds for which processes want a processor between two looks and still count as waiting for something else."""


class Patience:
    """Whether to go on waiting. It ends when the machine has given so many seconds to a process, by default this
    one, and to its descendants, since `happened` has last returned something new."""

    def __init__(
        self, seconds: float = SECONDS, happened: Callable[[], object] | None = None, process: int = 0
    ) -> None:
        self.waited = 0.0
        """The seconds that the machine has given since something has happened."""
        self._seconds, self._happened, self._process = seconds, happened or (lambda: None), process
        self._last, self._looked = self._happened(), time.monotonic()
        self._times: dict[str, tuple[int, int]] = {}

    def ends(self) -> bool:
        """Whether to wait no longer. It may be asked at any rate, and looks once a second."""
        since = time.monotonic() - self._looked
        if since < min(_LOOK, self._seconds):
            return False
        self._looked += since
        before, self._times = self._times, self._wanted()
        ran = waited = 0.0
        for thread, times in self._times.items():
            then = before.get(thread, (0, 0))
            ran += (times[0] - then[0]) / 1e9
            waited += (times[1] - then[1]) / 1e9
        self.waited += since * (ran + _NEGLIGIBLE) / (ran + waited + _NEGLIGIBLE)
        if (happened := self._happened()) != self._last:
            self.waited, self._last = 0.0, happened
        return self.waited >= self._seconds

    def _wanted(self) -> dict[str, tuple[int, int]]:
        """For each thread, the nanoseconds for which it has run, and has waited for a processor."""
        process = self._process or os.getpid()
        found = {}
        for pid in {process, *descendants_of(process)}:
            for thread, text in of_threads(pid, "schedstat"):
                ran, waited, *_ = map(int, text.split())
                found[thread] = ran, waited
        return found


def descendants_of(process: int) -> set[int]:
    """The pids of a process's running children, of theirs, and so on."""
    children = children_of(process)
    return children.union(*map(descendants_of, children))


def children_of(process: int) -> set[int]:
    """The pids of a process's running children; none if it has ended."""
    return {int(child) for _, text in of_threads(process, "children") for child in text.split()}


def of_threads(process: int, name: str) -> Iterator[tuple[str, str]]:
    """Each thread of a process, with the text of its file of this name in /proc; none of those that have ended."""
    threads: list[Path] = []
    with suppress(OSError):  # the process has ended
        threads += Path(f"/proc/{process}/task").glob(f"*/{name}")
    for thread in threads:
        with suppress(OSError):
            if text := thread.read_text():
                yield thread.parent.name, text


class Watch:
    """A process that sends SIGALRM to this one when a test is to be given up."""

    def __init__(self) -> None:
        command = [sys.executable, "-S", __file__, str(os.getpid())]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
        assert process.stdin is not None
        self._limits = process.stdin
        process.returncode = 0  # it is waited for by nobody: it ends after this process

    def limit(self, seconds: float) -> None:
        """Limit the test that begins now; 0 when it has ended."""
        os.write(self._limits.fileno(), f"{seconds}\n".encode())


@cache
def watch() -> Watch:
    """The one of this process, which is started on first use."""
    return Watch()


def main(process: int) -> None:
    """Send SIGALRM to a process whenever the test that runs in it is to be given up, until standard input or the
    process ends."""
    patience, limit = None, 0.0
    while os.getppid() == process:
        if select.select([0], [], [], min(_LOOK_AT_TESTS, limit or _LOOK_AT_TESTS))[0]:
            if not (lines := os.read(0, 65536)):
                return
            patience, limit = None, float(lines.split()[-1])
        elif limit:
            patience = patience or Patience(limit, process=process)
            if patience.ends():
                os.kill(process, signal.SIGALRM)
                patience = None


if __name__ == "__main__":
    main(int(sys.argv[1]))
