"""Which nights a statement reads: every statement of a request names one, so that its cost does not grow with their
number, and PostgreSQL reads one partition."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import sqlalchemy as sql
from flask import has_request_context
from sqlalchemy import Engine, event
from sqlalchemy.sql import operators, visitors

from ledger.store.models import GroupEntry, LinkKey, Night, Row

_KEYS: Final = {
    Night.__tablename__: {"id"},
    GroupEntry.__tablename__: {"group_id", "night"},
}
"""Table -> its columns that name a night or a group, for tables where that is not `night`."""
_ONE_ROW: Final = {LinkKey.__tablename__}


def names_no_night(statement: Any) -> list[str]:
    """The tables that a statement reads or changes without naming the night, or the group, of their rows."""
    if not isinstance(statement, sql.Select | sql.Update | sql.Delete | sql.CompoundSelect | sql.Insert):
        return []
    return [
        table
        for part in visitors.iterate(statement)
        if isinstance(part, sql.Select | sql.Update | sql.Delete)
        for table in _tables(part)
        if table not in _ONE_ROW and not _names(part, table)
    ]


def _tables(part: sql.Select[Any] | sql.Update | sql.Delete) -> set[str]:
    places = part.get_final_froms() if isinstance(part, sql.Select) else [part.table]
    while joins := [place for place in places if isinstance(place, sql.Join)]:
        places = [place for place in places if place not in joins]
        places += [side for join in joins for side in (join.left, join.right)]
    return {
        place.name for place in places if isinstance(place, sql.Table) and place.name in Row.metadata.tables
    }


def _names(part: sql.Select[Any] | sql.Update | sql.Delete, table: str) -> bool:
    """Whether the condition of a statement has `key = value` for the table, beside which any other condition only
    leaves out rows."""
    whole = part.whereclause
    conditions = [whole]
    if isinstance(whole, sql.BooleanClauseList) and whole.operator is operators.and_:
        conditions = list(whole.clauses)
    return any(
        isinstance(condition, sql.BinaryExpression)
        and condition.operator is operators.eq
        and isinstance(condition.left, sql.Column)
        and isinstance(condition.right, sql.BindParameter)
        and condition.left.table.name == table
        and condition.left.name in _KEYS.get(table, {"night"})
        for condition in conditions
    )


@contextmanager
def watched() -> Iterator[list[str]]:
    """The statements of requests during the block that name no night, each with the tables."""
    found = list[str]()

    def look(connection: object, statement: Any, *rest: object) -> None:
        if has_request_context() and (tables := names_no_night(statement)):
            found.append(f"{', '.join(tables)}: {statement}")

    event.listen(Engine, "before_execute", look)
    try:
        yield found
    finally:
        event.remove(Engine, "before_execute", look)
