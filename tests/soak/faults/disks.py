"""Disks that fail under a running server: full, read-only, or with an error at every n-th call; and answers that
are sent before what they acknowledge is on the disk."""

import resource
import sqlite3
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from itertools import product
from pathlib import Path
from typing import Annotated, Final

from ledger.store import Store
from ledger.store.systems.sqlite_log import log_size
from tests.processes import wait_for
from tests.servers import Answer
from tests.soak.faults.disk import PAGE, Disk, Image, put
from tests.soak.faults.moves import LINES, audited, missing, nights
from tests.soak.faults.serving import CARELESS, JSON, NEVER_SYNCING, Phone, Server
from tests.soak.faults.tracing import Step, read, within
from tests.soak.faults.writer import DATABASE, LOG, SHARED_MEMORY
from tests.soak.running import Tally, progress, scratch

FULL, UNAVAILABLE, UNKNOWN = "full", "unavailable", "outcome-unknown"
"""Codes of problems: a full disk; any other failure; one after a commit had begun, so that the entry may stand."""

_RECORDED: Final = b"HTTP/1.1 201 "
_TRIES: Final = len(LINES)  # enough for every kind of line

Fault = Callable[[Server, int], AbstractContextManager[None]]  # a context in which every n-th call fails


def calls_fail(calls: str, error: str) -> Fault:
    """Let strace make calls on the database and its log fail as on a broken disk."""

    def fails(server: Server, every: int) -> AbstractContextManager[None]:
        here = (argument for name in (DATABASE, LOG) for argument in ("-P", str(server.folder / name)))
        inject = f"inject={calls}:error={error}:when={every}+{every}"
        return server.watched(Path("/dev/null"), *here, "-e", f"trace={calls}", "-e", inject)

    return fails


