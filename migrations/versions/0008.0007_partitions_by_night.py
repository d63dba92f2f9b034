"""On PostgreSQL, partition events and payments by a hash of their night: each statement of a request names one,
so it reads one partition. Drop the index of payments by round, which nothing reads any more.

The rows are copied in one transaction while nobody writes, and compared before the former tables are dropped.
"""

from collections.abc import Iterator, Sequence

from alembic import op

revision: str = "0008.0007"
down_revision: str | None = "0007"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_PARTITIONS = range(16)


def upgrade() -> None:
    op.drop_index("payment_by_round", "payment")
    if op.get_bind().dialect.name == "postgresql":
        for statement in _on_postgresql():
            op.get_bind().exec_driver_sql(statement)


def _on_postgresql() -> Iterator[str]:
    yield "LOCK TABLE event, payment, correction IN ACCESS EXCLUSIVE MODE"
    yield "ALTER TABLE correction DROP CONSTRAINT correction_has_a_target, DROP CONSTRAINT correction_has_an_event"
    for table in ("event", "payment"):
        yield f"ALTER TABLE {table} RENAME TO {table}_before"
        yield f"CREATE TABLE {table} (LIKE {table}_before INCLUDING CONSTRAINTS) PARTITION BY HASH (night)"
        for number in _PARTITIONS:
            yield f"""
CREATE TABLE {table}_{number} PARTITION OF {table} FOR VALUES WITH (MODULUS {len(_PARTITIONS)}, REMAINDER {number})
"""
        yield f"INSERT INTO {table} SELECT * FROM {table}_before"
        yield _compare(table)
    yield "DROP TABLE payment_before"
    yield "DROP TABLE event_before"
    yield from _CONSTRAINTS
    for table, trigger, when in (
        ("event", "event_follows_the_head", "BEFORE INSERT"),
        ("event", "event_is_told", "AFTER INSERT"),
        ("payment", "payment_comes_before_its_event", "BEFORE INSERT"),
    ):
        yield f"CREATE TRIGGER {trigger} {when} ON {table} FOR EACH ROW EXECUTE FUNCTION {trigger}()"
        yield f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}"
    for table in ("event", "payment"):
        # A trigger of a statement is that of the one table which the statement names.
        for part in (table, *(f"{table}_{number}" for number in _PARTITIONS)):
            yield f"""
CREATE TRIGGER {table}_is_only_appended BEFORE UPDATE OR DELETE OR TRUNCATE ON {part}
FOR EACH STATEMENT EXECUTE FUNCTION only_appended()
"""
            yield f"ALTER TABLE {part} ENABLE ALWAYS TRIGGER {table}_is_only_appended"
        yield f"GRANT SELECT, INSERT ON {table} TO tienlen_web"
        yield f"ANALYZE {table}"


def _compare(table: str) -> str:
    """Raise, which undoes the migration, unless the copy has the same rows."""
    rows = f"SELECT ROW(count(*), sum(hashtextextended(row::text, 0)::numeric)) FROM {table}"
    return f"""
DO $$
BEGIN
  IF ({rows} AS row) IS DISTINCT FROM ({rows}_before AS row) THEN
    RAISE integrity_constraint_violation USING MESSAGE = '{table}: the copy differs';
  END IF;
END
$$
"""


_CONSTRAINTS = (
    """
ALTER TABLE event
  ADD CONSTRAINT event_pk PRIMARY KEY (night, seq),
  ADD CONSTRAINT event_id_is_new UNIQUE (night, id),
  ADD CONSTRAINT event_has_a_night FOREIGN KEY (night) REFERENCES night (id)
""",
    "CREATE INDEX event_by_round ON event (night, round, seq)",
    "CREATE INDEX event_by_kind ON event (night, kind, seq) WHERE kind NOT IN ('pass', 'play')",
    """
ALTER TABLE payment
  ADD CONSTRAINT payment_pk PRIMARY KEY (night, seq, idx),
  ADD CONSTRAINT payment_is_reversed_once UNIQUE (night, reverses_seq, reverses_idx),
  ADD CONSTRAINT payment_has_an_event
    FOREIGN KEY (night, seq) REFERENCES event (night, seq) DEFERRABLE INITIALLY DEFERRED
""",
    """
ALTER TABLE payment ADD CONSTRAINT payment_reverses_a_payment
  FOREIGN KEY (night, reverses_seq, reverses_idx) REFERENCES payment (night, seq, idx)
""",
    """
ALTER TABLE correction
  ADD CONSTRAINT correction_has_an_event
    FOREIGN KEY (night, seq) REFERENCES event (night, seq) DEFERRABLE INITIALLY DEFERRED,
  ADD CONSTRAINT correction_has_a_target FOREIGN KEY (night, target_seq) REFERENCES event (night, seq)
""",
)
