"""PostgreSQL, a database for several hosts: addresses, connections, roles, error codes.

A transaction that writes holds an advisory lock on its night, so that nights do not wait for each other; the
triggers take the same lock, so that nobody writes without it. A trigger tells, too, that an entry came (NOTIFY).
"""

import select
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final
from weakref import ref

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError, InvalidatePoolError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool, PoolProxiedConnection, QueuePool

from ledger.store.conformance import compared, wanted_schema
from ledger.store.databases import NO_CONNECTION, Moment, explained, first_line
from ledger.store.errors import (
    StoreAddressUnusable,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFailing,
    StoreFull,
    StoreNotConforming,
    StoreReadOnly,
    StoreRefused,
    StoreStandbyAway,
    StoreUncertain,
)
from ledger.store.lines import Line
from ledger.store.log import Reader
from ledger.store.postgresql_address import connection_words
from ledger.store.postgresql_bounds import bounded_connection
from ledger.store.postgresql_schema import WEB_ROLE, schema, wrong_rights
from ledger.store.standbys import Standbys, standbys

_CONNECTIONS: Final = 4
"""Of each kind, in each process: with three more, a server of two takes 22 of PostgreSQL's hundred."""
_PATIENCE: Final = 5.0
"""Seconds."""

_DRIVER: Final[dict[str, Any]] = {"prepare_threshold": 1}
"""What is asked once will be asked again: to plan a statement takes longer than to run it."""

