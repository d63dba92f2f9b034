"""The SQL statements of all queries on the log, built once, as building one takes longer than running it."""

from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sql
from sqlmodel import col, select

from ledger.store.models import (
    NOT_PLAYS_OR_PASSES,
    REVOKING,
    Correction,
    Event,
    GroupEntry,
    Night,
    Payment,
    Person,
    Row,
    StoredEvent,
)

_night: Final[sql.BindParameter[str]] = sql.bindparam("night")
_nights: Final[sql.BindParameter[str]] = sql.bindparam("nights", expanding=True)
_rounds: Final[sql.BindParameter[int]] = sql.bindparam("rounds", expanding=True)
_seq: Final[sql.BindParameter[int]] = sql.bindparam("seq")
_kinds: Final[sql.BindParameter[str]] = sql.bindparam("kinds", expanding=True)
_OF_NIGHT: Final = col(Event.night) == _night
_PAID_IN_NIGHT: Final = col(Payment.night) == _night
EVENTS: Final = sql.select(*map(Event.__table__.c.__getitem__, StoredEvent._fields)).where(_OF_NIGHT)


def _by_seqs(*wanted: sql.ColumnElement[bool] | sql.TextClause) -> sql.Select[Any]:
    """Select some events of a night. Their seqs are selected in a subquery, for which SQLite uses the index;
    selecting whole rows directly, it would scan the night."""
    seqs = select(Event.seq).where(_OF_NIGHT, *wanted)
    return EVENTS.where(col(Event.seq).in_(seqs))


def _now_of_a_night() -> sql.CompoundSelect[Any]:
    """One row per fact: its type, seq, hash or salt, text or tag, and name."""
    word, nothing = sql.literal_column, sql.null()
    newest = (
        sql.select(col(Event.seq), col(Event.hash)).where(_OF_NIGHT).order_by(col(Event.seq).desc()).limit(1)
    ).subquery("newest")
    revoking = sql.select(col(Event.seq)).where(
        _OF_NIGHT, NOT_PLAYS_OR_PASSES, col(Event.kind) == sql.literal(REVOKING)
    )
    return sql.union_all(
        sql.select(word("'night'"), word("0"), col(Night.hash), nothing, nothing).where(
            col(Night.id) == _night
        ),
        sql.select(word("'head'"), newest.c.seq, newest.c.hash, nothing, nothing),
        sql.select(word("'person'"), nothing, col(Person.salt), col(Person.player), col(Person.name)).where(
            col(Person.night) == _night
        ),
        sql.select(word("'event'"), col(Event.seq), nothing, col(Event.body), nothing).where(
            _OF_NIGHT, col(Event.seq).in_(revoking)
        ),
    )


NOW: Final = _now_of_a_night()


def _newest(column: Any, by: Any) -> sql.ScalarSelect[Any]:
    """A column of the last event of a row's night, in the order of another column; null if there is none. Both are
    in one index, which is searched once for each night."""
    event = Event.__table__.alias()
    return (
        sql.select(event.c[column.key])
        .where(event.c.night == col(Night.id))
        .order_by(event.c[by.key].desc())
        .limit(1)
        .scalar_subquery()
    )


def _now_of_nights() -> sql.CompoundSelect[Any]:
    """The rows of `NOW` of some nights, each with its night: one row with the head of each."""
    word, nothing = sql.literal_column, sql.null()
    newest, hash = _newest(Event.seq, Event.seq), _newest(Event.hash, Event.seq)
    return sql.union_all(
        sql.select(
            col(Night.id),
            word("'head'"),
            sql.func.coalesce(newest, 0),
            sql.func.coalesce(hash, col(Night.hash)),
            nothing,
            nothing,
        ).where(col(Night.id).in_(_nights)),
        sql.select(
            col(Person.night),
            word("'person'"),
            nothing,
            col(Person.salt),
            col(Person.player),
            col(Person.name),
        ).where(col(Person.night).in_(_nights)),
        sql.select(
            col(Event.night), word("'event'"), col(Event.seq), nothing, col(Event.body), nothing
        ).where(col(Event.night).in_(_nights), NOT_PLAYS_OR_PASSES, col(Event.kind) == sql.literal(REVOKING)),
    )


