"""Kill a PostgreSQL server again and again while several writers record.

scripts/soak faults crashes --crashes 20
"""

import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Final

import psycopg

from ledger.recorder import Recorder
from ledger.store import Store, StoreError, StoreUncertain, migrate
from ledger.store.systems import postgresql_connections
from tests.postgresql import OWNER, Cluster, running_cluster
from tests.recorder.tables import KEY
from tests.soak.faults.moves import Place, audited, missing, nights, open_night, record

_WRITERS: Final = 8
_PATIENCE: Final = 60.0
_PAUSE: Final = 0.02
"""Seconds until a refused request is sent again."""


@dataclass(slots=True)
class Tally:
    crashes: int = 0
    acknowledged: int = 0
    refused: int = 0
    faults: list[str] = field(default_factory=list)

    def look(self, url: str, writers: "list[Writer]") -> None:
        """Add the writers' counts and faults, the acknowledged entries missing in a database, and its audit."""
        store = Store.open(url)
        for writer in writers:
            self.acknowledged += len(writer.acknowledged)
            self.refused += writer.refused
            self.faults += [*writer.faults, *missing(store, writer.night, writer.begun, writer.acknowledged)]
        store.close()
        self.faults += audited(url)


def crashed(cluster: Cluster, *, crashes: int, seed: int, defect: bool = False) -> Tally:
    """Kill the server `crashes` times under load, and check that everything acknowledged is recorded."""
    chance, tally = Random(seed), Tally()
    database = cluster.new_database()
    url = cluster.url(database)
    migrate(cluster.url(database, OWNER))
    usual = dict(postgresql_connections.SESSION)
    if defect:
        postgresql_connections.SESSION["synchronous_commit"] = "off"
    try:
        with writing(url, islice(nights(), _WRITERS)) as writers:
            for _ in range(crashes):
                wait_for_some_work(writers)
                time.sleep(chance.uniform(0, 0.1))
                _kill(cluster, database, chance)
                tally.crashes += 1
    finally:
        postgresql_connections.SESSION.update(usual)
    tally.look(url, writers)
    return tally


@contextmanager
def writing(url: str, nights: Iterable[str]) -> "Iterator[list[Writer]]":
    """Writers that record in the background, one for each night."""
    store = Store.open(url)
    writers = [Writer(store, night) for night in nights]
    try:
        for writer in writers:
            writer.start()
        yield writers
    finally:
        for writer in writers:
            writer.stop()
        store.close()


def wait_for_some_work(writers: "list[Writer]") -> None:
    """Wait for three more acknowledgements per writer, so that a crash can lose some, or for a writer's fault."""
    known = sum(len(writer.acknowledged) for writer in writers)
    while sum(len(writer.acknowledged) for writer in writers) < known + len(writers) * 3:
        if any(writer.faults for writer in writers):
            return
        time.sleep(0.005)


def _kill(cluster: Cluster, database: str, chance: Random) -> None:
    """Kill the whole server and restart it, or kill one backend, after which PostgreSQL recovers by itself."""
    if chance.random() < 0.5:
        cluster.crash()
        cluster.start()
        return
    with suppress(psycopg.OperationalError), cluster.connect() as connection:
        found = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = %s ORDER BY random() LIMIT 1", [database]
        ).fetchone()
        if found:
            os.kill(found[0], signal.SIGKILL)
    patience = time.monotonic() + _PATIENCE
    while time.monotonic() < patience:
        time.sleep(0.1)  # also at first: the server has yet to notice
        with suppress(psycopg.OperationalError):
            cluster.run("SELECT 1")
            return


class Writer:
    """A thread that records a night, and sends again what was refused."""

    def __init__(self, store: Store, night: str) -> None:
        self._recorder, self.night = Recorder(store, KEY), night
        self.begun = Place(0, open_night(self._recorder, night))
        self.acknowledged: list[Place] = []
        self.refused = 0
        self.faults: list[str] = []
        self._unknown = False
        """Whether the outcome of the next entry is unknown (StoreUncertain)."""
        self._stopping = False
        self._thread = threading.Thread(target=self._write)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping = True
        self._thread.join()

    def _write(self) -> None:
        try:
            while not self._stopping:
                try:
                    self._record_more()
                except StoreUncertain:
                    self._unknown = True
                except StoreError:
                    pass
                self.refused += not self._stopping
                time.sleep(_PAUSE)
        except Exception as error:
            self.faults.append(f"the writer of {self.night}: {error!r}")

    def _record_more(self) -> None:
        after = self.acknowledged[-1].seq if self.acknowledged else 0
        with self._recorder.store.reading() as reader:
            if not self._unknown and reader.head(self.night).seq > after:
                self.faults.append(f"entry {after + 1} of {self.night} stands, and was said not to")
        self._unknown = False
        for _ in record(self._recorder, self.night, after=after, acknowledge=self.acknowledged.append):
            if self._stopping:
                return


def report(*, crashes: int, seed: int, defect: bool) -> int:
    """Run the long mode and print the number of crashes and what was lost."""
    begun = time.monotonic()
    with running_cluster() as cluster:
        tally = crashed(cluster, crashes=crashes, seed=seed, defect=defect)
    print(
        f"{tally.crashes} crashes in {time.monotonic() - begun:.0f} s under {_WRITERS} writers; "
        f"{tally.acknowledged} moves acknowledged, {tally.refused} refused meanwhile and sent again"
    )
    print("\n".join(tally.faults[:20]) or "none lost, none twice, no chain or seal broken")
    return bool(tally.faults)
