"""An index of all that is no play and no pass, by kind: which links were revoked is asked with every request, who
agrees and what is disputed with every ledger."""

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
