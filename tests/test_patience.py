"""A wait is given up when nothing happens any more, not when a machine is slow."""

import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import pytest

from tests.patience import Patience
from tests.processes import start, stop, wait_for

ROOT = Path(__file__).parent.parent
FOUR_AT_ONCE = """
import os
os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
os.fork()
os.fork()
while True:
    pass
"""


def test_a_wait_for_nothing_ends() -> None:
    with pytest.raises(AssertionError, match="for the moon"):
        wait_for(lambda: False, "the moon", seconds=0.5)


def test_a_wait_goes_on_while_something_happens() -> None:
    steps, looks = count(), count()
    patience = Patience(0.1, happened=lambda: min(next(steps), 5))
    while not patience.ends():
        next(looks)
        time.sleep(0.1)
    assert next(looks) >= 5


@pytest.mark.skipif(sys.platform != "linux", reason="what a machine gives is counted in /proc")
def test_processes_that_get_a_processor_a_quarter_of_the_time_are_waited_for_four_times_as_long(
    tmp_path: Path,
) -> None:
    process = start([sys.executable, "-c", FOUR_AT_ONCE], tmp_path / "log")
    try:
        patience, began = Patience(1, process=process.pid), time.monotonic()
        while not patience.ends():
            time.sleep(0.1)
        assert time.monotonic() - began > 3
    finally:
        stop(process)


HANGING = """
import threading

import pytest

@pytest.mark.timeout(1)
def test_that_waits():
    threading.Event().wait()

@pytest.mark.timeout(1)
def test_that_goes_on_and_on():
    while True:
        pass

def test_that_comes_next():
    pass
"""


@pytest.mark.slow
def test_a_test_that_hangs_fails_and_the_next_one_runs(tmp_path: Path) -> None:
    (tmp_path / "test_hanging.py").write_text(HANGING)
    command: list[str | Path] = [sys.executable, "-m", "pytest", "-q", "-c", ROOT / "pyproject.toml"]
    command += ["-p", "tests.conftest", "-p", "no:cacheprovider", tmp_path / "test_hanging.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.count(" - Failed: Timeout") == 2, done.stdout + done.stderr
    assert "2 failed, 1 passed" in done.stdout
