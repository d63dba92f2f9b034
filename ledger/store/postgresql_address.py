"""The address of a PostgreSQL database: a URI as libpq takes it, of one host or of several.

    postgresql://role:password@one,other:5433/database?target_session_attrs=read-write
    postgresql://role@/database?host=one:5432&host=other:5432

SQLAlchemy reads the second form alone. Whatever stands behind the question mark goes to libpq as it is said there.
"""

import re
from collections import defaultdict
from typing import Final
from urllib.parse import unquote

from ledger.store.errors import StoreAddressUnusable

_SCHEMES: Final = ("postgresql", "postgres", "postgresql+psycopg")
_FORM: Final = "postgresql://role:password@host/database"


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
