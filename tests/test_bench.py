"""`scripts/bench` runs and prints every row. Measured values are never asserted."""

import json
import os
import subprocess
import sys
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
    "club-2",
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


@pytest.mark.soak("every row of the benchmark")
def test_the_benchmark_measures_every_row() -> None:
    rows: list[dict[str, Any]] = json.loads(bench("--json"))["rows"]
    assert [row["name"] for row in rows] == ROWS
    for row in rows:
        assert row["same_work"]
        assert row["missing"] or row["value"] > 0
        assert isinstance(row["holds"], bool) == bool(row["goal"] and not row["missing"])
        assert all(figure["value"] > 0 for name, figure in row["measured"].items() if name != "asked again")


def test_the_benchmark_prints_a_table() -> None:
    printed = bench("--only", "audit")
    assert "tienlen audit" in printed
    assert "≤ 2 ×" in printed
    assert "every hash and text read" in printed
