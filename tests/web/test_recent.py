"""What a server did in its last minutes: counted by each process, summed by any of them."""

import os
from pathlib import Path

import pytest

from ledger.web.logs import Served
from ledger.web.observability.recent import FOLDER_VARIABLE, MINUTES, Recent


class Clock:
    seconds = 1e9

    def __call__(self) -> float:
        return self.seconds


def served(ms: float = 4, *, night: str | None = None, status: int = 201, code: str | None = None) -> Served:
    recorded = ("play",) if night else ()
    return Served("", "POST", "/", status, ms, night, "keeper", code, recorded)


def test_tables_moves_the_slowest_hundredth_and_errors_are_told() -> None:
    recent = Recent()
    for number in range(200):
        recent.served(served(400 if number < 3 else 20, night=f"night {number % 7}"))
    for code, status in (("stale", 409), ("stale", 409), ("beaten", 422), ("store", 503), (None, 500)):
        recent.served(served(status=status, code=code))
    recent.served(served(status=200))
    found = recent.summary()
    assert 400 <= found.pop("slowest_hundredth_ms") <= 500
    assert found == {
        "minutes": MINUTES,
        "tables": 7,
        "moves_a_minute": 20.0,
        "refused": {"stale": 2, "beaten": 1},
        "failed": {"store": 1, "unnamed": 1},
    }


def test_a_single_slow_move_of_two_hundred_is_none_of_the_slowest_hundredth() -> None:
    recent = Recent()
    for number in range(200):
        recent.served(served(400 if number == 0 else 20, night="n"))
    assert recent.summary()["slowest_hundredth_ms"] <= 25


def test_what_is_older_than_ten_minutes_is_forgotten() -> None:
    clock = Clock()
    recent = Recent(clock)
    recent.served(served(night="n"))
    clock.seconds += 60 * (MINUTES - 1)
    assert recent.summary()["tables"] == 1
    clock.seconds += 60
    recent.served(served(night="other"))
    assert (recent.summary()["tables"], recent.summary()["moves_a_minute"]) == (1, 1 / MINUTES)
    assert Recent(clock).summary()["slowest_hundredth_ms"] is None


def test_the_counts_of_all_processes_are_added_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    own, other, own_process = Recent(), Recent(), os.getpid()
    own.served(served(night="n"))
    monkeypatch.setattr(os, "getpid", lambda: own_process + 1)
    other.served(served(night="n"))
    other.served(served(night="m"))  # within a second: written with the next one
    monkeypatch.setattr(os, "getpid", lambda: own_process)
    assert (own.summary()["tables"], own.summary()["moves_a_minute"]) == (1, 2 / MINUTES)


def test_a_full_disk_keeps_nobody_from_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "nothing"))
    recent = Recent()
    recent.served(served(night="n"))
    assert recent.summary()["tables"] == 1
