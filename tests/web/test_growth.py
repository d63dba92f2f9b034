"""What each route costs over the size of all that grows, and of each field that it reads: the law of
`tests/web/growth/law.py`, but for what `tests/cases/growth.toml` allows."""

import json
import unicodedata
from collections.abc import Callable, Iterator
from itertools import product

import pytest
from flask import request

from ledger.recorder import KINDS
from ledger.web import live
from tests import soaking
from tests.web.asking import Place
from tests.web.growth import worlds
from tests.web.growth.fields import ROWS, Grown, grown, names_read
from tests.web.growth.law import (
    ALLOWED,
    IN_ORDER,
    LIKE_OTHERS,
    answer,
    findings,
    go_on,
    is_answered,
    warmed,
    weigh,
)
from tests.web.growth.metering import Scale, Weight
from tests.web.growth.worlds import THINGS, Thing, World
from tests.web.routes import STATUSES, Route

_OF_EVERY_FORM = {"id", "after"}


@pytest.fixture(autouse=True)
def every_statement_names_a_night() -> None:
    """Not asked here, where calls are counted."""


@pytest.fixture(autouse=True)
def ended_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams end after they have looked once: how often they look would depend on time."""
    monkeypatch.setattr(live, "LIFE_SECONDS", 0)


@pytest.fixture(scope="module")
def world(place: Place) -> World:
    """A night of a few rounds."""
    return THINGS["rounds"].make(place, 1)


@pytest.fixture(scope="module")
def scale(world: World) -> Scale:
    return warmed(world)


# What grows


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("thing", THINGS.values(), ids=THINGS)
def test_no_request_costs_more_than_twice_as_much_for_twice_the_size(
    place: Place, scale: Scale, thing: Thing
) -> None:
    """At the most that the program allows, if it is one of the sizes, or with `--soak`; otherwise that is reckoned
    from the sizes before."""
    sizes = [*thing.sizes, *([thing.most] if soaking.asked and thing.most > thing.sizes[-1] else [])]
    weights = [_weighed(scale, thing.make(place, size), thing) for size in sizes]
    found = {}
    for route in weights[0]:
        if what := list(findings(sizes, [some[route] for some in weights], thing.most)):
            found[" ".join(route)] = what
    assert found == ALLOWED.get(thing.make.__name__, {})


def _weighed(scale: Scale, world: World, thing: Thing) -> dict[Route, Weight]:
    """What each route costs that the thing concerns: a page that was shown before, after one more entry."""
    weights = {}
    for route in filter(thing.concerns, IN_ORDER):
        if route.method == "GET":
            answer(world, route, world.asked(route))
            worlds.tell(world.place, world.table, "note deals p2")
        weights[route] = weigh(scale, world, route, world.asked(route))
        assert is_answered(route, weights[route].status), route
        go_on(world, route)
    return weights


@pytest.mark.slow
def test_every_kind_of_entry_is_among_what_grows_or_said_to_be_like_another(place: Place) -> None:
    tables = [
        THINGS[name].make(place, size).table
        for name, size in {"rounds": 8, "entries": 50, "players": 5}.items()
    ]
    grown = {json.loads(event["body"])["kind"] for table in tables for event in table.keeper.log()}
    assert KINDS.keys() - grown == LIKE_OTHERS.keys()


# Fields


def test_every_field_that_a_page_reads_has_a_row(place: Place) -> None:
    of_modules: dict[str, set[str]] = {}
    for rule in place.app.url_map.iter_rules():
        module = place.app.view_functions[rule.endpoint].__module__
        for method in rule.methods or ():
            of_modules.setdefault(module, set()).update(ROWS.get(Route(method, rule.rule), ()))
    anywhere = {name for names in ROWS.values() for name in names}
    assert {
        module: left
        for module, names in names_read().items()
        if (left := names - of_modules.get(module, anywhere) - _OF_EVERY_FORM)
    } == {}
    assert ROWS.keys() <= STATUSES.keys()


@pytest.mark.slow
@pytest.mark.parametrize("route", IN_ORDER, ids=" ".join)
def test_no_field_makes_a_request_dear(world: World, scale: Scale, route: Route) -> None:
    """At the longest that it can be sent, or the most often; with `--soak` at half of that, too."""
    found = {one.name: what for one in grown(world, route) if (what := list(_dear(world, scale, route, one)))}
    assert found == ALLOWED.get("fields", {}).get(" ".join(route), {})


def _normalizes() -> None:
    marks = request.args.get("said", "")[1:]
    unicodedata.normalize("NFC", marks * 4)  # as many as a form has


def _compares_all_with_all() -> None:
    text = request.args.get("said", "")[:600]
    sum(1 for _ in product(text, text))


@pytest.mark.slow
@pytest.mark.parametrize("planted", [_normalizes, _compares_all_with_all])
def test_a_planted_cost_is_found(world: World, scale: Scale, planted: Callable[[], None]) -> None:
    before = world.place.app.before_request_funcs[None]
    before.append(planted)
    try:
        route = Route("GET", "/n/<night:night>/heard")
        (marks,) = (one for one in grown(world, route) if one.name == "said marks")
        assert "calls" in _dear(world, scale, route, marks)
    finally:
        before.remove(planted)


def _dear(world: World, scale: Scale, route: Route, one: Grown) -> Iterator[str]:
    sizes = (one.most // 2, one.most) if soaking.asked else (one.most,)
    weights = [weigh(scale, world, route, *one.sent(size)) for size in sizes]
    yield from findings(sizes, weights, one.most)
