"""Send mutated requests to every route, in every role: no response is a 5xx, and the log grows only by entries that
the response reports. `scripts/soak mutate` sends many; the tests some.

They go to the application in this process, or as bytes to a real server, where their framing is mutated, too. A
defect can be planted to show that it is found.
"""

import argparse
import logging
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from flask import Flask, request
from werkzeug.exceptions import HTTPException

from ledger.recorder import EventRequest, Link, Role
from ledger.web import live
from ledger.web.access import link_to
from ledger.web.recorder import recorder
from tests.servers import Served
from tests.soak.requests import describing, wire
from tests.soak.requests.mutations import Sent, as_it_is, mutated
from tests.soak.requests.wire import End, Form, Wired, wired
from tests.web.asking import Place
from tests.web.phones import new_id
from tests.web.routes import ROLES, STATUSES, Asked, Route, asked

SEVERAL = ("/paste", "/n/<night:night>/mine", "/n/<night:night>/result")
"""Pages whose form records several entries at once, or a whole new night: all entries or none."""
FRESH = 1000
"""Requests to one night before the next night begins: many requests can succeed only once."""

_LATE = 5
"""A whole POST whose sender left may still be recorded during this many later requests."""
_LATE_IF_CUT = 20
"""A wrong write within this many requests after a cut-off one is attributed to that one."""
_BROKE_OFF = "a request that broke off was recorded"
_MUTATED_TWICE = 0.3
"""The share of requests to a server whose content is mutated as well as its framing."""

_ROLES = [*ROLES, *["keeper"] * 5, *["seat"] * 2]
"""Roles to choose from; those with more rights are chosen more often."""


def _raises(app: Flask) -> None:
    """Parse a query parameter as a number, unchecked."""

    def count() -> None:
        int(request.args.get("after", "0"))

    app.before_request_funcs[None].append(count)


def _writes(app: Flask) -> None:
    """Record an entry when a page is read."""

    def note() -> None:
        night = (request.view_args or {}).get("night")
        if request.method == "GET" and night and request.args:
            rename = EventRequest(new_id(), None, "rename", {"player": "p1", "name": f"An {new_id()}"})
            recorder().record(night, rename, Link(link_to(night).night, Role.KEEPER))

    app.before_request_funcs[None].append(note)


DEFECTS: dict[str, Callable[[Flask], None]] = {
    "raises on some input": _raises,
    "writes on a GET": _writes,
}
_IMPATIENT = """
from waitress.parser import HTTPRequestParser

def received(request, data, usual=HTTPRequestParser.received):
    taken = usual(request, data)
    request.completed = request.completed or request.body_bytes_received > 0
    return taken

HTTPRequestParser.received = received
"""
DEFECTS_SERVED = {"takes what has come of a body": _IMPATIENT}
"""Defects of a server, as Python code that its process begins with."""


class Answers(NamedTuple):
    """A request and its responses: several if its bytes were read as several requests, none if the sender did not
    wait."""

    sent: Sent
    statuses: list[int]
    wired: Wired = Wired(b"", Form.WHOLE)
    hung: bool = False

    @property
    def form(self) -> Form:
        return self.wired.form

    @property
    def end(self) -> End:
        return self.wired.end


Asking = Callable[[random.Random, Sent], Answers]


@dataclass(frozen=True, slots=True)
class Finding:
    """A request with a wrong response, and what was wrong."""

    what: str
    answers: Answers

    def __str__(self) -> str:
        return f"{self.what}: {self.answers!r:.1500}"


@dataclass(slots=True)
class Tally:
    """Counts of requests and responses, and the findings."""

    requests: int = 0
    recorded: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    routes: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    logged: list[str] = field(default_factory=list)
    """Errors in the server's log."""


