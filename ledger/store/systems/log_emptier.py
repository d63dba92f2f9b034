"""Emptying a log soon after what is written to it."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Thread, current_thread
from typing import Final

SECONDS: float = 1.0
"""How long what was committed may be in the log alone."""
_LONG: Final = 5.0
"""Seconds that a close waits for the thread, which may wait in line for the database's lock."""


class LogEmptier:
    """Calls a function a second after a commit, in a thread of its own, and then each second until it returns true.

    The first commit starts the thread. Made after the fork, as the store is.
    """

    def __init__(self, empty: Callable[[], bool]) -> None:
        self._empty = empty
        self._commits: SimpleQueue[None] = SimpleQueue()
        self._closed = Event()
        self._thread: Thread | None = None
        self._due = False

    def note_commit(self) -> None:
        """Let the log be emptied a second later at most. Call it in the database's lock."""
        if not self._due:
            self._due = True
            self._commits.put(None)  # no Python code, unlike an event's `set`
            if self._thread is None:
                self._thread = Thread(target=self._run, name="log-emptier", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._closed.set()
        self._commits.put(None)
        if self._thread is not None and self._thread is not current_thread():
            self._thread.join(_LONG)

    def _run(self) -> None:
        while True:
            self._commits.get()
            while not self._closed.wait(SECONDS):
                self._due = False  # a commit from now on is not sure to be among those that are copied
                if self._empty():
                    break
            if self._closed.is_set():
                return
