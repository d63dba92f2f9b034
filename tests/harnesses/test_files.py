"""Whatever is damaged of an installation, what was acknowledged is there afterwards, or the host is told."""

import shutil
from pathlib import Path

import pytest

from tests.soak.faults import files
from tests.soak.faults.files import DAMAGES, EMPTIED, EXCHANGED_LOG, FILES, FLIPPED_LOG, KEPT, TOLD, Trials
from tests.soak.faults.looking import is_bound_here
from tests.soaking import PLANTED, further

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not is_bound_here(), reason="root has no setpriv here"),
]


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Trials:
    return Trials(tmp_path_factory.mktemp("installations"))


def test_of_each_file_that_is_damaged_nothing_is_missing_that_the_host_is_not_told_of(trials: Trials) -> None:
    chosen = files.sample()
    assert {case.file for case in chosen} == set(FILES)
    assert {case.damage for case in chosen} == set(DAMAGES)
    tally = trials.run(chosen)
    assert tally.wrong == []
    assert tally[KEPT]
    assert tally[TOLD]
    assert not tally[files.NOT_THERE]


def test_a_file_of_which_nothing_is_known_is_named(trials: Trials, tmp_path: Path) -> None:
    shutil.copytree(trials.installation(FLIPPED_LOG).folder, folder := tmp_path / "installation")
    assert files.unknown_files(folder) == set()
    (folder / "ledger.db.heads").touch()
    assert files.unknown_files(folder) == {"ledger.db.heads"}


PLANTS = dict(zip(files.DEFECTS, (FLIPPED_LOG, EXCHANGED_LOG, EMPTIED), strict=True))
"""Defects, each with a case in which something is lost in silence."""


@pytest.mark.parametrize("defect", further(PLANTS, PLANTED))
def test_what_makes_a_loss_silent_is_found(trials: Trials, defect: str) -> None:
    assert trials.run([PLANTS[defect]], defect=defect).wrong
