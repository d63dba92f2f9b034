"""Drop the index of events about the play, which only the recorder can define. The newest one is a few entries from
the end, and is found by the primary key; every insert now updates one index less."""

from collections.abc import Sequence

from alembic import op

revision: str = "0006"
down_revision: str | None = "0005"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.drop_index("event_recording", "event")
