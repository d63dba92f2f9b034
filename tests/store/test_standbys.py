"""Commits that wait for a standby of PostgreSQL: for how long, what is reported, and when recording resumes."""

import gc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from ledger.recorder import Link, Recorder, Role
from ledger.store import Store, StoreError, StoreFailing, StoreStandbyAway, StoreUncertain, hosts_of, migrate
from ledger.store.systems import postgresql
from ledger.store.systems.postgresql_connections import ANSWER
from tests.postgresql import OWNER, STANDBY, WEB, Cluster, running_cluster
from tests.processes import wait_for
from tests.recorder.tables import KEY
from tests.soak.faults.moves import entry, nights, open_night
from tests.store.making import MadeNight, audited, new_event

pytestmark = pytest.mark.postgresql

WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
"""How many commits wait for a standby."""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ANSWER, "request", 0.8)


@pytest.fixture
def another(store: Store) -> MadeNight:
    """Another night."""
    return MadeNight(store)


@pytest.fixture
def standby_away(night: MadeNight, another: MadeNight, cluster: Cluster) -> Iterator[Callable[[], None]]:
    """Commits wait for a standby that is away, until the yielded function is called or the test ends."""
    cluster.wait_for(STANDBY)
    yield lambda: cluster.wait_for("")
    cluster.wait_for("")


def test_a_commit_whose_standby_is_away_is_given_up_and_whether_it_was_kept_is_not_known(
    night: MadeNight, another: MadeNight, standby_away: Callable[[], None], cluster: Cluster
) -> None:
    before = night.head().seq
    with pytest.raises(StoreUncertain):
        night.append()
    assert night.head().seq == before  # readers do not see what no standby has
    for each in (night, another, night, another):  # meanwhile no commit is begun
        with pytest.raises(StoreStandbyAway, match=STANDBY):
            each.append()
    with cluster.connect() as server:
        assert server.execute(WAITING).fetchone() == (1,)
    standby_away()
    wait_for(lambda: night.head().seq == before + 1)
    night.append()
    assert night.head().seq == before + 2
    assert audited(night.store) == []


def test_while_a_commit_waits_for_its_standby_others_notify(
    night: MadeNight, standby_away: Callable[[], None], cluster: Cluster
) -> None:
    """PostgreSQL has one lock for notifications in all its databases."""
    with pytest.raises(StoreUncertain):
        night.append()
    with cluster.connect() as server:
        assert server.execute(WAITING).fetchone() == (1,)
        server.execute("SET lock_timeout = '2s'")
        server.execute("NOTIFY tienlen")


def test_a_store_whose_standby_is_away_is_not_well(store: Store, standby_away: Callable[[], None]) -> None:
    with pytest.raises(StoreStandbyAway, match=STANDBY):
        store.check()
    standby_away()
    store.check()


@pytest.mark.parametrize(
    ("names", "missing"),
    [
        *(("", 0), (STANDBY, 0), (STANDBY.upper(), 0), ("*", 0), (f"other, {STANDBY}", 0)),
        *((f'ANY 1 ("{STANDBY}", other)', 0), (f"FIRST 2 ({STANDBY}, other)", 1)),
        *(("2 (other, another)", 2), ("other", 1)),
    ],
)
def test_the_standbys_that_commits_wait_for_are_known_to_the_web_s_role(
    store: Store, cluster: Cluster, followed: Cluster, names: str, missing: int
) -> None:
    try:
        cluster.wait_for(names)
        found = store.standbys()
        assert found is not None
        assert (found.wanted, found.missing, found.connected) == (names, missing, 1)
    finally:
        cluster.wait_for("")


@pytest.fixture(scope="module")
def followed(cluster: Cluster) -> Iterator[Cluster]:
    """A running standby of the server."""
    with running_cluster(follows=cluster) as standby:
        with cluster.connect() as server:
            streaming = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
            wait_for(lambda: server.execute(streaming).fetchone() == (1,))
        yield standby


