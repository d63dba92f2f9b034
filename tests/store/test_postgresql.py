"""Features of PostgreSQL only: roles, triggers that are always on, locks by night, and a server that can fail."""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import NullPool

from ledger.resources import folder
from ledger.store import Store, database_exists, errors, migrate, same_database, without_password
from ledger.store.schema import upgrade
from ledger.store.systems import postgresql, postgresql_connections, postgresql_schema
from ledger.store.systems.postgresql_connections import engine_of, store_error
from tests.case_files import columns, lines_below
from tests.postgresql import OWNER, WEB, Cluster
from tests.processes import wait_for
from tests.store.catalog import made_on_postgresql, written
from tests.store.making import MadeNight, audited, new_event, paid, run_in_thread
from tests.store.systems import OtherProgram, PostgresqlSystem, SqliteSystem

pytestmark = pytest.mark.postgresql


@pytest.fixture
def intruder(system: PostgresqlSystem, cluster: Cluster, night: MadeNight) -> Iterator[psycopg.Connection]:
    """An attacker with the web's role, who can run any statement."""
    with cluster.connect(system.database, WEB) as connection:
        yield connection


def test_the_list_beside_the_migrations_is_what_they_make(cluster: Cluster) -> None:
    listed = (Path(folder("migrations")) / "postgresql.json").read_text(encoding="utf-8")
    assert written(made_on_postgresql(cluster)) == listed


DENIED = lines_below("store/denied.txt", "PostgreSQL, to the role of the web")
_REFUSES_ALL = (psycopg.errors.InsufficientPrivilege, psycopg.errors.IntegrityConstraintViolation)


def test_the_web_s_role_is_denied(
    intruder: psycopg.Connection, other: OtherProgram, night: MadeNight
) -> None:
    before = other.contents()
    for statement in DENIED:
        if statement.startswith(("VACUUM", "GRANT")):
            intruder.execute(statement)  # a notice, and nothing is done
        else:
            with pytest.raises(_REFUSES_ALL):
                intruder.execute(statement)
            intruder.rollback()
        assert other.contents() == before, statement
        assert night.store.differences() == (), statement


@pytest.mark.parametrize("table", ["night", "event", "event_3", "payment", "payment_15", "correction"])
@pytest.mark.parametrize("statement", ["DELETE FROM {}", "UPDATE {} SET {} = {}", "TRUNCATE {} CASCADE"])
def test_the_triggers_hold_for_the_owner_too_even_as_a_replica(
    cluster: Cluster, system: PostgresqlSystem, other: OtherProgram, table: str, statement: str
) -> None:
    before = other.contents()
    column = "id" if table == "night" else "night"
    with cluster.connect(system.database, "postgres") as owner:
        owner.execute("SET session_replication_role = replica")
        with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="nothing is edited"):
            owner.execute(statement.format(table, column, column))
    assert other.contents() == before


def test_a_payment_cannot_slip_in_beside_an_event_that_is_just_being_written(
    intruder: psycopg.Connection, night: MadeNight
) -> None:
    """The trigger waits for the night's lock, and checks again once it has it."""
    with ThreadPoolExecutor() as threads:
        with night.store.writing(night.id) as writer:
            writer.append(new_event(night.id, 5, writer.head(night.id).hash, net=night.net))
            late = threads.submit(intruder.execute, _PAYMENT, [night.id])
            with pytest.raises(TimeoutError):
                late.result(0.2)
        with pytest.raises(psycopg.Error, match="not that of the next event"):
            late.result(10)
    assert audited(night.store) == []


_PAYMENT = "INSERT INTO payment VALUES (%s, 5, 0, 'p1', 'p2', 1, 'r', 'c', 1, NULL, NULL, NULL)"


@pytest.mark.parametrize("isolation", ["REPEATABLE READ", "SERIALIZABLE"])
def test_nobody_writes_with_an_older_view_of_the_night(
    intruder: psycopg.Connection, night: MadeNight, isolation: str
) -> None:
    intruder.execute(f"BEGIN ISOLATION LEVEL {isolation}")
    with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="READ COMMITTED only"):
        intruder.execute(_PAYMENT, [night.id])


def test_other_nights_go_on_while_one_is_written(night: MadeNight) -> None:
    another = MadeNight(night.store)
    with night.store.writing(night.id):
        run_in_thread(another.append)
    assert another.head().seq == 1


