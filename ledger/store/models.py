"""The tables of the log as SQLModel classes, which the functions of the store take and return.

Rows that were read must not be changed; nothing is validated here. Only migrations make a schema: a test checks
that these classes match it. Triggers are in the migrations only.
"""

from typing import Any, ClassVar, NamedTuple

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlmodel import Field, SQLModel

REVOKING = "revoke"
"""The kind of the events that revoke links."""
NOT_PLAYS_OR_PASSES = text("kind NOT IN ('pass', 'play')")
"""The events in the index `event_by_kind`. SQLite uses a partial index only if a query repeats its condition."""

_SQLITE: dict[str, Any] = {"sqlite_strict": True, "sqlite_with_rowid": False}
# STRICT: a column holds only values of its type. WITHOUT ROWID: rows are stored by their primary key, and cannot be
# addressed by another number.


_WHOLE: Any = BigInteger().with_variant(Integer, "sqlite")  # SQLite's INTEGER is as large


class Row(SQLModel):
    """A row of one of the tables."""

    metadata: ClassVar[MetaData] = MetaData()
    __table__: ClassVar[Table]


class Night(Row, table=True):
    """A night as it was opened: `hash`, of the exact text `body`, is entry 0 of its chain.

    `secret_digest` is that of the secret by which its client gets its links again; None if it has none.
    """

    __tablename__ = "night"
    __table_args__ = (
        PrimaryKeyConstraint("id", name="night_pk"),
        CheckConstraint("format >= 1", name="night_format_is_positive"),
        CheckConstraint("length(hash) = 32", name="night_hash_is_whole"),
        Index("night_by_age", "created_at", "id"),
        _SQLITE,
    )

    id: str = Field(sa_type=Text, primary_key=True)
    format: int = Field(sa_type=_WHOLE)
    body: str = Field(sa_type=Text)
    hash: bytes = Field(sa_type=LargeBinary)
    created_at: str = Field(sa_type=Text)
    secret_digest: bytes | None = Field(
        default=None,
        sa_column=Column(
            LargeBinary,
            CheckConstraint("length(secret_digest) = 32", name="night_secret_digest_is_whole"),
        ),
    )


class Event(Row, table=True):
    """An event of a night, numbered by `seq` from 1. `hash` covers `prev`, the hash before it, and the exact text
    `body`; the other columns repeat fields of the text.

    `round` is the number of its round, 0 for none; `payment_total` is in points.
    """

    __tablename__ = "event"
    __table_args__ = (
        PrimaryKeyConstraint("night", "seq", name="event_pk"),
        ForeignKeyConstraint(["night"], ["night.id"], name="event_has_a_night"),
        UniqueConstraint("night", "id", name="event_id_is_new"),
        CheckConstraint("seq >= 1", name="event_seq_is_positive"),
        CheckConstraint("round >= 0", name="event_round_is_a_number"),
        CheckConstraint(
            "payment_count >= 0 AND payment_total >= payment_count", name="event_payments_are_whole"
        ),
        CheckConstraint("length(prev) = 32 AND length(hash) = 32", name="event_hash_is_whole"),
        Index("event_by_round", "night", "round", "seq"),
        # Partial on PostgreSQL, too, but `postgresql_where` would load its dialect at every start of the program.
        Index("event_by_kind", "night", "kind", "seq", sqlite_where=NOT_PLAYS_OR_PASSES),
        _SQLITE,
    )

    night: str = Field(sa_type=Text, primary_key=True)
    seq: int = Field(sa_type=_WHOLE, primary_key=True, sa_column_kwargs={"autoincrement": False})
    id: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    round: int = Field(sa_type=_WHOLE)
    payment_count: int = Field(sa_type=_WHOLE)
    payment_total: int = Field(sa_type=_WHOLE)
    body: str = Field(sa_type=Text)
    prev: bytes = Field(sa_type=LargeBinary)
    hash: bytes = Field(sa_type=LargeBinary)


class StoredEvent(NamedTuple):
    """A row of the table `Event`, as plain values: a season reads tens of thousands."""

    night: str
    seq: int
    id: str
    kind: str
    round: int
    payment_count: int
    payment_total: int
    body: str
    prev: bytes
    hash: bytes


class Correction(Row, table=True):
    """The part `seq.part` of a night corrects the move `target_seq.target_part`."""

    __tablename__ = "correction"
    __table_args__ = (
        PrimaryKeyConstraint("night", "seq", "part", name="correction_pk"),
        ForeignKeyConstraint(
            ["night", "seq"],
            ["event.night", "event.seq"],
            name="correction_has_an_event",
            deferrable=True,
            initially="DEFERRED",
        ),
        ForeignKeyConstraint(
            ["night", "target_seq"], ["event.night", "event.seq"], name="correction_has_a_target"
        ),
        UniqueConstraint("night", "target_seq", "target_part", name="correction_target_is_new"),
        CheckConstraint("part >= 0 AND target_part >= 0", name="correction_parts_are_numbers"),
        CheckConstraint("target_seq < seq", name="correction_comes_later"),
        _SQLITE,
    )

    night: str = Field(sa_type=Text, primary_key=True)
    seq: int = Field(sa_type=_WHOLE, primary_key=True, sa_column_kwargs={"autoincrement": False})
    part: int = Field(sa_type=_WHOLE, primary_key=True, sa_column_kwargs={"autoincrement": False})
    target_seq: int = Field(sa_type=_WHOLE)
    target_part: int = Field(sa_type=_WHOLE)


