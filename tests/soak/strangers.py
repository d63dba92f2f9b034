"""Strangers beside a table that records: every request that needs no link, or a link of one's own, as dear as the
law of costs finds it (`tests/web/growth`), from many clients at once, half of which hang up."""

import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException
from pathlib import Path
from threading import Event
from typing import Annotated, Final
from unittest.mock import patch
from urllib.parse import quote

from ledger.web import live
from tests.patience import Patience, of_threads
from tests.servers import Served
from tests.soak.running import Tally, in_threads, scratch
from tests.web.asking import Place
from tests.web.growth.fields import Sent, grown
from tests.web.growth.law import IN_ORDER, warmed, weigh
from tests.web.growth.metering import Weight
from tests.web.growth.worlds import THINGS, World
from tests.web.routes import STATUSES, Asked, Route
from tests.web.streams import Night

SECONDS: Final = 1.0
"""Within which a move and `/healthz` are answered beside strangers."""
IDLE_SECONDS: Final = 10.0
"""Within which the server has nothing more to do once they are gone."""
WITHOUT_LINK: Final = tuple(route for route, status in STATUSES.items() if status["nobody"] < 400)
_NO_ANSWER: Final = 60.0
"""The seconds that a request counts for that is not answered, or refused."""
_BUSY: Final = 0.2
"""A server is at rest if fewer of the looks at it than this share find it at work."""
_LOOKS: Final = 20
"""The looks at a server in a second."""
_HANGS_UP: Final = 0.05  # seconds after which half of the clients hang up
_SERVER: Final = {"TIENLEN_PROXIES": "1"}
"""It trusts one proxy, so that the table and each stranger have an address of their own."""

_ON_RULES: Final = """
import threading, time
from ledger.web.pages.opening import rules_form

def work(seconds, now):
    end = now() + seconds
    while now() < end:
        pass

def link(rules, usual=rules_form.link):
    if rules.rules:
        {does}
    return usual(rules)

rules_form.link = link
"""
"""The first page with rules in its address does something dear."""
DEFECTS: Final = {
    "a page that takes five seconds": _ON_RULES.format(does="work(5, time.thread_time)"),
    "work that nobody waits for": _ON_RULES.format(
        does="threading.Thread(target=work, args=(60, time.monotonic), daemon=True).start()"
    ),
}
"""Code that a server begins with."""


@dataclass(frozen=True, slots=True)
class Dear:
    """The dearest request to a route."""

    route: Route
    name: str
    asked: Asked
    cookies: str
    weight: Weight

    def sent(self, port: int, stranger: str) -> bytes:
        """The request as a stranger of this address sends it."""
        body = self.asked.body.encode()
        query = quote(self.asked.query, safe="%&=+,;:/@'[]()*!$~?-._") if self.asked.query else ""
        lines = [
            f"{self.asked.method} {quote(self.asked.path)}{'?' if query else ''}{query} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            f"X-Forwarded-For: {stranger}",
            "Sec-Fetch-Site: same-origin",
            "Connection: close",
            *([f"Cookie: {self.cookies}"] if self.cookies else []),
        ]
        if self.asked.method == "POST":
            lines += [f"Content-Type: {self.asked.content_type}", f"Content-Length: {len(body)}"]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def dearest(world: World, routes: Iterable[Route]) -> Iterator[Dear]:
    """The request to each route that costs most outside the queue for heavy work, and the one that costs most in
    it."""
    routes = list(routes)
    scale = warmed(world, routes)
    for route in routes:
        held = "" if route in WITHOUT_LINK else world.headers["Cookie"]
        sent = {"as it is": Sent(world.asked(route))} | {
            one.name: one.sent(one.most) for one in grown(world, route)
        }
        weighed = [
            Dear(
                route,
                name,
                one,
                "; ".join(filter(None, (held, cookie))),
                weigh(scale, world, route, one, cookie),
            )
            for name, (one, cookie) in sent.items()
        ]
        yield max(weighed, key=lambda one: one.weight.calls)
        if (most := max(weighed, key=lambda one: one.weight.queued)).weight.queued:
            yield most


class Strangers:
    """Clients that send one request after the other, two at least, until they are stopped or have sent so many."""

    def __init__(self, port: int, dear: list[Dear], *, clients: int, requests: int) -> None:
        self.port, self.dear, self.clients, self.requests = port, dear, clients, requests
        self.stop, self.sent, self.answered = Event(), 0, 0

    def work(self) -> list[Callable[[], None]]:
        """What each of them does."""
        return [partial(self._send_all, number) for number in range(self.clients)]

    def _send_all(self, number: int) -> None:
        share = self.requests // self.clients
        for turn in range(share):
            if self.stop.is_set() and turn > 1:
                return
            one = self.dear[(number * share + turn) % len(self.dear)]
            hangs_up = turn % 2 == 0
            with (
                suppress(OSError),
                socket.create_connection(("127.0.0.1", self.port), timeout=_NO_ANSWER) as client,
            ):
                client.sendall(one.sent(self.port, f"198.51.100.{number + 1}"))
                self.sent += 1
                if hangs_up:
                    self.stop.wait(_HANGS_UP)
                    continue
                while client.recv(65536):
                    pass
                self.answered += 1


