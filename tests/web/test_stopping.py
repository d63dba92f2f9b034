"""However a server is stopped, it answers what it has begun, ends with 0 and closes its database: nothing of it is
left in SQLite's log."""

from contextlib import closing
from pathlib import Path

import pytest

from ledger.store import Store
from tests.processes import await_end
from tests.servers import Served
from tests.stops import STOPS
from tests.web.streams import Night

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("stop", STOPS)
def test_a_stop_closes_the_database_whoever_gets_how_many_signals(tmp_path: Path, stop: str) -> None:
    with Served(tmp_path) as server:
        night = Night(server)
        with night.stream(), night.stream():
            for _ in range(3):
                night.note()
            STOPS[stop](server)
            await_end(server.process)
    assert server.process.returncode == 0
    assert not {path.name for path in tmp_path.iterdir()} & {"ledger.db-wal", "ledger.db-shm"}
    with closing(Store.open(f"sqlite:///{tmp_path / 'ledger.db'}")) as store, store.reading() as reader:
        assert reader.head(night.night).seq == 3
