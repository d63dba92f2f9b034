"""The scripts of the pages as node runs them: those that touch no page."""

import shutil
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "ledger" / "web" / "static"


@pytest.fixture(scope="session")
def node() -> str:
    """The program that runs scripts without a browser."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("no node found: install Debian's nodejs package")
    return found


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """A folder with the pages' scripts as modules, and with the tests of them."""
    for script in (*STATIC.glob("*.js"), *Path(__file__).parent.glob("*.mjs")):
        shutil.copy(script, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    return tmp_path
