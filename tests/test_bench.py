"""`scripts/bench` runs and prints every row. What it measures is never asserted."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
ROWS = [
    *("replay-chess", "replay-pokerkit", "replay-slowest-preset", "replay-southern", "playable"),
    *("durable-move", "growth", "growth-restarted"),
]

pytestmark = pytest.mark.slow


def bench(*arguments: str) -> str:
    for library in ("chess", "pokerkit"):
        pytest.importorskip(library, reason=f"{library} is not installed: scripts/bench installs it")
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'scripts'}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "benchmarks", "--quick", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_benchmark_measures_every_row() -> None:
    rows: list[dict[str, Any]] = json.loads(bench("--json"))["rows"]
    assert [row["name"] for row in rows] == ROWS
    for row in rows:
        assert row["value"] > 0
        assert row["same_work"]
        assert isinstance(row["holds"], bool)
        assert all(time > 0 for time in row["microseconds"].values())


def test_the_benchmark_prints_a_table() -> None:
    printed = bench("--only", "engine")
    assert "python-chess" in printed
    assert "pokerkit" in printed
    assert "≤ 30 µs" in printed
