"""The nights of a group as a calendar (iCalendar, RFC 5545)."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import chain

from ledger.recorder.exports.share import Voice
from ledger.recorder.views.season import Season, SeasonNight

_OCTETS = 75
"""No line is longer, its end not counted."""


def calendar(season: Season, voice: Voice) -> str:
    """An event for each night, with what it brought everybody. A calendar that takes the file again takes the same
    events anew, by the ids of the nights."""
    name = _text(season.group.name)
    lines = chain(
        [
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "PRODID:-//tienlen-ledger//EN",
            f"NAME:{name}",
            f"X-WR-CALNAME:{name}",
        ],
        *(_event(season, night, voice) for night in season.nights),
        ["END:VCALENDAR"],
    )
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _event(season: Season, night: SeasonNight, voice: Voice) -> Iterator[str]:
    brought = sorted(night.net.items(), key=lambda one: -one[1])
    told = "\n".join(f"{season.names[member]} {voice.signed(points)}" for member, points in brought)
    yield "BEGIN:VEVENT"
    yield f"UID:{night.night}"
    yield f"DTSTAMP:{_moment(night.ended)}"
    yield from _when(night)
    yield f"SUMMARY:{_text(f'Tiến lên · {season.group.name}')}"
    yield f"DESCRIPTION:{_text(told)}"
    yield "END:VEVENT"


def _when(night: SeasonNight) -> Iterable[str]:
    """From its opening to the last round that was settled, in UTC. A night that was recorded on another day than it
    was played has its day alone."""
    day = date.fromisoformat(night.date)
    if datetime.fromisoformat(night.opened).astimezone().date() == day:
        return [f"DTSTART:{_moment(night.opened)}", f"DTEND:{_moment(night.ended)}"]
    after = [f"DTEND;VALUE=DATE:{day + timedelta(days=1):%Y%m%d}"] if day < date.max else []
    return [f"DTSTART;VALUE=DATE:{day:%Y%m%d}", *after]


def _moment(at: str) -> str:
    return f"{datetime.fromisoformat(at).astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    for plain, escaped in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        text = text.replace(plain, escaped)
    return text


def _folded(line: str) -> str:
    """A line as several, each but the first after a space; no letter is torn."""
    folded, taken = "", 0
    for letter in line:
        octets = len(letter.encode())
        if taken + octets > _OCTETS:
            folded, taken = f"{folded}\r\n ", 1
        folded, taken = folded + letter, taken + octets
    return folded
