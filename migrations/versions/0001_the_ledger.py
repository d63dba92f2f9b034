"""The ledger: nights, events, corrections, payments and people, and the triggers that make them append-only.

There is no downgrade: the log is never deleted.
"""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0001"
down_revision: str | None = None
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_AS_SQLITE = {"sqlite_strict": True, "sqlite_with_rowid": False}
_WHOLE = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_RECORDING = sa.text("kind NOT IN ('confirm', 'decide', 'dispute', 'join', 'paid', 'rename', 'revoke')")


def upgrade() -> None:
    _create_night()
    _create_event()
    _create_correction()
    _create_payment()
    _create_person()
    for statement in _on_postgresql() if op.get_bind().dialect.name == "postgresql" else _on_sqlite():
        op.get_bind().exec_driver_sql(statement)


def _create_night() -> None:
    op.create_table(
        "night",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("format", _WHOLE, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="night_pk"),
        sa.CheckConstraint("format >= 1", name="night_format_is_positive"),
        sa.CheckConstraint("length(hash) = 32", name="night_hash_is_whole"),
        **_AS_SQLITE,
    )
    op.create_index("night_by_age", "night", ["created_at", "id"])


def _create_event() -> None:
    op.create_table(
        "event",
        sa.Column("night", sa.Text, nullable=False),
        sa.Column("seq", _WHOLE, nullable=False, autoincrement=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("round", _WHOLE, nullable=False),
        sa.Column("payment_count", _WHOLE, nullable=False),
        sa.Column("payment_total", _WHOLE, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("prev", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("night", "seq", name="event_pk"),
        sa.ForeignKeyConstraint(["night"], ["night.id"], name="event_has_a_night"),
        sa.UniqueConstraint("night", "id", name="event_id_is_new"),
        sa.CheckConstraint("seq >= 1", name="event_seq_is_positive"),
        sa.CheckConstraint("round >= 0", name="event_round_is_a_number"),
        sa.CheckConstraint(
            "payment_count >= 0 AND payment_total >= payment_count", name="event_payments_are_whole"
        ),
        sa.CheckConstraint("length(prev) = 32 AND length(hash) = 32", name="event_hash_is_whole"),
        **_AS_SQLITE,
    )
    op.create_index("event_by_round", "event", ["night", "round", "seq"])
    op.create_index(
        "event_recording", "event", ["night", "seq"], sqlite_where=_RECORDING, postgresql_where=_RECORDING
    )


def _create_correction() -> None:
    op.create_table(
        "correction",
        sa.Column("night", sa.Text, nullable=False),
        sa.Column("seq", _WHOLE, nullable=False, autoincrement=False),
        sa.Column("part", _WHOLE, nullable=False, autoincrement=False),
        sa.Column("target_seq", _WHOLE, nullable=False),
        sa.Column("target_part", _WHOLE, nullable=False),
        sa.PrimaryKeyConstraint("night", "seq", "part", name="correction_pk"),
        _sealed_by_an_event("correction_has_an_event"),
        sa.ForeignKeyConstraint(
            ["night", "target_seq"], ["event.night", "event.seq"], name="correction_has_a_target"
        ),
        sa.UniqueConstraint("night", "target_seq", "target_part", name="correction_target_is_new"),
        sa.CheckConstraint("part >= 0 AND target_part >= 0", name="correction_parts_are_numbers"),
        sa.CheckConstraint("target_seq < seq", name="correction_comes_later"),
        **_AS_SQLITE,
    )


def _create_payment() -> None:
    op.create_table(
        "payment",
        sa.Column("night", sa.Text, nullable=False),
        sa.Column("seq", _WHOLE, nullable=False, autoincrement=False),
        sa.Column("idx", _WHOLE, nullable=False, autoincrement=False),
        sa.Column("payer", sa.Text, nullable=False),
        sa.Column("payee", sa.Text, nullable=False),
        sa.Column("points", _WHOLE, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("clause", sa.Text, nullable=False),
        sa.Column("round", _WHOLE, nullable=False),
        sa.Column("cause", sa.Text, nullable=True),
        sa.Column("reverses_seq", _WHOLE, nullable=True),
        sa.Column("reverses_idx", _WHOLE, nullable=True),
        sa.PrimaryKeyConstraint("night", "seq", "idx", name="payment_pk"),
        _sealed_by_an_event("payment_has_an_event"),
        sa.ForeignKeyConstraint(
            ["night", "reverses_seq", "reverses_idx"],
            ["payment.night", "payment.seq", "payment.idx"],
            name="payment_reverses_a_payment",
        ),
        sa.UniqueConstraint("night", "reverses_seq", "reverses_idx", name="payment_is_reversed_once"),
        sa.CheckConstraint("idx >= 0", name="payment_idx_is_a_number"),
        sa.CheckConstraint("payer <> payee", name="payment_changes_hands"),
        sa.CheckConstraint("points > 0", name="payment_points_are_positive"),
        sa.CheckConstraint("round >= 0", name="payment_round_is_a_number"),
        sa.CheckConstraint("(reverses_seq IS NULL) = (reverses_idx IS NULL)", name="payment_reverses_whole"),
        sa.CheckConstraint("reverses_seq < seq", name="payment_reverses_earlier"),
        **_AS_SQLITE,
    )
    op.create_index("payment_by_round", "payment", ["night", "round"])


def _create_person() -> None:
    op.create_table(
        "person",
        sa.Column("night", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=True),
        sa.Column("salt", sa.LargeBinary, nullable=True),
        sa.PrimaryKeyConstraint("night", "player", name="person_pk"),
        sa.ForeignKeyConstraint(["night"], ["night.id"], name="person_has_a_night"),
        sa.CheckConstraint("(name IS NULL) = (salt IS NULL)", name="person_is_erased_whole"),
        sa.CheckConstraint("length(salt) = 16", name="person_salt_is_whole"),
        **_AS_SQLITE,
    )


def _sealed_by_an_event(name: str) -> sa.ForeignKeyConstraint:
    """Payments and corrections are inserted before their event, which must exist when the transaction ends."""
    return sa.ForeignKeyConstraint(
        ["night", "seq"], ["event.night", "event.seq"], name=name, deferrable=True, initially="DEFERRED"
    )


def _on_sqlite() -> Iterator[str]:
    yield _NIGHT_ONCE
    yield _EVENT_LINKS
    yield _PAYMENT_NEXT
    yield _CORRECTION_NEXT
    for table in ("night", "event", "payment", "correction"):
        for verb in ("UPDATE", "DELETE"):
            yield _append_only(table, verb)


def _append_only(table: str, verb: str) -> str:
    return f"""
CREATE TRIGGER {table}_refuses_{verb.lower()} BEFORE {verb} ON {table}
BEGIN
  SELECT RAISE(ABORT, '{table}: nothing is edited, nothing is deleted');
END
"""


# INSERT OR REPLACE deletes rows without firing triggers on a connection with `recursive_triggers` off. So the
# triggers on INSERT refuse a repeated key themselves, before a conflict can be "resolved".

_NIGHT_ONCE = """
CREATE TRIGGER night_comes_once BEFORE INSERT ON night
BEGIN
  SELECT RAISE(ABORT, 'night: that id is taken')
   WHERE EXISTS (SELECT 1 FROM night WHERE id = NEW.id);
END
"""

_EVENT_LINKS = """
CREATE TRIGGER event_follows_the_head BEFORE INSERT ON event
BEGIN
  SELECT RAISE(ABORT, 'event: seq is not the next')
   WHERE NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM event WHERE night = NEW.night);
  SELECT RAISE(ABORT, 'event: prev is not the head')
   WHERE NEW.prev IS NOT coalesce(
           (SELECT hash FROM event WHERE night = NEW.night AND seq = NEW.seq - 1),
           (SELECT hash FROM night WHERE id = NEW.night));
  SELECT RAISE(ABORT, 'event: that id is taken')
   WHERE EXISTS (SELECT 1 FROM event WHERE night = NEW.night AND id = NEW.id);
  SELECT RAISE(ABORT, 'event: its payments do not match its count and total')
    FROM (SELECT count(*) AS number, coalesce(sum(points), 0) AS total
            FROM payment WHERE night = NEW.night AND seq = NEW.seq)
   WHERE number IS NOT NEW.payment_count OR total IS NOT NEW.payment_total;
END
"""

_PAYMENT_NEXT = """
CREATE TRIGGER payment_comes_before_its_event BEFORE INSERT ON payment
BEGIN
  SELECT RAISE(ABORT, 'payment: seq is not that of the next event')
   WHERE NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM event WHERE night = NEW.night);
  SELECT RAISE(ABORT, 'payment: idx is not the next')
   WHERE NEW.idx IS NOT (SELECT coalesce(max(idx) + 1, 0)
                           FROM payment WHERE night = NEW.night AND seq = NEW.seq);
  SELECT RAISE(ABORT, 'payment: it is reversed already')
   WHERE EXISTS (SELECT 1 FROM payment WHERE night = NEW.night
                    AND reverses_seq = NEW.reverses_seq AND reverses_idx = NEW.reverses_idx);
END
"""

_CORRECTION_NEXT = """
CREATE TRIGGER correction_comes_before_its_event BEFORE INSERT ON correction
BEGIN
  SELECT RAISE(ABORT, 'correction: seq is not that of the next event')
   WHERE NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM event WHERE night = NEW.night);
  SELECT RAISE(ABORT, 'correction: that part corrects already')
   WHERE EXISTS (SELECT 1 FROM correction WHERE night = NEW.night AND seq = NEW.seq AND part = NEW.part);
  SELECT RAISE(ABORT, 'correction: its target is corrected already')
   WHERE EXISTS (SELECT 1 FROM correction WHERE night = NEW.night
                    AND target_seq = NEW.target_seq AND target_part = NEW.target_part);
END
"""


def _on_postgresql() -> Iterator[str]:
    yield _LOCK
    yield _ONLY_APPENDED
    yield from _FUNCTIONS
    for table, function in (
        ("event", "event_follows_the_head"),
        ("payment", "payment_comes_before_its_event"),
        ("correction", "correction_comes_before_its_event"),
    ):
        yield f"CREATE TRIGGER {function} BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION {function}()"
        yield _always(table, function)
    yield "CREATE TRIGGER event_is_told AFTER INSERT ON event FOR EACH ROW EXECUTE FUNCTION event_is_told()"
    yield _always("event", "event_is_told")
    for table in ("night", "event", "payment", "correction"):
        # Refuses a statement even if it matches no row.
        yield f"""
CREATE TRIGGER {table}_is_only_appended BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION only_appended()
"""
        yield _always(table, f"{table}_is_only_appended")
    yield from _RIGHTS


def _always(table: str, trigger: str) -> str:
    """Enable a trigger even in a session that claims to be a replica."""
    return f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}"


# Functions set their search path, so that nobody can put another table before ours. Clients see their messages as
# constraint errors.

_LOCK = """
CREATE FUNCTION ledger_lock(night text) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  -- Any other isolation looks at the night as it was before the lock was waited for.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE integrity_constraint_violation USING MESSAGE = 'a night is written in READ COMMITTED only';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('tienlen: ' || night, 0));
END
$$
"""

_ONLY_APPENDED = """
CREATE FUNCTION only_appended() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE integrity_constraint_violation
    USING MESSAGE = TG_TABLE_NAME || ': nothing is edited, nothing is deleted';
END
$$
"""

_FUNCTIONS = (
    """
CREATE FUNCTION event_follows_the_head() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  number bigint;
  total numeric;
BEGIN
  PERFORM ledger_lock(NEW.night);
  IF NEW.seq IS DISTINCT FROM (SELECT coalesce(max(seq), 0) + 1 FROM event WHERE night = NEW.night) THEN
    RAISE integrity_constraint_violation USING MESSAGE = 'event: seq is not the next';
  END IF;
  IF NEW.prev IS DISTINCT FROM coalesce(
       (SELECT hash FROM event WHERE night = NEW.night AND seq = NEW.seq - 1),
       (SELECT hash FROM night WHERE id = NEW.night)) THEN
    RAISE integrity_constraint_violation USING MESSAGE = 'event: prev is not the head';
  END IF;
  SELECT count(*), coalesce(sum(points), 0) INTO number, total
    FROM payment WHERE night = NEW.night AND seq = NEW.seq;
  IF number IS DISTINCT FROM NEW.payment_count OR total IS DISTINCT FROM NEW.payment_total THEN
    RAISE integrity_constraint_violation USING MESSAGE = 'event: its payments do not match its count and total';
  END IF;
  RETURN NEW;
END
$$
""",
    """
CREATE FUNCTION payment_comes_before_its_event() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM ledger_lock(NEW.night);
  IF NEW.seq IS DISTINCT FROM (SELECT coalesce(max(seq), 0) + 1 FROM event WHERE night = NEW.night) THEN
    RAISE integrity_constraint_violation USING MESSAGE = 'payment: seq is not that of the next event';
  END IF;
  IF NEW.idx IS DISTINCT FROM (SELECT coalesce(max(idx) + 1, 0)
                                 FROM payment WHERE night = NEW.night AND seq = NEW.seq) THEN
    RAISE integrity_constraint_violation USING MESSAGE = 'payment: idx is not the next';
  END IF;
  RETURN NEW;
END
$$
""",
    """
CREATE FUNCTION correction_comes_before_its_event() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM ledger_lock(NEW.night);
  IF NEW.seq IS DISTINCT FROM (SELECT coalesce(max(seq), 0) + 1 FROM event WHERE night = NEW.night) THEN
    RAISE integrity_constraint_violation USING MESSAGE = 'correction: seq is not that of the next event';
  END IF;
  RETURN NEW;
END
$$
""",
    """
CREATE FUNCTION event_is_told() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM pg_notify('tienlen', '');
  RETURN NULL;
END
$$
""",
)

_RIGHTS = (
    """
DO $$
BEGIN
  EXECUTE 'REVOKE ALL ON DATABASE ' || quote_ident(current_database()) || ' FROM PUBLIC';
  EXECUTE 'GRANT CONNECT ON DATABASE ' || quote_ident(current_database()) || ' TO tienlen_web';
END
$$
""",
    "REVOKE ALL ON SCHEMA public FROM PUBLIC",
    "GRANT USAGE ON SCHEMA public TO tienlen_web",
    "GRANT SELECT ON alembic_version TO tienlen_web",
    "GRANT SELECT, INSERT ON night, event, payment, correction, person TO tienlen_web",
    "GRANT UPDATE (name, salt) ON person TO tienlen_web",
)
