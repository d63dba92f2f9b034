"""Mutated requests, in short: none fails or writes unreported, and planted defects are found."""

from pathlib import Path

import pytest

from tests.soak.requests.mutate import DEFECTS, DEFECTS_SERVED, SEVERAL, mutate, mutate_served
from tests.soaking import PLANTED, further
from tests.web.asking import Place
from tests.web.routes import STATUSES


@pytest.mark.slow
def test_no_mutated_request_breaks_anything_or_is_recorded_in_silence(place: Place) -> None:
    tally = mutate(place, requests=500, seed=1)
    assert [str(finding) for finding in tally.findings] == []
    assert tally.requests == 500
    assert tally.recorded > 0
    assert {200, 303, 400, 401, 403, 404, 405} <= tally.statuses.keys()
    assert len(tally.routes) > len(STATUSES) * 0.9


@pytest.mark.usefixtures("brief_streams")
@pytest.mark.parametrize(
    "planted",
    further(
        [("writes on a GET", "something was written without a POST"), ("raises on some input", "a 5xx")],
        PLANTED,
    ),
)
def test_a_planted_defect_is_found(tmp_path: Path, planted: tuple[str, str]) -> None:
    defect, found = planted
    place = Place(f"sqlite:///{tmp_path / 'ledger.db'}")
    DEFECTS[defect](place.app)
    tally = mutate(place, requests=1_000, seed=2)
    place.close()
    assert [finding.what for finding in tally.findings] == [found]


def test_pages_that_record_several_entries_are_routes() -> None:
    assert set(SEVERAL) <= {route.rule for route in STATUSES}


@pytest.mark.slow
def test_no_mutated_bytes_break_a_server_or_are_recorded_in_silence(tmp_path: Path) -> None:
    tally = mutate_served(tmp_path, requests=150, seed=5)
    assert [str(finding) for finding in tally.findings] == []
    assert tally.logged == []
    assert tally.recorded > 0
    assert {200, 303, 400, 401, 403, 404} <= tally.statuses.keys()


@pytest.mark.slow
@pytest.mark.parametrize("defect", further(DEFECTS_SERVED, PLANTED))
def test_a_defect_planted_in_a_server_is_found(tmp_path: Path, defect: str) -> None:
    only = [route for route in STATUSES if route.rule.endswith("/links/<holder>") and route.method == "POST"]
    tally = mutate_served(tmp_path, requests=1_000, seed=1, defect=defect, routes=only)
    assert {finding.what for finding in tally.findings} == {"a request that broke off was recorded"}
