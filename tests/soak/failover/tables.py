"""Tables whose phones record over HTTP, and repeat what was not answered as the page's queue does; and whether all
that was acknowledged is there afterwards."""

import http.client
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from threading import Event
from typing import Final

from ledger.recorder import EventRequest
from ledger.store import Store
from tests.patience import Patience
from tests.recorder.tables import CLASSIC, NAMES, SECRET
from tests.servers import JSON, Answer, Data
from tests.soak.faults.moves import Place, audited, entry, missing
from tests.soak.running import Tally, in_threads
from tests.web.phones import NIGHTS

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 15.0
"""Seconds that the page's queue waits before it repeats, at first and at most."""
_GIVES_UP: Final = 2 * LONGEST_PAUSE
"""Seconds that the machine gives (`tests/patience.py`) until a table that is to stop gives up a request."""
_PATIENCE: Final = 10.0
"""Seconds until the page gives up a request."""


@dataclass(frozen=True, slots=True)
class Server:
    """Where phones reach a server."""

    address: str
    port: int


class Table:
    """A table that records a night, entry by entry, until it is to stop. If a server does not answer, or cannot
    record, its phone turns to the next one, as a proxy with several upstreams does."""

    def __init__(
        self, night: str, servers: Sequence[Server], stop: Event, *, thinking: float = 1.0, moves: int = 0
    ) -> None:
        """`thinking` are the seconds between two moves; after so many `moves`, it stops by itself."""
        self.night, self._servers, self._stop = night, list(servers), stop
        self._thinking, self._moves = thinking, moves
        self.begun: Place | None = None
        self.token = ""
        """The keeper's, once the night is open."""
        self.acknowledged: list[Place] = []
        self.repeated = Counter[str]()
        """Why a request was sent again: the status and code of its answer, or what happened instead."""
        self.wrong: list[str] = []
        self.began: float | None = None
        """When the entry that waits was sent for the first time; None if none waits."""
        self.waits: list[tuple[float, float]] = []
        """When each entry was sent for the first time, and how many seconds later it was acknowledged."""

    def play(self) -> None:
        try:
            opened = self._insist(NIGHTS, self._opening(), "")
            if opened is None:
                return
            self.token, self.begun = opened["tokens"]["keeper"], Place(0, opened["hash"])
            while len(self.acknowledged) != (self._moves or None) and not self._stop.wait(self._thinking):
                number = len(self.acknowledged) + 1
                recorded = self._insist(
                    f"{NIGHTS}/{self.night}/events", _data(entry(self.night, number)), self.token
                )
                if recorded is None:
                    return
                if recorded["seq"] != number:
                    self.wrong.append(f"entry {number} of {self.night} is recorded as {recorded['seq']}")
                self.acknowledged.append(Place(recorded["seq"], recorded["hash"]))
        except Exception as error:
            self.wrong.append(f"the table of {self.night}: {error!r}")

    def _opening(self) -> Data:
        return {"id": self.night, "secret": SECRET.hex(), "ruleset": CLASSIC, "players": list(NAMES[:2])}

    def _insist(self, path: str, data: Data, token: str) -> Data | None:
        """Send a request until it is answered. None if it is refused, which is wrong."""
        pause, self.began, patience = FIRST_PAUSE, time.monotonic(), Patience(_GIVES_UP)
        while True:
            answer, asked = self._send(path, data, token), 0.0
            if isinstance(answer, Answer):
                if answer.status < 500 and answer.status != 429:
                    break
                asked = float(answer.headers.get("Retry-After", 0))
            self.repeated[_why(answer)] += 1
            if patience.ends() and self._stop.is_set():
                self.wrong.append(f"{self.night}: still refused at the end: {_why(answer)}")
                return None
            time.sleep(max(asked, pause))
            pause = min(2 * pause, LONGEST_PAUSE)
            self._servers.append(self._servers.pop(0))
        self.waits.append((self.began, time.monotonic() - self.began))
        self.began = None
        if answer.status in (200, 201):
            return answer.data
        place = f"{self.night} at {len(self.acknowledged) + 1}"
        self.wrong.append(f"refused in {place}: {answer.status} {answer.body[:300]!r}")
        return None

    def _send(self, path: str, data: Data, token: str) -> Answer | Exception:
        server = self._servers[0]
        headers = {"Content-Type": JSON} | ({"Authorization": f"Bearer {token}"} if token else {})
        with closing(
            http.client.HTTPConnection(server.address, server.port, timeout=_PATIENCE)
        ) as connection:
            try:
                connection.request("POST", path, json.dumps(data), headers)
                response = connection.getresponse()
                return Answer(response.status, dict(response.getheaders()), response.read())
            except (OSError, http.client.HTTPException) as error:
                return error


@contextmanager
def playing(
    nights: Iterable[str],
    servers: Sequence[Server],
    *,
    thinking: float = 1.0,
    begin: Callable[[], object] = lambda: None,
) -> Iterator[list[Table]]:
    """Tables of these nights that record during the block, half of them at each of two servers; each thread calls
    `begin` first."""
    stop = Event()
    tables = [
        Table(night, servers[::-1] if number % 2 else servers, stop, thinking=thinking)
        for number, night in enumerate(nights)
    ]
    with in_threads([table.play for table in tables], stop, begin):
        yield tables


def refusals(tables: Sequence[Table]) -> Counter[str]:
    """Why requests were sent again, and how often."""
    return sum((table.repeated for table in tables), Counter[str]())


def compare(url: str, tables: Sequence[Table], tally: Tally) -> None:
    """Add the tables' counts and faults; what is lost, or was not acknowledged, in the database; and its audit."""
    with closing(Store.open(url)) as store:
        for table in tables:
            tally["moves acknowledged"] += len(table.acknowledged)
            tally.wrong += table.wrong
            if table.begun is not None:
                tally.wrong += missing(store, table.night, table.begun, table.acknowledged)
                with store.reading() as reader:
                    head = reader.head(table.night)
                if Place.of(head) != (table.acknowledged or [table.begun])[-1] and not table.wrong:
                    tally.wrong.append(f"{table.night}: its head is {head}, not {table.acknowledged[-1:]}")
    for why, count in refusals(tables).items():
        tally[f"sent again: {why}"] = count
    tally.wrong += audited(url)


def _why(answer: Answer | Exception) -> str:
    if isinstance(answer, Exception):
        return type(answer).__name__
    found = re.search(rb'"code": *"([^"]+)"', answer.body)
    return f"{answer.status} {found[1].decode() if found else ''}".strip()


def _data(request: EventRequest) -> Data:
    after = {"after": request.after} if request.after is not None else {}
    return {"id": request.id, **after, "kind": request.kind, **request.content}
