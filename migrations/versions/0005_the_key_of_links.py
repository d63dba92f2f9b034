"""A digest of the key that signs links, so that a server with another key is noticed. One row, outside the log."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "link_key",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False, autoincrement=False
        ),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="link_key_pk"),
        sa.CheckConstraint("id = 1", name="link_key_is_one"),
        sa.CheckConstraint("length(digest) = 32", name="link_key_digest_is_whole"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    if op.get_bind().dialect.name == "postgresql":
        op.get_bind().exec_driver_sql("GRANT SELECT, INSERT ON link_key TO tienlen_web")
