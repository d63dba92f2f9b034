"""eslint and tsc, as scripts/test runs them over the page scripts, find planted defects."""

import subprocess
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from tests.javascript.conftest import ROOT

STATIC = "ledger/web/static"
HERE = "tests/javascript"
PACKAGES = ROOT / HERE / "node_modules"
ESLINT = ["eslint/bin/eslint.js", "--config", f"{HERE}/eslint.config.js", STATIC, HERE]
TSC = ["typescript/bin/tsc", "--project", HERE]
TSC_WORKER = ["typescript/bin/tsc", "--project", f"{HERE}/worker.tsconfig.json"]

# Planted defects: the script, a text of it, and its replacement. The check's message names the new word.
DEFECTS = {
    "a variable that is not there": ("page.js", "document.title = fresh.title", "document.title = frsh"),
    "a name that nobody uses": ("live.js", "let fresh = false;", "let fresh = false, idle = 1;"),
    "a property that no element has": ("page.js", "held.disabled", "held.disbled"),
    "a name that a module does not have": ("pending.js", "import { say }", "import { says as say }"),
    "a misspelt property of a value": ("page.js", "performance.now()", "performance.nwo()"),
    "a misspelt method of the service worker": ("sw.js", "clients.claim()", "clients.clame()"),
}
FOUND = [
    (ESLINT, ["'frsh'", "'idle'"]),
    (TSC, ["'disbled'", "'says'", "'nwo'"]),
    (TSC_WORKER, ["'clame'"]),
]


@pytest.mark.slow
def test_planted_defects_are_found(node: str, tmp_path: Path) -> None:
    if not PACKAGES.exists():
        pytest.skip("eslint and tsc are not installed: scripts/test installs them")
    for folder in (STATIC, HERE):
        copytree(ROOT / folder, tmp_path / folder, ignore=ignore_patterns("node_modules", "__pycache__"))
    (tmp_path / HERE / "node_modules").symlink_to(PACKAGES)
    for name, planted, instead in DEFECTS.values():
        script = tmp_path / STATIC / name
        text = script.read_text(encoding="utf-8")
        assert planted in text, name
        script.write_text(text.replace(planted, instead, 1), encoding="utf-8")
    for check, words in FOUND:
        done = run(node, tmp_path, check)
        assert done.returncode != 0
        assert [word for word in words if word not in done.stdout] == []


def run(node: str, folder: Path, check: list[str]) -> subprocess.CompletedProcess[str]:
    program, *arguments = check
    return subprocess.run(
        [node, f"{HERE}/node_modules/{program}", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
