"""The nights of a group as a calendar (iCalendar, RFC 5545)."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from icalendar import Calendar, Event

from ledger.recorder.exports.share import Voice
from ledger.recorder.members import SeatRef
from ledger.recorder.views.season import Season, SeasonNight


def calendar(season: Season, voice: Voice) -> str:
    """An event for each night, with every member's points. Its uid is the night's id, so importing the file again
    updates the same events."""
    names = season.members.names
    made = Calendar.new(
        uid=season.group.id,
        name=season.group.name,
        prodid="-//tienlen-ledger//EN",
        subcomponents=[_event(season.group.name, names, night, voice) for night in season.nights],
    )
    return str(made.to_ical(), "utf-8")


def _event(group: str, names: Mapping[SeatRef, str], night: SeasonNight, voice: Voice) -> Event:
    brought = sorted(night.net.items(), key=lambda one: -one[1])
    start, end = _when(night)
    return Event.new(
        uid=night.night,
        stamp=_moment(night.ended),
        start=start,
        end=end,
        summary=f"Tiến lên · {group}",
        description="\n".join(f"{names[member]} {voice.signed(points)}" for member, points in brought),
    )


def _when(night: SeasonNight) -> tuple[date, date | None]:
    """Start and end in UTC: the opening, and when the last round was settled. The whole day if the night was
    recorded on a day other than its date."""
    day = date.fromisoformat(night.date)
    opened = _moment(night.opened)
    if opened.astimezone().date() == day:
        return opened, _moment(night.ended)
    return day, day + timedelta(days=1) if day < date.max else None


def _moment(at: str) -> datetime:
    return datetime.fromisoformat(at).astimezone(UTC)
