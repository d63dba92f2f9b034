"""A recorder over a database of its own for each test."""

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
    """As the web has it: connections carry the authorizer."""
    with opened(path, empty_database) as recorder:
        yield recorder


@pytest.fixture
def table(recorder: Recorder) -> Table:
    """Four friends, who have just sat down."""
    return open_table(recorder)
