"""A database of its own for each test."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.store import Store, migrate
from tests.store.making import MadeNight, OtherProgram


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database as the migrations make it, to be copied."""
    path = tmp_path_factory.mktemp("migrated") / "ledger.db"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def url(path: Path) -> str:
    return f"sqlite:///{path}"


@pytest.fixture
def store(migrated: Path, path: Path, url: str) -> Iterator[Store]:
    """As the web has it: connections carry the authorizer."""
    shutil.copy(migrated, path)
    store = Store.open(url)
    yield store
    store.close()


@pytest.fixture
def night(store: Store) -> MadeNight:
    """A night with a little in it: see MadeNight.play_a_little."""
    return MadeNight(store).play_a_little()


@pytest.fixture
def other(night: MadeNight, path: Path) -> Iterator[OtherProgram]:
    """Another program with its hands on the night's database."""
    program = OtherProgram(path)
    yield program
    program.connection.close()
