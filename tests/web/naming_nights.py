"""Which nights a statement reads: every statement of a request names them, so that its cost does not grow with the
number of all nights, and PostgreSQL reads their partitions."""

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
_LOOKED_AT: Final = dict[str, list[str]]()
"""The text of a statement -> the tables of which it names no night: to find them takes as long as the request."""


def names_no_night(statement: Any) -> list[str]:
    """The tables that a statement reads or changes without naming the night, or the group, of their rows."""
    if not isinstance(statement, sql.Select | sql.Update | sql.Delete | sql.CompoundSelect | sql.Insert):
        return []
    inside = list(visitors.iterate(statement))
    parts = [part for part in inside if isinstance(part, sql.Select | sql.Update | sql.Delete)]
    for_each_row = [part.element for part in inside if isinstance(part, sql.ScalarSelect)]
    whole = {table for part in parts if part not in for_each_row for table in _tables(part)}
    found = []
    for part in parts:
        rows_of = whole if part in for_each_row else set()
        found += [
            table
            for table in _tables(part) - rows_of
            if table not in _ONE_ROW and not _names(part, table, rows_of)
        ]
    return found


def _tables(part: sql.Select[Any] | sql.Update | sql.Delete) -> set[str]:
    places = part.get_final_froms() if isinstance(part, sql.Select) else [part.table]
    while joins := [place for place in places if isinstance(place, sql.Join)]:
        places = [place for place in places if place not in joins]
        places += [side for join in joins for side in (join.left, join.right)]
    return {name for place in places if (name := _table(place)) in Row.metadata.tables}


def _table(place: Any) -> str:
    """The name of a table, or of the one that an alias stands for; empty for anything else."""
    original = place.element if isinstance(place, sql.Alias) else place
    return original.name if isinstance(original, sql.Table) else ""


def _names(part: sql.Select[Any] | sql.Update | sql.Delete, table: str, rows_of: set[str]) -> bool:
    """Whether the condition of a statement has `key = value` or `key IN values` for the table, beside which any
    other condition only leaves out rows. In a statement for each row of others, a value may be their key."""
    whole = part.whereclause
    conditions = [whole]
    if isinstance(whole, sql.BooleanClauseList) and whole.operator is operators.and_:
        conditions = list(whole.clauses)
    return any(
        isinstance(condition, sql.BinaryExpression)
        and condition.operator in (operators.eq, operators.in_op)
        and _is_key(condition.left, {table})
        and (isinstance(condition.right, sql.BindParameter) or _is_key(condition.right, rows_of))
        for condition in conditions
    )


def _is_key(side: Any, tables: set[str]) -> bool:
    """Whether a side of a condition is what names a night, or a group, in one of these tables."""
    table = _table(side.table) if isinstance(side, sql.Column | sql.ColumnClause) else ""
    return table in tables and side.name in _KEYS.get(table, {"night"})


@contextmanager
def watched() -> Iterator[list[str]]:
    """The statements of requests during the block that name no night, each with the tables."""
    found = list[str]()

    def look(connection: object, cursor: object, text: str, given: object, context: Any, many: bool) -> None:
        if not has_request_context():
            return
        if text not in _LOOKED_AT:
            _LOOKED_AT[text] = names_no_night(context.invoked_statement)
        if tables := _LOOKED_AT[text]:
            found.append(f"{', '.join(tables)}: {text}")

    event.listen(Engine, "before_cursor_execute", look)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", look)
