"""The hosts in the address of a PostgreSQL database: which one is the primary, and how the others follow it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from ledger.store.database import DatabaseHost
from ledger.store.systems.postgresql_connections import (
    bounded_connection,
    connection_words,
    driver_errors,
    is_postgresql,
)

_SECONDS_TO_CONNECT: Final = "2"
_LOOKING: Final = """
SELECT pg_is_in_recovery(),
       CASE WHEN pg_is_in_recovery() THEN coalesce(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn())
            ELSE pg_current_wal_lsn() END - '0/0',
       EXISTS (SELECT FROM pg_stat_wal_receiver)
"""


def hosts_of(url: str) -> tuple[DatabaseHost, ...]:
    """The hosts of an address that names several, each as it describes itself; none for another address. Takes some
    seconds if one does not answer. Raises StoreAddressUnusable."""
    each = list(_each(url)) if is_postgresql(url) else []
    if len(each) < 2:
        return ()
    with ThreadPoolExecutor(len(each)) as threads:
        return tuple(threads.map(_look, each))


def _each(url: str) -> Iterator[dict[str, str]]:
    """The parameters of an address for each of its hosts."""
    words = connection_words(url)
    hosts, ports = (words.get(name, "").split(",") for name in ("host", "port"))
    for number, host in enumerate(hosts):
        port = ports[number] if len(ports) > 1 else ports[0]
        own = words | {"host": host, "port": port, "connect_timeout": _SECONDS_TO_CONNECT}
        yield {name: value for name, value in own.items() if value and name != "target_session_attrs"}


def _look(words: dict[str, str]) -> DatabaseHost:
    name = words["host"]
    try:
        with bounded_connection().connect(**words, autocommit=True) as connection:
            found: tuple[Any, ...] = connection.execute(_LOOKING).fetchone()
    except driver_errors():
        return DatabaseHost(name, answers=False)
    stands_by, position, follows = found
    return DatabaseHost(name, answers=True, primary=not stands_by, follows=follows, position=int(position))
