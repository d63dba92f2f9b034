"""An index of all events but plays and passes, by kind: every request reads the revoked links, every ledger the
agreement and the disputes."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_RARE = sa.text("kind NOT IN ('pass', 'play')")


def upgrade() -> None:
    op.create_index(
        "event_by_kind", "event", ["night", "kind", "seq"], sqlite_where=_RARE, postgresql_where=_RARE
    )
