"""Whatever a run of tests starts ends with it, and a server that does not start says why."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.processes import descendants_of, is_running
from tests.servers import SECONDS_TO_START, DidNotStart, Served

ROOT = Path(__file__).parent.parent
BUSY = """
import time
from pathlib import Path

import pytest

from tests.servers import Served

def test_that_has_started_everything(request, tmp_path):
    with Served(tmp_path) as served:
        pids = [served.process.pid]
        for name in ("browser", "cluster"):
            try:
                found = request.getfixturevalue(name)
            except pytest.skip.Exception:
                continue
            if name == "cluster":
                pids.append(int((found.folder / "data" / "postmaster.pid").read_text().split()[0]))
        Path(__file__).with_name("started").write_text(" ".join(map(str, pids)) + "\\n")
        time.sleep(600)
"""


@pytest.mark.slow
def test_nothing_outlives_a_run_that_is_killed_in_the_middle(tmp_path: Path) -> None:
    (tmp_path / "test_busy.py").write_text(BUSY)
    started = tmp_path / "started"
    command: list[str | Path] = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml"]
    command += [
        "--rootdir",
        ROOT,
        "-p",
        "tests.conftest",
        "-p",
        "no:cacheprovider",
        "-s",
        tmp_path / "test_busy.py",
    ]
    command += ["--basetemp", tmp_path / "its"]
    with (tmp_path / "log").open("wb") as log:
        run = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
    try:
        wait_until(lambda: run.poll() is not None or (started.exists() and "\n" in started.read_text()))
        assert run.poll() is None, (tmp_path / "log").read_text()
        processes = descendants_of(run.pid) | set(map(int, started.read_text().split()))
        assert len(processes) > 3, "a guard, a server, its two workers, and what else is installed"
    finally:
        run.kill()
        run.wait()
    wait_until(lambda: not any(map(is_running, processes)))


def wait_until(holds: object) -> None:
    assert callable(holds)
    until = time.monotonic() + SECONDS_TO_START
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.slow
def test_a_server_that_does_not_start_fails_with_its_log(tmp_path: Path) -> None:
    with pytest.raises(DidNotStart, match=r"(?s)tienlen serve ended with 3:.*no table here"):
        Served(tmp_path, plant="print('no table here'); raise SystemExit(3)").start()


@pytest.mark.slow
def test_a_server_that_was_killed_starts_again_where_it_was(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        workers = served.workers
        served.kill()
        wait_until(lambda: not any(map(is_running, workers)))
        served.start()
        assert served.ask("GET", "/healthz").status == 200