@contextmanager
def no_file_grows(server: Server, every: int) -> Iterator[None]:
    """Limit the size of the server's files to `every` pages."""
    size = PAGE * every
    before = resource.prlimit(server.working, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        resource.prlimit(server.working, resource.RLIMIT_FSIZE, before)


@contextmanager
def no_file_may_be_written(server: Server, every: int) -> Iterator[None]:
    """Make the database's files and folder read-only for the server's user, and replace its process: what is open
    stays writable."""
    paths = [*(server.folder / name for name in (DATABASE, LOG, SHARED_MEMORY)), server.folder]
    before = {path: stat.S_IMODE(path.stat().st_mode) for path in paths if path.exists()}
    try:
        for path, mode in before.items():
            path.chmod(mode & 0o555)
        server.replace_worker()
        yield
    finally:
        for path, mode in before.items():
            path.chmod(mode)


FAULTS: Final[dict[str, tuple[Fault, str]]] = {
    "an I/O error where it writes": (calls_fail("pwrite64", "EIO"), UNAVAILABLE),
    "an I/O error where it reads": (calls_fail("pread64", "EIO"), UNAVAILABLE),
    "an I/O error where it syncs": (calls_fail("fdatasync,fsync", "EIO"), UNAVAILABLE),
    "an I/O error where it cuts its log off": (calls_fail("ftruncate", "EIO"), UNAVAILABLE),
    "an I/O error anywhere": (calls_fail("openat,pread64,pwrite64,fdatasync,ftruncate", "EIO"), UNAVAILABLE),
    "a full disk": (calls_fail("pwrite64", "ENOSPC"), FULL),
    "a disk that is read-only": (calls_fail("openat,pwrite64,ftruncate", "EROFS"), UNAVAILABLE),
    "a file that may not grow": (no_file_grows, UNAVAILABLE),
    "files that may not be written": (no_file_may_be_written, UNAVAILABLE),
}
"""Name of a fault -> the fault, and the code of the problem that a server must answer."""


class Trial:
    """One server and one night, under temporary faults."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._nights = nights()
        self.phone = Phone.opening(server, next(self._nights))
        self._unknown = False  # whether the outcome of the phone's next entry is unknown

    def under(self, name: str, every: int) -> Tally:
        """Record while every n-th call fails, and once more afterwards; every answer must be clear."""
        tally, (fault, code) = Tally(), FAULTS[name]
        with fault(self.server, every):
            for _ in range(_TRIES):
                self._look(self._record(tally), code, tally)
            self._look(self.phone.read(), code, tally)
            page = Phone(self.server, next(self._nights))
            self._look(page.open_page(), code, tally)
        for answer in (self._record(tally), self.server.ask("GET", "/healthz"), page.open_page()):
            if answer.status >= 400:
                tally.wrong.append(f"it does not recover: {answer}")
        tally.wrong += self.phone.wrong
        self.phone.wrong.clear()
        return tally

    def over(self) -> list[str]:
        """Everything that is missing or wrong in the database after the faults."""
        with closing(Store.open(self.server.database)) as store:
            lost = missing(store, self.phone.night, self.phone.opened, self.phone.acknowledged)
        return [*lost, *audited(self.server.database)]

    def _record(self, tally: Tally) -> Answer:
        """Send the phone's next entry. If it stands already, its outcome must have been called unknown."""
        answer = self.phone.record()
        if answer.status == 200 and not self._unknown:
            tally.wrong.append(f"it stands, and was said not to: {answer}")
        self._unknown = answer.status == 503 and (self._unknown or answer.data["code"] == UNKNOWN)
        return answer

    def _look(self, answer: Answer, code: str, tally: Tally) -> None:
        """Check that an answer is a success, or a 503 with the right code and a Retry-After."""
        tally[f"answered {answer.status}"] += 1
        if answer.status < 400:
            return
        kind = answer.headers.get("Content-Type", "")
        if answer.status != 503 or not answer.headers.get("Retry-After", "").isdigit():
            tally.wrong.append(f"no clear answer: {answer}")
        elif kind.startswith(JSON) and answer.data["code"] not in (code, code == UNAVAILABLE and UNKNOWN):
            tally.wrong.append(f"called {answer.data['code']}, not {code}")
        elif not kind.startswith((JSON, "text/html")):
            tally.wrong.append(f"neither data nor a page: {answer}")


def soak(*, every: Annotated[int, "from every call to every n-th"] = 12, defect: bool = False) -> Tally:
    """Let every n-th call to the disk under a running server fail; with the defect, it acknowledges regardless."""
    found, runs = Tally(), list(product(FAULTS, range(1, every + 1)))
    with scratch() as folder, Server(folder, plant=CARELESS if defect else "") as server:
        trial = Trial(server)
        for fault, number in progress(runs, len(runs), "runs"):
            tally = trial.under(fault, number)
            found.update(tally)
            found.wrong += [f"{fault} at every {number}th call: {wrong}" for wrong in tally.wrong]
        found.wrong += trial.over()
    return found


def watched(server: Server, phone: Phone, *, moves: int) -> Tally:
    """Record while strace looks on, and compare every answer with what had been synced before it was sent."""
    trace, first = server.folder / "trace", len(phone.acknowledged) + 1
    wait_for(
        lambda: not log_size(server.folder / DATABASE)
    )  # until then, the files may change as they are read
    before = {name: (server.folder / name).read_bytes() for name in (DATABASE, LOG)}
    with server.watched(trace):
        for _ in progress(range(moves), moves, "moves"):
            assert phone.record().status == 201
    assert phone.wrong == []
    return judged(before, within(server.folder, read(trace), before), phone.night, first)


def judged(before: Image, steps: Iterable[Step], night: str, first: int) -> Tally:
    """Recover, at every answer, what is kept if nothing is that was not synced; the entry must be there. They are
    counted from `first`."""
    tally, disk = Tally(), Disk(before)
    with scratch(in_memory=True) as folder:
        for step in steps:
            if step.kind != "say":
                disk.take(step)
            elif step.data.startswith(_RECORDED):
                put(disk.synced(), folder)
                kept = _newest(folder / DATABASE, night)
                if kept < first + tally["answers"]:
                    tally.wrong.append(
                        f"answer {tally['answers']}: synced before it is no more than entry {kept}"
                    )
                tally["answers"] += 1
    return tally


def _newest(database: Path, night: str) -> int:
    """The newest entry of a night; -1 if the database cannot be read."""
    try:
        with closing(sqlite3.connect(database)) as connection:
            asked = "SELECT max(seq) FROM event WHERE night = ?"
            (newest,) = connection.execute(asked, (night,)).fetchone()
    except sqlite3.DatabaseError:
        return -1
    return newest or 0


def soak_answers(*, moves: int = 200, defect: bool = False) -> Tally:
    """Look when answers are sent, and when data is synced; with the defect, it is never synced."""
    with scratch() as folder, Server(folder, plant=NEVER_SYNCING if defect else "") as server:
        tally = watched(server, Phone.opening(server, next(nights())), moves=moves)
    tally.wrong += [] if tally["answers"] == moves else [f"only {tally['answers']} answers to {moves} moves"]
    return tally
