"""However a server is stopped, it answers what it has begun, ends with 0 and closes its database: nothing of it is
left in SQLite's log."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from ledger.store import Store
from tests.processes import await_end
from tests.servers import Served
from tests.web.streams import Night

pytestmark = pytest.mark.slow

Stop = Callable[[Served], None]


def by_systemd(server: Served) -> None:
    """As systemd stops a service by default: every process of it gets the signal, the workers once more by their
    supervisor."""
    for process in (server.process.pid, *server.workers):
        os.kill(process, signal.SIGTERM)


def by_an_impatient_host(server: Served) -> None:
    """Every process gets the signal several times while it ends."""
    processes = (server.process.pid, *server.workers)
    for _ in range(20):
        for process in processes:
            try:
                os.kill(process, signal.SIGTERM)
            except ProcessLookupError:
                continue
        time.sleep(0.01)


def by_a_terminal(server: Served) -> None:
    """Ctrl-C: the processes in the foreground get SIGINT."""
    os.killpg(server.process.pid, signal.SIGINT)


def by_a_closed_terminal(server: Served) -> None:
    os.killpg(server.process.pid, signal.SIGHUP)


def by_its_supervisor(server: Served) -> None:
    """As systemd does with `KillMode=mixed`, and Docker: the first process alone gets the signal."""
    server.process.terminate()


@pytest.mark.parametrize(
    "stop", [by_systemd, by_an_impatient_host, by_a_terminal, by_a_closed_terminal, by_its_supervisor]
)
def test_a_stop_closes_the_database_whoever_gets_how_many_signals(tmp_path: Path, stop: Stop) -> None:
    with Served(tmp_path) as server:
        night = Night(server)
        with night.stream(), night.stream():
            for _ in range(3):
                night.note()
            stop(server)
            await_end(server.process)
    assert server.process.returncode == 0
    assert not {path.name for path in tmp_path.iterdir()} & {"ledger.db-wal", "ledger.db-shm"}
    with closing(Store.open(f"sqlite:///{tmp_path / 'ledger.db'}")) as store, store.reading() as reader:
        assert reader.head(night.night).seq == 3
