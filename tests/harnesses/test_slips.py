"""Slips of a keeper are put right on the phone in a few taps, and leave no trace."""

from collections.abc import Iterator

import pytest
from flask import Flask

from ledger.game.rulesets import PRESETS
from ledger.web.pages.rounds import mend
from tests.soak.slips import Found, Slip, host, trial

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    with host(tmp_path_factory.mktemp("slips")) as app:
        yield app


def some(app: Flask, ruleset: str, *seeds: int, each: int = 1_000) -> list[Found]:
    return [found for seed in seeds for found in trial(app, ruleset, seed, each)]


def test_slips_of_every_kind_leave_no_trace_under_any_rules(app: Flask) -> None:
    found = [one for ruleset in PRESETS for one in some(app, ruleset, 1, each=1)]
    assert {one.ruleset for one in found} == {*PRESETS}
    assert {one.slip for one in found} == {*Slip}
    assert [one.wrong for one in found if one.wrong] == []


def test_a_play_with_which_somebody_went_out_after_another_is_put_in_with_four_taps(app: Flask) -> None:
    """Of eight: p3 went out with a 6, p2 with a higher one that was forgotten, and so p4 led."""
    found = [one for one in some(app, "double-deck", 20261146) if one.slip is Slip.FORGOTTEN]
    assert [one.wrong for one in found if one.wrong] == []


def test_passes_that_are_not_worked_out_again_are_found(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mend, "with_passes", lambda night, number, change: [change])
    assert [one.wrong for one in some(app, "southern-classic", 1) if one.wrong]
