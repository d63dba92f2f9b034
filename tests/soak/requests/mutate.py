"""Send mutated requests to every route, in every role: no response is a 5xx, and the log grows only by entries that
the response reports. They go to the application in this process, or as bytes to a real server, their framing
mutated, too."""

import json
import logging
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple
from urllib.parse import unquote_to_bytes

from flask import Flask, request
from werkzeug.exceptions import HTTPException
from werkzeug.test import create_environ, run_wsgi_app

from ledger.recorder import EventRequest, Link, Role
from ledger.web import live
from ledger.web.access import visit_night
from tests.nights import new_id
from tests.patience import Patience
from tests.servers import Served
from tests.soak.requests import describing, wire
from tests.soak.requests.mutations import Sent, as_it_is, mutated
from tests.soak.requests.wire import Wired, wired
from tests.soak.running import Progress, Tally, scratch
from tests.web.asking import Place
from tests.web.routes import ROLES, STATUSES, Asked, Route, asked

SEVERAL: Final = ("/paste", "/n/<night:night>/mine", "/n/<night:night>/result")
"""Pages whose form records several entries at once, or a whole new night: all entries or none."""
FRESH: Final = 1000  # requests to one night before the next night begins: many requests can succeed only once

_BROKE_OFF: Final = "a request that broke off was recorded"
_UNTOLD: Final = 5
"""Seconds that the machine gives a server to say in its log which request has written."""
_MUTATED_TWICE: Final = 0.3  # the share of requests whose content is mutated as well as the framing

_ROLES: Final = [*ROLES, *["keeper"] * 5, *["seat"] * 2]  # those with more rights more often


def _raises() -> None:
    """Parse a query parameter as a number, unchecked."""
    int(request.args.get("after", "0"))


def _writes() -> None:
    """Record an entry when a page is read."""
    night = (request.view_args or {}).get("night")
    if request.method == "GET" and night and request.args:
        rename = EventRequest(new_id(), None, "rename", {"player": "p1", "name": f"An {new_id()}"})
        visit_night(night).record(rename, link=Link(night, Role.KEEPER))


DEFECTS: Final[dict[str, Callable[[Flask], object]]] = {
    "raises on some input": lambda app: app.before_request_funcs[None].append(_raises),
    "writes on a GET": lambda app: app.before_request_funcs[None].append(_writes),
}
_IMPATIENT: Final = """
from waitress.parser import HTTPRequestParser

def received(request, data, usual=HTTPRequestParser.received):
    taken = usual(request, data)
    request.completed = request.completed or request.body_bytes_received > 0
    return taken

HTTPRequestParser.received = received
"""
_LOG_LEFT_FULL: Final = """
from ledger.store.systems import log_emptier

log_emptier.SECONDS = 3600.0  # a log that is emptied would count as written
"""
DEFECTS_SERVED: Final = {"takes what has come of a body": _IMPATIENT}  # code that a server begins with


class Answers(NamedTuple):
    """A request and its responses: several if its bytes were read so, none if the sender did not wait."""

    sent: Sent
    statuses: list[int]
    wired: Wired = Wired(b"", "whole")
    hung: bool = False


Asking = Callable[[random.Random, Sent], Answers]


class Finding(NamedTuple):
    """What was wrong with a response, and the request."""

    what: str
    answers: Answers

    def __str__(self) -> str:
        return f"{self.what}: {self.answers!r:.1500}"


@dataclass(slots=True)
class Sendings:
    """Counts of requests and responses, and the findings."""

    requests: int = 0
    recorded: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    routes: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    logged: list[str] = field(default_factory=list)  # errors in the server's log


