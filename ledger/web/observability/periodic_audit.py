"""An audit now and then, while a server serves: in one process of its own that waits for others, so no table does.

One process of a server sees to it; if it ends, another one does.
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

from ledger.web.observability.logs import LOG

_AUDIT: Final = (sys.executable, "-c", "from ledger.cli import main; main()", "audit")
_FIRST_SECONDS: Final = 60.0
"""When a server has been up for so long, it is audited for the first time."""
_LOOK_SECONDS: Final = 0.5
_EXTENSION: Final = "tienlen-auditor"


class Auditor:
    """Made before the fork: its lock is one for all processes of a server.

    It audits the installation that the environment names, every so many seconds, and tells whether there was a
    difference.
    """

    def __init__(self, every: float, report: Callable[[bool], None]) -> None:
        self._every = every
        self._report = report
        self._lock, path = mkstemp(prefix="tienlen-")
        Path(path).unlink()
        weakref.finalize(self, os.close, self._lock)

    def start(self, alive: Callable[[], bool]) -> Thread:
        """Audit from now on in this process, for as long as it is alive, unless another one does."""
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
        """Whether it is this process that audits: the one that has the lock, which the kernel takes from it when it
        ends."""
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
    """Let an app be audited every so many hours, once its server says that it serves."""
    app.extensions[_EXTENSION] = Auditor(hours * 3600, report or (lambda different: None))


def start_auditor(app: Flask, alive: Callable[[], bool]) -> Thread | None:
    """Begin in this process, if the app is one that is audited. The thread ends, and an audit with it, soon after
    the process is no longer alive."""
    auditor = app.extensions.get(_EXTENSION)
    return auditor.start(alive) if isinstance(auditor, Auditor) else None
