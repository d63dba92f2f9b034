"""Random seasons agree with what was played, and planted defects are found."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.recorder import Recorder, members
from ledger.recorder.operations import carrying
from ledger.recorder.views import season
from ledger.store import Store
from tests.recorder.tables import opened
from tests.soak.seasons import trial
from tests.soaking import further

pytestmark = pytest.mark.slow


@pytest.fixture
def store(path: Path, empty_database: Path) -> Iterator[Store]:
    with opened(path, empty_database) as recorder:
        yield recorder.store


@pytest.mark.parametrize("seed", further(range(3)))
def test_a_season_says_what_was_played(store: Store, seed: int) -> None:
    season = trial(store, seed, 12).check()
    assert (len(season.nights), season.currencies) == (12, ["USD", "VND"])


def test_a_debt_that_is_carried_by_half_is_found_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    record = carrying._record

    def half(recorder: Recorder, actor: object, *rest: object, **other: str) -> None:
        if "carried_to" not in other:
            record(recorder, actor, *rest, **other)  # type: ignore[arg-type]

    monkeypatch.setattr(carrying, "_record", half)
    with pytest.raises(AssertionError):
        trial(store, 1, 12)


def test_people_who_are_not_joined_are_found_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    joins = members.members
    monkeypatch.setattr(season, "members", lambda people, joined: joins(people, ()))
    with pytest.raises(AssertionError):
        trial(store, 1, 12)
