"""Phones that all record at once (`scripts/soak crowd`): no move is lost or doubled; planted defects are found."""

import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from werkzeug.serving import make_server

from ledger.store import Reader, migrate
from ledger.web import Settings, create_app
from tests.postgresql import OWNER, Cluster
from tests.servers import Served
from tests.soak.faults.moves import audited
from tests.soak.phones.crowd import NEW_IDS, SERVER, crowd
from tests.soak.phones.witness import Violation
from tests.soaking import PLANTED


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address of a server in this process, so that defects can be planted."""
    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    migrate(url)
    server = make_server("127.0.0.1", 0, create_app(Settings(database_url=url, key=bytes(32))), threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """The URL of the night's database on PostgreSQL; None for a new SQLite file."""
    if request.param == "sqlite":
        yield None
        return
    cluster: Cluster = request.getfixturevalue("cluster")
    name = cluster.new_database()
    migrate(cluster.url(name, OWNER))
    yield cluster.url(name)
    cluster.drop(name)


@pytest.mark.skipif(sys.platform != "linux", reason="a server's processes are found in /proc")
def test_a_crowd_records_each_move_once_though_processes_are_killed(
    tmp_path: Path, database: str | None
) -> None:
    with Served(tmp_path, database, workers=2, environment=SERVER) as served:
        # With so few moves, only high failure rates make every fault occur.
        night = crowd(
            served.address, phones=4, moves=4, lost=0.4, twice=0.5, kill=served.kill_worker, between_kills=25
        )
    assert audited(served.database, killed=True) == []
    assert {"answers lost", "sent twice", "conflicts", "processes killed"} <= night.weather.keys()


def test_a_phone_that_makes_a_new_id_for_every_try_is_found(address: str) -> None:
    with pytest.raises(Violation, match="in conflict with itself"):
        crowd(address, phones=2, moves=40, defect=NEW_IDS)


@pytest.mark.soak(PLANTED)
def test_a_server_that_forgets_ids_is_found(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reader, "event_by_id", lambda *_: None)
    with pytest.raises(Violation, match="in conflict with itself"):
        crowd(address, phones=2, moves=40)
