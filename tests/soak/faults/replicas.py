"""Kill a PostgreSQL server under load for good and promote its standby, again and again.

scripts/soak faults replicas --failovers 10
"""

import shutil
import time
from contextlib import ExitStack
from itertools import islice
from random import Random
from typing import Final

from ledger.store import Store, migrate
from tests.postgresql import OWNER, STANDBY, Cluster, running_cluster
from tests.soak.faults.crashes import Tally, Writer, wait_for_some_work, writing
from tests.soak.faults.moves import nights

_WRITERS: Final = 8


def failed_over(*, failovers: int, seed: int, defect: bool = False) -> Tally:
    """Lose the primary `failovers` times under load, and check its standby for everything acknowledged."""
    chance, tally, every_night = Random(seed), Tally(), nights()
    with ExitStack() as servers:
        primary = servers.enter_context(running_cluster())
        database = primary.new_database()
        migrate(primary.url(database, OWNER))
        for _ in range(failovers):
            standby = servers.enter_context(running_cluster(follows=primary))
            if not defect:
                _wait_for_standby(primary)
            tally.faults += _unrecognised(standby, database)
            with writing(primary.url(database), islice(every_night, _WRITERS)) as writers:
                _lose(primary, standby, writers, chance, defect=defect)
            standby.promote()
            tally.crashes += 1
            tally.look(standby.url(database), writers)
            shutil.rmtree(primary.folder / "data")
            primary = standby
    return tally


def _wait_for_standby(primary: Cluster) -> None:
    """Make every commit wait for the standby's sync, and return once the standby has caught up."""
    primary.wait_for(STANDBY)
    asked = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
    _wait_until(primary, asked, 1)


def _unrecognised(standby: Cluster, database: str) -> list[str]:
    """Faults of a store that is opened on the standby by mistake: it must report just that."""
    migrate(standby.url(database))
    store = Store.open(standby.url(database))
    found = store.differences()
    store.close()
    return [] if found == ("the server is a standby, which only reads",) else [f"of a standby: {found}"]


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
        while connection.execute(asked).fetchone() != (count,):
            time.sleep(0.01)


def report(*, failovers: int, seed: int, defect: bool) -> int:
    """Run the long mode and print the number of failovers and what was lost."""
    begun = time.monotonic()
    tally = failed_over(failovers=failovers, seed=seed, defect=defect)
    print(
        f"{tally.crashes} primaries lost in {time.monotonic() - begun:.0f} s under {_WRITERS} writers; "
        f"{tally.acknowledged} moves acknowledged"
    )
    print("\n".join(tally.faults[:20]) or "the standby had all of them, and no chain or seal was broken")
    return bool(tally.faults)
