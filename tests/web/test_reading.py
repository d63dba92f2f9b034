"""A request reads before it renders, records or waits: none of that holds a connection to the database."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import _lru_cache_wrapper
from threading import get_ident
from typing import Any

import jinja2
import pytest
from flask import Flask
from jinja2.runtime import Macro
from sqlalchemy import Engine, event
from sqlalchemy.pool import Pool

from ledger.recorder.cache import Cache
from ledger.store import Store
from ledger.web import heavy_work, live
from ledger.web.pages.shared import page_cache
from ledger.web.pages.shared.page_cache import EXTENSION_OF_PARTS
from tests.web.asking import Place
from tests.web.growth import worlds
from tests.web.growth.law import IN_ORDER, answer, go_on
from tests.web.growth.worlds import World
from tests.web.routes import Route


class Law:
    """What a thread does while it holds a connection, or renders."""

    def __init__(self) -> None:
        self.broken: list[str] = []
        self.transactions = 0
        self.rendered = 0
        self._thread = get_ident()
        self.held = self._rendering = 0

    @contextmanager
    def watched(self) -> Iterator[None]:
        listeners: list[tuple[Any, str, Callable[..., None]]] = [
            (Pool, "checkout", lambda *_: self._holds(1)),
            (Pool, "checkin", lambda *_: self._holds(-1)),
            (Engine, "begin", self._begun),
            (Engine, "before_cursor_execute", self._executed),
        ]
        with pytest.MonkeyPatch.context() as patched:
            for owner, name in ((jinja2.Template, "render"), (Macro, "__call__")):
                patched.setattr(owner, name, self._renders(getattr(owner, name)))
            for name in ("writing", "confirm"):
                patched.setattr(Store, name, self._records(getattr(Store, name)))
            for listener in listeners:
                event.listen(*listener)
            try:
                yield
            finally:
                for listener in listeners:
                    event.remove(*listener)

    def _is_here(self) -> bool:
        return get_ident() == self._thread

    def _holds(self, more: int) -> None:
        self.held += more * self._is_here()

    def _begun(self, connection: object) -> None:
        self.transactions += self._is_here()

    def _executed(self, connection: object, cursor: object, statement: str, *rest: object) -> None:
        if self._rendering and self._is_here():
            self.broken.append(f"asks while it renders: {statement}")

    def _renders(self, render: Callable[..., Any]) -> Callable[..., Any]:
        def rendered(template: Any, *given: Any, **values: Any) -> Any:
            self.rendered += 1
            if self.held:
                self.broken.append(f"reads while it renders {template.name}")
            self._rendering += 1
            try:
                return render(template, *given, **values)
            finally:
                self._rendering -= 1

        return rendered

    def _records(self, record: Callable[..., Any]) -> Callable[..., Any]:
        def recorded(*given: Any, **values: Any) -> Any:
            if self.held:
                self.broken.append("reads while it records")
            return record(*given, **values)

        return recorded


TRANSACTIONS = {
    "/healthz": 3,  # asks the database itself, and of damaged logs
    "/n/<night:night>/export/<format>": 2,  # an exact log is read in pages
    "/api/v1/nights/<night:night>/live": 2,  # the head is read once the stream has its place
}
"""The routes that need more than one transaction, and how many."""


@pytest.fixture(scope="module")
def world(place: Place) -> World:
    return worlds.nights(place, 3)


def forget_what_was_rendered(app: Flask) -> None:
    """Let everything that pages cache be rendered anew."""
    for cached in gc.get_objects():
        if isinstance(cached, _lru_cache_wrapper) and cached.__module__.startswith("ledger.web."):
            cached.cache_clear()
    app.extensions[EXTENSION_OF_PARTS] = Cache()


@pytest.mark.parametrize("route", IN_ORDER, ids=" ".join)
def test_no_request_reads_while_it_renders_or_records(
    world: World, route: Route, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When it is answered, and when it is refused."""
    monkeypatch.setattr(live, "LIFE_SECONDS", 0)
    valid, law = world.asked(route), Law()
    empty = valid._replace(query="", body="")
    forget_what_was_rendered(world.place.app)
    with law.watched():
        for asked in (empty, valid) if route.method == "POST" else (valid, valid):
            answer(world, route, asked)
    go_on(world, route)
    assert law.broken == []


@pytest.mark.parametrize("route", [route for route in IN_ORDER if route.method == "GET"], ids=" ".join)
def test_a_page_is_read_in_one_transaction(
    world: World, route: Route, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LIFE_SECONDS", 0)
    law = Law()
    with law.watched():
        answer(world, route, world.asked(route))
    assert law.transactions <= TRANSACTIONS.get(route.rule, 1)


def test_no_request_reads_while_it_waits_for_heavy_work(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    law, route, held = Law(), Route("GET", "/n/<night:night>/settle-up"), list[int]()
    worker = world.place.app.extensions["tienlen-costly"]["page"].worker

    def hung_up() -> bool:
        held.append(law.held)
        if len(held) == 1:
            worker.release()
        return False

    monkeypatch.setattr(heavy_work, "hang_up_of_request", lambda: hung_up)
    worker.acquire()
    with law.watched():
        assert answer(world, route, world.asked(route)).status_code == 200
    assert held == [0, 0]


def test_no_request_reads_while_another_renders_its_page(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    law, route, held = Law(), Route("GET", "/n/<night:night>/overlay"), list[int]()

    class Taken:
        """A lock that another thread holds, and releases once somebody waits for it."""

        def acquire(self, blocking: bool = True) -> bool:
            held.extend([law.held] if blocking else [])
            return blocking

        def release(self) -> None:
            pass

    monkeypatch.setattr(page_cache, "Lock", Taken)
    asked = world.asked(route)._replace(query="never=before")
    with law.watched():
        assert answer(world, route, asked).status_code == 200
    assert held == [0]


def test_a_page_that_renders_before_it_has_read_is_found(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.web.reading.release", lambda: None)
    route, law = Route("GET", "/n/<night:night>/rules"), Law()
    with law.watched():
        answer(world, route, world.asked(route))
    assert law.rendered > 0
    assert law.broken
