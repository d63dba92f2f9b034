"""Kill a PostgreSQL server again and again under load; or kill it for good, and promote its standby."""

import os
import shutil
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import islice
from random import Random
from threading import Event
from typing import Final
from unittest.mock import patch

import psycopg

from ledger.recorder import Recorder
from ledger.store import Store, StoreError, StoreUncertain, migrate
from ledger.store.systems import postgresql_connections
from tests.postgresql import OWNER, STANDBY, Cluster, running_cluster
from tests.processes import wait_for
from tests.recorder.tables import KEY
from tests.soak.faults.moves import Place, audited, missing, nights, open_night, record
from tests.soak.running import Tally, in_threads, progress

_WRITERS: Final = 8
_PAUSE: Final = 0.02  # seconds until a refused request is sent again


class Writer:
    """Records a night until it is to stop, and sends again what was refused."""

    def __init__(self, store: Store, night: str, stop: Event) -> None:
        self._recorder, self.night, self._stop = Recorder(store, KEY), night, stop
        self.begun = Place(0, open_night(self._recorder, night))
        self.acknowledged: list[Place] = []
        self.refused = 0
        self.faults: list[str] = []
        self._unknown = False  # whether the outcome of the next entry is unknown (StoreUncertain)

    def write(self) -> None:
        try:
            while not self._stop.wait(_PAUSE):
                try:
                    self._record_more()
                except StoreUncertain:
                    self._unknown = True
                except StoreError:
                    pass
                self.refused += not self._stop.is_set()
        except Exception as error:
            self.faults.append(f"the writer of {self.night}: {error!r}")

    def _record_more(self) -> None:
        after = self.acknowledged[-1].seq if self.acknowledged else 0
        with self._recorder.store.reading() as reader:
            if not self._unknown and reader.head(self.night).seq > after:
                self.faults.append(f"entry {after + 1} of {self.night} stands, and was said not to")
        self._unknown = False
        for _ in record(self._recorder, self.night, after=after, acknowledge=self.acknowledged.append):
            if self._stop.is_set():
                return


@contextmanager
def writing(url: str, nights: Iterable[str]) -> Iterator[list[Writer]]:
    """Writers that record in the background, one for each night."""
    stop = Event()
    with closing(Store.open(url)) as store:
        writers = [Writer(store, night, stop) for night in nights]
        with in_threads([writer.write for writer in writers], stop):
            yield writers


def wait_for_some_work(writers: list[Writer]) -> None:
    """Wait for three more acknowledgements per writer, so that a crash can lose some, or for a writer's fault."""

    def acknowledged() -> int:
        return sum(len(writer.acknowledged) for writer in writers)

    enough = acknowledged() + len(writers) * 3
    wait_for(
        lambda: acknowledged() >= enough or any(writer.faults for writer in writers),
        "writers",
        happened=acknowledged,
    )


def look(tally: Tally, url: str, writers: list[Writer]) -> None:
    """Add the writers' counts and faults, the acknowledged entries missing in a database, and its audit."""
    tally["crashes"] += 1
    with closing(Store.open(url)) as store:
        for writer in writers:
            tally["moves acknowledged"] += len(writer.acknowledged)
            tally["refused and sent again"] += writer.refused
            lost = missing(store, writer.night, writer.begun, writer.acknowledged)
            tally.wrong += [*writer.faults, *lost]
    tally.wrong += audited(url)


def crashed(cluster: Cluster, *, crashes: int, seed: int, defect: bool = False) -> Tally:
    """Kill the server `crashes` times under load, and check that everything acknowledged is recorded."""
    chance, tally = Random(seed), Tally()
    database = cluster.new_database()
    url = cluster.url(database)
    migrate(cluster.url(database, OWNER))
    settings = {"synchronous_commit": "off"} if defect else {}
    if (
        defect
    ):  # else the server writes its log five times a second, and what a crash loses depends on the clock
        cluster.run("ALTER SYSTEM SET wal_writer_delay = '10s'")
        cluster.run("SELECT pg_reload_conf()")
    with (
        patch.dict(postgresql_connections.SESSION, settings),
        writing(url, islice(nights(), _WRITERS)) as writers,
    ):
        for _ in progress(range(crashes), crashes, "crashes"):
            wait_for_some_work(writers)
            time.sleep(chance.uniform(0, 0.1))
            _kill(cluster, database, chance)
    look(tally, url, writers)
    tally["crashes"] = crashes
    return tally


def _kill(cluster: Cluster, database: str, chance: Random) -> None:
    """Kill the whole server and restart it, or kill one backend, after which PostgreSQL recovers by itself."""
    if chance.random() < 0.5:
        cluster.crash()
        cluster.start()
        return
    with suppress(psycopg.OperationalError), cluster.connect() as connection:
        asked = "SELECT pid FROM pg_stat_activity WHERE datname = %s ORDER BY random() LIMIT 1"
        if found := connection.execute(asked, [database]).fetchone():
            os.kill(found[0], signal.SIGKILL)

    def recovered() -> bool:
        time.sleep(0.1)  # also at first: the server has yet to notice
        with suppress(psycopg.OperationalError):
            cluster.run("SELECT 1")
            return True
        return False

    wait_for(recovered)


def soak_crashes(*, crashes: int = 20, seed: int = 1, defect: bool = False) -> Tally:
    """Kill a PostgreSQL server under load; with the defect, commits do not wait for the disk."""
    with running_cluster() as cluster:
        return crashed(cluster, crashes=crashes, seed=seed, defect=defect)


def failed_over(*, failovers: int = 10, seed: int = 1, defect: bool = False) -> Tally:
    """Lose the primary under load, and go on with its standby; with the defect, commits do not wait for it."""
    chance, tally, every_night = Random(seed), Tally(), nights()
    with ExitStack() as servers:
        primary = servers.enter_context(running_cluster())
        database = primary.new_database()
        migrate(primary.url(database, OWNER))
        for _ in progress(range(failovers), failovers, "failovers"):
            standby = servers.enter_context(running_cluster(follows=primary))
            if not defect:  # every commit waits for the standby's sync, once the standby has caught up
                primary.wait_for(STANDBY)
                asked = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
                _wait_until(primary, asked, 1)
            migrate(standby.url(database))
            with closing(Store.open(standby.url(database))) as opened_by_mistake:
                found = opened_by_mistake.differences()
            if found != ("the server is a standby, which only reads",):
                tally.wrong.append(f"of a standby: {found}")
            with writing(primary.url(database), islice(every_night, _WRITERS)) as writers:
                _lose(primary, standby, writers, chance, defect=defect)
            standby.promote()
            look(tally, standby.url(database), writers)
            shutil.rmtree(primary.folder / "data")
            primary = standby
    return tally


def _lose(primary: Cluster, standby: Cluster, writers: list[Writer], chance: Random, *, defect: bool) -> None:
    """Kill the primary; in half of the cases, cut its standby off first."""
    wait_for_some_work(writers)
    if defect or chance.random() < 0.5:
        standby.run("ALTER SYSTEM SET primary_conninfo = ''")
        standby.run("SELECT pg_reload_conf()")
        _wait_until(standby, "SELECT count(*) FROM pg_stat_wal_receiver", 0)
    if defect:
        wait_for_some_work(writers)  # which only the primary has
    time.sleep(chance.uniform(0, 0.3))
    primary.crash()


def _wait_until(cluster: Cluster, asked: str, count: int) -> None:
    with cluster.connect() as connection:
        wait_for(lambda: connection.execute(asked).fetchone() == (count,))
