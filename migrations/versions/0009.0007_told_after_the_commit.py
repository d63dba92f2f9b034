"""On PostgreSQL, leave it to this version's programs to notify listeners after their commit: a transaction that
notifies holds a lock of the whole server until its commit is over, and others wait meanwhile.

For programs of earlier versions the trigger goes on to notify.
"""

from collections.abc import Sequence

from alembic import op

revision: str = "0009.0007"
down_revision: str | None = "0008.0007"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.get_bind().exec_driver_sql(_EVENT_IS_TOLD)


_EVENT_IS_TOLD = """
CREATE OR REPLACE FUNCTION event_is_told() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF current_setting('tienlen.notifies', true) IS DISTINCT FROM 'after commit' THEN
    PERFORM pg_notify('tienlen', '');
  END IF;
  RETURN NULL;
END
$$
"""
