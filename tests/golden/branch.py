"""A copy of the project, to which a test makes a newcomer's change as CONTRIBUTING.md says."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

ROOT = Path(__file__).parents[2]
COPIED = ("ledger", "templates", "migrations", "tests")


def copy_project(folder: Path) -> Path:
    """Copy what its tests need of the project to a new folder."""
    for name in COPIED:
        copytree(ROOT / name, folder / name, ignore=ignore_patterns("node_modules"))
    for file in (*ROOT.glob("*.md"), ROOT / "pyproject.toml"):
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def run(branch: Path, *which: str) -> subprocess.CompletedProcess[str]:
    """Run some tests of a copy."""
    environment = os.environ | {"PYTHONPATH": str(branch), "RULES_COVERAGE": ""}
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *which]
    return subprocess.run(command, cwd=branch, env=environment, capture_output=True, text=True, check=False)