def _marks() -> sql.Select[Any]:
    """A row per night: its id, the seq and hash of its head, its greatest round, and how many names are not
    erased."""
    named = sql.select(sql.func.count(Person.__table__.c.name)).where(col(Person.night) == col(Night.id))
    return sql.select(
        col(Night.id),
        sql.func.coalesce(_newest(Event.seq, Event.seq), 0),
        sql.func.coalesce(_newest(Event.hash, Event.seq), col(Night.hash)),
        sql.func.coalesce(_newest(Event.round, Event.round), 0),
        named.scalar_subquery(),
    ).where(col(Night.id).in_(_nights))


def _last_of_group() -> sql.ScalarSelect[Any]:
    entry = GroupEntry.__table__.alias()
    return (
        sql.select(sql.func.max(entry.c.seq))
        .where(entry.c.group_id == col(GroupEntry.group_id))
        .scalar_subquery()
    )


NOW_OF_NIGHTS: Final = _now_of_nights()
MARKS: Final = _marks()
INSERT: Final[Mapping[type[Row], sql.Insert]] = {
    row: sql.insert(row) for row in (Night, Person, Event, Payment, Correction, GroupEntry)
}
APPEND: Final = INSERT[Event].returning(
    select(sql.func.count(col(Person.name))).where(col(Person.night) == sql.bindparam("of")).scalar_subquery()
)
"""An event; how many names of its night are not erased."""
BY_ID: Final = _by_seqs(col(Event.id) == sql.bindparam("id"))
LAST: Final = (
    EVENTS.where(col(Event.kind).not_in(sql.bindparam("but", expanding=True)))
    .order_by(col(Event.seq).desc())
    .limit(1)
)
AFTER: Final = (
    EVENTS.where(col(Event.seq) > sql.bindparam("after"))
    .order_by(col(Event.seq))
    .limit(sql.bindparam("limit"))
)
OF_ROUNDS: Final = _by_seqs(col(Event.round).in_(_rounds)).order_by(col(Event.seq))
OF_KINDS: Final = _by_seqs(NOT_PLAYS_OR_PASSES, col(Event.kind).in_(_kinds)).order_by(col(Event.seq))
_OF_NIGHTS: Final = col(Event.night).in_(_nights)
_IN_ORDER: Final = (col(Event.night), col(Event.seq))
OF_NIGHTS: Final = sql.select(*EVENTS.selected_columns).where(_OF_NIGHTS).order_by(*_IN_ORDER)
OF_NIGHTS_OF_KINDS: Final = OF_NIGHTS.where(NOT_PLAYS_OR_PASSES, col(Event.kind).in_(_kinds))
LAST_ROUND: Final = select(Event.round).where(_OF_NIGHT).order_by(col(Event.round).desc()).limit(1)
TOUCHED: Final[sql.CompoundSelect[Any]] = sql.union(
    sql.select(col(Event.round), col(Event.hash)).where(_OF_NIGHT, col(Event.seq) == _seq),
    sql.select(col(Event.round), sql.null()).where(_OF_NIGHT, col(Event.seq) > _seq),
    sql.select(col(Payment.round), sql.null()).where(_PAID_IN_NIGHT, col(Payment.seq) > _seq),
)
"""A row with the hash of the event `seq`, if it exists; then, without a hash, every round touched since."""
BALANCES: Final[sql.CompoundSelect[Any]] = sql.union_all(
    *(
        sql.select(col(Payment.night), col(side), sign * sql.func.sum(Payment.points))
        .where(col(Payment.night).in_(_nights))
        .group_by(col(Payment.night), col(side))
        for side, sign in ((Payment.payee, 1), (Payment.payer, -1))
    )
)
"""(Night, player, points received), and less points paid, of some nights."""
_IN_GROUPS: Final = col(GroupEntry.group_id).in_(sql.bindparam("groups", expanding=True))
OF_GROUPS: Final = (
    sql.select(*GroupEntry.__table__.c)
    .where(_IN_GROUPS)
    .order_by(col(GroupEntry.group_id), col(GroupEntry.seq))
)
LAST_OF_GROUPS: Final = sql.select(*GroupEntry.__table__.c).where(
    _IN_GROUPS, col(GroupEntry.seq) == _last_of_group()
)