class Payment(Row, table=True):
    """A posted payment, `seq.idx` of its night: `payer` pays `payee` so many `points`.

    `cause` is the address of the move that caused it; `reverses_seq` and `reverses_idx` name the payment that it
    reverses.
    """

    __tablename__ = "payment"
    __table_args__ = (
        PrimaryKeyConstraint("night", "seq", "idx", name="payment_pk"),
        ForeignKeyConstraint(
            ["night", "seq"],
            ["event.night", "event.seq"],
            name="payment_has_an_event",
            deferrable=True,
            initially="DEFERRED",
        ),
        ForeignKeyConstraint(
            ["night", "reverses_seq", "reverses_idx"],
            ["payment.night", "payment.seq", "payment.idx"],
            name="payment_reverses_a_payment",
        ),
        UniqueConstraint("night", "reverses_seq", "reverses_idx", name="payment_is_reversed_once"),
        CheckConstraint("idx >= 0", name="payment_idx_is_a_number"),
        CheckConstraint("payer <> payee", name="payment_changes_hands"),
        CheckConstraint("points > 0", name="payment_points_are_positive"),
        CheckConstraint("round >= 0", name="payment_round_is_a_number"),
        CheckConstraint("(reverses_seq IS NULL) = (reverses_idx IS NULL)", name="payment_reverses_whole"),
        CheckConstraint("reverses_seq < seq", name="payment_reverses_earlier"),
        _SQLITE,
    )

    night: str = Field(sa_type=Text, primary_key=True)
    seq: int = Field(sa_type=_WHOLE, primary_key=True, sa_column_kwargs={"autoincrement": False})
    idx: int = Field(sa_type=_WHOLE, primary_key=True, sa_column_kwargs={"autoincrement": False})
    payer: str = Field(sa_type=Text)
    payee: str = Field(sa_type=Text)
    points: int = Field(sa_type=_WHOLE)
    reason: str = Field(sa_type=Text)
    clause: str = Field(sa_type=Text)
    round: int = Field(sa_type=_WHOLE)
    cause: str | None = Field(default=None, sa_type=Text)
    reverses_seq: int | None = Field(default=None, sa_type=_WHOLE)
    reverses_idx: int | None = Field(default=None, sa_type=_WHOLE)


class Person(Row, table=True):
    """A player's name and the salt of its commitment, outside the chain; both None once the name is erased."""

    __tablename__ = "person"
    __table_args__ = (
        PrimaryKeyConstraint("night", "player", name="person_pk"),
        ForeignKeyConstraint(["night"], ["night.id"], name="person_has_a_night"),
        CheckConstraint("(name IS NULL) = (salt IS NULL)", name="person_is_erased_whole"),
        CheckConstraint("length(salt) = 16", name="person_salt_is_whole"),
        _SQLITE,
    )

    night: str = Field(sa_type=Text, primary_key=True)
    player: str = Field(sa_type=Text, primary_key=True)
    name: str | None = Field(sa_type=Text)
    salt: bytes | None = Field(sa_type=LargeBinary)


class LinkKey(Row, table=True):
    """The digest of the key that signs links, in one row."""

    __tablename__ = "link_key"
    __table_args__ = (
        PrimaryKeyConstraint("id", name="link_key_pk"),
        CheckConstraint("id = 1", name="link_key_is_one"),
        CheckConstraint("length(digest) = 32", name="link_key_digest_is_whole"),
        _SQLITE,
    )

    id: int = Field(sa_type=_WHOLE, primary_key=True, sa_column_kwargs={"autoincrement": False})
    digest: bytes = Field(sa_type=LargeBinary)


class GroupEntry(Row, table=True):
    """Entry `seq`, from 1, of a group of people who play together: the `night` it is about, and other fields in
    `body`, as JSON. It has no player's name: names are stored with their nights.
    """

    __tablename__ = "group_entry"
    __table_args__ = (
        PrimaryKeyConstraint("group_id", "seq", name="group_entry_pk"),
        ForeignKeyConstraint(["night"], ["night.id"], name="group_entry_has_a_night"),
        CheckConstraint("seq >= 1", name="group_entry_seq_is_positive"),
        Index("group_entry_by_night", "night"),
        _SQLITE,
    )

    group_id: str = Field(sa_type=Text, primary_key=True)
    seq: int = Field(sa_type=_WHOLE, primary_key=True, sa_column_kwargs={"autoincrement": False})
    kind: str = Field(sa_type=Text)
    body: str = Field(sa_type=Text)
    night: str | None = Field(default=None, sa_type=Text)
    at: str = Field(sa_type=Text)
