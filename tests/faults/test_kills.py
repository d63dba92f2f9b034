"""No writer's death loses what was acknowledged; a writer that acknowledges too early is found out."""

import subprocess
import sys

import pytest

from tests.faults.kills import EARLY
from tests.faults.power import ROOT


def kill(number: int, *more: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own, which forks: `scripts/faults` kills ten thousand."""
    command = [sys.executable, "-m", "tests.faults", "kills", "--kills", str(number), *more]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.slow
def test_writers_that_are_killed_inside_their_transactions_lose_nothing_they_acknowledged() -> None:
    done = kill(12)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("12 writers killed")


@pytest.mark.slow
def test_a_writer_that_acknowledges_before_it_commits_is_found_out() -> None:
    done = kill(40, "--defect", EARLY)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "\nlost: " in done.stdout
