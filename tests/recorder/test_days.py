"""A night is dated in the time zone of its table, and the date never changes."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path

import pytest

from ledger.game.rulesets import PRESETS
from ledger.game.terms import Terms
from ledger.recorder import Recorder, audit
from ledger.recorder.terms import Opening, read_night, write_night
from ledger.store import Night, Store
from tests.recorder.tables import CLASSIC, KEY, NAMES, SECRET, asked

NIGHT = "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11"
ZONES = {
    "Saigon": timezone(timedelta(hours=7)),
    "San José": timezone(-timedelta(hours=8)),
    "the server's": None,
}


@pytest.mark.parametrize(
    ("at", "zone", "server", "day"),
    [
        # In Vietnam it is 1:30 of the next day.
        ("2026-11-20 18:30", "Saigon", "UTC", "2026-11-21"),
        # In California a new UTC day begins in the evening.
        ("2026-11-21 04:15", "San José", "UTC", "2026-11-20"),
        ("2026-11-21 04:15", "San José", "Asia/Ho_Chi_Minh", "2026-11-20"),
        ("2026-11-20 18:30", "the server's", "Asia/Ho_Chi_Minh", "2026-11-21"),
        ("2026-11-20 18:30", "the server's", "UTC", "2026-11-20"),
    ],
)
def test_a_night_is_of_the_day_at_its_table(
    path: Path,
    empty_database: Path,
    set_timezone: Callable[[str], None],
    at: str,
    zone: str,
    server: str,
    day: str,
) -> None:
    path.write_bytes(empty_database.read_bytes())
    set_timezone(server)
    store = Store.open(f"sqlite:///{path}")
    recorder = Recorder(store, KEY, lambda: datetime.fromisoformat(at).replace(tzinfo=UTC))
    opening = partial(
        recorder.open_night,
        NIGHT,
        secret=SECRET,
        terms=Terms(PRESETS[CLASSIC]),
        players=NAMES[:4],
        zone=ZONES[zone],
    )
    opening()
    assert asked(recorder, NIGHT).terms.date == day
    # A repeated request gets the same night, even from a phone in another zone.
    assert not opening(zone=UTC).created
    assert asked(recorder, NIGHT).terms.date == day
    assert list(audit(recorder)) == []
    store.close()


NOBODY = {"p1": "0" * 64, "p2": "0" * 64}


def test_a_night_of_the_first_versions_is_of_the_day_of_utc() -> None:
    body = write_night(
        Opening(NIGHT, Terms(PRESETS[CLASSIC], date="2026-11-21"), NOBODY), "2026-11-20T18:30:00.000Z"
    )
    old = body.replace('"date":"2026-11-21"', '"date":null')
    assert old != body
    rows = [Night(id=NIGHT, format=1, body=text, hash=b"", created_at="") for text in (body, old)]
    assert [read_night(row).terms.date for row in rows] == ["2026-11-21", "2026-11-20"]
