"""Groups of people who play together: their nights, and which players are the same person. Append-only entries,
without players' names."""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0007"
down_revision: str | None = "0006"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_WHOLE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "group_entry",
        sa.Column("group_id", sa.Text, nullable=False),
        sa.Column("seq", _WHOLE, nullable=False, autoincrement=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("night", sa.Text, nullable=True),
        sa.Column("at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("group_id", "seq", name="group_entry_pk"),
        sa.ForeignKeyConstraint(["night"], ["night.id"], name="group_entry_has_a_night"),
        sa.CheckConstraint("seq >= 1", name="group_entry_seq_is_positive"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("group_entry_by_night", "group_entry", ["night"])
    for statement in _on_postgresql() if op.get_bind().dialect.name == "postgresql" else _on_sqlite():
        op.get_bind().exec_driver_sql(statement)


def _on_sqlite() -> Iterator[str]:
    yield """
CREATE TRIGGER group_entry_is_the_next BEFORE INSERT ON group_entry
BEGIN
  SELECT RAISE(ABORT, 'group_entry: seq is not the next')
   WHERE NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM group_entry WHERE group_id = NEW.group_id);
END
"""
    for verb in ("UPDATE", "DELETE"):
        yield f"""
CREATE TRIGGER group_entry_refuses_{verb.lower()} BEFORE {verb} ON group_entry
BEGIN
  SELECT RAISE(ABORT, 'group_entry: nothing is edited, nothing is deleted');
END
"""


def _on_postgresql() -> Iterator[str]:
    yield """
CREATE FUNCTION group_entry_is_the_next() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM ledger_lock(NEW.group_id);
  IF NEW.seq IS DISTINCT FROM (SELECT coalesce(max(seq), 0) + 1 FROM group_entry WHERE group_id = NEW.group_id) THEN
    RAISE integrity_constraint_violation USING MESSAGE = 'group_entry: seq is not the next';
  END IF;
  RETURN NEW;
END
$$
"""
    yield """
CREATE TRIGGER group_entry_is_the_next BEFORE INSERT ON group_entry
FOR EACH ROW EXECUTE FUNCTION group_entry_is_the_next()
"""
    yield """
CREATE TRIGGER group_entry_is_only_appended BEFORE UPDATE OR DELETE OR TRUNCATE ON group_entry
FOR EACH STATEMENT EXECUTE FUNCTION only_appended()
"""
    for trigger in ("group_entry_is_the_next", "group_entry_is_only_appended"):
        yield f"ALTER TABLE group_entry ENABLE ALWAYS TRIGGER {trigger}"
    yield "GRANT SELECT, INSERT ON group_entry TO tienlen_web"
