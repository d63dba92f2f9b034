"""Every route of the web, its status for each role, and a valid request to each."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import Flask

from ledger.web.pages.blueprint import STATIC
from ledger.web.recorder import recorder
from tests.recorder.tables import run
from tests.web.phones import Data, Table, new_id, new_night, open_table, settle_a_round

ROLES = ("nobody", "wrong", "watch", "seat", "other", "keeper", "far")
"""The roles: no link; an invalid token; the links of the night itself, `seat` being p1's and `other` p2's; and
`far`, with any link of another night."""

# Pages take cookies, and ignore those of other nights: 401. The interface takes tokens, and a token of another
# night gives 404.
TABLE = """
                                                       nobody wrong watch seat other keeper far
GET  /                                                    200   200   200  200   200    200 200
POST /                                                    303   303   303  303   303    303 303
GET  /paste                                               200   200   200  200   200    200 200
POST /paste                                               303   303   303  303   303    303 303
POST /language                                            303   303   303  303   303    303 303
POST /example                                             303   303   303  303   303    303 303
GET  /documents/<document>                                200   200   200  200   200    200 200
GET  /help                                                200   200   200  200   200    200 200
GET  /how-it-works                                        200   200   200  200   200    200 200
GET  /how-to-play                                         200   200   200  200   200    200 200
GET  /phone                                               200   200   200  200   200    200 200
POST /phone                                               303   303   303  303   303    303 303
GET  /rules                                               200   200   200  200   200    200 200
GET  /rules/<preset>                                      200   200   200  200   200    200 200
GET  /verify.html                                         200   200   200  200   200    200 200
GET  /manifest.webmanifest                                200   200   200  200   200    200 200
GET  /sw.js                                               200   200   200  200   200    200 200
GET  /static/<path:filename>                              200   200   200  200   200    200 200
GET  /healthz                                             200   200   200  200   200    200 200
GET  /setup                                               404   404   404  404   404    404 404
GET  /t/<token>                                           404   404   200  200   200    200 200
POST /t/<token>                                           404   404   303  303   303    303 303
GET  /t/g/<token>                                         404   404   404  404   404    404 404
POST /t/g/<token>                                         404   404   404  404   404    404 404
GET  /groups/<night:group>                                401   401   401  401   401    401 401
POST /groups/<night:group>                                401   401   401  401   401    401 401
GET  /groups/<night:group>/season.csv                     401   401   401  401   401    401 401
GET  /groups/<night:group>/nights.ics                     401   401   401  401   401    401 401

