"""No killed writer loses what was acknowledged; a writer that acknowledges too early is found."""

import subprocess
import sys

import pytest

from tests.soak.faults.power import ROOT

PROGRAM = """
from tests.soak.faults.kills import EARLY, soak

sound, planted = soak(kills=12), soak(kills=40, defect=EARLY)
assert sound.figures.startswith("12 writers killed"), sound
assert not sound.wrong, sound
assert any(fault.startswith("lost: ") for fault in planted.wrong), planted
"""
"""Run in a process of its own, because it forks. `scripts/soak faults kills` kills ten thousand."""


@pytest.mark.slow
def test_killed_writers_lose_nothing_they_acknowledged_and_one_that_does_so_too_early_is_found_out() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
