"""A group's nights as a calendar."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from icalendar import Calendar

from ledger.language import speaker
from ledger.recorder.exports.icalendar import calendar
from tests.recorder.exports.accounts import ODD_NAMES

OPENED, ENDED = "2026-11-20T19:15:07.250+07:00", "2026-11-20T14:30:00.000Z"


def written(
    name: str, net: Mapping[str, int], *days: str, opened: str = OPENED, ended: str = ENDED
) -> tuple[str, list[Any]]:
    """The calendar of a group with nights on some days, and its events as the library reads them."""
    nights = [
        SimpleNamespace(night=f"018f4b1c-{number}", date=day, opened=opened, ended=ended, net=net)
        for number, day in enumerate(days)
    ]
    season: Any = SimpleNamespace(
        group=SimpleNamespace(id="018f4b1c", name=name),
        nights=nights,
        members=SimpleNamespace(names={one: one for one in net}),
    )
    text = calendar(season, speaker("vi"))
    read = Calendar.from_ical(text.encode())
    return text, read.walk("VEVENT")


def test_a_night_is_an_event_from_its_opening_to_its_last_settled_round() -> None:
    _, (first, second) = written("Hội thứ sáu", {"Bình": -7, "An": 7}, "2026-11-20", "2026-11-20")
    assert (first["DTSTART"].dt, first["DTEND"].dt) == (
        datetime(2026, 11, 20, 12, 15, 7, tzinfo=UTC),
        datetime(2026, 11, 20, 14, 30, tzinfo=UTC),
    )
    assert first["DTSTAMP"].dt == first["DTEND"].dt
    assert first["SUMMARY"] == "Tiến lên · Hội thứ sáu"
    assert first["DESCRIPTION"] == "An +7\nBình −7"
    assert first["UID"] != second["UID"]


@pytest.mark.parametrize(
    ("day", "until"),
    [("2026-02-28", date(2026, 3, 1)), ("2028-02-28", date(2028, 2, 29)), ("9999-12-31", None)],
)
def test_a_night_that_was_recorded_later_has_its_day_alone(day: str, until: date | None) -> None:
    _, (event,) = written("Hội", {}, day)
    assert event["DTSTART"].dt == date.fromisoformat(day)
    assert (event["DTEND"].dt if "DTEND" in event else None) == until


def test_every_line_is_as_the_standard_has_it() -> None:
    text, (event,) = written("Ở; Ở," * 10, dict.fromkeys(ODD_NAMES, 3), "2026-11-20")
    name = r"Ở\; Ở\," * 10
    assert f"\r\nSUMMARY:Tiến lên · {name}\r\n" in text.replace("\r\n ", "")
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    assert max(len(line.encode()) for line in text.split("\r\n")) == 75
    assert event["DESCRIPTION"].splitlines() == [f"{name} +3" for name in ODD_NAMES]