GET  /n/<night:night>                                     401   401   200  200   200    200 401
POST /n/<night:night>                                     401   401   403  403   403    303 401
POST /n/<night:night>/carried                             401   401   403  403   403    401 401
GET  /n/<night:night>/compare                             401   401   200  200   200    200 401
GET  /n/<night:night>/compare.svg                         401   401   200  200   200    200 401
GET  /n/<night:night>/disputes                            401   401   200  200   200    200 401
GET  /n/<night:night>/disputes/<int:seq>                  401   401   200  200   200    200 401
POST /n/<night:night>/disputes/<int:seq>                  401   401   403  403   403    303 401
GET  /n/<night:night>/export                              401   401   200  200   200    200 401
GET  /n/<night:night>/export/<format>                     401   401   200  200   200    200 401
GET  /n/<night:night>/group                               401   401   403  403   403    200 401
POST /n/<night:night>/group                               401   401   403  403   403    303 401
GET  /n/<night:night>/heard                               401   401   403  403   403    200 401
GET  /n/<night:night>/ledger                              401   401   200  200   200    200 401
POST /n/<night:night>/ledger                              401   401   403  403   403    303 401
GET  /n/<night:night>/links                               401   401   403  403   403    200 401
POST /n/<night:night>/links                               401   401   403  403   403    303 401
GET  /n/<night:night>/links/<holder>                      401   401   403  403   403    200 401
POST /n/<night:night>/links/<holder>                      401   401   403  403   403    303 401
GET  /n/<night:night>/mine                                401   401   302  200   200    302 401
POST /n/<night:night>/mine                                401   401   403  303   403    403 401
GET  /n/<night:night>/notes                               401   401   200  200   200    200 401
POST /n/<night:night>/notes                               401   401   403  403   403    303 401
GET  /n/<night:night>/overlay                             401   401   200  200   200    200 401
GET  /n/<night:night>/payments/<int:seq>.<int:idx>        401   401   200  200   200    200 401
POST /n/<night:night>/payments/<int:seq>.<int:idx>        401   401   403  303   403    403 401
GET  /n/<night:night>/result                              401   401   403  403   403    200 401
POST /n/<night:night>/result                              401   401   403  403   403    303 401
GET  /n/<night:night>/rounds                              401   401   200  200   200    200 401
GET  /n/<night:night>/rounds/<int:number>                 401   401   200  200   200    200 401
POST /n/<night:night>/rounds/<int:number>/agree           401   401   403  303   403    403 401
GET  /n/<night:night>/rounds/<int:number>/correct         401   401   403  403   403    200 401
POST /n/<night:night>/rounds/<int:number>/correct         401   401   403  403   403    303 401
GET  /n/<night:night>/rounds/<int:number>/dispute         401   401   200  200   200    200 401
POST /n/<night:night>/rounds/<int:number>/dispute         401   401   403  303   403    403 401
GET  /n/<night:night>/rounds/<int:number>/mend            401   401   403  403   403    302 401
POST /n/<night:night>/rounds/<int:number>/mend            401   401   403  403   403    303 401
GET  /n/<night:night>/rounds/<int:number>/settle          401   401   403  403   403    200 401
POST /n/<night:night>/rounds/<int:number>/settle          401   401   403  403   403    303 401
POST /n/<night:night>/rounds/<int:number>/void            401   401   403  403   403    303 401
GET  /n/<night:night>/rounds/<int:number>/why             401   401   200  200   200    200 401
GET  /n/<night:night>/rules                               401   401   200  200   200    200 401
GET  /n/<night:night>/settle-up                           401   401   200  200   200    200 401
POST /n/<night:night>/settle-up                           401   401   403  403   403    303 401
GET  /n/<night:night>/settle-up/<player>                  401   401   200  200   200    200 401
GET  /n/<night:night>/statistics                          401   401   200  200   200    200 401
GET  /n/<night:night>/under/<preset>                      401   401   200  200   200    200 401

