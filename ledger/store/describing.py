"""What a database is and how much lies in it: nothing of what was played, nor by whom."""

from dataclasses import dataclass
from typing import Final

from sqlmodel import col, func, select, tuple_

from ledger.store.auditing import listed_nights
from ledger.store.event_codec import BodyUnreadable, get, read_object
from ledger.store.log import Reader
from ledger.store.models import Event, Night

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
    times: list[str | None] = list(reader.all(select(func.max(Night.created_at))))
    for first in range(0, len(nights), _MANY):
        last = tuple_(col(Event.night), col(Event.seq)).in_(nights[first : first + _MANY])
        times += [_time(body) for body in reader.all(select(Event.body).where(last))]
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