_WAY: Final = {
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
"""When a server that answers nothing counts as gone, where its address does not say: a machine that is lost closes
no connection. By itself the system waits for minutes; on a connection that only listens, for two hours."""

_POOL: Final = "pool"
"""What a connection's pool notes of it: which one it came from."""

_CHANNEL: Final = "tienlen"
"""What the trigger on events notifies."""

SESSION: Final = {
    "search_path": "public, pg_temp",  # a temporary table cannot stand in for one of ours
    "synchronous_commit": "on",
    "lock_timeout": "5s",
    "statement_timeout": "1min",
    "idle_in_transaction_session_timeout": "15s",  # a process that hangs gives its night back
    "timezone": "UTC",
    "plan_cache_mode": "force_generic_plan",  # whatever is asked for is found by its key: one plan does
}
_SERVER: Final = {
    "fsync": "on",
    "full_page_writes": "on",
    "server_encoding": "UTF8",
    "default_transaction_read_only": "off",  # a hosted one turns it on when its disk is full
    "session_replication_role": "origin",  # else foreign keys are not looked at
}

COPIED_BY_OTHERS: Final = (
    "a PostgreSQL database is backed up and restored by PostgreSQL's own programs (pg_basebackup, pg_dump)"
)

_BEGIN_READING: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# READ COMMITTED sees, once it has the lock, what whoever had it before has written.
_BEGIN_ALONE: Final = """
BEGIN ISOLATION LEVEL READ COMMITTED;
SELECT ledger_lock(convert_from(decode('{}', 'hex'), 'UTF8'))
"""
_LOCK_SCHEMA: Final = "SELECT pg_advisory_xact_lock(hashtextextended('tienlen: migrations', 0))"


class Postgresql:
    """One `Database`. Its role may read and append, whoever uses it: rights are the database's own affair."""

    def __init__(self, url: str) -> None:
        pool: dict[str, Any] = {"poolclass": QueuePool, "pool_size": _CONNECTIONS, "max_overflow": 0}
        # One place in line for each connection: the pool itself lets threads starve.
        self._writers, self._readers = Line(_CONNECTIONS), Line(_CONNECTIONS)
        self._writing = _engine(url, bounded=True, **pool)
        self._reading = _engine(url, _BEGIN_READING, **pool)
        self._inspecting = _engine(url, _BEGIN_READING, poolclass=NullPool)
        self._watching = _engine(url, poolclass=NullPool)
        self._given_up = False
        """Whether a commit had no answer in time, and its standby has not been seen since."""

    def close(self) -> None:
        for engine in (self._reading, self._writing, self._inspecting, self._watching):
            engine.dispose()

    def warm_up(self) -> None:
        """The server starts a process for each connection, which has to look up everything once."""
        for engine, line in ((self._reading, self._readers), (self._writing, self._writers)):
            with explained(meaning), ExitStack() as all_at_once:
                for _ in range(_CONNECTIONS):
                    all_at_once.enter_context(line.place(_PATIENCE, NO_CONNECTION))
                    _look(all_at_once.enter_context(engine.connect()))

    def is_replaced(self) -> bool:
        """A server's files are its own affair."""
        return False

    @contextmanager
    def reading(self) -> Iterator[Moment]:
        """One moment for all: nobody waits for whoever reads."""
        with (
            explained(meaning),
            self._readers.place(_PATIENCE, NO_CONNECTION),
            self._reading.begin() as connection,
        ):
            yield lambda: nullcontext(connection)

    @contextmanager
    def writing(self, night: str, *, forgets: bool, long: bool = False) -> Iterator[Connection]:
        """Other nights go on meanwhile, however `long` it lasts. What is forgotten stays in files of the server's
        until it reuses them."""
        with (
            explained(meaning),
            self._writers.place(_PATIENCE, NO_CONNECTION),
            self._noticing(),
            self._writing.begin() as connection,
        ):
            _begin_alone(connection, night)
            yield connection
            _commit(connection)

    def require_writable(self) -> None:
        """Under the lock of a night that there never is; and a commit must have whom it waits for."""
        self._require_standbys()
        with self.writing("", forgets=False):
            pass

    def standbys(self) -> Standbys:
        with explained(meaning), self._inspecting.begin() as connection:
            return standbys(connection)

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Once a commit was given up, none is begun while its standby is away: each would hold a connection of the
        server's, and its night, until that is back."""
        if self._given_up:
            self._require_standbys()
            self._given_up = False
        try:
            yield
        except StoreUncertain:
            self._given_up = True
            raise

    def _require_standbys(self) -> None:
        found = self.standbys()
        if found.missing:
            raise StoreStandbyAway(
                f"PostgreSQL: commits wait for a standby that is away (synchronous_standby_names: {found.wanted})"
            )

    @contextmanager
    def inspecting(self) -> Iterator[Connection]:
        with explained(meaning), self._inspecting.begin() as connection:
            yield connection

    @contextmanager
    def watching(self) -> Iterator[Callable[[], bool]]:
        """On a connection of its own, which hears whatever was committed after it began to listen."""
        with explained(meaning), self._watching.connect() as connection:
            connection.exec_driver_sql(f"LISTEN {_CHANNEL}")
            driver: Any = connection.connection.driver_connection
            first = True

            def changed() -> bool:
                nonlocal first
                before, first = first, False
                try:
                    # To the end: what is left would be told only with the next.
                    return bool(list(driver.notifies(timeout=0))) or before
                except _driver_errors() as error:
                    connection.invalidate(error)
                    raise meaning(error) from error

            yield changed

    def differences(self, connection: Connection) -> tuple[str, ...]:
        return (
            *compared(wanted_schema("postgresql"), schema(connection)),
            *wrong_rights(connection),
            *_wrong_settings(connection),
        )

    def facts(self, connection: Connection) -> tuple[str, int]:
        version, size = connection.exec_driver_sql(
            "SELECT current_setting('server_version'), pg_database_size(current_database())"
        ).one()
        return f"PostgreSQL {version}", int(size)

    def damages(self) -> Iterator[str]:
        """None: looking at files is for whoever runs the server (pg_amcheck)."""
        yield from ()

    def copy_to(self, file: Path) -> None:
        """Not this program's affair. Raises StoreAddressUnusable."""
        raise StoreAddressUnusable(COPIED_BY_OTHERS)


@contextmanager
def migrating(url: str) -> Iterator[Connection]:
    """A transaction that may change the schema, alone. Its role is the owner; the web's must be there."""
    engine = _engine(url, "BEGIN ISOLATION LEVEL READ COMMITTED", poolclass=NullPool)
    try:
        with explained(meaning), engine.begin() as connection:
            connection.exec_driver_sql(_LOCK_SCHEMA)
            _require_web_role(connection)
            yield connection
    except StoreRefused as error:
        raise StoreNotConforming(
            (f"its owner must migrate it: set TIENLEN_OWNER_URL and run tienlen migrate ({error})",)
        ) from error
    finally:
        engine.dispose()


def meaning(original: BaseException | None) -> StoreError:
    """What a failure of PostgreSQL, or of the way to it, means to callers."""
    message = f"PostgreSQL: {first_line(original)}"
    match getattr(original, "sqlstate", None) or "":
        case "55P03" | "57014" | "40001" | "40P01" | "53300":
            return StoreBusy(message)
        case "53100":
            return StoreFull(message)
        case "25006":
            return StoreReadOnly(message)
        case "XX001" | "XX002":
            return StoreDamaged(message)
        case "3F000" | "42P01" | "42703" | "42883":
            return StoreNotConforming((f"{first_line(original)} (tienlen migrate makes what is missing)",))
        case state if state[:2] in ("22", "23", "25", "42", "P0", "0A"):
            return StoreRefused(message)
        case "":  # nothing that the server said of a statement
            return StoreFailing(f"{message} (is it running there, and is its address right?)")
    return StoreFailing(message)


def _look(connection: Connection) -> None:
    """Ask what every request asks."""
    Reader(lambda: nullcontext(connection)).night_head("", "")


def _begin_alone(connection: Connection, night: str) -> None:
    """Begin a transaction and wait for a night's lock: in one message, which cannot have parameters."""
    words = _BEGIN_ALONE.format(night.encode(errors="replace").hex())
    connection.exec_driver_sql(words, execution_options={"no_parameters": True})


def _commit(connection: Connection) -> None:
    """End a transaction, so that what it wrote is kept. Raises StoreUncertain where the server was lost meanwhile,
    or did not answer: then it may have kept it; what it refuses it says."""
    driver: Any = connection.connection.driver_connection
    try:
        connection.exec_driver_sql("COMMIT")
    except DBAPIError as error:
        if not driver.closed:
            raise
        raise StoreUncertain(
            f"PostgreSQL was lost while it was to commit, and may have done so: {first_line(error.orig)}"
        ) from error


def _driver_errors() -> type[Exception]:
    """What the driver raises; asked when it is there, which it need not be for SQLite."""
    import psycopg

    return psycopg.Error


def _engine(url: str, begin: str = "", *, bounded: bool = False, **pool: Any) -> Engine:
    """Connections that are as SESSION says. They begin no transaction by themselves, but for one with these words
    where SQLAlchemy begins one. Those that are `bounded` do not wait without end for what they asked."""
    way = _WAY | connection_words(url) | _DRIVER
    try:
        # libpq reads the address: SQLAlchemy knows less of its forms.
        engine = create_engine(
            "postgresql+psycopg://", isolation_level="AUTOCOMMIT", connect_args=way, **pool
        )
    except ModuleNotFoundError as error:
        raise StoreAddressUnusable(
            "PostgreSQL needs its driver: pip install 'tienlen-ledger[postgresql]'"
        ) from error

    def prepare(driver: Any, record: ConnectionPoolEntry) -> None:
        record.info[_POOL] = ref(engine.pool)
        settings = ", ".join(["set_config(%s, %s, false)"] * len(SESSION))
        driver.execute(f"SELECT {settings}", [word for setting in SESSION.items() for word in setting])

    def look(driver: Any, record: ConnectionPoolEntry, lent: PoolProxiedConnection) -> None:
        # A connection that nobody used has nothing to read but its end: the server was started again, or is lost.
        idle = select.poll()
        idle.register(driver.fileno(), select.POLLIN)
        if idle.poll(0):
            raise InvalidatePoolError

    def go_back(driver: Any, record: ConnectionPoolEntry) -> None:
        if driver is not None and record.info[_POOL]() is not engine.pool:
            driver.close()  # its pool was thrown away meanwhile, and nobody would close it there

    event.listen(engine, "connect", prepare)
    event.listen(engine, "checkout", look)
    event.listen(engine, "checkin", go_back)
    if begin:
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    if bounded:
        kind = bounded_connection()
        event.listen(
            engine, "do_connect", lambda dialect, record, words, named: kind.connect(*words, **named)
        )
    return engine


def _require_web_role(connection: Connection) -> None:
    if not connection.scalar(text("SELECT 1 FROM pg_roles WHERE rolname = :role"), {"role": WEB_ROLE}):
        raise StoreNotConforming(
            (f"the role of the web is missing: CREATE ROLE {WEB_ROLE} LOGIN PASSWORD '…'",)
        )


def _wrong_settings(connection: Connection) -> Iterator[str]:
    for name, value in (SESSION | _SERVER).items():
        found = connection.exec_driver_sql(f"SHOW {name}").scalar()
        if found != value:
            yield f"{name} is {found}, not {value}"
    if connection.exec_driver_sql("SELECT pg_is_in_recovery()").scalar():
        yield "the server is a standby, which only reads"
