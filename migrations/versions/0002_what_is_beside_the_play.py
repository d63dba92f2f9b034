"""An index of what is beside the play: which links were revoked is asked with every request."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_BESIDE = sa.text("kind IN ('confirm', 'decide', 'dispute', 'join', 'paid', 'rename', 'revoke')")


def upgrade() -> None:
    op.create_index(
        "event_beside", "event", ["night", "kind", "seq"], sqlite_where=_BESIDE, postgresql_where=_BESIDE
    )