class Mutator:
    def __init__(
        self, place: Place, asking: Asking, routes: Iterable[Route], seed: int, log: Path | None = None
    ) -> None:
        """`log` is that of a server, which may answer a request after its sender has left."""
        self.place, self._asking, self._routes, self._log = place, asking, list(routes), log
        self.tally, self._chance = Sendings(), random.Random(seed)
        self._night = place.night
        self._good: dict[tuple[Route, str], Asked] = {}
        self._forms: dict[str, wire.Form] = {}
        """What a request is called in the log -> what a server owes it."""
        self._read_place()

    def send(self) -> None:
        if self.tally.requests % FRESH == 0:
            self._begin()
        route, role = self._chance.choice(self._routes), self._chance.choice(_ROLES)
        token = self._chance.choice(self.place.tokens(self._night, role))
        try:
            # Valid requests are kept until something is recorded.
            good = self._good.get((route, token)) or asked(self.place.app, route, self._night, token=token)
        except KeyError:  # the keeper's link was renewed by a request that was still valid
            self._begin()
            return
        self._good[route, token] = good
        answers = self._asking(self._chance, as_it_is(good, self._headers(role, token)))
        self.tally.requests += 1
        self.tally.statuses.update(answers.statuses)
        self.tally.routes[" ".join(route)] += 1
        self.tally.findings += [Finding(what, answers) for what in self._wrong(answers)]

    def _begin(self) -> None:
        self._night = self.place.played()
        self._good.clear()
        self._read_place()

    def _read_place(self) -> None:
        self._logged = self._log.stat().st_size if self._log else 0
        self._version, self._entries = self.place.written(), self.place.entries()

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
        _, statuses, (_, form, end, id), _ = answers
        self._forms[id] = form
        if any(status >= 500 for status in statuses):
            yield "a 5xx"
        if answers.hung or (not statuses and form == "whole" and end == "listens"):
            yield "no answer"
        before, version, logged = self._entries, self._version, self._logged
        self._read_place()
        if self._version == version:
            return
        self._good.clear()
        grown = self._entries - before
        self.tally.recorded += grown
        if wrong := self._wrongly_written(answers, grown):
            answered = self._answered_meanwhile(logged, but="" if form == "cut" else id)
            if "cut" in answered:
                yield _BROKE_OFF
            elif not answered:
                yield wrong

    def _wrongly_written(self, answers: Answers, grown: int) -> str:
        """The error of a request after which something was written, unless another one has written it."""
        sent, statuses, (_, form, end, _), _ = answers
        rule = self._rule(sent)
        if form == "cut":
            return _BROKE_OFF
        if sent.method != "POST":
            return "something was written without a POST"
        if end != "listens":
            return f"{grown} entries by one request" if grown > 1 and rule not in SEVERAL else ""
        if rule.startswith("/api/"):
            return f"{grown} entries by a call" if statuses.count(201) != grown else ""
        return f"{grown} entries by a form that says nothing of them" if 303 not in statuses else ""

    def _answered_meanwhile(self, since: int, but: str) -> list[wire.Form]:
        """The forms of the requests that may have written, by the server's log from a place on, but for one. Waits
        for the first, since an answer is logged after it was sent."""
        patience = Patience(_UNTOLD)
        while self._log:
            with self._log.open("rb") as log:
                log.seek(since)
                whole = log.read().rpartition(b"\n")[0].splitlines()
            told = [json.loads(line) for line in whole if line.startswith(b"{")]
            found = [
                self._forms.get(one["id"], "broken")
                for one in told
                if one.get("method") == "POST" and one["status"] < 400 and one["id"] != but
            ]
            if found or patience.ends():
                return found
            time.sleep(0.02)
        return []

    def _rule(self, sent: Sent) -> str:
        """The rule of the address that a POST was sent to; empty if no page or call has it."""
        adapter = self.place.app.url_map.bind("localhost")
        path = unquote_to_bytes(sent.path).decode(errors="replace")
        with suppress(HTTPException):
            rule, _ = adapter.match(path, "POST", return_rule=True)
            return rule.rule
        return ""


