"""A database of its own for each test, on each system that it is about."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.store import Store
from tests.postgresql import Cluster
from tests.store.making import MadeNight
from tests.store.systems import OtherProgram, PostgresqlSystem, SqliteSystem, System, migrated_database

_SYSTEMS = ["sqlite", "postgresql"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test runs on both systems, but for those that a mark, or the file of SQLite, makes about one."""
    if "system" in metafunc.fixturenames:
        marked = [name for name in _SYSTEMS if metafunc.definition.get_closest_marker(name)]
        about = ["sqlite"] if "path" in metafunc.fixturenames else marked or _SYSTEMS
        metafunc.parametrize("system", about, indirect=True)


@pytest.fixture(scope="session")
def migrated_postgresql(cluster: Cluster) -> str:
    """The same on PostgreSQL."""
    return migrated_database(cluster)


@pytest.fixture
def system(request: pytest.FixtureRequest, empty_database: Path, tmp_path: Path) -> Iterator[System]:
    made: System
    if request.param == "sqlite":
        made = SqliteSystem(empty_database, tmp_path / "ledger.db")
    else:
        template = request.getfixturevalue("migrated_postgresql")
        made = PostgresqlSystem(request.getfixturevalue("cluster"), template)
    yield made
    made.close()


@pytest.fixture
def path(system: SqliteSystem) -> Path:
    """The file of the database: whoever asks for it is about SQLite."""
    return system.path


@pytest.fixture
def url(system: System) -> str:
    return system.url


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """As the web has it: connections can only read and append."""
    store = Store.open(url)
    yield store
    store.close()


@pytest.fixture
def another_system(system: System) -> System:
    """Another installation's."""
    return system.another()


@pytest.fixture
def elsewhere(another_system: System) -> Iterator[Store]:
    """Another installation."""
    store = Store.open(another_system.url)
    yield store
    store.close()


@pytest.fixture
def night(store: Store) -> MadeNight:
    """A night with a little in it: see MadeNight.play_a_little."""
    return MadeNight(store).play_a_little()


@pytest.fixture
def other(night: MadeNight, system: System) -> Iterator[OtherProgram]:
    """Another program with its hands on the night's database."""
    program = system.other()
    yield program
    program.close()
