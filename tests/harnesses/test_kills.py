"""No killed writer loses what was acknowledged; a writer that acknowledges too early is found."""

import subprocess
import sys

import pytest

from tests.soak.faults.kills import EARLY
from tests.soak.faults.power import ROOT


def killed(*options: str) -> subprocess.CompletedProcess[str]:
    """`scripts/soak faults kills`, in a process of its own, because it forks. It kills ten thousand by default."""
    command = [sys.executable, "-m", "tests.soak", "faults", "kills", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_killed_writers_lose_nothing_they_acknowledged_and_one_that_does_so_too_early_is_found_out() -> None:
    sound, planted = killed("--kills", "12"), killed("--kills", "200", "--defect", EARLY)
    assert (sound.returncode, planted.returncode) == (0, 1), sound.stdout + sound.stderr
    assert sound.stderr.startswith("0 of 12 kills")
    assert sound.stdout.startswith("faults kills: ")
    assert "; 0 wrong, " in sound.stdout
    assert planted.stdout.startswith("lost: ")
