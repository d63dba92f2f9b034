"""Node runs the page scripts that use no DOM."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "ledger" / "web" / "static"


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """A folder with the page scripts as modules, and their tests."""
    for script in (*STATIC.glob("*/*.js"), *Path(__file__).parent.glob("*/*.mjs")):
        (folder := tmp_path / script.parent.name).mkdir(exist_ok=True)
        shutil.copy(script, folder)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    return tmp_path


def run(
    node: str, folder: Path, *command: str, told: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a script; some tests run page scripts in contexts of their own."""
    return subprocess.run(
        [node, "--experimental-vm-modules", *command],
        cwd=folder,
        env=os.environ | environment,
        input=told,
        capture_output=True,
        text=True,
        check=False,
    )
