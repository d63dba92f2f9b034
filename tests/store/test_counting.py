"""Counts that hosts on one PostgreSQL share."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ledger.store import Store, StoreUnavailable
from tests.postgresql import Cluster
from tests.store.systems import PostgresqlSystem, System

WHOSE, ANOTHER = bytes(16), bytes(15) + b"\x01"


@pytest.mark.sqlite
def test_a_file_has_one_host(store: Store) -> None:
    assert store.count(WHOSE, 60, 10) is None


@pytest.mark.postgresql
def test_every_host_goes_on_where_the_others_have_come_to(store: Store, system: System) -> None:
    other = Store.open(system.url)
    counted = [host.count(WHOSE, 60, by) for host, by in ((store, 10), (other, 10), (store, 3))]
    assert [count.number for count in counted if count] == [10, 20, 23]
    assert all(count and 59 < count.seconds <= 60 for count in counted)
    another = other.count(ANOTHER, 60, 1)
    assert another
    assert another.number == 1
    other.close()


@pytest.mark.postgresql
def test_what_many_take_at_once_is_taken_once(store: Store) -> None:
    with ThreadPoolExecutor(8) as threads:
        numbers = [
            count.number for count in threads.map(lambda _: store.count(WHOSE, 60, 10), range(40)) if count
        ]
    assert sorted(numbers) == list(range(10, 410, 10))


@pytest.mark.postgresql
def test_what_ended_begins_anew_and_is_forgotten(
    store: Store, system: PostgresqlSystem, cluster: Cluster
) -> None:
    store.count(WHOSE, 0.05, 10)
    store.count(ANOTHER, 0.05, 10)
    time.sleep(0.1)
    anew = store.count(WHOSE, 60, 10)
    assert anew
    assert anew.number == 10
    with cluster.connect(system.database) as connection:
        assert connection.execute("SELECT whose FROM rate").fetchall() == [(WHOSE,)]


@pytest.mark.postgresql
def test_a_count_that_ends_later_than_it_can_begins_anew(store: Store) -> None:
    store.count(WHOSE, 3600, 10)
    anew = store.count(WHOSE, 60, 10)
    assert anew
    assert anew.number == 10
    assert anew.seconds <= 60


@pytest.mark.postgresql
def test_counts_are_not_kept_over_a_crash_and_never_wait_for_a_disk(
    system: PostgresqlSystem, cluster: Cluster
) -> None:
    with cluster.connect(system.database) as connection:
        asked = "SELECT relpersistence::text FROM pg_class WHERE relname = 'rate'"
        assert connection.execute(asked).fetchone() == ("u",)


@pytest.mark.postgresql
def test_a_server_that_went_away_is_unavailable(
    store: Store, system: PostgresqlSystem, cluster: Cluster
) -> None:
    assert store.count(WHOSE, 60, 1)
    cluster.run(f"ALTER DATABASE {system.database} WITH ALLOW_CONNECTIONS false")
    cluster.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        f" WHERE datname = '{system.database}' AND pid <> pg_backend_pid()"
    )
    with pytest.raises(StoreUnavailable):
        store.count(WHOSE, 60, 1)
