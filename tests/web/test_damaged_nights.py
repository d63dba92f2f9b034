"""Nights with log entries that this program never wrote, left by an older version or by the file's owner: no page
fails, and a page that needs the entry names it."""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest

from ledger.game.terms import Stake
from ledger.recorder import KINDS, Link, LogUnreadable, Recorder, Role, Unverified, import_log, verify
from ledger.recorder.exports import Format
from ledger.recorder.operations.backup import BackupRefused
from ledger.recorder.operations.transfer import add_tail
from ledger.store import Store, make_token, read_log
from tests import soaking
from tests.databases import copy_database
from tests.recorder.forged_logs import EVERYTHING, Change, Lines, body_of, drop, forged, put, seq_of_first
from tests.recorder.tables import Clock, Table, open_table, opened
from tests.web.asking import Place
from tests.web.routes import QUERIES, STATUSES, VALUES, Asked, asked

pytestmark = pytest.mark.slow

KEY = bytes(32)
LAST_ROUND = 6
FORMATS = (Format.TLN, Format.EXACT, Format.CSV, Format.JSON)
"""One of each kind; the others are made from the same rows."""
PARTS = 1 if soaking.asked else 3
"""Of the reads of an altered night, one of so many is tried, others for other kinds of entry."""
EACH = int(os.environ.get("EACH", "8" if soaking.asked else "1"))
"""Alterations tried per kind of entry; `EACH=40` took nine minutes and found nothing more."""


