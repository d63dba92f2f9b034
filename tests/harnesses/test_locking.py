"""Nobody writes a database or its log, or empties it, without the lock; whoever does is found."""

from pathlib import Path

import pytest

from tests.soak.faults import tracing
from tests.soak.faults.locking import DEFECTS, watched
from tests.soaking import PLANTED, further

MOVES = 12  # of each phone

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(tracing.why_not_here()), reason=tracing.why_not_here()),
]


def test_whoever_changes_the_database_or_its_log_holds_the_lock(tmp_path: Path) -> None:
    tally = watched(tmp_path, moves=MOVES)
    assert tally.wrong == []
    # It was written, copied into the database, cut off, and deleted by the last who closed.
    assert {f"{call} ledger.db-wal" for call in ("pwrite64", "ftruncate", "unlink")} < tally.keys()
    assert "pwrite64 ledger.db" in tally


@pytest.mark.parametrize("defect", further(DEFECTS, PLANTED))
def test_what_is_changed_without_the_lock_is_found(tmp_path: Path, defect: str) -> None:
    tally = watched(tmp_path, moves=MOVES, commands=(), defect=defect)
    assert any(wrong.endswith("outside the lock") for wrong in tally.wrong)
