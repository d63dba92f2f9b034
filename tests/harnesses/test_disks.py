"""A real server on a failing disk: nothing is acknowledged before it is synced, and no fault outlives its cause."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.soak.faults import tracing
from tests.soak.faults.disks import FAULTS, Trial, watched
from tests.soak.faults.serving import CARELESS, NEVER_SYNCING, CannotWatch, Server

MOVES = 20  # the long mode makes ten times as many, and lets every n-th call fail for more n

pytestmark = pytest.mark.slow


def trial_of(folder: Path, plant: str = "") -> Iterator[Trial]:
    if why := tracing.why_not_here():
        pytest.skip(why)
    with Server(folder, plant=plant) as server:
        try:
            with server.watched(folder / "trace"):
                pass
        except CannotWatch as error:
            pytest.skip(f"strace may not look on here: {error}")
        yield Trial(server)


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    yield from trial_of(tmp_path_factory.mktemp("served"))


def test_no_answer_is_sent_before_what_it_acknowledges_is_synced(trial: Trial) -> None:
    tally = watched(trial.server, trial.phone, moves=MOVES)
    assert tally == {"answers": MOVES}
    assert tally.wrong == []


@pytest.mark.parametrize(
    ("fault", "every"),
    # What the last sync of a commit may have left in the log is not called unrecorded.
    [*((fault, 1) for fault in FAULTS), ("an I/O error where it syncs", 4)],
)
def test_what_a_failing_disk_cannot_keep_is_said_clearly_and_recorded_once_it_can(
    trial: Trial, fault: str, every: int
) -> None:
    tally = trial.under(fault, every=every)
    assert tally.wrong == []
    assert tally["answered 503"]


def test_after_all_of_that_nothing_is_missing_and_nothing_half_recorded(trial: Trial) -> None:
    assert trial.over() == []


def test_a_server_that_syncs_nothing_and_acknowledges_regardless_is_found_out(tmp_path: Path) -> None:
    for careless in trial_of(tmp_path, NEVER_SYNCING + CARELESS):
        assert len(watched(careless.server, careless.phone, moves=3).wrong) == 3
        assert careless.under("an I/O error where it writes", every=1).wrong
        assert any(found.startswith("lost: ") for found in careless.over())