class Standing:
    """An installation that accepts any log, without the usual checks."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "ledger.db"
        self.place = Place(f"sqlite:///{self.path}")
        self.store = Store.open(f"sqlite:///{self.path}", web=False)
        table = open_table(Recorder(self.store, KEY, Clock()), stake=Stake(Decimal(1000), "VND"))
        self.opening = copy_database(self.path, folder / "opening.db")
        table.tell(EVERYTHING)
        self.lines = list(self.store.export_log(table.night))
        self.night = table.night

    def close(self) -> None:
        self.store.close()
        self.place.close()

    def put(self, seq: int, change: Change) -> str:
        """Store a copy of the night with one entry altered; returns its id."""
        night = str(uuid4())
        self.store.append_log(read_log(forged(self.lines, 0, put("night", to=night))))
        text = json.loads(forged(self.lines, seq, change)[seq + 1 if seq else 0])["body"]
        connection = sqlite3.connect(self.path, isolation_level=None)
        triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        values = (text, night, seq) if seq else (text, night)
        where = "event SET body = ? WHERE night = ? AND seq = ?" if seq else "night SET body = ? WHERE id = ?"
        connection.execute(f"UPDATE {where}", values)
        for _, sql in triggers:
            connection.execute(sql)
        connection.close()
        return night

    def answers(self, night: str, seq: int, part: int = 0, parts: int = 1) -> Iterator[tuple[Asked, Any]]:
        """The response to every read of a night, or to those of one of several parts, as its keeper; of its rounds,
        to those of the first and of the one that entry `seq` belongs to."""
        rounds = {1, body_of(self.lines[seq + 1])["round"]} if seq else {1, LAST_ROUND}
        client, token = self.place.app.test_client(), make_token(KEY, Link(night, Role.KEEPER, None, 0))
        client.set_cookie(f"tienlen-{night}-keeper", token)
        for one in islice(everything(self, night, sorted(rounds)), part, None, parts):
            headers = {"Authorization": f"Bearer {token}"} if one.path.startswith("/api/") else {}
            yield one, client.get(one.path, query_string=one.query, headers=headers)


def everything(standing: Standing, night: str, rounds: Iterable[int]) -> Iterator[Asked]:
    """Every read of a night: each page and call; those of a round, an entry or a format with other values, too."""
    places = {"seq": ("25", "999"), "number": tuple(map(str, rounds)), "format": FORMATS}
    for route in STATUSES:
        if route.method != "GET" or not route.of_a_night:
            continue
        yield asked(standing.place.app, route, standing.place.night, night=night)
        for field, values in places.items():
            if f"{field}>" in route.rule:
                for value in values:
                    path = route.rule.replace("<night:night>", night)
                    for name, other in {**VALUES, "idx": "0", field: value}.items():
                        path = path.replace(f"<int:{name}>", other).replace(f"<{name}>", other)
                    yield Asked("GET", path, QUERIES.get(route, ""))


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory, brief_streams: None) -> Iterator[Standing]:
    standing = Standing(tmp_path_factory.mktemp("damaged"))
    yield standing
    standing.close()


def test_a_night_that_is_sound_says_nothing_of_damage(standing: Standing) -> None:
    codes = {response.status_code for _, response in standing.answers(standing.night, 0)}
    assert codes <= {200, 204, 302, 404}


DAMAGED: dict[str, tuple[str, Change]] = {
    "a time that is none": ("play", put("at", to="<b>never</b>")),
    "a correction without a reason": ("correct", drop("content", "reason")),
    "more handed over than there is": ("paid", put("content", "points", to=10**300)),
    "a note of nothing": ("note", put("content", "note", to="<b>")),
    "a move by nobody": ("play", drop("parts", 0, "player")),
    "cards that are none": ("play", put("parts", 0, "cards", to=["<b>"])),
    "a round without seats": ("round", drop("parts", 0, "seats")),
    "a settling of nothing": ("settle", put("payments", to=[])),
    "payments that are none": ("settle", put("payments", to="<b>")),
    "a revocation of nothing": ("revoke", put("parts", 0, "role", to=7)),
    "a stake beyond all measure": ("night", put("stake", "amount", to="1e999999999")),
    "a date that is a path": ("night", put("date", to="../../etc")),
    "a ruleset for nobody": ("night", put("ruleset", "deal", "players", to=[0, 2, 3, 4])),
    "no text at all": ("play", lambda body: body.clear()),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_no_page_of_a_damaged_night_fails_and_the_entry_is_named(standing: Standing, what: str) -> None:
    kind, change = DAMAGED[what]
    seq = 0 if kind == "night" else seq_of_first(standing.lines, kind)
    night = standing.put(seq, change)
    named = 0
    for one, response in standing.answers(night, seq):
        assert response.status_code < 500, one
        assert response.mimetype != "text/html" or "<b>never</b>" not in response.text, one
        if response.status_code == 422:
            assert "entry-unreadable" in response.text, one
            named += str(seq) in response.text
    assert named or what == "a settling of nothing", "some page needs the entry"


def test_the_tables_of_a_visitor_are_listed_though_one_is_damaged(standing: Standing) -> None:
    damaged = standing.put(0, put("date", to="../../etc"))
    client = standing.place.app.test_client()
    for night in (damaged, standing.night):
        opened = client.post(f"/t/{make_token(KEY, Link(night, Role.KEEPER, None, 0))}")
        assert opened.status_code == 303
    page = client.get("/")
    assert page.status_code == 200
    assert f"/n/{damaged}" in page.text
    assert f"/n/{standing.night}" in page.text


# Arbitrary alterations

VALUES_PUT: tuple[object, ...] = (
    None,
    True,
    -7,
    10**300,
    "<b>never</b>",
    "../../x",
    "p3",
    "keeper",
    [],
    {},
    ["<b>"],
    {"kind": "play"},
)
DROPPED = object()


def places_in(value: object, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every value inside a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*way, key)
        yield from places_in(inner, (*way, key))


def changes_of(body: dict[str, Any]) -> Iterator[tuple[tuple[Any, ...], object]]:
    for way in places_in(body):
        yield from ((way, value) for value in (DROPPED, *VALUES_PUT))


def try_change(
    standing: Standing, folder: Path, empty: Path, seq: int, way: tuple[Any, ...], value: object
) -> None:
    """Either every importer refuses the altered night, or all accept it, and then every page of it can be read."""
    change = drop(*way) if value is DROPPED else put(*way, to=value)
    log = forged(standing.lines, seq, change)
    case = f"entry {seq}: {way} -> {'nothing' if value is DROPPED else value!r}"
    try:
        verify(log)
        taken = True
    except (Unverified, LogUnreadable):
        taken = False
    assert taken == _imported(folder, empty, log), case
    assert taken == _added(standing, folder, log), case
    night = standing.put(seq, change)
    for one, response in standing.answers(night, seq, seq % PARTS, PARTS):
        assert response.status_code < 500, (case, one)
        assert response.status_code != 422 or not taken, (case, one)


def _imported(folder: Path, empty: Path, log: Lines) -> bool:
    with opened(folder / f"{uuid4()}.db", empty) as elsewhere:
        try:
            import_log(elsewhere, log)
        except (Unverified, LogUnreadable):
            assert elsewhere.nights() == []
            return False
        return True


def _added(standing: Standing, folder: Path, log: Lines) -> bool:
    with opened(folder / f"{uuid4()}.db", standing.opening) as restored:
        before = Table(restored, standing.night).contents()
        try:
            add_tail(restored, log)
        except (BackupRefused, LogUnreadable):
            assert Table(restored, standing.night).contents() == before
            return False
        return True


def firsts(lines: Lines) -> dict[str, dict[str, Any]]:
    """The first event of each kind."""
    found: dict[str, dict[str, Any]] = {}
    for body in map(body_of, lines[2:]):
        found.setdefault(body["kind"], body)
    return found


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"contract"}))
def test_any_field_altered(standing: Standing, tmp_path: Path, empty_database: Path, kind: str) -> None:
    body = firsts(standing.lines)[kind]
    changes = list(changes_of(body))
    for way, value in Random(kind).sample(changes, EACH):
        try_change(standing, tmp_path, empty_database, body["seq"], way, value)
