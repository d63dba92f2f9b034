"""Mutants of a small checkout: those of what is tested are noticed, those of what is not survive."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.soak.mutants import mutants
from tests.soak.mutants.mutants import ROOT, Area, Copy, run, sample

AREA = Area("ledger/*.py", 1, 1, ("tests",), ("tests",))
PROGRAM = """
def least() -> int:
    return 4


FOUR = least()


def is_bomb(cards: int) -> bool:
    return cards >= FOUR


def nobody_asks(cards: int) -> int:
    return cards - 1


def in_pairs(first: list[str], second: list[str]) -> list[tuple[str, str]]:
    return list(zip(first, second, strict=True))
"""
TESTS = """
from ledger.moves import is_bomb


def test_four_are_a_bomb():
    assert is_bomb(4)
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    (folder / "tests" / "soak").mkdir(parents=True)
    (folder / "ledger").mkdir()
    for package in ("ledger", "tests", "tests/soak"):
        (folder / package / "__init__.py").touch()
    (folder / "ledger" / "moves.py").write_text(PROGRAM, encoding="utf-8")
    (folder / "tests" / "test_moves.py").write_text(TESTS, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = slow\n soak\n browser\n", encoding="utf-8")
    shutil.copytree(ROOT / "tests" / "soak" / "mutants", folder / "tests" / "soak" / "mutants")
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    return folder


def test_what_no_test_asks_survives(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    planted = sample(AREA, checkout, 100, 13)
    found = {mutant.change: who for mutant, who in run(AREA, planted, [Copy(checkout, tmp_path / "copy")])}
    assert found == {
        "return cards >= FOUR -> return None": "tests/test_moves.py::test_four_are_a_bomb",
        "cards >= FOUR -> cards > FOUR": "tests/test_moves.py::test_four_are_a_bomb",
        "4 -> 5": "tests/test_moves.py::test_four_are_a_bomb",
        "return cards - 1 -> return None": "",
        "cards - 1 -> (cards + 1)": "",
        "1 -> 2": "",
        "return list(zip(first, second, strict=True)) -> return None": "",
    }


ENDLESS = {
    "files": ("(tmp_path / str(number)).mkdir()", "FAILED with more than 200 files", 60),
    "bytes": (
        "(tmp_path / 'one').open('a').write('0' * 100_000)",
        "FAILED with more than 1,000,000 bytes",
        60,
    ),
    "time": ("sleep(0.1)", "FAILED after 1 s", 1),
}


@pytest.mark.parametrize(("does", "failed", "seconds"), ENDLESS.values(), ids=ENDLESS)
def test_a_run_without_end_fails_and_leaves_nothing(
    does: str, failed: str, seconds: int, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutants, "MOST_FILES", 200)
    monkeypatch.setattr(mutants, "MOST_BYTES", 1_000_000)
    test = f"""
from itertools import count
from time import sleep


def test_endless(tmp_path):
    for number in count():
        {does}
"""
    (checkout / "tests" / "test_endless.py").write_text(test, encoding="utf-8")
    status, printed = Copy(checkout, tmp_path / "copy").pytest(["tests/test_endless.py"], seconds)
    assert status != pytest.ExitCode.OK
    assert printed == failed
    assert set(tmp_path.iterdir()) == {checkout, tmp_path / "copy"}


def test_of_many_tests_one_case_of_each_comes_before_further_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "MOST_TESTS", 4)
    cheapest_first = [f"test_a[{case}]" for case in range(9)] + ["test_b", "test_c[0]", "test_c[1]"]
    assert mutants.spread(cheapest_first) == ["test_a[0]", "test_b", "test_c[0]", "test_a[1]"]


def test_every_area_has_files_and_tests() -> None:
    for name, area in mutants.AREAS.items():
        assert len(sample(area, ROOT, area.of, 13)) == area.of, name
        assert all((ROOT / folder).is_dir() for folder in (*area.tests, *area.others) if "/" in folder)