def beside(
    served: Served,
    dear: list[Dear],
    *,
    clients: int,
    requests: int,
    seconds: float,
    within: float = SECONDS,
    slower: float = 0,
    rests: float = IDLE_SECONDS,
) -> Tally:
    """Let a table record while strangers send requests, for so many seconds at most. Its moves and `/healthz` may
    take `within` seconds, or `slower` times as long as before the strangers came, if that is longer; the server has
    nothing more to do `rests` seconds after they are gone."""
    table = Night(served)
    alone = _Waits(served, table)
    alone.watch(seconds / 4)
    strangers, beside = (
        Strangers(served.port, dear, clients=clients, requests=requests),
        _Waits(served, table),
    )
    with in_threads(strangers.work(), strangers.stop):
        beside.watch(seconds)
    rested = _comes_to_rest(served, rests)
    wrong = []
    for what, waits in beside.of.items():
        bound = max(within, slower * _p99(alone.of[what]))
        if _p99(waits) > bound:
            wrong.append(f"{what}: {_p99(waits):.1f} s, of {bound:.1f}")
    if not rested:
        wrong.append(f"the server still works {rests:.0f} s after the last stranger has left")
    counts = {"requests": strangers.sent, "answered": strangers.answered, "moves": len(beside.of["a move"])}
    counts |= {f"ms of {what}": round(1000 * _p99(waits)) for what, waits in beside.of.items()}
    return Tally(counts, wrong)


class _Waits:
    """How long a table waits for its moves, and a monitor for `/healthz`."""

    def __init__(self, served: Served, table: Night) -> None:
        self.of: dict[str, list[float]] = {"a move": [], "/healthz": []}
        self._ask: Mapping[str, Callable[[], object]] = {
            "a move": table.note,
            "/healthz": partial(served.get, "/healthz"),
        }

    def watch(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for what, ask in self._ask.items():
                began = time.monotonic()
                try:
                    ask()
                    self.of[what].append(time.monotonic() - began)
                except (OSError, HTTPException, AssertionError):
                    self.of[what].append(_NO_ANSWER)
            time.sleep(0.05)


def _p99(waits: list[float]) -> float:
    return sorted(waits)[int(0.99 * len(waits))]


def _comes_to_rest(served: Served, seconds: float) -> bool:
    """Whether a server's processes have almost nothing more to do within so many seconds that the machine gives."""
    patience = Patience(seconds, process=served.process.pid)
    while not patience.ends():
        busy = 0
        for _ in range(_LOOKS):
            busy += _is_at_work(served)
            time.sleep(1 / _LOOKS)
        if busy < _BUSY * _LOOKS:
            return True
    return False


def _is_at_work(served: Served) -> bool:
    """Whether a thread of the workers runs or waits for a processor, of which a slow machine gives it little."""
    return any(
        text.rpartition(")")[2].split()[0] == "R"
        for pid in served.workers
        for _, text in of_threads(pid, "stat")
    )


def attacked(
    folder: Path, thing: str, routes: Iterable[Route], size: int, *, defect: str = "", **bounds: float
) -> Tally:
    """Weigh every request to some routes where a thing has grown to a size, then send the dearest to a server
    beside a table."""
    with (
        closing(Place(f"sqlite:///{folder / 'ledger.db'}")) as place,
        patch.object(live, "LIFE_SECONDS", 0),  # a stream ends with its first message
    ):
        dear = [*dearest(THINGS[thing].make(place, size), routes)]
    with Served(folder, environment=_SERVER, plant=DEFECTS.get(defect, "")) as served:
        return beside(served, dear, **bounds)  # type: ignore[arg-type]


def soak(
    *,
    clients: int = 16,
    requests: Annotated[int, "the most that they send together"] = 2_000,
    seconds: Annotated[float, "for which they send them at most"] = 30.0,
    links: Annotated[
        str, (*THINGS,), "requests with links of a night or group of which this is at its most"
    ] = "",
    defect: Annotated[str, (*DEFECTS,), "plant it, and see it found"] = "",
) -> Tally:
    """Send the dearest requests of the law of costs beside a table that records."""
    thing = THINGS[links] if links else None
    routes = list(filter(thing.concerns, IN_ORDER)) if thing else list(WITHOUT_LINK)
    bounds = {"clients": clients, "requests": requests, "seconds": seconds}
    with scratch() as folder:
        return attacked(
            folder, links or "rounds", routes, thing.most if thing else 1, defect=defect, **bounds
        )
