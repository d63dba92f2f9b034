"""Connections to a PostgreSQL server: addresses, settings, timeouts, and the meaning of failures.

An address is a URI for libpq, with one host or several. The parameters after the question mark are passed to libpq
unchanged.

    postgresql://role:password@one,other:5433/database?target_session_attrs=read-write
    postgresql://role@/database?host=one:5432&host=other:5432

A commit waits for its standby without limit: the server's statement timeout does not apply to it. So the client
gives up and closes the connection. The server's process keeps waiting, and commits once the standby is back;
cancelling it would commit without one.
"""

import re
import select
import time
from collections import defaultdict
from collections.abc import Callable, Generator
from functools import cache
from math import inf
from typing import Any, Final
from urllib.parse import quote, unquote

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from ledger.store.database import begin_with, first_line, translating_errors
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
"""Prepare a statement when it is repeated: planning one takes longer than running it."""

_WAY: Final = {
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
"""Timeouts after which a silent server counts as lost, unless the address sets them: a lost machine closes no
connection. The operating system's defaults are minutes, or two hours on a connection that only listens."""

_POOL: Final = "_ConnectionRecord__pool"
"""SQLAlchemy's name for the pool that a connection came from."""

SESSION: Final = {
    "search_path": "public, pg_temp",  # a temporary table cannot stand in for one of ours
    "synchronous_commit": "on",
    "lock_timeout": "5s",
    "statement_timeout": "1min",
    "idle_in_transaction_session_timeout": "15s",  # a hanging process releases its night
    "timezone": "UTC",
    "tienlen.notifies": "after commit",  # so a trigger need not, which does it for earlier versions
    "plan_cache_mode": "force_generic_plan",  # every query finds rows by key: one plan is enough
}

ANSWER: Final = {"request": 7.0, "inspection": 65.0, "migration": inf}
"""Seconds that the client waits for an answer, as a frozen server keeps its connections open: a request longer than
a write waits for a lock, and shorter than a phone; an inspection longer than the server's own limit; a migration as
long as copying a large table takes."""


def is_postgresql(url: str) -> bool:
    """Whether an address names a database on a PostgreSQL server."""
    scheme, found, _ = url.partition("://")
    return bool(found) and scheme in _SCHEMES


def connection_words(url: str) -> dict[str, str]:
    """The parameters in an address by libpq's keywords, as libpq reads it; several hosts become comma-separated
    lists. Raises StoreAddressUnusable."""
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict
    except ModuleNotFoundError as error:
        raise StoreAddressUnusable(
            "PostgreSQL needs its driver: pip install 'tienlen-ledger[postgresql]'"
        ) from error
    try:
        words = {name: str(value) for name, value in conninfo_to_dict(_for_libpq(url)).items() if value}
    except ProgrammingError:  # its message may show the password
        raise StoreAddressUnusable(f"the database's address cannot be read: {_FORM}") from None
    hosts = words.get("host", "").split(",")
    if any("@" in host[1:] for host in hosts):  # a leading @ means an abstract socket
        raise StoreAddressUnusable(
            "in a password of the database's address @ is written as %40, and / as %2F"
        )
    ports = words.pop("port", "")
    if ports.strip(","):
        words["port"] = ports
    if not re.fullmatch(r"[0-9,]*", ports):
        raise StoreAddressUnusable(f"the port of the database's address is no number: {_FORM}")
    if "dbname" not in words:
        raise StoreAddressUnusable(f"the address names no database: {_FORM}")
    return words


def _for_libpq(url: str) -> str:
    """An address whose parameters name all hosts and all ports at once, where SQLAlchemy's form repeats them."""
    place, _, query = url.partition("://")[2].partition("?")
    given: defaultdict[str, list[str]] = defaultdict(list)
    for parameter in filter(None, query.split("&")):
        name, _, value = parameter.partition("=")
        given[name].append(value)
    if listed := given.pop("host", []):
        named = [_host_and_port(host) for host in unquote(",".join(listed)).split(",")]
        given["host"] = [quote(",".join(host for host, _ in named))]
        if any(port for _, port in named):
            given["port"] = [port for _, port in named]
    if ports := given.pop("port", []):
        given["port"] = [",".join(ports)]
    return f"postgresql://{place}?{'&'.join(f'{name}={values[-1]}' for name, values in given.items())}"


def _host_and_port(named: str) -> tuple[str, str]:
    """A host of a parameter, which SQLAlchemy lets have a port; that may be empty."""
    if found := re.fullmatch(r"\[(.+)\]:?([^:]*)|([^/@:][^:]*):([^:]*)", named):
        return found[1] or found[3], found[2] or found[4] or ""
    return named, ""


def without_password(url: str) -> str:
    """An address without its password, for display."""
    place, mark, query = url.partition("?")
    place = re.sub(r"(?<=://)([^:@]*):.*@", r"\1:***@", place)
    return place + mark + re.sub(r"(?<![^&])(\w*password)=[^&]*", r"\1=***", query)


def same_database(url: str, other: str) -> bool:
    """Whether two addresses name the same database on the same hosts, for any roles. Raises
    StoreAddressUnusable."""
    one, another = connection_words(url), connection_words(other)
    for words in (one, another):
        words.pop("user", None)
        words.pop("password", None)
    return one == another


def store_error(original: BaseException | None) -> StoreError:
    """The store's error for a failure of PostgreSQL, or of the connection to it."""
    message = f"PostgreSQL: {_attempts(original) or first_line(original)}"
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
        case "":  # not reported by the server
            return StoreFailing(f"{message} (is it running there, and is its address right?)")
    return StoreFailing(message)


def _attempts(original: BaseException | None) -> str:
    """Why none of several hosts could be connected to, in one line; empty for another failure."""
    _, _, attempts = str(original).partition("Multiple connection attempts failed")
    return "; ".join(line.removeprefix("- ") for line in attempts.splitlines() if line.startswith("- "))


def driver_errors() -> type[Exception]:
    """The base of the driver's errors; imported on use, as SQLite does not need the driver."""
    import psycopg

    return psycopg.Error


def engine_of(
    url: str,
    begin: str = "",
    *,
    limit: str = "inspection",
    lost: Callable[[], object] = lambda: None,
    **pool: Any,
) -> Engine:
    """An engine whose connections have the settings SESSION and autocommit. If `begin` is given, it is executed
    where SQLAlchemy begins a transaction. Connections wait for an answer up to the `limit` of ANSWER; `lost` is
    called when one is lost, or cannot be made."""
    way = _WAY | connection_words(url) | _DRIVER
    # libpq gets the address's parts: SQLAlchemy supports fewer forms.
    engine = create_engine("postgresql+psycopg://", isolation_level="AUTOCOMMIT", connect_args=way, **pool)

    def go_back(driver: Any, record: ConnectionPoolEntry) -> None:
        if driver is not None and getattr(record, _POOL) is not engine.pool:
            driver.close()  # its pool was discarded meanwhile and will not close it

    event.listen(engine, "connect", _set_session)
    event.listen(engine, "checkout", _require_open)
    event.listen(engine, "checkin", go_back)

    def notice(failed: ExceptionContext) -> None:
        if failed.is_disconnect or failed.connection is None:
            lost()

    event.listen(engine, "handle_error", notice)
    event.listen(engine, "handle_error", translating_errors(store_error))
    if begin:
        begin_with(engine, begin)
    kind = bounded_connection(limit)
    event.listen(engine, "do_connect", lambda dialect, record, words, named: kind.connect(*words, **named))
    return engine


def _set_session(driver: Any, record: ConnectionPoolEntry) -> None:
    settings = ", ".join(["set_config(%s, %s, false)"] * len(SESSION))
    driver.execute(f"SELECT {settings}", [word for setting in SESSION.items() for word in setting])


def _require_open(driver: Any, record: ConnectionPoolEntry, lent: PoolProxiedConnection) -> None:
    """Replace the connections of a pool if one has ended: the server was restarted, or is lost."""
    idle = select.poll()
    idle.register(driver.fileno(), select.POLLIN)
    if idle.poll(0):  # an idle connection is readable only at its end
        raise InvalidatePoolError


@cache
def bounded_connection(limit: str = "request") -> Any:
    """The driver's class of connections, with a time limit of ANSWER; imported on use, as SQLite does not need the
    driver."""
    import psycopg

    class BoundedConnection(psycopg.Connection[Any]):
        def wait(self, gen: Any, *args: Any, **how: Any) -> Any:
            return super().wait(self._in_time(gen), *args, **how)

        def _in_time(self, steps: Any) -> Generator[Any, Any, Any]:
            """Run the steps of an exchange with the server; the driver resumes it several times a second."""
            until = time.monotonic() + ANSWER[limit]
            try:
                wanted = next(steps)
                while True:
                    ready = yield wanted
                    if not ready and time.monotonic() > until:
                        self.pgconn.finish()
                        raise psycopg.OperationalError(f"no answer in {ANSWER[limit]:g} s")
                    wanted = steps.send(ready)
            except StopIteration as end:
                return end.value

    return BoundedConnection
