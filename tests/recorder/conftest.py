"""A recorder over a new database for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.recorder import Recorder
from tests.recorder.tables import Table, open_table, opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def recorder(path: Path, empty_database: Path) -> Iterator[Recorder]:
    """A recorder like the web's: its connections have the authorizer."""
    with opened(path, empty_database) as recorder:
        yield recorder


@pytest.fixture
def table(recorder: Recorder) -> Table:
    """A new night of four players."""
    return open_table(recorder)
