"""Which kinds of events are about the play is for the recorder to know. The newest of them is a few entries from
the end and is found along the primary key; every entry is written to one index less."""

from collections.abc import Sequence

from alembic import op

revision: str = "0006"
down_revision: str | None = "0005"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.drop_index("event_recording", "event")
