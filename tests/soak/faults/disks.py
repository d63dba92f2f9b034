"""Disks that fail under a running server: full, read-only, or with an error at every n-th call."""

import resource
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final

from ledger.store import Store
from tests.servers import Answer
from tests.soak.faults.disk import PAGE
from tests.soak.faults.moves import LINES, audited, missing, nights
from tests.soak.faults.serving import CARELESS, JSON, Phone, Server
from tests.soak.faults.writer import DATABASE, JOURNAL
from tests.soak.running import Progress, Result, on_disk, row

FULL, UNAVAILABLE, UNKNOWN = "full", "unavailable", "outcome-unknown"
"""Codes of problems: a full disk; any other failure; and a failure after a commit had begun, so that the entry may
stand."""

_TRIES: Final = len(LINES)
"""Enough for every kind of line: a move clears the header of the journal, a rename truncates it."""

Fault = Callable[[Server, int], AbstractContextManager[None]]
"""A context in which every n-th call of a server fails."""


@dataclass(slots=True)
class Tally:
    """The number of answers by status, and a line for each fault found."""

    answers: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def calls_fail(calls: str, error: str) -> Fault:
    """Let strace make calls on the database and its journal fail as on a broken disk."""

    def fails(server: Server, every: int) -> AbstractContextManager[None]:
        here = (argument for name in (DATABASE, JOURNAL) for argument in ("-P", str(server.folder / name)))
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
    """Make database, journal and folder read-only for the server's user."""
    paths = [server.folder / DATABASE, server.folder / JOURNAL, server.folder]
    before = {path: stat.S_IMODE(path.stat().st_mode) for path in paths if path.exists()}
    try:
        for path, mode in before.items():
            path.chmod(mode & 0o555)
        yield
    finally:
        for path, mode in before.items():
            path.chmod(mode)


FAULTS: Final[dict[str, tuple[Fault, str]]] = {
    "an I/O error where it writes": (calls_fail("pwrite64", "EIO"), UNAVAILABLE),
    "an I/O error where it reads": (calls_fail("pread64", "EIO"), UNAVAILABLE),
    "an I/O error where it syncs": (calls_fail("fdatasync,fsync", "EIO"), UNAVAILABLE),
    "an I/O error where it cuts its journal off": (calls_fail("ftruncate", "EIO"), UNAVAILABLE),
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
        self._unknown = False
        """Whether the outcome of the phone's next entry is unknown."""

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
        tally.answers[answer.status] += 1
        if answer.status < 400:
            return
        kind = answer.headers.get("Content-Type", "")
        if answer.status != 503 or not answer.headers.get("Retry-After", "").isdigit():
            tally.wrong.append(f"no clear answer: {answer}")
        elif kind.startswith(JSON) and answer.data["code"] not in (code, code == UNAVAILABLE and UNKNOWN):
            tally.wrong.append(f"called {answer.data['code']}, not {code}")
        elif not kind.startswith((JSON, "text/html")):
            tally.wrong.append(f"neither data nor a page: {answer}")


def soak(
    *,
    every: Annotated[int, "from every call to every n-th"] = 12,
    defect: Annotated[bool, "acknowledge regardless, and see it found"] = False,
) -> Result:
    """Let every 1st, 2nd, 3rd … call to the disk under a running server fail."""
    wrong, answers, say = list[str](), Counter[int](), Progress(len(FAULTS) * every, "runs")
    row(f"at every n-th call, n = 1 to {every}", "recorded", "503", "wrong")
    with on_disk() as folder, Server(folder, plant=CARELESS if defect else "") as server:
        trial = Trial(server)
        for place, name in enumerate(FAULTS):
            found = Tally()
            for number in range(1, every + 1):
                say(place * every + number - 1)
                tally = trial.under(name, number)
                found.answers += tally.answers
                found.wrong += tally.wrong
            row(name, found.answers.total() - found.answers[503], found.answers[503], len(found.wrong))
            answers += found.answers
            wrong += found.wrong
        wrong += trial.over()
    return Result(f"{answers.total():,} requests, {answers[503]:,} of them answered 503", wrong)
