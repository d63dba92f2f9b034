"""What the log of a run that is cut off says (`tests/progress.py`)."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import start, stop, wait_for

ROOT = Path(__file__).parent.parent
CONFTEST = """
import sys
sys.path.insert(0, {root!r})
from tests.progress import Progress

def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Progress(config))
"""
TESTS = """
import time

def test_fails():
    raise ValueError("the first line\\nand the second")

def test_passes():
    pass

def test_hangs():
    time.sleep(600)
"""


@pytest.mark.slow
def test_a_run_that_is_cut_off_names_what_failed_and_what_was_running(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST.format(root=str(ROOT)), encoding="utf-8")
    (tmp_path / "test_some.py").write_text(TESTS, encoding="utf-8")
    log = tmp_path / "log"
    options = ["-v", "--rootdir", str(tmp_path), "-n", "1", "--durations", "3"]
    run = start([sys.executable, "-m", "pytest", *options, tmp_path], log)
    try:
        wait_for(lambda: "::test_hangs" in log.read_text(encoding="utf-8"), "the test that hangs")
        as_it_went = log.read_text(encoding="utf-8")
        stop(run, signal.SIGTERM)
    except subprocess.TimeoutExpired:
        pytest.fail(log.read_text(encoding="utf-8"))
    assert "FAILED test_some.py::test_fails: ValueError: the first line\n" in as_it_went
    _, _, summary = log.read_text(encoding="utf-8").partition("= slowest 3 durations =")
    assert "cut off; running: test_some.py::test_hangs" in summary
    assert "1 failed, 1 passed" in summary
