"""Which tests `scripts/test --changed` runs, and what counts as reached by the tests of the rules."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.layers import ALWAYS, OF_FILES, TESTS, standing_on

ROOT = Path(__file__).parent.parent


def test_every_package_has_its_tests_and_every_folder_of_tests_a_package() -> None:
    packages = {
        path.stem
        for path in (ROOT / "ledger").iterdir()
        if (path / "__init__.py").exists() or path.suffix == ".py"
    }
    assert {f"ledger.{name}" for name in packages - {"__init__", "__main__"}} == TESTS.keys()
    folders = {path.parent.relative_to(ROOT).parts[1] for path in ROOT.glob("tests/*/**/test_*.py")}
    asked = {test.split("/")[1] for tests in [*TESTS.values(), *OF_FILES.values(), ALWAYS] for test in tests}
    assert folders <= asked


@pytest.mark.parametrize(
    ("changed", "asked", "not_asked"),
    [
        ("ledger/game/judge.py", ["game", "recorder", "web", "language"], []),
        ("ledger/store/verify.py", ["store", "recorder", "cli"], ["game", "language"]),
        ("ledger/web/static/shared/queue.js", ["javascript", "browser"], ["recorder", "game"]),
        ("templates/opening/open.html", ["web", "golden"], ["store"]),
        ("tests/store/test_chain.py", ["store"], ["web"]),
        ("README.md", ["test_documents.py"], ["web"]),
    ],
)
def test_what_stands_on_a_change_is_asked(changed: str, asked: list[str], not_asked: list[str]) -> None:
    found = set(standing_on([changed]))
    assert found >= {f"tests/{name}" for name in asked}
    assert not found & {f"tests/{name}" for name in not_asked}


@pytest.mark.parametrize("changed", ["tests/conftest.py", "pyproject.toml", "tests/cases/amounts.txt"])
def test_what_everything_stands_on_asks_everything(changed: str) -> None:
    assert standing_on([changed, "README.md"]) == ["tests"]


@pytest.mark.slow
def test_rules_that_only_other_tests_reach_fail_the_run() -> None:
    tests = ["tests/game/test_cards.py", "tests/language/test_amounts.py"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    environment = os.environ | {"RULES_COVERAGE": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "ledger/game/judge.py: " in done.stdout
    assert "ledger/game/cards.py: " in done.stdout
    assert " failed" not in done.stdout
