"""The SQL statements of all queries on the log, built once, as building one takes longer than running it."""

from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sql
from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from ledger.store.models import (
    NOT_PLAYS_OR_PASSES,
    Correction,
    Event,
    GroupEntry,
    Night,
    Payment,
    Person,
    Row,
)

PAGE: Final = 1000
"""The most rows that a query of unlimited length reads in one transaction."""

_night: Final[sql.BindParameter[str]] = sql.bindparam("night")
_round: Final[sql.BindParameter[int]] = sql.bindparam("round")
_seq: Final[sql.BindParameter[int]] = sql.bindparam("seq")
_kinds: Final[sql.BindParameter[str]] = sql.bindparam("kinds", expanding=True)


def _in_sight(row: type[Event] | type[Payment]) -> sql.ColumnElement[bool]:
    """The condition for the rows of a night up to the seq `until`."""
    return sql.and_(col(row.night) == _night, col(row.seq) <= sql.bindparam("until"))


def _by_seqs(*wanted: sql.ColumnElement[bool] | sql.TextClause) -> SelectOfScalar[Event]:
    """Select some events of a night. Their seqs are selected in a subquery, for which SQLite uses the index;
    selecting whole rows directly, it would scan the night."""
    seqs = select(Event.seq).where(_in_sight(Event), *wanted)
    return select(Event).where(col(Event.night) == _night, col(Event.seq).in_(seqs))


def _now_of_a_night() -> sql.CompoundSelect[Any]:
    """One row per fact: its type, seq, hash or salt, text or tag, and name."""
    word, nothing = sql.literal_column, sql.null()
    newest = (
        sql.select(col(Event.seq), col(Event.hash))
        .where(col(Event.night) == _night)
        .order_by(col(Event.seq).desc())
        .limit(1)
        .subquery("newest")
    )
    kind = col(Event.kind) == sql.bindparam("kind")
    seqs = sql.select(col(Event.seq)).where(col(Event.night) == _night, NOT_PLAYS_OR_PASSES, kind)
    return sql.union_all(
        sql.select(word("'night'"), word("0"), col(Night.hash), nothing, nothing).where(
            col(Night.id) == _night
        ),
        sql.select(word("'head'"), newest.c.seq, newest.c.hash, nothing, nothing),
        sql.select(word("'person'"), nothing, col(Person.salt), col(Person.player), col(Person.name)).where(
            col(Person.night) == _night
        ),
        sql.select(word("'event'"), col(Event.seq), nothing, col(Event.body), nothing).where(
            col(Event.night) == _night, col(Event.seq).in_(seqs)
        ),
    )


NOW: Final = _now_of_a_night()
INSERT: Final[Mapping[type[Row], sql.Insert]] = {
    row: sql.insert(row) for row in (Night, Person, Event, Payment, Correction, GroupEntry)
}
EVENTS: Final = select(Event).where(_in_sight(Event))
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
OF_ROUND: Final = _by_seqs(col(Event.round) == _round).order_by(col(Event.seq))
RARE_OF_KINDS: Final = _by_seqs(NOT_PLAYS_OR_PASSES, col(Event.kind).in_(_kinds))
OF_KINDS: Final = RARE_OF_KINDS.order_by(col(Event.seq))
LAST_ROUND: Final = select(Event.round).where(_in_sight(Event)).order_by(col(Event.round).desc()).limit(1)
TOUCHED: Final[sql.CompoundSelect[Any]] = sql.union(
    sql.select(col(Event.round), col(Event.hash)).where(_in_sight(Event), col(Event.seq) == _seq),
    sql.select(col(Event.round), sql.null()).where(_in_sight(Event), col(Event.seq) > _seq),
    sql.select(col(Payment.round), sql.null()).where(_in_sight(Payment), col(Payment.seq) > _seq),
)
"""A row with the hash of the event `seq`, if it exists; then, without a hash, every round touched since."""
ACCOUNTED: Final = sql.union(
    select(Payment.round).where(_in_sight(Payment)), RARE_OF_KINDS.with_only_columns(col(Event.round))
)
BY_PLACE: Final = (col(Payment.seq), col(Payment.idx))
PAYMENTS: Final = (
    select(Payment)
    .where(_in_sight(Payment), sql.tuple_(*BY_PLACE) > sql.tuple_(_seq, sql.bindparam("idx")))
    .order_by(*BY_PLACE)
    .limit(PAGE)
)
PAYMENTS_OF_ROUND: Final = (
    select(Payment)
    .where(
        col(Payment.night) == _night,
        col(Payment.round) == _round,
        col(Payment.seq).in_(select(Payment.seq).where(_in_sight(Payment), col(Payment.round) == _round)),
    )
    .order_by(*BY_PLACE)
)
RECEIVED, PAID = (
    select(side, sql.func.sum(Payment.points)).where(_in_sight(Payment)).group_by(col(side))
    for side in (Payment.payee, Payment.payer)
)