class Mutator:
    """Sends mutated requests to one installation."""

    def __init__(self, place: Place, asking: Asking, routes: Iterable[Route], seed: int) -> None:
        self.place = place
        self._asking = asking
        self.tally = Tally()
        self._chance = random.Random(seed)
        self._routes = list(routes)
        self._night = place.night
        self._good: dict[tuple[Route, str], Asked] = {}
        self._entries = place.entries()
        self._version = place.written()
        self._left_whole = -_LATE
        """The number of the last complete POST whose sender left."""
        self._left_several = -_LATE
        """The number of the last such POST that may record several entries."""
        self._left_cut = -_LATE_IF_CUT
        """The number of the last POST that was cut off."""

    def requests(self) -> Iterator[None]:
        """Send one request per step, without end."""
        while True:
            if self.tally.requests % FRESH == 0:
                self._begin()
            self._ask()
            yield

    def _begin(self) -> None:
        self._night = self.place.played()
        self._good.clear()
        self._read_place()

    def _ask(self) -> None:
        route, role = self._chance.choice(self._routes), self._chance.choice(_ROLES)
        token = self._chance.choice(self.place.tokens(self._night, role))
        try:
            one = self._asked(route, token)
        except KeyError:  # the keeper's link was renewed by a request that was still valid
            self._begin()
            return
        sent = as_it_is(one, self._headers(role, token))
        answers = self._asking(self._chance, sent)
        self.tally.requests += 1
        self.tally.statuses.update(answers.statuses)
        self.tally.routes[" ".join(route)] += 1
        for what in self._wrong(answers):
            self.tally.findings.append(Finding(what, answers))

    def _asked(self, route: Route, token: str) -> Asked:
        """A valid request to a route, cached until something is recorded."""
        if (route, token) not in self._good:
            self._good[route, token] = asked(self.place.app, route, self._night, token=token)
        return self._good[route, token]

    def _headers(self, role: str, token: str) -> dict[str, str]:
        """Credentials: a bearer token, or a cookie with the headers of a browser."""
        if not token:
            return {}
        if self._chance.random() < 0.5:
            return {"Authorization": f"Bearer {token}"}
        holder = {"seat": "p1", "other": "p2", "watch": "watch"}.get(role, "keeper")
        cookie = f"tienlen-{self._night.night}-{holder}={token}"
        return {"Cookie": cookie, "Origin": "http://localhost", "Accept": "text/html"}

    def _wrong(self, answers: Answers) -> Iterator[str]:
        statuses = answers.statuses
        if any(status >= 500 for status in statuses):
            yield "a 5xx"
        if answers.hung or (not statuses and answers.form is Form.WHOLE and answers.end is End.LISTENS):
            yield "no answer"
        if answers.sent.method == "POST" and answers.end is not End.LISTENS:
            if answers.form is Form.CUT:
                self._left_cut = self.tally.requests
            else:
                self._left_whole = self.tally.requests
                with suppress(HTTPException):
                    if self._rule(answers.sent) in SEVERAL:
                        self._left_several = self.tally.requests
        before, version = self._entries, self._version
        self._read_place()
        if self._version == version:
            return
        self._good.clear()
        grown = self._entries - before
        self.tally.recorded += grown
        wrong = list(self._wrongly_written(answers, grown))
        now = self.tally.requests
        late = self._left_whole > self._left_cut and now - self._left_whole < _LATE
        if answers.sent.method != "POST" and late:
            return  # written by the whole request whose sender did not wait
        yield from [_BROKE_OFF] if wrong and now - self._left_cut < _LATE_IF_CUT else wrong

    def _wrongly_written(self, answers: Answers, grown: int) -> Iterator[str]:
        """Errors of a request after which something was written."""
        if answers.form is Form.CUT:
            yield _BROKE_OFF
        elif answers.sent.method != "POST":
            yield "something was written without a POST"
        else:
            yield from self._wrongly_recorded(answers, grown)

    def _wrongly_recorded(self, answers: Answers, grown: int) -> Iterator[str]:
        """Errors in the response to a POST that recorded something."""
        statuses, rule = answers.statuses, self._rule(answers.sent)
        if answers.end is not End.LISTENS:
            late = self.tally.requests - self._left_several < _LATE
            if grown > 1 and rule not in SEVERAL and not late:
                yield f"{grown} entries by one request"
        elif rule.startswith("/api/"):
            if statuses.count(201) != grown:
                yield f"{grown} entries by a call"
        elif 303 not in statuses:
            yield f"{grown} entries by a form that says nothing of them"

    def _read_place(self) -> None:
        self._version = self.place.written()
        self._entries = self.place.entries()

    def _rule(self, sent: Sent) -> str:
        """The rule of the address that a POST was sent to; empty if no page or call has it."""
        adapter = self.place.app.url_map.bind("localhost")
        path = unquote_to_bytes(sent.path).decode(errors="replace")
        try:
            rule, _ = adapter.match(path, "POST", return_rule=True)
        except HTTPException:
            return ""
        return rule.rule


