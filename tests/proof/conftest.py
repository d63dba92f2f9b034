"""Two honest nights, to be tampered with; and the browser that the phones are in."""

from pathlib import Path

import pytest

from ledger.store import migrate
from tests.browser.conftest import browser
from tests.proof.forging import Played, play

__all__ = ["browser"]


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
