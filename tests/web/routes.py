"""Every route of the web, its status for each role, and a valid request to each."""

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import Flask

from ledger.web.pages.shared.blueprint import STATIC
from ledger.web.recorder import recorder
from tests.case_files import lines_below
from tests.game.table import run
from tests.nights import Data, new_id
from tests.stories import A_SETTLED_ROUND_OF_FOUR
from tests.web.phones import Table, new_night, open_table

ROLES = ("nobody", "wrong", "watch", "seat", "other", "keeper", "far")
"""The roles: no link; an invalid token; the links of the night itself, `seat` being p1's and `other` p2's; and
`far`, with any link of another night."""


class Route(NamedTuple):
    """A method and a URL rule."""

    method: str
    rule: str

    @property
    def of_a_night(self) -> bool:
        return "<night:night>" in self.rule


def _by_route(heading: str) -> dict[Route, str]:
    """What a line says after a method and a rule."""
    lines = (line.split(" ", 2) for line in lines_below("routes.txt", heading))
    return {Route(method, rule): " ".join(rest) for method, rule, *rest in lines}


def _statuses() -> dict[Route, dict[str, int]]:
    """The status by route and role."""
    rows = [line.replace("/static", STATIC).split() for line in lines_below("routes.txt", "statuses")]
    return {Route(method, rule): dict(zip(ROLES, map(int, row), strict=True)) for method, rule, *row in rows}


def _named(text: str) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for name, _, value in (word.partition("=") for word in shlex.split(text)):
        values.setdefault(name, []).append(value)
    return values


STATUSES = _statuses()
RECORDING = {
    route
    for route in STATUSES
    if route.method == "POST" and (route.of_a_night or route.rule in ("/", "/paste", "/api/v1/nights"))
}
"""Routes that append to a log: the others store nothing, or set a cookie."""


def routes_of(app: Flask) -> set[Route]:
    """The routes of an app, without HEAD and OPTIONS."""
    return {
        Route(method, rule.rule)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def played(app: Flask, **changes: Any) -> Table:
    """A night on which every route has something to do: round 1 is settled, and p1 disputes a payment of it; round
    2 is over and not settled; round 3 has begun, without a play."""
    table = open_table(app.test_client(), **changes)
    keeper = table.keeper
    keeper.tell(A_SETTLED_ROUND_OF_FOUR)
    table.seat("p1").record("dispute", round=1, payment={"seq": 7, "idx": 0}, reason="không phải")
    keeper.tell(f"round lead p1 \n p1 {run('s')} \n p1 2s \n round lead p1")
    return table


VALUES: Mapping[str, str] = dict(line.split(" ", 1) for line in lines_below("routes.txt", "values"))
"""Default values of the parameters in addresses."""
_OTHER_VALUES = {
    route: {name: value for name, (value,) in _named(text).items()}
    for route, text in _by_route("other values").items()
}
QUERIES: Mapping[Route, str] = _by_route("queries")
FORMS: Mapping[Route, Data] = {route: _named(text) for route, text in _by_route("forms").items()}
"""Fields of the pages' forms, without `id` and `after`, which all of them have."""

JSON, TEXT, FORM = "application/json", "text/plain", "application/x-www-form-urlencoded"
REPLAY = "tienlen 1\nruleset southern-classic\np1 A\np2 B\nround 1\np1 3s\np2 4s\n"


class Asked(NamedTuple):
    """A request without credentials."""

    method: str
    path: str
    query: str = ""
    body: str = ""
    content_type: str = ""


def asked(app: Flask, route: Route, table: Table, *, night: str = "", token: str = "") -> Asked:
    """A valid request to a route for this night; with `night`, the same request to another night."""
    values = {**VALUES, **_OTHER_VALUES.get(route, {}), "night": night or table.night, "token": token}
    path = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: values[found[1]], route.rule)
    body, content_type = _body(app, route, table) if route.method == "POST" else ("", "")
    return Asked(route.method, path, QUERIES.get(route, ""), body, content_type)


def _body(app: Flask, route: Route, table: Table) -> tuple[str, str]:
    match route.rule:
        case "/api/v1/nights":
            return json.dumps(new_night()), JSON
        case "/api/v1/nights/<night:night>/events":
            return json.dumps(table.caught_up().event("play", seat="p1", cards=["3s"])), JSON
        case "/api/v1/score":
            return REPLAY, TEXT
        case "/":
            night = new_night()
            return urlencode(night, doseq=True), FORM
        case "/paste":
            new = new_night()
            return upload({"text": REPLAY, "open": "yes", "id": new["id"], "secret": new["secret"]})
        case "/n/<night:night>/settle-up":
            with app.app_context(), recorder().night(table.night) as snapshot:
                transfers = snapshot.settle_up().transfers
                offered = asdict(transfers[0]) if transfers else {}
                return urlencode({name: value for name, value in offered.items() if value is not None}), FORM
    after = table.keeper.board()["after"]
    return urlencode({"id": new_id(), "after": after, **FORMS[route]}, doseq=True), FORM


def upload(fields: Mapping[str, str]) -> tuple[str, str]:
    """A multipart form, and its content type."""
    parts = "".join(
        f'--next\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
    return f"{parts}--next--\r\n", "multipart/form-data; boundary=next"
