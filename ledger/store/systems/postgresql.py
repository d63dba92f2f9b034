"""PostgreSQL, a database for several hosts: its transactions, roles and standbys.

A transaction that writes holds an advisory lock on its night, so nights do not wait for each other; triggers take
the same lock, so no write happens without it. Listeners are notified of new entries after the commit (NOTIFY).
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from sqlalchemy import Connection, text
from sqlalchemy.pool import NullPool, QueuePool

from ledger.store.database import (
    NO_CONNECTION,
    DamagedLog,
    OnWait,
    Standbys,
    connecting,
    first_line,
    wait_silently,
)
from ledger.store.errors import (
    StoreAddressUnusable,
    StoreBusy,
    StoreFailing,
    StoreNotConforming,
    StoreRefused,
    StoreStandbyAway,
    StoreUncertain,
)
from ledger.store.log import Reader
from ledger.store.schema import VERSION_TABLE
from ledger.store.schema import differences as schema_differences
from ledger.store.systems.locks import FairSemaphore
from ledger.store.systems.postgresql_connections import SESSION, driver_errors, engine_of, store_error
from ledger.store.systems.postgresql_schema import WEB_ROLE, schema, wrong_rights

CONNECTIONS: Final = 4
"""Of each kind, in each process: with three more, a server of two processes uses 22 of PostgreSQL's hundred."""
_PATIENCE: Final = 5.0
"""Seconds."""

_ALIVE_SECONDS: Final = 5.0
"""Seconds after which a connection that only listens asks whether its server still answers."""

_CHANNEL: Final = "tienlen"
"""The channel that is notified of new entries."""

_SERVER: Final = {
    "fsync": "on",
    "full_page_writes": "on",
    "server_encoding": "UTF8",
    "default_transaction_read_only": "off",  # a hosted one turns it on when its disk is full
    "session_replication_role": "origin",  # otherwise foreign keys are not checked
}

COPIED_BY_OTHERS: Final = (
    "a PostgreSQL database is backed up and restored by PostgreSQL's own programs (pg_basebackup, pg_dump)"
)

_BEGIN_INSPECTING: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# A migration is waited for before the moment that is read: rows that it copies are not there in an earlier one.
_BEGIN_READING: Final = f"{_BEGIN_INSPECTING}; LOCK TABLE {VERSION_TABLE} IN ACCESS SHARE MODE"
# READ COMMITTED sees, once it has the lock, what the previous holder has written.
_BEGIN_ALONE: Final = """
BEGIN ISOLATION LEVEL READ COMMITTED;
"""
# In one message: the server notifies even if the process dies meanwhile. It does so in a transaction of its own,
# which holds the server's lock for notifications, but changes no row: its commit waits for no disk and no standby.
COMMIT: Final = f"COMMIT; NOTIFY {_CHANNEL}"
# A commit waits for standbys only if it wrote something, and then for all commits before it.
_WRITE_NOTE: Final = "SELECT pg_logical_emit_message(true, 'tienlen', '')"
_AS_IT_IS: Final = {"no_parameters": True}  # several statements
_LOCK_NIGHT: Final = "SELECT ledger_lock(convert_from(decode('{}', 'hex'), 'UTF8'));"
_STANDBYS: Final = """
SELECT current_setting('synchronous_standby_names'),
       coalesce((SELECT array_agg(application_name) FROM pg_stat_replication), '{}'),
       NOT pg_is_in_recovery() AND left(pg_walfile_name(pg_current_wal_lsn()), 8) <> '00000001'
"""
_STANDBY_NAMES: Final = re.compile(r'"((?:[^"]|"")+)"|([^\s,()"]+)')
_CHOSEN: Final = re.compile(r"\s*(?:(?:FIRST|ANY)\s+)?(\d+)\s*\((.*)\)\s*", re.IGNORECASE | re.DOTALL)
_UNLIMITED: Final = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0"
"""Copying a large table takes minutes."""
_LOCK_SCHEMA: Final = "SELECT {}(hashtextextended('tienlen: migrations', 0))"
_TABLES: Final = """
SELECT string_agg(quote_ident(relname), ', ' ORDER BY relname) FROM pg_class
 WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
"""
_TRY_SECONDS: Final = 0.1
"""How long requests wait for a migration that waits for a table. It is shorter than the second after which
PostgreSQL cancels one of two transactions that wait for each other's tables."""
_LONG_TRIES: Final = 50