def test_a_commit_whose_wait_is_cancelled_is_not_known_and_not_acknowledged_before_a_standby_has_it(
    store: Store, monkeypatch: pytest.MonkeyPatch, cluster: Cluster
) -> None:
    recorder, night = Recorder(store, KEY), next(nights())
    open_night(recorder, night)
    keeper = Link(night, Role.KEEPER)
    cluster.wait_for("nobody")
    try:
        with monkeypatch.context() as patient, ThreadPoolExecutor() as threads:
            patient.setitem(ANSWER, "request", 60)
            recording = threads.submit(recorder.record, night, entry(night, 1), keeper)
            with cluster.connect() as server:
                wait_for(lambda: server.execute(WAITING).fetchone() == (1,))
                server.execute(
                    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
                )
        assert isinstance(recording.exception(), StoreUncertain)
        with store.reading() as reader:
            assert reader.head(night).seq == 1
        with closing(Store.open(store.url)) as other, pytest.raises(StoreUncertain):
            Recorder(other, KEY).record(night, entry(night, 1), keeper)
        with closing(Store.open(store.url)) as other, pytest.raises(StoreError):
            open_night(Recorder(other, KEY), night)
    finally:
        cluster.wait_for("")
    assert recorder.record(night, entry(night, 1), keeper).seq == 1


def test_each_host_of_an_address_tells_what_it_is(
    store: Store, night: MadeNight, cluster: Cluster, followed: Cluster, tmp_path: Path
) -> None:
    database = store.url.partition("@/")[2].partition("?")[0]
    wait_for(lambda: _has(followed, database))
    night.append()
    hosts = f"{cluster.folder},{tmp_path},{followed.folder}"
    address = f"postgresql://{WEB}@/{database}?host={hosts}&target_session_attrs=read-write"
    found = hosts_of(address)
    assert [(host.name, host.answers, host.primary, host.follows) for host in found] == [
        (str(cluster.folder), True, True, False),
        (str(tmp_path), False, False, False),
        (str(followed.folder), True, False, True),
    ]
    later, *_ = hosts_of(address)  # the primary goes on between the questions
    assert 0 < found[2].position <= later.position
    assert hosts_of(store.url) == hosts_of("sqlite:///ledger.db") == ()


def test_a_frozen_server_is_noticed_by_whoever_reads_and_whoever_listens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(postgresql, "_ALIVE_SECONDS", 0)
    with own_server() as (cluster, _, store):
        night = MadeNight(store).play_a_little()
        with store.watching() as changed:
            changed()
            night.head()
            with cluster.frozen():
                with pytest.raises(StoreFailing, match="no answer"):
                    night.head()
                with pytest.raises(StoreFailing, match="no answer"):
                    changed()
        night.append()


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(lambda night, changed: night.head(), id="used"),
        pytest.param(lambda night, changed: night.store.standbys(), id="made"),
        pytest.param(lambda night, changed: changed(), id="listening"),
    ],
)
def test_once_a_server_is_frozen_for_one_connection_no_other_is_used_either(
    monkeypatch: pytest.MonkeyPatch, use: Callable[[MadeNight, Callable[[], bool]], object]
) -> None:
    monkeypatch.setattr(postgresql, "_ALIVE_SECONDS", 0)
    with own_server() as (cluster, database, store):
        night = MadeNight(store).play_a_little()
        with cluster.connect(database) as server:
            used = "SELECT FROM pg_stat_activity WHERE usename = %s"
            with store.watching() as changed:
                changed()
                night.head()
                assert server.execute(used, [WEB]).rowcount >= 3
                with cluster.frozen(), pytest.raises(StoreFailing):
                    use(night, changed)
            gc.collect()  # an attempt to connect that failed is closed with the error that holds it
            wait_for(lambda: server.execute(used, [WEB]).rowcount == 0)