def inside(app: Flask) -> Asking:
    """Call the application in this process: a test client would refuse to send most mutated requests."""

    def ask(chance: random.Random, sent: Sent) -> Answers:
        sent = mutated(chance, sent)
        statuses: list[str] = []

        def start(status: str, *_: object) -> Callable[[bytes], object]:
            statuses.append(status)
            return lambda _: None

        answer = app(_environ(sent), start)
        try:
            for _ in answer:
                pass
        finally:
            getattr(answer, "close", lambda: None)()
        return Answers(sent, [int(statuses[0].split()[0])])

    return ask


def on_the_wire(port: int) -> Asking:
    """Send requests as bytes to a server on this port."""

    def ask(chance: random.Random, sent: Sent) -> Answers:
        if chance.random() < _MUTATED_TWICE:
            sent = mutated(chance, sent)
        one = wired(chance, sent)
        try:
            statuses = wire.asked(port, one)
            if one.form is Form.BROKEN and not statuses:
                one = one._replace(end=End.LEAVES)  # it may have been valid, and the sender did not wait
            return Answers(sent, statuses, one)
        except TimeoutError:
            return Answers(sent, [], one, hung=True)

    return ask


def _environ(sent: Sent) -> dict[str, Any]:
    """The WSGI environment of the request."""
    fields = {name.upper().replace("-", "_"): value for name, value in sent.headers.items()}
    headers = {
        name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}": value
        for name, value in fields.items()
    }
    return {
        "REQUEST_METHOD": sent.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(sent.path).decode("latin-1"),
        "RAW_URI": sent.path.decode("latin-1"),
        "QUERY_STRING": sent.query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "localhost",
        "CONTENT_LENGTH": str(len(sent.body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(sent.body),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        **headers,
    }


def mutate(
    place: Place,
    *,
    requests: int,
    seed: int,
    patience: int = 1,
    asking: Asking | None = None,
    routes: Iterable[Route] = STATUSES,
) -> Tally:
    """Send so many requests; stop early at `patience` findings or an interrupt."""
    mutator = Mutator(place, asking or inside(place.app), routes, seed)
    with suppress(KeyboardInterrupt):
        for _ in zip(range(requests), mutator.requests(), strict=False):
            if len(mutator.tally.findings) >= patience:
                break
    return mutator.tally


def mutate_served(folder: Path, *, defect: str = "", **chosen: Any) -> Tally:
    """The same against a server with a database in a folder; its log is searched for errors at the end."""
    environment = {"TIENLEN_KEY": bytes(32).hex(), "TIENLEN_PROXIES": "1"}
    with Served(folder, environment=environment, plant=DEFECTS_SERVED.get(defect, "")) as served:
        place = Place(served.database)
        try:
            tally = mutate(place, asking=on_the_wire(served.port), **chosen)
        finally:
            place.close()
    lines = served.log.read_text().splitlines()
    tally.logged += [line for line in lines if '"level": "error"' in line]
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/soak mutate", description="Send mutated requests to every route."
    )
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--served", action="store_true", help="as bytes to a server, with broken lines and lengths"
    )
    parser.add_argument(
        "--openapi", type=int, metavar="N", help="N examples of each call instead, made from the OpenAPI text"
    )
    defects = [*DEFECTS, *DEFECTS_SERVED]
    parser.add_argument("--defect", choices=defects, default="", help="plant it, and see it found")
    chosen = parser.parse_args()
    if (chosen.defect in DEFECTS_SERVED) > chosen.served:
        parser.error("this defect needs --served")
    logging.disable(logging.CRITICAL)
    if chosen.openapi:
        return describing.report(chosen.openapi)
    live.LIFE_SECONDS = 0.001
    asked_for: Any = {"requests": chosen.requests, "seed": chosen.seed, "patience": 20}
    with tempfile.TemporaryDirectory() as folder:
        if chosen.served:
            tally = mutate_served(Path(folder), **asked_for, defect=chosen.defect)
        else:
            place = Place(f"sqlite:///{folder}/ledger.db")
            if chosen.defect:
                DEFECTS[chosen.defect](place.app)
            tally = mutate(place, **asked_for)
            place.close()
    _tell(tally)
    return bool(tally.findings or tally.logged)


def _tell(tally: Tally) -> None:
    print(
        f"{tally.requests:,} requests to {len(tally.routes)} routes; {tally.recorded:,} entries were recorded"
    )
    for status, count in sorted(tally.statuses.items()):
        print(f"  {status}  {count:8,}")
    print(f"{len(tally.findings) + len(tally.logged)} findings")
    for finding in [*tally.findings, *tally.logged]:
        print(f"  {finding}")
