"""Connections to a PostgreSQL server: their addresses and settings, how long they wait, what their failures mean.

An address is a URI as libpq takes it, of one host or of several. Whatever stands behind the question mark goes to
libpq as it is said there.

    postgresql://role:password@one,other:5433/database?target_session_attrs=read-write
    postgresql://role@/database?host=one:5432&host=other:5432

A commit waits for its standby without end: to the server it is no statement any more, whose time is limited. So it
is the client that gives up, and closes the connection. The server's process goes on waiting, and commits once the
standby is back: to cancel it would commit without one.
"""

import re
import select
import time
from collections import defaultdict
from collections.abc import Generator
from functools import cache
from typing import Any, Final
from urllib.parse import unquote
from weakref import ref

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from ledger.store.database import first_line
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
)

_SCHEMES: Final = ("postgresql", "postgres", "postgresql+psycopg")
_FORM: Final = "postgresql://role:password@host/database"

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

SESSION: Final = {
    "search_path": "public, pg_temp",  # a temporary table cannot stand in for one of ours
    "synchronous_commit": "on",
    "lock_timeout": "5s",
    "statement_timeout": "1min",
    "idle_in_transaction_session_timeout": "15s",  # a process that hangs gives its night back
    "timezone": "UTC",
    "plan_cache_mode": "force_generic_plan",  # whatever is asked for is found by its key: one plan does
}

ANSWER: Final = {"seconds": 7.0}
"""Longer than what writes waits for a lock, and shorter than a phone waits for its answer."""


def is_postgresql(url: str) -> bool:
    """Whether an address names a database on a PostgreSQL server."""
    scheme, found, _ = url.partition("://")
    return bool(found) and scheme in _SCHEMES


def connection_words(url: str) -> dict[str, str]:
    """What an address says, by libpq's keywords; of several hosts, lists with commas. Raises
    StoreAddressUnusable."""
    place, _, query = url.partition("://")[2].partition("?")
    authority, _, database = place.partition("/")
    who, found, hosts = authority.partition("@")
    user, _, password = who.partition(":") if found else ("", "", "")
    given = _parameters(query)
    named = _hosts(hosts if found else authority, encoded=True) + [
        host for listed in given.pop("host", []) for host in _hosts(listed, encoded=False)
    ]
    words = {"user": unquote(user), "password": unquote(password), "dbname": unquote(database)}
    words["host"] = ",".join(host for host, _ in named)
    if any(port for _, port in named):
        words["port"] = ",".join(port for _, port in named)
    words |= {name: ",".join(values) if name == "port" else values[-1] for name, values in given.items()}
    if not words["dbname"]:
        raise StoreAddressUnusable(f"the address names no database: {_FORM}")
    return {name: value for name, value in words.items() if value}


def without_password(url: str) -> str:
    """An address to be shown."""
    place, mark, query = url.partition("?")
    place = re.sub(r"(?<=://)([^:@]*):.*@", r"\1:***@", place)
    return place + mark + re.sub(r"(?<![^&])(\w*password)=[^&]*", r"\1=***", query)


def same_database(url: str, other: str) -> bool:
    """Whether two addresses name one database on the same hosts, for whichever role. Raises
    StoreAddressUnusable."""
    one, another = connection_words(url), connection_words(other)
    for words in (one, another):
        words.pop("user", None)
        words.pop("password", None)
    return one == another


def _parameters(query: str) -> dict[str, list[str]]:
    given: defaultdict[str, list[str]] = defaultdict(list)
    for parameter in filter(None, query.split("&")):
        name, _, value = parameter.partition("=")
        given[unquote(name)].append(unquote(value))
    return dict(given)


def _hosts(listed: str, *, encoded: bool) -> list[tuple[str, str]]:
    """The hosts of a list, each with its port, which may be empty: names, addresses, folders with a socket."""
    found = []
    for named in filter(None, listed.split(",")):
        if "@" in named[1:]:  # a first one stands for a socket without a file
            raise StoreAddressUnusable(
                "in a password of the database's address @ is written as %40, and / as %2F"
            )
        host, port = named, ""
        if match := re.fullmatch(r"\[(.*)\](?::(.*))?", named):
            host, port = match[1], match[2] or ""
        elif not named.startswith(("/", "@")) and named.count(":") == 1:
            host, _, port = named.partition(":")
        if port and not (port.isascii() and port.isdigit()):
            raise StoreAddressUnusable(f"the port of the database's address is no number: {_FORM}")
        found.append((unquote(host) if encoded else host, port))
    return found


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


def driver_errors() -> type[Exception]:
    """What the driver raises; asked when it is there, which it need not be for SQLite."""
    import psycopg

    return psycopg.Error


def engine_of(url: str, begin: str = "", *, bounded: bool = False, **pool: Any) -> Engine:
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


@cache
def bounded_connection() -> Any:
    """The driver's class of connections, with this bound; asked for when the driver is there, which it need not be
    for SQLite."""
    import psycopg

    class BoundedConnection(psycopg.Connection[Any]):
        def wait(self, gen: Any, *args: Any, **how: Any) -> Any:
            return super().wait(self._in_time(gen), *args, **how)

        def _in_time(self, steps: Any) -> Generator[Any, Any, Any]:
            """The steps of an exchange with the server; between them the driver looks several times a second."""
            until = time.monotonic() + ANSWER["seconds"]
            try:
                wanted = next(steps)
                while True:
                    ready = yield wanted
                    if not ready and time.monotonic() > until:
                        self.pgconn.finish()
                        raise psycopg.OperationalError(f"no answer in {ANSWER['seconds']:g} s")
                    wanted = steps.send(ready)
            except StopIteration as end:
                return end.value

    return BoundedConnection