GET  /api/v1/openapi.json                                 200   200   200  200   200    200 200
GET  /api/v1/moves-schema.json                            200   200   200  200   200    200 200
POST /api/v1/score                                        200   200   200  200   200    200 200
POST /api/v1/nights                                       201   201   201  201   201    201 201
GET  /api/v1/nights/<night:night>                         401   404   200  200   200    200 404
POST /api/v1/nights/<night:night>/events                  401   404   403  403   403    201 404
GET  /api/v1/nights/<night:night>/events                  401   404   200  200   200    200 404
GET  /api/v1/nights/<night:night>/ledger                  401   404   200  200   200    200 404
GET  /api/v1/nights/<night:night>/live                    401   404   200  200   200    200 404
GET  /api/v1/nights/<night:night>/moves                   401   404   200  200   200    200 404
GET  /api/v1/nights/<night:night>/replay                  401   404   200  200   200    200 404
"""


class Route(NamedTuple):
    """A method and a URL rule."""

    method: str
    rule: str

    @property
    def of_a_night(self) -> bool:
        return "<night:night>" in self.rule


def statuses() -> dict[Route, dict[str, int]]:
    """The table: the status by route and role."""
    rows = [line.replace("/static", STATIC).split() for line in TABLE.splitlines()[2:] if line]
    return {Route(method, rule): dict(zip(ROLES, map(int, row), strict=True)) for method, rule, *row in rows}


STATUSES = statuses()
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
    settle_a_round(keeper)
    table.seat("p1").record("dispute", round=1, payment={"seq": 7, "idx": 0}, reason="không phải")
    keeper.tell(f"round lead p1 \n p1 {run('s')} \n p1 2s \n round lead p1")
    return table


VALUES: Mapping[str, str] = {
    "preset": "southern-classic",
    "document": "SECURITY.md",
    "filename": "page.css",
    "format": "csv",
    "holder": "p2",
    "player": "p1",
    "seq": "8",
    "idx": "0",
    "number": "1",
    "group": "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11",
}
"""Default values of the parameters in addresses."""

OTHER_VALUES: Mapping[Route, Mapping[str, str]] = {
    Route("GET", "/n/<night:night>/payments/<int:seq>.<int:idx>"): {"seq": "7"},
    Route("POST", "/n/<night:night>/payments/<int:seq>.<int:idx>"): {"seq": "7", "idx": "1"},
    Route("GET", "/n/<night:night>/rounds/<int:number>/settle"): {"number": "2"},
    Route("POST", "/n/<night:night>/rounds/<int:number>/settle"): {"number": "2"},
    Route("POST", "/n/<night:night>/rounds/<int:number>/void"): {"number": "2"},
}

QUERIES: Mapping[Route, str] = {
    Route("GET", "/n/<night:night>/rounds/<int:number>/dispute"): "move=2.0",
    Route("GET", "/n/<night:night>/rounds/<int:number>/correct"): "target=2.0",
    Route("GET", "/n/<night:night>/rounds/<int:number>/mend"): "move=1",
    Route("GET", "/n/<night:night>/compare.svg"): "head=3-7K3Q9FZDMW2HXA4T",
    Route("GET", "/phone"): "back=/rules",
    Route("GET", "/n/<night:night>/heard"): "said=qua&seat=p2",
}

FORMS: Mapping[Route, Data] = {
    Route("POST", "/language"): {"language": "en", "back": "/rules"},
    Route("POST", "/example"): {},
    Route("POST", "/phone"): {"set": "suits", "back": "/rules"},
    Route("POST", "/t/<token>"): {},
    Route("POST", "/t/g/<token>"): {},
    Route("POST", "/groups/<night:group>"): {"kind": "rename", "name": "Hội"},
    Route("POST", "/n/<night:night>/carried"): {"group": "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11"},
    Route("POST", "/n/<night:night>/group"): {"name": "Hội thứ sáu"},
    Route("POST", "/n/<night:night>"): {"kind": "play", "seat": "p1", "cards": "3s"},
    Route("POST", "/n/<night:night>/disputes/<int:seq>"): {"decision": "kept", "reason": "đúng rồi"},
    Route("POST", "/n/<night:night>/ledger"): {
        "kind": "adjust",
        "payer": "p1",
        "payee": "p2",
        "points": "3",
        "reason": "muộn",
    },
    Route("POST", "/n/<night:night>/links"): {"kind": "join", "name": "Em"},
    Route("POST", "/n/<night:night>/links/<holder>"): {"kind": "rename", "name": "Bính"},
    Route("POST", "/n/<night:night>/mine"): {"seat": "p1", "rounds": "1"},
    Route("POST", "/n/<night:night>/notes"): {"due": "deals p2"},
    Route("POST", "/n/<night:night>/payments/<int:seq>.<int:idx>"): {"seat": "p1", "reason": "sai"},
    Route("POST", "/n/<night:night>/result"): {"kind": "result", "places": ["p1", "p2", "p3", "p4"]},
    Route("POST", "/n/<night:night>/rounds/<int:number>/agree"): {"seat": "p1"},
    Route("POST", "/n/<night:night>/rounds/<int:number>/correct"): {
        "act": "record",
        "change": '{"target": "1.0", "with": {"kind": "round", "opening": true, "stood": true}}',
        "reason": "nhầm",
    },
    Route("POST", "/n/<night:night>/rounds/<int:number>/dispute"): {
        "seat": "p1",
        "move": "2.0",
        "reason": "sai",
    },
    Route("POST", "/n/<night:night>/rounds/<int:number>/mend"): {"kind": "tapped", "move": "2", "seat": "p2"},
    Route("POST", "/n/<night:night>/rounds/<int:number>/settle"): {"kind": "none", "seat": "p2"},
    Route("POST", "/n/<night:night>/rounds/<int:number>/void"): {"reason": "chia nhầm"},
    Route("POST", "/n/<night:night>/settle-up"): {},
}
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
    values = {**VALUES, **OTHER_VALUES.get(route, {}), "night": night or table.night, "token": token}
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
                return urlencode(asdict(transfers[0]) if transfers else {}), FORM
    after = table.keeper.board()["after"]
    return urlencode({"id": new_id(), "after": after, **FORMS[route]}, doseq=True), FORM


def upload(fields: Mapping[str, str]) -> tuple[str, str]:
    """A multipart form, and its content type."""
    parts = "".join(
        f'--next\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
    return f"{parts}--next--\r\n", "multipart/form-data; boundary=next"
