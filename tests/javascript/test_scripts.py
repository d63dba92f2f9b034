"""The page scripts pass their tests in node; these, eslint and tsc find what is planted."""

import tomllib
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from tests.javascript.conftest import ROOT, run
from tests.soaking import PLANTED, further

HERE, STATIC = "tests/javascript", "ledger/web/static"
PACKAGES = ROOT / HERE / "node_modules"
CHECKS = {
    "eslint": ["eslint/bin/eslint.js", "--config", f"{HERE}/eslint.config.js", STATIC, HERE],
    "tsc": ["typescript/bin/tsc", "--project", HERE],
    "tsc of the service worker": ["typescript/bin/tsc", "--project", f"{HERE}/worker.tsconfig.json"],
}
TESTS = sorted(f"{test.parent.name}/{test.name}" for test in (ROOT / HERE).glob("*/*.test.mjs"))
DEFECTS = tomllib.loads((ROOT / HERE / "defects.toml").read_text(encoding="utf-8"))


def plant(folder: Path, script: str, text: str, instead: str, **_: object) -> None:
    sound = (folder / script).read_text(encoding="utf-8")
    assert text in sound, script
    (folder / script).write_text(sound.replace(text, instead, 1), encoding="utf-8")


@pytest.mark.parametrize("test", TESTS)
def test_the_scripts_pass_their_tests(node: str, scripts: Path, test: str) -> None:
    done = run(node, scripts, test)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("test", "defect"),
    [
        pytest.param(test, *one.values, marks=one.marks, id=str(one.values[0]))
        for test in TESTS
        for one in further(DEFECTS[test], PLANTED)
    ],
)
def test_a_defect_planted_in_a_script_is_found(node: str, scripts: Path, test: str, defect: str) -> None:
    planted = DEFECTS[test][defect]
    plant(scripts, **planted)
    seed = {"SEED": str(planted.get("seed", 1)), "RUNS": "5"} if test == "shared/queue.test.mjs" else {}
    assert run(node, scripts, test, **seed).returncode != 0


@pytest.mark.slow
def test_defects_planted_in_scripts_are_found_by_eslint_and_tsc(node: str, tmp_path: Path) -> None:
    if not PACKAGES.exists():
        pytest.skip("eslint and tsc are not installed: scripts/test installs them")
    for folder in (STATIC, HERE):
        copytree(ROOT / folder, tmp_path / folder, ignore=ignore_patterns("node_modules", "__pycache__"))
    (tmp_path / HERE / "node_modules").symlink_to(PACKAGES)
    for check in CHECKS:
        for defect in DEFECTS[check].values():
            plant(tmp_path / STATIC, **defect)
    for check, (program, *arguments) in CHECKS.items():
        done = run(node, tmp_path, f"{HERE}/node_modules/{program}", *arguments)
        assert done.returncode != 0
        words = [f"'{defect['word']}'" for defect in DEFECTS[check].values()]
        assert [word for word in words if word not in done.stdout] == []