@contextmanager
def own_server() -> Iterator[tuple[Cluster, str, Store]]:
    """A server that may be killed, with a database."""
    with running_cluster() as cluster:
        database = cluster.new_database()
        migrate(cluster.url(database, OWNER))
        store = Store.open(f"{cluster.url(database)}&connect_timeout=2")
        yield cluster, database, store
        store.close()


def test_a_commit_that_is_cut_off_by_a_killed_server_is_not_known_and_may_stand_in_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(ANSWER, "request", 60)
    with own_server() as (cluster, _, store):
        night = MadeNight(store).play_a_little()
        before = night.head().seq
        cluster.wait_for(STANDBY)  # so that the commit waits until the crash
        with ThreadPoolExecutor() as threads:
            recording = threads.submit(night.append)
            with cluster.connect() as server:
                wait_for(lambda: server.execute(WAITING).fetchone() == (1,))
            cluster.crash()
        assert isinstance(recording.exception(), StoreUncertain)
        cluster.start()
        cluster.wait_for("")
        assert night.head().seq == before + 1
        assert audited(store) == []


def test_what_is_lost_before_its_commit_was_not_recorded_and_that_is_said(
    store: Store, night: MadeNight, cluster: Cluster
) -> None:
    before = night.head().seq
    waiting = f"FROM pg_stat_activity WHERE usename = '{WEB}' AND state = 'idle in transaction'"

    def record() -> None:
        with store.writing(night.id) as writer:
            cluster.run(f"SELECT pg_terminate_backend(pid, 10000) {waiting}")
            writer.append(new_event(night.id, before + 1, bytes(32), net=night.net))

    with pytest.raises(StoreFailing):
        record()
    assert night.head().seq == before


ADDRESSES = [
    "postgresql://{role}@/{database}?host={one}&host={other}",
    "postgresql://{role}@/{database}?host={one},{other}",
    "postgresql://{role}@{one_encoded},{other_encoded}/{database}?connect_timeout=3",
    "postgres://{role}:pass%40word@{one_encoded}:5432,{other_encoded}/{database}?",
    "postgresql+psycopg:///{database}?user={role}&host={one}&host={other}&port=5432&port=5432",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_of_several_hosts_the_one_that_can_be_written_is_found_whichever_it_is(
    store: Store, night: MadeNight, cluster: Cluster, followed: Cluster, address: str
) -> None:
    database = store.url.partition("@/")[2].partition("?")[0]
    wait_for(lambda: _has(followed, database))
    for one, other in ((cluster, followed), (followed, cluster)):
        url = address.format(
            role=WEB,
            database=database,
            one=one.folder,
            other=other.folder,
            one_encoded=str(one.folder).replace("/", "%2F"),
            other_encoded=str(other.folder).replace("/", "%2F"),
        )
        with closing(
            Store.open(f"{url}{'' if url.endswith('?') else '&'}target_session_attrs=read-write")
        ) as found:
            night.store = found
            night.append()


def _has(standby: Cluster, database: str) -> bool:
    try:
        with standby.connect(database) as connection:
            return connection.execute("SELECT to_regclass('event')").fetchone() != (None,)
    except psycopg.OperationalError:
        return False


def test_a_lost_server_s_standby_is_found_without_a_restart() -> None:
    with own_server() as (primary, database, first):
        night = MadeNight(first).play_a_little()
        with running_cluster(follows=primary) as standby:
            primary.wait_for(STANDBY)
            hosts = f"host={primary.folder}&host={standby.folder}"
            store = Store.open(f"postgresql://{WEB}@/{database}?{hosts}&target_session_attrs=read-write")
            with closing(store):
                night.store = store
                at, before = night.append().seq, store.standbys()
                primary.crash()
                standby.promote()
                night.append()
                assert night.head().seq == at + 1
                after = store.standbys()
            assert before is not None
            assert after is not None
            assert (before.wanted, before.missing, before.promoted) == (STANDBY, 0, False)
            assert (after.wanted, after.connected, after.promoted) == ("", 0, True)
