"""What a database is and how much lies in it: nothing of what was played, nor by whom."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import func, select, tuple_

from ledger.store import tables
from ledger.store.auditing import listed_nights
from ledger.store.event_codec import BodyUnreadable, get, read_object
from ledger.store.reading import Reader

_night: Final = tables.Night.__table__
_event: Final = tables.Event.__table__
_NEWEST_NIGHT: Final = select(func.max(_night.c.created_at))
_MANY: Final = 200
"""Nights that are asked about at once."""


@dataclass(frozen=True, slots=True)
class Description:
    """`schema` is the revision that the migrations have come to, `newest` the time of the newest entry."""

    system: str
    schema: str | None
    size: int
    nights: int
    entries: int
    newest: str | None


def describe(reader: Reader, schema: str | None, system: str, size: int) -> Description:
    """A database that conforms. Walks over every night."""
    nights = listed_nights(reader)
    times = [time for (time,) in reader.rows(_NEWEST_NIGHT, {})]
    for first in range(0, len(nights), _MANY):
        last = tuple_(_event.c.night, _event.c.seq).in_(nights[first : first + _MANY])
        times += [_time(body) for (body,) in reader.rows(select(_event.c.body).where(last), {})]
    return Description(
        system=system,
        schema=schema,
        size=size,
        nights=len(nights),
        entries=sum(night.entries for night in nights),
        newest=max(filter(None, times), default=None),
    )


def _time(body: str) -> str | None:
    """When an entry was recorded; None of one that cannot be read, which is for an audit to say."""
    try:
        return get(read_object(body), "at", str)
    except BodyUnreadable:
        return None
