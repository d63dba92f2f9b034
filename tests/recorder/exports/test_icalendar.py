"""A group's nights as a calendar, read back by a calendar's own library."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.language import speaker
from ledger.recorder.exports.icalendar import calendar
from tests.recorder.exports.accounts import ODD_NAMES

reader: Any = pytest.importorskip("icalendar", reason="icalendar is not installed: scripts/test does that")
OPENED, ENDED = "2026-11-20T12:15:07.250Z", "2026-11-20T14:30:00.000Z"
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), min_size=1)


def written(
    name: str, net: Mapping[str, int], *days: str, opened: str = OPENED, ended: str = ENDED
) -> tuple[str, list[Any]]:
    """The calendar of a group whose nights were of some days, and its events as the library reads them."""
    nights = [
        SimpleNamespace(night=f"018f4b1c-{number}", date=day, opened=opened, ended=ended, net=net)
        for number, day in enumerate(days)
    ]
    season: Any = SimpleNamespace(
        group=SimpleNamespace(name=name), nights=nights, names={one: one for one in net}
    )
    text = calendar(season, speaker("vi"))
    read = reader.Calendar.from_ical(text.encode())
    assert not read.errors
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


def test_no_line_is_too_long_and_none_ends_like_a_text() -> None:
    text, (event,) = written("Ở" * 40, dict.fromkeys(ODD_NAMES, 3), "2026-11-20")
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    assert max(len(line.encode()) for line in text.split("\r\n")) == 75
    assert event["DESCRIPTION"].splitlines() == [f"{name} +3" for name in ODD_NAMES]


@given(TEXTS, TEXTS)
def test_any_text_comes_back_as_it_was(name: str, player: str) -> None:
    _, (event,) = written(name, {player: -1}, "2026-11-20")
    assert (event["SUMMARY"], event["DESCRIPTION"]) == (f"Tiến lên · {name}", f"{player} −1")
