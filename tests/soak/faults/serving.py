"""A real server of one process, to which faults can be applied, and a keeper's phone that talks to it."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from ledger.store import migrate
from tests.processes import wait_for
from tests.recorder.tables import NAMES, SECRET
from tests.servers import Answer, Served
from tests.soak.faults.moves import Place, entry
from tests.soak.faults.tracing import strace
from tests.soak.faults.writer import LOG_BYTES
from tests.web.phones import new_night

_ONE_THREAD: Final = "from ledger.web.server import serve; serve.THREADS, serve.FOR_ANSWERS = 1, 1"
SHORT_LOG: Final = f"from ledger.store.systems import sqlite; sqlite.LOG_BYTES = {LOG_BYTES}"
"""The log is emptied often."""
NEVER_SYNCING: Final = (
    "from ledger.store.systems import sqlite_connections as s; s.SETTINGS['synchronous'] = 0"
)
CARELESS: Final = """
from contextlib import contextmanager, suppress
from ledger.store import Store, StoreUnavailable

@contextmanager
def careless(store, night, usual=Store.writing, **how):
    with suppress(StoreUnavailable), usual(store, night, **how) as writer:
        yield writer

Store.writing = careless
"""
"""Defects to plant in a server: it never syncs; it acknowledges what could not be committed."""

JSON: Final = "application/problem+json"


class Server(Served):
    """A server with one process and one thread that answers, so that its calls can be counted. File permissions
    bind it even if it runs as root."""

    def __init__(self, folder: Path, *, plant: str = "") -> None:
        humble = [] if os.geteuid() else ["setpriv", "--bounding-set", "-dac_override"]
        super().__init__(
            folder.resolve(), workers=1, plant=f"{plant}\n{SHORT_LOG}\n{_ONE_THREAD}", under=humble
        )

    def start(self) -> None:
        migrate(self.database)
        super().start()

    @property
    def working(self) -> int:
        """The pid of the process that answers."""
        (worker,) = self.workers
        return worker

    def replace_worker(self) -> None:
        """Kill the process that answers, and wait for its successor."""
        killed = self.working
        os.kill(killed, signal.SIGKILL)
        wait_for(lambda: self.workers - {killed}, "the next process")

    @contextmanager
    def watched(self, trace: Path, *more: str) -> Iterator[None]:
        """A context in which strace traces the server, or makes its calls fail."""
        command = strace(trace, *more, "-p", str(self.working))
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as tracer:
            try:
                threads = Path(f"/proc/{self.working}/task")
                while not all(map(_is_traced, threads.iterdir())):
                    if tracer.poll() is not None:
                        raise CannotWatch(tracer.communicate()[1].strip())
                    time.sleep(0.005)
                yield
            finally:
                tracer.send_signal(signal.SIGINT)
                tracer.wait()


def _is_traced(thread: Path) -> bool:
    """Whether a thread is traced; one that has just ended counts as traced."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return "TracerPid:\t0\n" not in (thread / "status").read_text()
    return True


class CannotWatch(Exception):
    """This machine does not allow tracing a running process."""


@dataclass
class Phone:
    """A keeper's phone: it sends the next entry of the endless night, with the same id until it is answered.
    `wrong` has a line for each entry that was acknowledged at a wrong seq; callers must check it."""

    server: Served
    night: str
    token: str = ""
    opened: Place = field(default_factory=lambda: Place(0, ""))
    acknowledged: list[Place] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @classmethod
    def opening(cls, server: Served, night: str) -> "Phone":
        body = new_night(id=night, players=NAMES[:2])
        answer = cls(server, night).post("/api/v1/nights", body)
        assert answer.status == 201, answer
        return cls(server, night, answer.data["tokens"]["keeper"], Place(0, answer.data["hash"]))

    def record(self) -> Answer:
        """Send the next entry, and note whether it is acknowledged at the right seq."""
        number = len(self.acknowledged) + 1
        asked = entry(self.night, number)
        body = {"id": asked.id, "kind": asked.kind, **asked.content}
        body |= {"after": asked.after} if asked.after else {}
        answer = self.post(f"/api/v1/nights/{self.night}/events", body)
        if answer.status in (200, 201):
            if answer.data["seq"] == number:
                self.acknowledged.append(Place(number, answer.data["hash"]))
            else:
                self.wrong.append(f"entry {number} is recorded as {answer.data['seq']}")
        return answer

    def post(self, path: str, body: dict[str, Any]) -> Answer:
        """Send JSON, again after a pause while the answer is 429."""
        while (answer := self.server.send(path, body, self.token)).status == 429:
            time.sleep(int(answer.headers["Retry-After"]))
        return answer

    def read(self) -> Answer:
        """Request the board."""
        return self.server.get(f"/api/v1/nights/{self.night}", self.token)

    def open_page(self) -> Answer:
        """Open this phone's night through the form, as a browser does."""
        fields = new_night(id=self.night, secret=SECRET.hex(), players=NAMES[:2])
        headers = {"Content_Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
        return self.server.ask("POST", "/", urlencode(fields, doseq=True).encode(), **headers)