class Postgresql:
    """A `Database` on a server. Its role may only read and append: the database itself enforces rights."""

    def __init__(self, url: str) -> None:
        pool: dict[str, Any] = {"poolclass": QueuePool, "pool_size": CONNECTIONS, "max_overflow": 0}
        # A fair place for each connection: the pool itself lets threads starve.
        self._writers, self._readers = FairSemaphore(CONNECTIONS), FairSemaphore(CONNECTIONS)
        self._writing = engine_of(url, limit="request", lost=self._discard, **pool)
        self._reading = engine_of(url, _BEGIN_READING, limit="request", lost=self._discard, **pool)
        self._inspecting = engine_of(url, _BEGIN_INSPECTING, lost=self._discard, poolclass=NullPool)
        self._watching = engine_of(url, limit="request", lost=self._discard, poolclass=NullPool)
        self._given_up = False
        """Whether a commit timed out, and its standby has not been seen since."""

    def close(self) -> None:
        for engine in (self._reading, self._writing, self._inspecting, self._watching):
            engine.dispose()

    def _discard(self) -> None:
        """Close all idle connections: each would be waited for in vain if its server is frozen."""
        for engine in (self._reading, self._writing):
            engine.dispose()

    def warm_up(self) -> None:
        """Open all connections: the server starts a process for each, which must fill its caches."""
        for engine, line in ((self._reading, self._readers), (self._writing, self._writers)):
            with connecting(), ExitStack() as all_at_once:
                for _ in range(CONNECTIONS):
                    all_at_once.enter_context(line.acquired(_PATIENCE, NO_CONNECTION))
                    connection = all_at_once.enter_context(engine.connect())
                    Reader(connection).night_head("")  # the query that every request runs

    def is_replaced(self) -> bool:
        """Never: a server manages its own files."""
        return False

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with (
            connecting(),
            self._readers.acquired(_PATIENCE, NO_CONNECTION),
            self._reading.begin() as connection,
        ):
            yield connection

    @contextmanager
    def writing(self, nights: Collection[str], *, forgets: bool, long: bool = False) -> Iterator[Connection]:
        """Other nights go on meanwhile, even if it is `long`. Forgotten data stays in the server's files until
        their space is reused."""
        with (
            connecting(),
            self._writers.acquired(_PATIENCE, NO_CONNECTION),
            self._noticing(),
            self._writing.begin() as connection,
        ):
            # It waits for the nights' locks in the same message, which cannot have parameters. They are locked in
            # the order of their ids, so that no two transactions wait for each other.
            names = (night.encode(errors="replace").hex() for night in sorted(nights))
            words = _BEGIN_ALONE + "".join(map(_LOCK_NIGHT.format, names))
            connection.exec_driver_sql(words, execution_options=_AS_IT_IS)
            yield connection
            _commit(connection, COMMIT if any(nights) else "COMMIT")

    def confirm(self, nights: Collection[str]) -> None:
        """Readers of a server also see what no standby has, once its commit's wait was cut short by a restart or
        by a cancellation."""
        with self.writing(nights, forgets=False) as connection:
            connection.exec_driver_sql(_WRITE_NOTE)

    def require_writable(self) -> None:
        """Uses the lock of a night that never exists; standbys that commits wait for must be connected."""
        self._require_standbys()
        with self.writing([""], forgets=False):
            pass

    def standbys(self) -> Standbys:
        with connecting(), self._inspecting.begin() as connection:
            return _standbys(connection)

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """After a commit has timed out, refuse others while its standby is away: each would hold a connection of
        the server and the lock of its night until the standby is back."""
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
        with connecting(), self._inspecting.begin() as connection:
            yield connection

    @contextmanager
    def watching(self) -> Iterator[Callable[[], bool]]:
        """On a connection of its own, which is notified of every commit since it began to listen."""
        with connecting(), self._watching.connect() as connection:
            connection.exec_driver_sql(f"LISTEN {_CHANNEL}")
            driver: Any = connection.connection.driver_connection
            first, asked = True, monotonic()

            def changed() -> bool:
                nonlocal first, asked
                before, first = first, False
                try:
                    if (
                        monotonic() > asked + _ALIVE_SECONDS
                    ):  # a frozen server announces nothing, and ends nothing
                        driver.execute("SELECT 1")
                        asked = monotonic()
                    # Read all: the rest would be delivered only with the next notification.
                    return bool(list(driver.notifies(timeout=0))) or before
                except driver_errors() as error:
                    connection.invalidate(error)
                    self._discard()
                    raise store_error(error) from error

            yield changed

    def differences(self, connection: Connection) -> tuple[str, ...]:
        return (
            *schema_differences(connection, "postgresql", schema(connection)),
            *wrong_rights(connection),
            *_wrong_settings(connection),
        )

    def facts(self, connection: Connection) -> tuple[str, int]:
        version, size = connection.exec_driver_sql(
            "SELECT current_setting('server_version'), pg_database_size(current_database())"
        ).one()
        return f"PostgreSQL {version}", int(size)

    def damages(self, *, quick: bool = False) -> Iterator[str]:
        """None: the host checks files with PostgreSQL's own program (pg_amcheck)."""
        yield from ()

    def damaged_logs(self) -> Sequence[DamagedLog]:
        """None: PostgreSQL says itself what it cannot read of its log."""
        return ()

    def copy_to(self, file: Path) -> None:
        """Not supported. Raises StoreAddressUnusable."""
        raise StoreAddressUnusable(COPIED_BY_OTHERS)


