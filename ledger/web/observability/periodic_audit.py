"""Periodic audits while a server runs, each in a subprocess of its own, so that no request waits.

One worker process runs them, the one with the lock; if it ends, another one takes over.
"""

import fcntl
import os
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from subprocess import DEVNULL, Popen
from tempfile import mkstemp
from threading import Thread
from time import monotonic, sleep
from typing import Final

from flask import Flask

from ledger.web.logs import LOG

_AUDIT: Final = (sys.executable, "-c", "from ledger.cli import main; main()", "audit", "--processes=1")
_FIRST_SECONDS: Final = 60.0
"""The delay of the first audit after a server's start."""
_LOOK_SECONDS: Final = 0.5
_EXTENSION: Final = "tienlen-auditor"


class Auditor:
    """Audits the environment's installation every so many seconds, and reports whether there was a difference.

    It must be created before the fork, so that all processes of a server share its lock.
    """

    def __init__(self, every: float, report: Callable[[bool], None]) -> None:
        self._every = every
        self._report = report
        self._lock, path = mkstemp(prefix="tienlen-")
        Path(path).unlink()
        weakref.finalize(self, os.close, self._lock)

    def start(self, alive: Callable[[], bool]) -> Thread:
        """Start a thread that audits while `alive` returns true and this process has the lock."""
        thread = Thread(target=self._run, args=(alive,), name="auditor", daemon=True)
        thread.start()
        return thread

    def _run(self, alive: Callable[[], bool]) -> None:
        due = monotonic() + min(self._every, _FIRST_SECONDS)
        while alive():
            sleep(min(_LOOK_SECONDS, self._every))
            if monotonic() >= due and self._is_first():
                self._audit(alive)
                due = monotonic() + self._every

    def _is_first(self) -> bool:
        """Whether this process has the lock, or can take it; the kernel releases it when a process ends."""
        try:
            fcntl.lockf(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _audit(self, alive: Callable[[], bool]) -> None:
        with Popen(_AUDIT, stdout=DEVNULL, stderr=DEVNULL) as process:
            while process.poll() is None:
                if not alive():
                    process.terminate()
                sleep(min(_LOOK_SECONDS, self._every))
        match process.returncode:
            case 0:
                self._report(False)
                LOG.info("audit", extra={"says": "everything is as it was written"})
            case 1:
                self._report(True)
                LOG.error("audit", extra={"says": "there is a difference: tienlen audit tells where"})
            case _ if alive():
                LOG.error("audit", extra={"says": "it could not be done: tienlen audit tells why"})


def set_auditor(app: Flask, hours: float, report: Callable[[bool], None] | None) -> None:
    """Let an app be audited every so many hours, once `start_auditor` is called."""
    app.extensions[_EXTENSION] = Auditor(hours * 3600, report or (lambda different: None))


def start_auditor(app: Flask, alive: Callable[[], bool]) -> Thread | None:
    """Start audits in this process if the app has them. The thread, and a running audit, end soon after `alive`
    returns false."""
    auditor = app.extensions.get(_EXTENSION)
    return auditor.start(alive) if isinstance(auditor, Auditor) else None
