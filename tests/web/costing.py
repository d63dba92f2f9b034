"""Counting what requests of an evening cost, in one process: transactions, statements, calls of Python functions;
and how many of the program's own functions and files a reader passes who follows one."""

import gc
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from threading import get_ident
from types import CodeType, FrameType
from typing import Any, Final

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine, event

import ledger
from ledger.game import notation
from ledger.game.corpus import NAMES, at_random, played
from ledger.game.hands import missing_hands
from ledger.game.moves import Show
from ledger.game.night import Night
from ledger.game.round import Header
from ledger.game.rulesets import PRESETS
from ledger.game.terms import Terms
from tests.nights import Data
from tests.web.phones import Phone, Table, new_night, open_table, take

_RULESET: Final = "southern-classic"
_OWN: Final = str(Path(ledger.__file__).parent)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one request costs. Statements do not include those that begin and end transactions. `functions` and
    `files` are the program's own, and `changes` how often a call leads from one file to another."""

    transactions: int
    statements: int
    calls: int
    functions: int
    files: int
    changes: int


class Meter:
    """Counts the cost of requests to an application, and not what other threads do meanwhile."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._thread = get_ident()
        self._counted = Counter[str]()
        self._functions = set[CodeType]()
        self._file = ""

    @contextmanager
    def installed(self) -> Iterator["Meter"]:
        """Count during the block."""
        answer = self._app.wsgi_app
        self._app.wsgi_app = self._metered(answer)  # type: ignore[method-assign]
        event.listen(Engine, "begin", self._begun)
        event.listen(Engine, "before_cursor_execute", self._executed)
        try:
            yield self
        finally:
            self._app.wsgi_app = answer  # type: ignore[method-assign]
            event.remove(Engine, "begin", self._begun)
            event.remove(Engine, "before_cursor_execute", self._executed)

    def cost(self, request: Callable[[], object]) -> Cost:
        """Make one request, and return what it cost."""
        self._counted.clear()
        self._functions.clear()
        self._file = ""
        self._thread = get_ident()
        request()
        self._counted["functions"] = len(self._functions)
        self._counted["files"] = len({function.co_filename for function in self._functions})
        return Cost(*(self._counted[what] for what in Cost.__slots__))

    def _metered(self, answer: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
        def metered(*given: Any) -> Iterable[bytes]:
            gc.disable()  # what it calls is not the request's
            sys.setprofile(self._called)
            try:
                response = answer(*given)
                body = list(response)
                response.close()  # type: ignore[attr-defined]
            finally:
                sys.setprofile(None)
                gc.enable()
            return body

        return metered

    def _called(self, frame: FrameType, what: str, argument: object) -> None:
        if what != "call":
            return
        self._counted["calls"] += 1
        function = frame.f_code
        if function.co_filename.startswith(_OWN):
            self._functions.add(function)
            if function.co_filename != self._file:
                self._counted["changes"] += bool(self._file)
                self._file = function.co_filename

    def _begun(self, connection: object) -> None:
        self._counted["transactions"] += get_ident() == self._thread

    def _executed(self, connection: object, cursor: object, statement: str, *rest: object) -> None:
        begins = statement.lstrip().startswith("BEGIN")
        self._counted["statements"] += not begins and get_ident() == self._thread


class Evening:
    """A night of whole rounds, made up the same every time, and recorded over the interface."""

    def __init__(self, client: FlaskClient) -> None:
        self.table: Table = open_table(client, ruleset=_RULESET)
        self.keeper: Phone = self.table.keeper
        self.phone: FlaskClient = take(client.application.test_client(), self.table, "keeper", "p1")
        self._moves: list[str] = []
        self.number = 0
        """The number of the last round that has begun."""

    def begin_round(self) -> None:
        """Record the beginning of the next round and its first twelve moves."""
        self.number += 1
        header, *self._moves = _round()
        self.keeper.tell(header)
        for _ in range(12):
            self.move()

    def move(self) -> None:
        """Record the next move of the round."""
        self.keeper.tell(self._moves.pop(0))

    def to(self, kind: str) -> Callable[[], object]:
        """Record moves until the next one is of this kind (`pass`, else a play); returns what records that one."""
        while self._moves and self._moves[0].endswith("-") is not (kind == "pass"):
            self.move()
        return self.move

    def end_round(self) -> Callable[[], object]:
        """Record the rest of the round; returns what settles it."""
        while self._moves:
            self.move()
        return lambda: self.keeper.tell("settle")

    def play_rounds(self, number: int) -> None:
        """Record so many rounds, settled."""
        for _ in range(number):
            self.begin_round()
            self.end_round()()

    def by_form(self) -> None:
        """Record the next play as a page without scripts does."""
        seat, *cards = self._moves.pop(0).split()
        event = self.keeper.event("play", seat=seat, cards=cards)
        answer = self.phone.post(f"/n/{self.table.night}", data=event)
        assert answer.status_code == 303, answer.text
        self.keeper.after = event["id"]

    def page(self, path: str = "") -> Callable[[], object]:
        """What requests a page of the night."""

        def request() -> None:
            assert self.phone.get(f"/n/{self.table.night}{path}").status_code == 200

        return request

    def poll(self, etag: str = "") -> str:
        """Request the board as a phone does that has the one with this ETag; returns the board's ETag."""
        response = self.keeper.get(**({"If-None-Match": etag} if etag else {}))
        assert response.status_code in (200, 304)
        return str(response.headers["ETag"])


