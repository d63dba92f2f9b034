"""Permissions: every route, by every method, in every role; and what a stranger learns."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import pytest
from sqlalchemy import Engine, event

from ledger.recorder import KINDS, Role
from tests.nights import new_id
from tests.recorder.examples import EXAMPLES
from tests.web.asking import NO_TOKEN, Place
from tests.web.phones import NIGHTS, Table
from tests.web.routes import JSON, RECORDING, STATUSES, Asked, Route, asked, routes_of

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "NONSENSE"}
OF_NIGHTS = [route for route in STATUSES if route.of_a_night]


# The table of routes


def test_every_route_has_a_row_and_every_row_a_route(place: Place) -> None:
    assert routes_of(place.app) == STATUSES.keys()


@pytest.mark.parametrize("route", STATUSES, ids=" ".join)
def test_everyone_is_answered_as_the_table_says(place: Place, route: Route) -> None:
    """A request that is refused, or that only reads, changes no row; one that is sent twice records once."""
    before = place.written()
    recording = {role for role, status in STATUSES[route].items() if status < 400 and route in RECORDING}
    for role in STATUSES[route].keys() - recording:
        for token in place.tokens(place.night, role):
            with place.answer(route, place.night, token) as response:
                assert response.status_code == STATUSES[route][role], role
    assert place.written() == before
    for role in recording:
        night = place.played() if route.of_a_night else place.night
        entries, token = place.entries(), place.tokens(night, role)[0]
        one = asked(place.app, route, night, token=token)
        with place.ask(one, token, cookie_of=cookie_of(route, night)) as response:
            assert response.status_code == STATUSES[route][role], role
        assert (place.entries() > entries, place.written() != before) == (True, True), role
        entries = place.entries()
        with place.ask(one, token, cookie_of=cookie_of(route, night)) as response:
            # The form of a move that was mended is another one now.
            assert response.status_code in (200, 303) or route.rule.endswith("/mend"), role
            assert place.entries() == entries, role


def cookie_of(route: Route, night: Table) -> str:
    return night.night if route.rule.startswith("/n/") else ""


@pytest.mark.parametrize("kind", KINDS)
def test_an_event_is_recorded_by_those_who_may_and_by_nobody_else(place: Place, kind: str) -> None:
    """Recorded or previewed: the keeper records every event except those that a seat records in its own name."""
    seats = KINDS[kind].recorded_by is Role.SEAT
    may = {"keeper": not seats, "seat": seats, "other": seats, "watch": False}
    night = place.night.night
    after = {} if not KINDS[kind].depends_on_play() else {"after": place.night.keeper.board()["after"]}
    content = {name: value for name, value in EXAMPLES[kind].content.items() if not seats or name != "player"}
    for query, role in product(("", "preview=true"), may):
        before = place.written()
        event = {"id": new_id(), "kind": kind, **after, **content}
        one = Asked("POST", f"{NIGHTS}/{night}/events", query, json.dumps(event), JSON)
        if not may[role]:
            assert place.ask(one, place.tokens(place.night, role)[0]).status_code == 403
            assert place.written() == before
        elif query:
            assert place.ask(one, place.tokens(place.night, role)[0]).status_code in (200, 409, 422)
            assert place.written() == before


# Methods


def test_a_head_is_a_get_without_a_body(place: Place) -> None:
    for route, statuses in STATUSES.items():
        if route.method == "GET":
            with place.answer(route, place.night, place.night.tokens["keeper"], "HEAD") as response:
                assert (response.status_code, response.data) == (statuses["keeper"], b""), route


def test_a_head_of_a_stream_takes_nobodys_place(place: Place) -> None:
    route = Route("GET", "/api/v1/nights/<night:night>/live")
    for _ in range(40):  # more than the limit of streams
        with place.answer(route, place.night, place.night.tokens["watch"], "HEAD") as response:
            assert response.status_code == 200


def test_every_other_method_is_refused_and_alters_nothing(place: Place) -> None:
    before = place.written()
    allowed: dict[str, set[str]] = {}
    for route in STATUSES:
        allowed.setdefault(route.rule, {"OPTIONS"}).update(
            {"GET", "HEAD"} if route.method == "GET" else {"POST"}
        )
    for rule, methods in allowed.items():
        one = asked(place.app, Route("GET", rule), place.night, token=NO_TOKEN)
        for method in METHODS - methods:
            response = place.ask(one, place.night.tokens["keeper"], method=method)
            assert response.status_code == 405, (method, rule)
            assert set(response.headers["Allow"].split(", ")) == methods
        options = place.ask(one, "", method="OPTIONS")
        assert (options.status_code, options.data) == (200, b"")
        assert set(options.headers["Allow"].split(", ")) == methods
    assert place.written() == before


# What a stranger learns


@contextmanager
def statements() -> Iterator[list[str]]:
    """The SQL statements that run meanwhile."""
    asked_for: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        asked_for.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield asked_for
    finally:
        event.remove(Engine, "before_cursor_execute", note)


@pytest.mark.parametrize("role", ["nobody", "wrong", "far"])
def test_a_night_of_others_is_answered_as_one_that_never_was(place: Place, role: str) -> None:
    """The same status, headers and bytes; and the same SQL statements, so that timing reveals nothing."""
    for route in OF_NIGHTS:
        one, answers = asked(place.app, route, place.night), []
        by_cookie = route.rule.startswith("/n/")
        for night in (place.night.night, new_id()):
            about = one._replace(path=one.path.replace(place.night.night, night))
            token = place.tokens(place.night, role)[-1]
            with (
                statements() as work,
                place.ask(about, token, cookie_of=night if by_cookie else "") as response,
            ):
                headers = dict(response.headers)
                text = response.get_data(as_text=True).replace(night, "NIGHT")
                text = text.replace(headers.pop("X-Request-ID"), "REQUEST")
                answers.append((response.status_code, text, headers, work))
        assert answers[0] == answers[1], route
        assert answers[0][0] == (401 if by_cookie or role == "nobody" else 404)
        assert (answers[0][0] == 401) == ("WWW-Authenticate" in answers[0][2])


def test_by_a_token_pages_are_as_secret_as_the_interface(place: Place) -> None:
    one = asked(place.app, Route("GET", "/n/<night:night>/ledger"), place.night)
    for role, status in {"nobody": 401, "wrong": 404, "far": 404, "watch": 200, "keeper": 200}.items():
        for token in place.tokens(place.night, role):
            assert place.ask(one, token).status_code == status


def test_by_a_cookie_the_interface_is_as_secret_as_the_pages(place: Place) -> None:
    one = asked(place.app, Route("GET", "/api/v1/nights/<night:night>/ledger"), place.night)
    for role, status in {"nobody": 401, "wrong": 401, "far": 401, "watch": 200, "keeper": 200}.items():
        for token in place.tokens(place.night, role):
            assert place.ask(one, token, cookie_of=place.night.night).status_code == status
