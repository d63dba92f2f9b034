"""Two honest nights, to be tampered with."""

from pathlib import Path

import pytest

from ledger.store import migrate
from tests.proof.forging import Played, play


@pytest.fixture(scope="session")
def nights(tmp_path_factory: pytest.TempPathFactory) -> tuple[Played, Played]:
    """The same story told twice: two nights of one length."""
    folder = tmp_path_factory.mktemp("nights")
    empty = folder / "empty.db"
    migrate(f"sqlite:///{empty}")
    (folder / "one").mkdir()
    (folder / "two").mkdir()
    return play(folder / "one", empty), play(folder / "two", empty)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"