def test_a_night_that_somebody_holds_is_busy_and_goes_on(
    night: MadeNight, intruder: psycopg.Connection, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(postgresql_connections.SESSION, "lock_timeout", "50ms")
    intruder.execute("BEGIN")
    intruder.execute("SELECT ledger_lock(%s)", [night.id])
    with closing(Store.open(url)) as impatient:
        with pytest.raises(errors.StoreBusy), impatient.writing(night.id):
            pass
        intruder.execute("ROLLBACK")
        with impatient.writing(night.id) as writer:
            assert writer.head(night.id).seq == 4


def test_connections_are_made_before_anybody_waits_for_them(
    night: MadeNight, url: str, other: OtherProgram
) -> None:
    def connected() -> int:
        ((count,),) = other.run("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        return int(count)

    before, early = connected(), Store.open(url)
    early.warm_up()
    assert connected() == before + 2 * postgresql.CONNECTIONS
    with early.writing(night.id) as writer, early.reading() as reader:
        assert writer.head(night.id) == reader.head(night.id)
    assert connected() == before + 2 * postgresql.CONNECTIONS
    early.close()


def test_a_connection_whose_pool_was_thrown_away_is_closed_when_it_comes_back(
    night: MadeNight, url: str
) -> None:
    with closing(Store.open(url)) as store:
        with store.writing(night.id) as writer:
            driver = writer.connection.connection.driver_connection
            writer.connection.engine.dispose()  # as another thread does when the server is gone
        assert driver is not None
        assert driver.closed
        with store.writing(night.id) as writer:
            assert writer.head(night.id).seq == 4


@pytest.mark.parametrize(("alteration", "difference"), columns("store/alterations.txt", "PostgreSQL"))
def test_an_altered_schema_or_right_is_named_and_never_written(
    night: MadeNight, other: OtherProgram, url: str, alteration: str, difference: str
) -> None:
    other.run(alteration)
    with closing(Store.open(url)) as store:
        assert difference in store.differences()
        with pytest.raises(errors.StoreNotConforming), store.writing(night.id):
            pass


@pytest.mark.parametrize(("role", "why"), [(OWNER, "may update on event"), ("postgres", "may do anything")])
def test_a_role_that_may_do_more_than_the_web_does_not_write(
    night: MadeNight, cluster: Cluster, system: PostgresqlSystem, role: str, why: str
) -> None:
    with closing(Store.open(cluster.url(system.database, role))) as store:
        assert any(why in difference for difference in store.differences())
        with pytest.raises(errors.StoreNotConforming), store.writing(night.id):
            pass


def test_a_web_s_role_that_may_do_anything_is_told_what_to_take_from_it(
    night: MadeNight, cluster: Cluster, system: PostgresqlSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql_schema, "WEB_ROLE", "postgres")
    told = "the role postgres may do anything: ALTER ROLE postgres NOSUPERUSER NOREPLICATION"
    with closing(Store.open(cluster.url(system.database, "postgres"))) as store:
        assert told in store.differences()


@pytest.mark.parametrize(
    ("attribute", "why"),
    [
        ("CREATEROLE IN ROLE tienlen_web", "may make roles, and join others"),
        ("IN ROLE tienlen_web, pg_execute_server_program", "belongs to pg_execute_server_program"),
    ],
)
def test_a_way_for_the_web_s_role_to_become_another_is_named(
    night: MadeNight, cluster: Cluster, system: PostgresqlSystem, attribute: str, why: str
) -> None:
    cluster.run(f"CREATE ROLE more_than_web LOGIN {attribute}")
    try:
        with closing(Store.open(cluster.url(system.database, "more_than_web"))) as store:
            assert store.differences() == (f"the role more_than_web {why}",)
    finally:
        cluster.run("DROP ROLE more_than_web")


def test_the_web_s_role_does_not_migrate(system: PostgresqlSystem) -> None:
    owner, web = system.empty()
    with pytest.raises(errors.StoreNotConforming, match="its owner must migrate it"):
        migrate(web)
    migrate(owner)
    migrate(web)  # nothing is to be done


def test_a_migration_takes_the_time_that_it_needs(
    system: PostgresqlSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copying a large table takes minutes, which neither the server nor the client may cut short."""
    monkeypatch.setitem(postgresql_connections.SESSION, "statement_timeout", "200ms")
    monkeypatch.setitem(postgresql_connections.ANSWER, "inspection", 0.2)
    owner, _ = system.empty()
    with postgresql.migrating(owner) as connection:
        assert connection.exec_driver_sql("SELECT pg_sleep(0.6)").rowcount == 1


def test_a_host_that_starts_while_another_one_migrates_says_so_and_waits(
    system: PostgresqlSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(postgresql_connections.SESSION, "lock_timeout", "50ms")
    owner, web = system.empty()
    said = list[str]()
    with ThreadPoolExecutor(1) as second:
        with postgresql.migrating(owner) as connection:
            waiting = second.submit(migrate, web, said.append)
            wait_for(lambda: said, "the second host to wait")
            time.sleep(0.2)
            assert not waiting.done()
            upgrade(connection)
        waiting.result()
    assert said == ["another host migrates the database: waiting until it has done so"]
    with closing(Store.open(web)) as store:
        assert store.differences() == ()


def test_a_migration_waits_for_who_reads_and_nobody_for_the_migration(
    night: MadeNight, system: PostgresqlSystem, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "_LONG_TRIES", 2)
    said = list[str]()

    def lock() -> None:
        with postgresql.migrating(cluster.url(system.database, OWNER)) as connection:
            postgresql.lock_tables(connection, said.append)

    with ThreadPoolExecutor(1) as host, cluster.connect(system.database, WEB) as reader:
        reader.execute("SET lock_timeout = '900ms'")  # PostgreSQL looks for a deadlock after a second
        with reader.transaction():
            reader.execute("SELECT FROM event")
            migration = host.submit(lock)
            wait_for(lambda: said, "the migration to wait")
            for _ in range(8):  # in any order: it is no deadlock
                with reader.transaction(force_rollback=True):
                    reader.execute("SELECT FROM correction, night, payment, person")
                time.sleep(0.05)
            night.append()
            assert not migration.done()
        migration.result()
    assert len(said) == 1


def test_a_database_of_a_newer_version_is_left_alone(url: str, other: OtherProgram) -> None:
    other.run("UPDATE alembic_version SET version_num = '9999'")
    for ask in (database_exists, Store.open):
        with pytest.raises(errors.StoreNewer, match="schema 9999"):
            ask(url)


def test_a_closed_store_leaves_no_connection(night: MadeNight, other: OtherProgram) -> None:
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    night.head()
    assert other.run(others)[0][0] > 0
    night.store.close()
    wait_for(lambda: other.run(others)[0][0] == 0, "the end of the connections")


def test_an_address_is_shown_without_its_password() -> None:
    shown = without_password("postgresql://web:secret@db.example/ledger")
    assert "db.example/ledger" in shown
    assert "secret" not in shown


@pytest.mark.parametrize("password", ["se@cret", "secre@t"])
def test_a_password_that_needs_its_at_sign_spelled_out_is_refused(password: str) -> None:
    address = f"postgresql://web:{password}@db.example/ledger"
    with pytest.raises(errors.StoreAddressUnusable, match="@ is written as %40"):
        same_database(address, address)


@pytest.mark.parametrize(
    ("place", "query"),
    [
        ("db.example:5433/ledger", "host=db.example&port=5433"),
        ("[::1]:5433/ledger", "host=::1&port=5433"),
        ("%2Ffolder:5433/ledger", "host=/folder&port=5433"),
        ("one,other/ledger", "host=one&host=other"),
        ("one:5433,other/ledger", "host=one:5433&host=other"),
        ("one:5433,[::1]:5434/ledger", "host=one,[::1]&port=5433&port=5434"),
        ("%2Ffolder,%40abstract/ledger", "host=%2Ffolder,@abstract&"),
    ],
)
def test_a_host_and_its_port_are_the_same_in_either_part_of_an_address(place: str, query: str) -> None:
    assert same_database(f"postgresql://{place}", f"postgres:///ledger?{query}")


@pytest.mark.parametrize(
    "address",
    ["h/", "h:5432a/ledger", "h/ledger?host=a:b", "h/led%ger", "h/ledger?no_word=1", "a:p/w@h/ledger"],
)
def test_an_address_that_libpq_would_not_read_is_refused_without_its_password(address: str) -> None:
    with pytest.raises(errors.StoreAddressUnusable) as refused:
        same_database(f"postgresql://web:secret@{address}", "postgresql:///ledger")
    assert "secret" not in str(refused.value)


def test_whoever_asks_and_with_which_password_a_database_is_the_same() -> None:
    asked = [
        f"postgresql://{who}host/{name}" for who in ("", "web@", "web:one@", "owner:other@") for name in "ab"
    ]
    assert [same_database(asked[0], other) for other in asked] == [True, False] * 4


def test_without_the_web_s_role_nothing_is_made(
    system: PostgresqlSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "WEB_ROLE", "nobody_made_it")
    owner, _ = system.empty()
    with pytest.raises(errors.StoreNotConforming, match="CREATE ROLE nobody_made_it LOGIN"):
        migrate(owner)
    with psycopg.connect(owner) as connection:
        tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        assert tables.fetchone() == (0,)


def test_whoever_watches_is_told_of_what_any_process_commits(night: MadeNight, url: str) -> None:
    with closing(Store.open(url)) as elsewhere, elsewhere.watching() as changed:
        assert changed()
        assert not changed()
        night.append()
        wait_for(changed)
        assert not changed()


def test_what_an_earlier_version_commits_is_told_too(
    night: MadeNight, url: str, intruder: psycopg.Connection
) -> None:
    """It leaves it to the trigger."""
    event = new_event(night.id, 5, night.head().hash, net=night.net).row._asdict()
    columns, places = ", ".join(event), ", ".join(["%s"] * len(event))
    with closing(Store.open(url)) as elsewhere, elsewhere.watching() as changed:
        assert changed()
        assert not changed()
        intruder.execute(f"INSERT INTO event ({columns}) VALUES ({places})", list(event.values()))
        wait_for(changed)


def test_a_server_that_went_away_is_told_to_who_listens_and_the_store_recovers(
    night: MadeNight, cluster: Cluster, system: PostgresqlSystem
) -> None:
    with night.store.watching() as changed:
        assert changed()
        cluster.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            f" WHERE datname = '{system.database}' AND pid <> pg_backend_pid()"
        )
        with pytest.raises(errors.StoreUnavailable):
            wait_for(changed)
    with cluster.connect() as observer:
        others = f"SELECT FROM pg_stat_activity WHERE datname = '{system.database}'"
        wait_for(lambda: observer.execute(others).rowcount == 0)
    # Each pool checks a connection before lending it, so callers do not notice that the server was gone.
    night.store.check()
    assert night.append().seq == night.append().seq - 1
    assert audited(night.store) == []


MEANINGS: dict[type[errors.StoreError], list[str | None]] = {
    errors.StoreBusy: ["55P03", "53300"],
    errors.StoreFull: ["53100"],
    errors.StoreReadOnly: ["25006"],
    errors.StoreDamaged: ["XX001"],
    errors.StoreNotConforming: ["42P01"],
    errors.StoreRefused: ["42501", "23514"],
    errors.StoreFailing: ["57P01", "58030", None],
}


@pytest.mark.parametrize(
    ("error", "state"), [(error, each) for error in MEANINGS for each in MEANINGS[error]]
)
def test_every_failure_has_its_meaning_in_one_line(state: str | None, error: type[errors.StoreError]) -> None:
    failure = psycopg.Error("it failed\nDETAIL: a row with cards in it")
    failure.sqlstate = state
    found = store_error(failure)
    assert type(found) is error
    assert "\n" not in str(found)
    assert "cards" not in str(found)


def test_servers_that_are_not_there_are_one_line(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for hosts in ([one], [one, other]):
        for use in (migrate, Store.open):
            with pytest.raises(errors.StoreFailing) as failed:
                use(f"postgresql://{WEB}@/ledger?host={','.join(map(str, hosts))}")
            assert "\n" not in str(failed.value)
            assert all(str(host) in str(failed.value) for host in hosts)


def test_a_server_that_answers_nothing_is_waited_for_shortly(monkeypatch: pytest.MonkeyPatch) -> None:
    assert int(postgresql_connections._WAY["connect_timeout"]) <= postgresql._PATIENCE
    monkeypatch.setitem(postgresql_connections._WAY, "connect_timeout", "2")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with pytest.raises(errors.StoreFailing, match="timeout"):
            migrate(f"postgresql://{WEB}@127.0.0.1:{silent.getsockname()[1]}/ledger")
        silent.setblocking(False)
        tries = 0
        with suppress(BlockingIOError):
            while True:
                silent.accept()[0].close()
                tries += 1
    assert 1 <= tries <= 4


def test_a_connection_notices_a_server_that_is_lost_unless_its_address_says_when(
    night: MadeNight, url: str
) -> None:
    for address, seconds in ((url, "5"), (f"{url}&keepalives_idle=60", "60")):
        with engine_of(address, poolclass=NullPool).connect() as connection:
            driver = connection.connection.driver_connection
            assert driver is not None
            way = driver.info.get_parameters()
            assert (way["keepalives_idle"], way["tcp_user_timeout"]) == (seconds, "10000")


def test_a_night_of_sqlite_is_carried_with_an_equal_head(
    store: Store, empty_database: Path, tmp_path: Path
) -> None:
    with closing(Store.open(SqliteSystem(empty_database, tmp_path / "ledger.db").url)) as on_sqlite:
        night = MadeNight(on_sqlite).play_a_little()
        night.append(kind="settle", payments=[paid("p4", "p1", 7)])
        imported, head = store.import_log(on_sqlite.export_log(night.id))
        with on_sqlite.reading() as here, store.reading() as carried:
            assert head == here.head(night.id) == carried.head(imported)
            assert carried.balances(imported) == here.balances(night.id)
        assert list(store.export_log(imported)) == list(on_sqlite.export_log(night.id))
        assert audited(store) == []