@contextmanager
def migrating(url: str, on_wait: OnWait = wait_silently) -> Iterator[Connection]:
    """An exclusive transaction that may change the schema. Its role is the owner; the web's role must exist.

    It waits as long as another host migrates.
    """
    engine = engine_of(url, "BEGIN ISOLATION LEVEL READ COMMITTED", limit="migration", poolclass=NullPool)
    try:
        with connecting(), engine.begin() as connection:
            connection.exec_driver_sql(_UNLIMITED)
            if not connection.exec_driver_sql(_LOCK_SCHEMA.format("pg_try_advisory_xact_lock")).scalar():
                on_wait("another host migrates the database: waiting until it has done so")
                connection.exec_driver_sql(_LOCK_SCHEMA.format("pg_advisory_xact_lock"))
            _require_web_role(connection)
            yield connection
    except StoreRefused as error:
        raise StoreNotConforming(
            (f"its owner must migrate it: set TIENLEN_OWNER_URL and run tienlen migrate ({error})",)
        ) from error


def lock_tables(connection: Connection, on_wait: OnWait) -> None:
    """Lock all tables of a migration's connection until its end, before any is changed: a request that reads one
    and then waits for another would otherwise be in a deadlock with it. Requests wait for short tries only."""
    tables = connection.exec_driver_sql(_TABLES).scalar()
    for number in count(1) if tables else ():
        try:
            with connection.begin_nested():
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{_TRY_SECONDS}s'")
                connection.exec_driver_sql(f"LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE")
            return
        except StoreBusy:
            if number == _LONG_TRIES:
                on_wait(
                    "the database is in use, as by a backup or an audit: waiting until its tables are free"
                )
            sleep(_TRY_SECONDS)


def _commit(connection: Connection, words: str) -> None:
    """Commit a transaction by these words. Raises StoreUncertain if the server was lost, did not answer, could not
    notify, or stopped waiting for a standby, as it may have committed; StoreRefused if it refused to."""
    driver: Any = connection.connection.driver_connection
    warnings = list[str]()

    def note(notice: Any) -> None:
        if notice.severity_nonlocalized == "WARNING":
            warnings.append(first_line(notice.message_primary))

    driver.add_notice_handler(note)
    try:
        connection.exec_driver_sql(words, execution_options=_AS_IT_IS)
    except (StoreBusy, StoreFailing) as error:
        raise StoreUncertain(f"it failed while it was to commit, and may have done so: {error}") from error
    finally:
        driver.remove_notice_handler(note)
    if warnings:  # someone cancelled its wait: it has committed on this server, and perhaps on no other
        raise StoreUncertain(f"PostgreSQL warned when it committed: {warnings[0]}")


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


def _standbys(connection: Connection) -> Standbys:
    """The current standbys of a connection's server."""
    wanted, connected, promoted = connection.exec_driver_sql(_STANDBYS).one()
    number, names = _awaited(wanted)
    there = sum(name.lower() in names or "*" in names for name in connected)
    return Standbys(wanted.strip(), max(number - there, 0), len(connected), promoted)


def _awaited(wanted: str) -> tuple[int, set[str]]:
    """How many standbys a commit waits for, and the names that they may have, in lower case."""
    chosen = _CHOSEN.fullmatch(wanted)
    listed = chosen[2] if chosen else wanted
    names = {(quoted.replace('""', '"') or plain).lower() for quoted, plain in _STANDBY_NAMES.findall(listed)}
    return (int(chosen[1]) if chosen else 1) if names else 0, names
