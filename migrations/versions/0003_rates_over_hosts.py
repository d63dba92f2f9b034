"""On PostgreSQL, a table in which several hosts count requests together. It is not part of the log: counts expire
within the hour and do not survive a crash of the server. SQLite has one host only."""

from collections.abc import Sequence

from alembic import op

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for statement in _ON_POSTGRESQL:
            op.get_bind().exec_driver_sql(statement)


_ON_POSTGRESQL = (
    """
CREATE UNLOGGED TABLE rate (
  whose bytea NOT NULL,
  until timestamptz NOT NULL,
  count bigint NOT NULL,
  CONSTRAINT rate_pk PRIMARY KEY (whose),
  CONSTRAINT rate_whose_is_a_digest CHECK (length(whose) = 16),
  CONSTRAINT rate_counts CHECK (count > 0)
)
""",
    "CREATE INDEX rate_by_end ON rate (until)",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON rate TO tienlen_web",
)
