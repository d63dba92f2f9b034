"""Standbys of a PostgreSQL server: whether commits wait for any, and whether those are there.

A role that may not see how far a standby is may still see that it is connected, and by which name.
"""

import re
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

_ASKED: Final = """
SELECT current_setting('synchronous_standby_names'),
       coalesce((SELECT array_agg(application_name) FROM pg_stat_replication), '{}'),
       NOT pg_is_in_recovery() AND left(pg_walfile_name(pg_current_wal_lsn()), 8) <> '00000001'
"""
_NAMES: Final = re.compile(r'"((?:[^"]|"")+)"|([^\s,()"]+)')
_CHOSEN: Final = re.compile(r"\s*(?:(?:FIRST|ANY)\s+)?(\d+)\s*\((.*)\)\s*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Standbys:
    """What follows a server. `wanted` is what commits wait for, in the words of `synchronous_standby_names`, empty
    if they wait for nothing; `missing` is how many of those are not connected; `connected` is how many are, wanted
    or not; `promoted` is whether the server was a standby itself, or was put back to an earlier moment."""

    wanted: str
    missing: int
    connected: int
    promoted: bool


def standbys(connection: Connection) -> Standbys:
    """The standbys of the server that a connection leads to, as they are now."""
    wanted, connected, promoted = connection.exec_driver_sql(_ASKED).one()
    number, names = _awaited(wanted)
    there = sum(name.lower() in names or "*" in names for name in connected)
    return Standbys(wanted.strip(), max(number - there, 0), len(connected), promoted)


def _awaited(wanted: str) -> tuple[int, set[str]]:
    """How many standbys a commit waits for, and which names they may have, in lower case."""
    chosen = _CHOSEN.fullmatch(wanted)
    listed = chosen[2] if chosen else wanted
    names = {(quoted.replace('""', '"') or plain).lower() for quoted, plain in _NAMES.findall(listed)}
    return (int(chosen[1]) if chosen else 1) if names else 0, names
