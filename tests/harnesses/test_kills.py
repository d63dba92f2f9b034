"""No killed writer loses what was acknowledged; a writer that acknowledges too early is found."""

import subprocess
import sys

import pytest

from tests.soak.faults.power import ROOT

PROGRAM = """
from tests.soak.faults.kills import EARLY, report

assert not report(kills=12, seed=1, defect=""), "something was lost"
assert report(kills=40, seed=1, defect=EARLY), "nothing was found out"
"""
"""Run in a process of its own, because it forks. `scripts/soak faults` kills ten thousand."""


@pytest.mark.slow
def test_killed_writers_lose_nothing_they_acknowledged_and_one_that_does_so_too_early_is_found_out() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sound, planted = done.stdout.split("none lost, no chain or seal broken\n")
    assert sound.startswith("12 writers killed")
    assert "\nlost: " in planted