@cache
def _round() -> tuple[str, ...]:
    """The lines of a round that its leader wins, so that it can follow itself: its beginning, its moves, the hands
    left. The same every time."""
    ruleset, seats = PRESETS[_RULESET], tuple(range(4))
    for seed in count():
        chance, header = Random(seed), Header(seats, leader=0)
        choosers = dict.fromkeys(seats, at_random)
        *_, dealt = played(chance, ruleset, header, choosers, bombs=True, claims=False)
        while waited_for := missing_hands(dealt.round):
            dealt = dealt.after(Show(waited_for[0], dealt.left(waited_for[0])))
        if (
            dealt.round.over
            and dealt.round.places[0] == 0
            and len(dealt.round.moves) > 45
            and dealt.round.chops
        ):
            text = notation.write(Night(Terms(ruleset), NAMES[:4], entries=(dealt.round,)))
            _, _, lines = text.rpartition("\n\n")
            _, *moves = lines.strip().splitlines()
            return "round lead p1 !", *moves
    raise AssertionError("there is such a round")


PAGES: Final[Mapping[str, str]] = {
    "ledger": "/ledger",
    "round": "/rounds/{}",
    "earlier round": "/rounds/1",
    "rounds": "/rounds",
    "statistics": "/statistics",
    "settle up": "/settle-up",
}
"""Pages that are asked for after every settled round; `{}` is the number of the last one."""


def evening(app: Flask, rounds: int) -> dict[str, Cost]:
    """What each request of an evening costs, after so many rounds."""
    night, found = Evening(app.test_client()), dict[str, Cost]()
    night.play_rounds(rounds)
    for path in PAGES.values():
        night.page(path.format(night.number))()
    with Meter(app).installed() as meter:

        def measure(name: str, request: Callable[[], object]) -> None:
            found[name] = meter.cost(request)

        night.begin_round()
        measure("a play", night.to("play"))
        measure("a pass", night.to("pass"))
        night.to("play")
        night.by_form()
        night.to("play")
        measure("a play by the form", night.by_form)
        etag = night.poll()
        measure("poll with nothing new", lambda: night.poll(etag))
        night.move()
        measure("poll with news", lambda: night.poll(etag))
        measure("table", night.page())
        measure("own page", night.page("/mine"))
        measure("a settle", night.end_round())
        for name, path in PAGES.items():
            measure(name, night.page(path.format(night.number)))
        measure("open a night", lambda: _open_night(night.table.client))
    return found


def _open_night(client: FlaskClient) -> None:
    request: Data = new_night()
    assert client.post("/api/v1/nights", json=request).status_code == 201
