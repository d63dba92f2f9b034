"""`scripts/bench` runs and prints every row. Measured values are never asserted."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
ROWS = [
    *("replay-chess", "replay-pokerkit"),
    *("audit", "move-beside-audit"),
    *("durable-move-sqlite", "durable-moves-at-once-sqlite"),
    *("durable-move-postgresql", "durable-moves-at-once-postgresql"),
    *("poll-304", "page-table", "page-ledger", "page-rounds", "page-replay", "page-ledger-again"),
    *("start", "memory"),
    "ledger-ihatemoney",
    *("watched-move", "move-beside-statistics"),
    *("growth-3", "growth-5", "growth-ledger", "growth-table"),
    *("growth-database-5", "growth-database-20"),
    *("growth-postgresql-3000", "migrate-postgresql", "audit-postgresql"),
    "club-2",
    *("resources-hearing", "resources", "commits-2-alone", "commits-2-1ms"),
]
MAY_BE_NONE = ("asked again", "while nothing is recorded", "waiting, ", "PostgreSQL's")
"""The beginnings of the names of amounts that may be none in a quick run."""

pytestmark = pytest.mark.slow


def bench(*arguments: str) -> str:
    for library in ("chess", "pokerkit"):
        pytest.importorskip(library, reason=f"{library} is not installed: scripts/bench installs it")
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'scripts'}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "benchmarks", "--quick", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.soak("every row of the benchmark")
def test_the_benchmark_measures_every_row() -> None:
    rows: list[dict[str, Any]] = json.loads(bench("--json"))["rows"]
    assert [row["name"] for row in rows] == ROWS
    for row in rows:
        assert row["same_work"]
        assert row["missing"] or row["value"] > 0
        assert isinstance(row["holds"], bool) == bool(row["goal"] and not row["missing"])
        measured = row["measured"].items()
        assert all(figure["value"] > 0 or name.startswith(MAY_BE_NONE) for name, figure in measured)


def test_the_benchmark_needs_nothing_that_it_does_not_install() -> None:
    """What only tests need is not there when it runs alone."""
    for library in ("chess", "pokerkit"):
        pytest.importorskip(library, reason=f"{library} is not installed: scripts/bench installs it")
    absent = "import sys; sys.modules |= dict.fromkeys(('pytest', 'factory', 'hypothesis'))"
    command = [sys.executable, "-c", f"{absent}; import benchmarks.__main__"]
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'scripts'}{os.pathsep}{ROOT}"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_each_row_is_printed_as_soon_as_it_is_measured(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """With rows made up, of which the second sees what was printed of the first."""
    for library in ("chess", "pokerkit"):
        pytest.importorskip(library, reason=f"{library} is not installed: scripts/bench installs it")
    from benchmarks import __main__ as command
    from benchmarks.measuring import Effort, Goal, Row

    printed: list[str] = []

    def rows(effort: Effort) -> Iterator[Row]:
        for value in (1.5, 4.0):
            printed.append(capfd.readouterr().out)
            yield Row("made-up", "two ways of one job", [value], "every hash read", goal=Goal(2))

    monkeypatch.setattr(command, "GROUPS", {"audit": rows})
    command.main(["--quick", "--only", "audit"], standalone_mode=False)
    first, second = printed[1], capfd.readouterr().out
    assert all(text in first for text in ("two ways of one job", "every hash read", "1.50 ×", "≤ 2 ×", "yes"))
    assert all(text in second for text in ("4.00 ×", "NO"))
