"""A statement that reads rows of nights which it does not name is found."""

from typing import Any

import pytest
from flask import Flask
from sqlmodel import col, func, or_, select

from ledger.store import statements
from ledger.store.models import Event, GroupEntry, LinkKey, Night, Payment, Person, Row
from ledger.web.recorder import recorder
from tests.web.naming_nights import names_no_night, watched

_OF_NIGHT = col(Event.night) == "n"
MANY_NIGHTS = (
    statements.MARKS,
    statements.NOW_OF_NIGHTS,
    statements.BALANCES,
    statements.OF_NIGHTS_OF_KINDS,
    statements.LAST_OF_GROUPS,
)
_a_count = select(func.count(col(Person.name)))
_of_each_night = _a_count.where(col(Person.night) == col(Night.id))


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        (select(Night).order_by(Night.created_at), ["night"]),
        (select(Event).where(col(Event.id) == "e"), ["event"]),
        (select(Event).where(or_(_OF_NIGHT, col(Event.seq) == 1)), ["event"]),
        (select(Event).where(col(Event.night) != "n"), ["event"]),
        (select(Event).where(col(Event.night).in_(["n", "m"])), []),
        (select(Event).where(col(Event.night).in_(select(Person.night))), ["event", "person"]),
        (select(Event).where(col(Event.night).not_in(["n", "m"])), ["event"]),
        (select(Event, Person).where(_OF_NIGHT), ["person"]),
        (select(Event).where(_OF_NIGHT, col(Event.seq).in_(select(Payment.seq))), ["payment"]),
        (select(Event).where(_OF_NIGHT, col(Event.seq) > 1), []),
        (select(GroupEntry).where(GroupEntry.group_id == "g"), []),
        (select(LinkKey), []),
        *((statement, []) for statement in (statements.NOW, statements.TOUCHED, statements.APPEND)),
        *((statement, []) for statement in MANY_NIGHTS),
        (select(Night.id, _a_count.scalar_subquery()).where(col(Night.id) == "n"), ["person"]),
        (select(Night.id, _of_each_night.scalar_subquery()).where(col(Night.id) == "n"), []),
        (select(Night.id, _of_each_night.scalar_subquery()), ["night"]),
    ],
)
def test_a_statement_that_names_no_night_is_found(statement: Any, found: list[str]) -> None:
    assert names_no_night(statement) == found


@pytest.fixture
def every_statement_names_a_night() -> None:
    """Not asked here, where one that does not is looked for."""


def test_such_a_statement_of_a_request_is_found_each_time(app: Flask) -> None:
    every_night = select(Night.id)
    with watched() as found, app.app_context(), recorder().store.reading() as reader:
        reader.all(every_night)
        assert found == []
        with app.test_request_context():
            for _ in range(2):
                reader.all(every_night)
    assert [line.partition(":")[0] for line in found] == ["night", "night"]


def test_the_key_of_every_table_begins_with_its_night_or_group() -> None:
    first = {name: table.primary_key.columns[0].name for name, table in Row.metadata.tables.items()}
    own = {Night.__tablename__: "id", GroupEntry.__tablename__: "group_id", LinkKey.__tablename__: "id"}
    assert first == dict.fromkeys(first, "night") | own
