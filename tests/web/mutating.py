"""Send mutated requests to every route, as everyone who could ask: no answer is a 5xx, and the log grows by what
says that it recorded, and by nothing else. `scripts/mutate` sends many; the tests some.

A defect can be planted, to see that it would be found.
"""

import argparse
import logging
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

from flask import Flask, request

from ledger.recorder import EventRequest, Link, Role
from ledger.web import live
from ledger.web.access import link_to
from ledger.web.recording import recorder
from tests.web.asking import Place
from tests.web.mutations import Sent, as_it_is, mutated
from tests.web.phones import new_id
from tests.web.routes import ROLES, STATUSES, Asked, Route, asked

SEVERAL = ("/n/<night:night>", "/n/<night:night>/result")
"""Pages whose form records several entries: refused in the middle, they say what was recorded."""
FRESH = 1000
"""Requests to one night, until another is asked about: what one may do is over once it is done."""

_ROLES = [*ROLES, *["keeper"] * 5, *["seat"] * 2]
"""Whoever may do more is asked for more."""


def _raises(app: Flask) -> None:
    """A part of the address is taken for a number."""

    def count() -> None:
        int(request.args.get("after", "0"))

    app.before_request_funcs[None].append(count)


def _writes(app: Flask) -> None:
    """Whoever looks is noted."""

    def note() -> None:
        night = (request.view_args or {}).get("night")
        if request.method == "GET" and night and request.args:
            seen = EventRequest(new_id(), None, "rename", {"player": "p1", "name": f"An {new_id()}"})
            recorder().record(night, seen, Link(link_to(night).night, Role.KEEPER))

    app.before_request_funcs[None].append(note)


DEFECTS: dict[str, Callable[[Flask], None]] = {
    "raises on some input": _raises,
    "writes on a GET": _writes,
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A request that should not have been answered so, and what was wrong."""

    what: str
    status: int
    sent: Sent

    def __str__(self) -> str:
        one = self.sent
        asked_for = f"{one.method} {one.path!r}?{one.query[:200]}"
        return f"{self.what} ({self.status}): {asked_for} {one.headers} {one.body[:300]!r}"


@dataclass(slots=True)
class Tally:
    """What was sent, what came back, and what should not have."""

    requests: int = 0
    recorded: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    routes: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)


class Mutator:
    """Asks one installation."""

    def __init__(self, place: Place, seed: int) -> None:
        self.place = place
        self.tally = Tally()
        self._chance = random.Random(seed)
        self._routes = list(STATUSES)
        self._night = place.night
        self._good: dict[tuple[Route, str], Asked] = {}
        self._entries = place.entries()
        self._version = place.written()

    def requests(self) -> Iterator[None]:
        """One request after the other, without end."""
        while True:
            if self.tally.requests % FRESH == 0:
                self._begin()
            self._ask()
            yield

    def _begin(self) -> None:
        self._night = self.place.played()
        self._good.clear()
        self._seen()

    def _ask(self) -> None:
        route, role = self._chance.choice(self._routes), self._chance.choice(_ROLES)
        token = self._chance.choice(self.place.tokens(self._night, role))
        try:
            one = self._asked(route, token)
        except KeyError:  # the keeper's link was renewed, by a request that was still good
            self._begin()
            return
        sent = mutated(self._chance, as_it_is(one, self._headers(role, token)))
        status = self._status(sent)
        self.tally.requests += 1
        self.tally.statuses[status] += 1
        self.tally.routes[" ".join(route)] += 1
        for what in self._wrong(sent, status):
            self.tally.findings.append(Finding(what, status, sent))

    def _asked(self, route: Route, token: str) -> Asked:
        """A good request to a route; the same again, until something is recorded."""
        if (route, token) not in self._good:
            self._good[route, token] = asked(self.place.app, route, self._night, token=token)
        return self._good[route, token]

    def _headers(self, role: str, token: str) -> dict[str, str]:
        """Who asks: with a token, or with a cookie and what a browser sends with it."""
        if not token:
            return {}
        if self._chance.random() < 0.5:
            return {"Authorization": f"Bearer {token}"}
        holder = {"seat": "p1", "other": "p2", "watch": "watch"}.get(role, "keeper")
        cookie = f"tienlen-{self._night.night}-{holder}={token}"
        return {"Cookie": cookie, "Origin": "http://localhost", "Accept": "text/html"}

    def _status(self, sent: Sent) -> int:
        """Ask the application itself, as a server does: a client of tests would refuse to send most of it."""
        statuses: list[str] = []
        answer = self.place.app(_environ(sent), lambda status, *_: statuses.append(status))
        try:
            for _ in answer:
                pass
        finally:
            getattr(answer, "close", lambda: None)()
        return int(statuses[0].split()[0])

    def _wrong(self, sent: Sent, status: int) -> Iterator[str]:
        if status >= 500:
            yield "a 5xx"
        before, version = self._entries, self._version
        self._seen()
        if self._version == version:
            return
        self._good.clear()
        grown, rule = self._entries - before, self._rule(sent)
        self.tally.recorded += grown
        if sent.method != "POST":
            yield "something was written without a POST"
        elif rule.startswith("/api/"):
            if (status, grown) != (201, 1):
                yield f"{grown} entries by a call"
        elif status != 303 and rule not in SEVERAL:
            yield f"{grown} entries by a form that says nothing of them"

    def _seen(self) -> None:
        self._version = self.place.written()
        self._entries = self.place.entries()

    def _rule(self, sent: Sent) -> str:
        adapter = self.place.app.url_map.bind("localhost")
        rule, _ = adapter.match(
            unquote_to_bytes(sent.path).decode(errors="replace"), "POST", return_rule=True
        )
        return rule.rule


def _environ(sent: Sent) -> dict[str, Any]:
    """The request as gunicorn hands it on."""
    fields = {name.upper().replace("-", "_"): value for name, value in sent.headers.items()}
    said = {
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
        **said,
    }


def mutate(place: Place, *, requests: int, seed: int, patience: int = 1) -> Tally:
    """Send so many, or until there are so many findings, or somebody interrupts."""
    mutator = Mutator(place, seed)
    with suppress(KeyboardInterrupt):
        for _ in zip(range(requests), mutator.requests(), strict=False):
            if len(mutator.tally.findings) >= patience:
                break
    return mutator.tally


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/mutate", description="Send mutated requests to every route."
    )
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--defect", choices=DEFECTS, help="plant it, and see it found")
    chosen = parser.parse_args()
    logging.disable(logging.CRITICAL)
    live.LIFE_SECONDS = 0.001
    with tempfile.TemporaryDirectory() as folder:
        place = Place(f"sqlite:///{folder}/ledger.db")
        if chosen.defect:
            DEFECTS[chosen.defect](place.app)
        tally = mutate(place, requests=chosen.requests, seed=chosen.seed, patience=20)
        place.close()
    _tell(tally)
    return bool(tally.findings)


def _tell(tally: Tally) -> None:
    print(
        f"{tally.requests:,} requests to {len(tally.routes)} routes; {tally.recorded:,} entries were recorded"
    )
    for status, count in sorted(tally.statuses.items()):
        print(f"  {status}  {count:8,}")
    print(f"{len(tally.findings)} findings")
    for finding in tally.findings:
        print(f"  {finding}")


if __name__ == "__main__":
    raise SystemExit(main())
