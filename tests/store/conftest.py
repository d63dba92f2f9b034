"""A new database for each test, on each database system that it covers."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ledger.store import Store
from tests.factories import NightFactory
from tests.postgresql import Cluster
from tests.store.making import MadeNight
from tests.store.systems import OtherProgram, PostgresqlSystem, SqliteSystem, System, migrated_database

_SYSTEMS = ["sqlite", "postgresql"]
_OF_EACH = 4


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of many examples of one test that both systems have, ask PostgreSQL every fourth; the others soak."""
    asked: Counter[str] = Counter()
    for item in items:
        system = getattr(item, "callspec", None) and item.callspec.params.get("system")  # type: ignore[attr-defined]
        if system == "postgresql" and item.get_closest_marker("sampled"):
            asked[item.originalname] += 1  # type: ignore[attr-defined]
            if asked[item.originalname] % _OF_EACH != 1:  # type: ignore[attr-defined]
                item.add_marker(pytest.mark.soak("further examples on PostgreSQL"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every test on both systems, unless a mark or the fixture `path` (of SQLite) restricts it to one."""
    if "system" in metafunc.fixturenames:
        marked = [name for name in _SYSTEMS if metafunc.definition.get_closest_marker(name)]
        about = ["sqlite"] if "path" in metafunc.fixturenames else marked or _SYSTEMS
        metafunc.parametrize("system", about, indirect=True)


@pytest.fixture(scope="session")
def migrated_postgresql(cluster: Cluster) -> str:
    """The name of a migrated PostgreSQL database, to copy."""
    return migrated_database(cluster)


@pytest.fixture
def system(request: pytest.FixtureRequest, empty_database: Path, tmp_path: Path) -> Iterator[System]:
    made: System
    if request.param == "sqlite":
        made = SqliteSystem(empty_database, tmp_path / "ledger.db")
    else:
        template = request.getfixturevalue("migrated_postgresql")
        made = PostgresqlSystem(request.getfixturevalue("cluster"), template)
    with closing(made):
        yield made


@pytest.fixture
def path(system: SqliteSystem) -> Path:
    """The file of the database; tests that use it run on SQLite only."""
    return system.path


@pytest.fixture
def url(system: System) -> str:
    return system.url


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store like the web's: its connections can only read and append."""
    with closing(Store.open(url)) as store:
        yield store


@pytest.fixture
def another_system(system: System) -> System:
    """The database system of another installation."""
    return system.another()


@pytest.fixture
def elsewhere(another_system: System) -> Iterator[Store]:
    """The store of another installation."""
    with closing(Store.open(another_system.url)) as store:
        yield store


@pytest.fixture
def night(store: Store) -> MadeNight:
    """A night with four events: see MadeNight.play_a_little."""
    night: MadeNight = NightFactory.create(by=store)
    return night


@pytest.fixture
def other(night: MadeNight, system: System) -> Iterator[OtherProgram]:
    """Another program with access to the night's database."""
    with closing(system.other()) as program:
        yield program
