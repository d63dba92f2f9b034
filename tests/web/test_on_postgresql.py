"""Two hosts that serve the nights of one PostgreSQL database."""

import threading
from collections.abc import Iterator
from copy import copy

import pytest

from ledger.store import migrate
from tests.nights import new_id
from tests.postgresql import OWNER, STANDBY, Cluster
from tests.processes import wait_for
from tests.servers import Served
from tests.web.streams import Night

pytestmark = pytest.mark.slow

PROCESSES = 2
"""Processes of each host."""


@pytest.fixture(scope="module")
def database(cluster: Cluster) -> Iterator[str]:
    name = cluster.new_database()
    migrate(cluster.url(name, OWNER))
    yield name
    cluster.drop(name)


@pytest.fixture(scope="module")
def hosts(
    cluster: Cluster, database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Served, Served]]:
    url = cluster.url(database)
    with (
        Served(tmp_path_factory.mktemp("one"), url) as one,
        Served(tmp_path_factory.mktemp("other"), url) as other,
    ):
        yield one, other


def elsewhere(night: Night, server: Served) -> Night:
    """The same night through another host."""
    there = copy(night)
    there.server = server
    return there


def test_a_phone_at_one_host_is_told_of_what_is_recorded_at_the_other(hosts: tuple[Served, Served]) -> None:
    one, other = hosts
    night = Night(one)
    with elsewhere(night, other).stream() as stream, night.stream() as near:
        recorded = night.note()
        for each in (stream, near):
            message = next(each.messages())
            assert (message.id, message.data["hash"]) == (recorded["seq"], recorded["hash"])


def test_every_process_of_a_host_is_connected_before_anybody_asks(
    hosts: tuple[Served, Served], cluster: Cluster, database: str
) -> None:
    count = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
    with cluster.connect() as server:

        def connected() -> bool:
            ((connections,),) = server.execute(count, [database])
            return bool(connections >= len(hosts) * PROCESSES * 8)  # four read and four write

        wait_for(connected, "every connection")


def test_what_two_hosts_record_at_once_is_one_history(hosts: tuple[Served, Served]) -> None:
    one, other = hosts
    night = Night(one)
    answers: list[int] = []

    def rename(server: Served, number: int) -> None:
        for name in range(number):
            event = {"id": new_id(), "kind": "rename", "player": "p1", "name": f"An {number} {name}"}
            answers.append(server.send(f"{night.path}/events", event, night.keeper).status)

    phones = [threading.Thread(target=rename, args=(each, 10)) for each in (one, other, one, other)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert answers == [201] * 40
    assert [event["seq"] for event in night.log()] == list(range(1, 41))


def test_a_database_that_went_away_is_503_and_nothing_is_recorded_twice_when_it_is_back(
    hosts: tuple[Served, Served], cluster: Cluster, database: str
) -> None:
    one, _ = hosts
    night = Night(one)
    with night.stream() as stream:
        night.note()
        assert next(stream.messages()).id == 1
        cluster.run(f"ALTER DATABASE {database} WITH ALLOW_CONNECTIONS false")
        _cut_off(cluster, database)
        event = night.event("note", note="deals p1")
        refused = night.send(event)
        assert (refused.status, refused.data["code"]) == (503, "unavailable")
        cluster.run(f"ALTER DATABASE {database} WITH ALLOW_CONNECTIONS true")
        statuses = [night.send(event).status for _ in range(12)]
        assert sorted(set(statuses) - {503}) == [200, 201]
        assert statuses.count(201) == 1
        assert next(stream.messages()).id == 2


def test_a_move_whose_standby_is_away_is_answered_and_stands_once_when_that_is_back(
    hosts: tuple[Served, Served], cluster: Cluster
) -> None:
    one, _ = hosts
    night = Night(one)
    event = night.event("round", opening=True)
    cluster.wait_for(STANDBY)
    try:
        unknown = night.send(event, Accept_Language="vi")
        assert (unknown.status, unknown.data["code"]) == (503, "outcome-unknown")
        assert "chưa biết" in unknown.data["detail"]
        assert one.get("/healthz").status == 503
        assert night.board().data["seq"] == 0
    finally:
        cluster.wait_for("")
    assert {night.send(event).status for _ in range(3)} <= {200, 201}
    assert night.board().data["seq"] == 1
    assert one.get("/healthz").status == 200


def _cut_off(cluster: Cluster, database: str) -> None:
    cluster.run(
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'"
        " AND pid <> pg_backend_pid()"
    )