def inside(app: Flask) -> Asking:
    """Call the application in this process: a test client would refuse to send most mutated requests."""

    def ask(chance: random.Random, sent: Sent) -> Answers:
        sent = mutated(chance, sent)
        _, status, _ = run_wsgi_app(app, _environ(sent), buffered=True)
        return Answers(sent, [int(status.split()[0])])

    return ask


def on_the_wire(port: int) -> Asking:

    def ask(chance: random.Random, sent: Sent) -> Answers:
        if chance.random() < _MUTATED_TWICE:
            sent = mutated(chance, sent)
        one = wired(chance, sent)
        try:
            statuses = wire.asked(port, one)
        except TimeoutError:
            return Answers(sent, [], one, hung=True)
        if one.form == "broken" and not statuses:
            one = one._replace(end="leaves")  # it may have been valid, and the sender did not wait
        return Answers(sent, statuses, one)

    return ask


def _environ(sent: Sent) -> dict[str, Any]:
    environ = create_environ() | {
        "REQUEST_METHOD": sent.method,
        "PATH_INFO": unquote_to_bytes(sent.path).decode("latin-1"),
        "RAW_URI": sent.path.decode("latin-1"),
        "QUERY_STRING": sent.query,
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_LENGTH": str(len(sent.body)),
        "wsgi.input": BytesIO(sent.body),
        "wsgi.input_terminated": True,
    }
    del environ["REQUEST_URI"]
    for name, value in sent.headers.items():
        field = name.upper().replace("-", "_")
        environ[field if field in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{field}"] = value
    return environ


def mutate(
    place: Place,
    *,
    requests: int,
    seed: int,
    patience: int = 1,
    asking: Asking | None = None,
    routes: Iterable[Route] = STATUSES,
    log: Path | None = None,
) -> Sendings:
    """Send so many requests; stop early at `patience` findings or an interrupt."""
    mutator = Mutator(place, asking or inside(place.app), routes, seed, log)
    tally, say = mutator.tally, Progress(requests, "requests")
    with suppress(KeyboardInterrupt):
        for _ in range(requests):
            mutator.send()
            say(tally.requests)
            if len(tally.findings) >= patience:
                break
    return tally


def mutate_served(folder: Path, *, defect: str = "", **chosen: Any) -> Sendings:
    """The same against a server with a database in a folder; its log is searched for errors at the end."""
    plant = _LOG_LEFT_FULL + DEFECTS_SERVED.get(defect, "")
    server = Served(folder, environment={"TIENLEN_PROXIES": "1"}, plant=plant)
    with server as served, closing(Place(served.database)) as place:
        tally = mutate(place, asking=on_the_wire(served.port), log=served.log, **chosen)
    tally.logged += [line for line in served.log.read_text().splitlines() if '"level": "error"' in line]
    return tally


def soak(
    *,
    requests: int = 100_000,
    seed: int = 1,
    served: Annotated[bool, "as bytes to a server, with broken lines and lengths"] = False,
    openapi: Annotated[int, "so many examples of each call instead, made from the OpenAPI text"] = 0,
    defect: Annotated[str, (*DEFECTS, *DEFECTS_SERVED), "plant it, and see it found"] = "",
) -> Tally:
    """Send mutated requests to every route."""
    logging.disable(logging.CRITICAL)
    if openapi:
        return describing.examples(openapi)
    live.LIFE_SECONDS = 0.001
    asked_for: Any = {"requests": requests, "seed": seed, "patience": 20}
    with scratch() as folder:
        if served or defect in DEFECTS_SERVED:
            tally = mutate_served(folder, **asked_for, defect=defect)
        else:
            place = Place(f"sqlite:///{folder}/ledger.db")
            DEFECTS.get(defect, bool)(place.app)
            tally = mutate(place, **asked_for)
            place.close()
    counts = {"requests": tally.requests, "routes": len(tally.routes), "entries recorded": tally.recorded}
    counts |= {f"answered {status}": count for status, count in sorted(tally.statuses.items())}
    return Tally(counts, [*tally.findings, *tally.logged])
