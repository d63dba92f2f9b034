"""Every tamper is found every time by the checks responsible for it, and a check with a hole is noticed."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from ledger.store import StoredEvent, event_hash
from tests.soak.tampers.forging import Nights
from tests.soak.tampers.tampers import AUDIT, CHECKS, PHONE, TAMPERS, VERIFY, Trial, audit_finds, case


@pytest.mark.parametrize("tamper", TAMPERS)
def test_every_tamper_is_found_every_time(nights: Nights, database: Path, tamper: str) -> None:
    """Once of each; `scripts/soak tampers` tries each a thousand times."""
    tampered = case(nights, database, tamper, 0)
    assert [check for check in TAMPERS[tamper][1] & CHECKS.keys() if not CHECKS[check](tampered)] == []


def test_an_honest_night_is_found_fault_with_by_nobody(nights: Nights, database: Path) -> None:
    honest = Trial(*nights, database, Random(0))
    assert [check for check, finds in CHECKS.items() if finds(honest)] == []


def test_every_check_answers_for_something_and_every_tamper_is_answered_for() -> None:
    answered = [checks for _, checks in TAMPERS.values()]
    assert all(answered)
    assert set().union(*answered) == {PHONE, AUDIT, VERIFY}


Good = Callable[[int, bytes, StoredEvent], bool]
HOLES: dict[str, tuple[Good, set[str]]] = {
    "skips the link": (
        lambda seq, head, entry: entry.seq == seq + 1 and event_hash(entry.prev, entry.body) == entry.hash,
        {"edited and hashed again"},
    ),
    "ignores the number": (
        lambda seq, head, entry: entry.prev == head and event_hash(entry.prev, entry.body) == entry.hash,
        {"a number skipped"},
    ),
    "trusts the stored hash": (
        lambda seq, head, entry: entry.seq == seq + 1 and entry.prev == head,
        {"edited"},
    ),
    "asks nothing": (lambda *_: True, {"edited", "edited and hashed again", "a number skipped"}),
}
"""What an audit that has this hole takes for good, and the tampers that it misses."""


@pytest.mark.parametrize("hole", HOLES)
def test_the_battery_finds_an_audit_with_a_hole_in_it(
    nights: Nights, database: Path, monkeypatch: pytest.MonkeyPatch, hole: str
) -> None:
    good, missed = HOLES[hole]
    monkeypatch.setattr("ledger.store.verify.break_after", lambda *link: None if good(*link) else "broken")
    for tamper in missed:
        assert AUDIT in TAMPERS[tamper][1]
        assert not audit_finds(case(nights, database, tamper, 0)), tamper
