"""Whatever a run of tests starts ends with it, and a server that does not start says why."""

import subprocess
import sys
from pathlib import Path

import pytest

from ledger.web.recorder import Settings
from tests.patience import descendants_of
from tests.processes import DidNotStart, is_running, wait_for
from tests.servers import Served
from tests.web.phones import NIGHTS, new_night

ROOT = Path(__file__).parent.parent
BUSY = """
from pathlib import Path

import pytest

from tests.servers import Served

def test_that_has_started_everything(request, tmp_path):
    folder = tmp_path / "none"
    with Served(tmp_path):
        for name in ("browser", "cluster"):
            try:
                found = request.getfixturevalue(name)
            except pytest.skip.Exception:
                continue
            if name == "cluster":
                folder = found.folder
        Path(__file__).with_name("started").write_text(f"{folder}\\n")
        time.sleep(600)
"""


@pytest.mark.slow
def test_nothing_outlives_a_run_that_is_killed_in_the_middle(tmp_path: Path) -> None:
    (tmp_path / "test_busy.py").write_text(BUSY)
    started = tmp_path / "started"
    command: list[str | Path] = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml"]
    command += ["--rootdir", ROOT, "-p", "tests.conftest", "-p", "no:cacheprovider"]
    command += ["-s", tmp_path / "test_busy.py", "--basetemp", tmp_path / "its"]
    with (tmp_path / "log").open("wb") as log:
        run = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
    try:
        wait_for(lambda: run.poll() is not None or (started.exists() and "\n" in started.read_text()))
        assert run.poll() is None, (tmp_path / "log").read_text()
        processes = descendants_of(run.pid)
        assert len(processes) > 3, "a guard, a server, its two workers, and what else is installed"
    finally:
        run.kill()
        run.wait()
    wait_for(lambda: not any(map(is_running, processes)), "all that a killed run has started to end")
    assert not (folder := Path(started.read_text().strip())).exists(), f"{folder} was PostgreSQL's"


@pytest.mark.slow
def test_a_server_that_does_not_start_fails_with_its_log(tmp_path: Path) -> None:
    with pytest.raises(DidNotStart, match=r"(?s)tienlen serve .*ended with 3.*no table here"):
        Served(tmp_path, plant="print('no table here'); raise SystemExit(3)").start()


@pytest.mark.slow
def test_the_server_of_the_tests_allows_any_number_of_nights(server: Served) -> None:
    """However many tests share it, and whatever share of them each of its processes gets."""
    of_an_hour = Settings(database_url="", key=b"").new_nights.amount
    assert {server.send(NIGHTS, new_night()).status for _ in range(of_an_hour + 1)} == {201}
