"""The digest of the secret that a night was opened with, by which the client can get its links again. It is stored
outside the chained text; earlier nights have none."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.add_column(
        "night",
        sa.Column(
            "secret_digest",
            sa.LargeBinary,
            sa.CheckConstraint("length(secret_digest) = 32", name="night_secret_digest_is_whole"),
        ),
    )
