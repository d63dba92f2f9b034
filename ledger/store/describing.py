"""What a database is and how much lies in it: nothing of what was played, nor by whom."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, func, select

from ledger.store import tables
from ledger.store.bodies import BodyUnreadable, get, read_object
from ledger.store.migrating import revision_of

_night: Final = tables.Night.__table__
_event: Final = tables.Event.__table__
_LAST: Final = select(_event.c.night, func.max(_event.c.seq).label("seq")).group_by(_event.c.night).subquery()
_LAST_BODIES: Final = select(_event.c.body).join(
    _LAST, (_event.c.night == _LAST.c.night) & (_event.c.seq == _LAST.c.seq)
)


@dataclass(frozen=True, slots=True)
class Description:
    """`schema` is the revision that the migrations have come to, `newest` the time of the newest entry."""

    system: str
    schema: str | None
    size: int
    nights: int
    entries: int
    newest: str | None


def describe(connection: Connection, system: str, size: int) -> Description:
    """A database that conforms, as of one moment. Walks over every night."""
    times = [
        connection.scalar(select(func.max(_night.c.created_at))),
        *map(_time, connection.scalars(_LAST_BODIES)),
    ]
    return Description(
        system=system,
        schema=revision_of(connection),
        size=size,
        nights=connection.scalar(select(func.count()).select_from(_night)) or 0,
        entries=connection.scalar(select(func.count()).select_from(_event)) or 0,
        newest=max(filter(None, times), default=None),
    )


def _time(body: str) -> str | None:
    """When an entry was recorded; None of one that cannot be read, which is for an audit to say."""
    try:
        return get(read_object(body), "at", str)
    except BodyUnreadable:
        return None
