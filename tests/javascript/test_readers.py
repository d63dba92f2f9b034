"""Independent readers, which share no code with the program, compute every total of a corpus from its moves."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import tienlen

READERS = Path(__file__).parents[2] / "scripts" / "readers"
OWN = [
    "red-two=6",
    "red-two.left=3",
    "four-of-a-kind=0",
    "full-hand=12",
    "places.3=5/-1/-4",
    "places.4=3/1/-1/-3",
]


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A corpus of southern-classic, and one with a table's own prices."""
    folder = tmp_path_factory.mktemp("corpus")
    asked = ["corpus", "400", "--seed", "5", "--under", "southern-classic", "--into"]
    own = [f"--rule=price.{price}" for price in OWN]
    assert tienlen(*asked, folder / "classic").status == tienlen(*asked, folder / "own", *own).status == 0
    return sorted(folder.glob("*/*"))


@pytest.fixture(params=["totals.py", "totals.mjs"])
def reader(request: pytest.FixtureRequest, node: str) -> tuple[list[str], Path]:
    """The command that runs a reader, and the reader's path."""
    run = [sys.executable, "-I"] if request.param.endswith(".py") else [node]
    return run, READERS / request.param


def read(run: list[str], script: Path, nights: list[Path]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*run, script, *nights], capture_output=True, text=True, check=False, timeout=120)


def test_a_corpus_holds_what_the_readers_are_asked(nights: list[Path]) -> None:
    text = "".join(night.read_text() for night in nights)
    assert {one.read_text().partition("round")[0].count("\np") for one in nights} == {2, 3, 4}
    assert all(word in text for word in ("claims", "shows", "bomb-bonus", "hoarding-penalty"))


def test_every_total_follows_from_the_moves_alone(reader: tuple[list[str], Path], nights: list[Path]) -> None:
    ran = read(*reader, nights)
    assert (ran.returncode, ran.stderr) == (0, "")
    expected = [json.loads(line)["net"] for line in tienlen("score", "--json", *nights).out.splitlines()]
    told = [line.split()[1:] for line in ran.stdout.splitlines()]
    assert told == [[word for seat, net in one.items() for word in (seat, f"{net:+}")] for one in expected]


WRONG = {
    "totals.py": [
        ("full-hand=4", "full-hand=3"),
        ("kind=3", "kind=2"),
        ("not out and ", ""),
        ("reversed(due)", "due"),
    ],
    "totals.mjs": [
        ("full-hand=4", "full-hand=3"),
        ("kind=3", "kind=2"),
        ("beaten.out || ", ""),
        (".toReversed()", ""),
    ],
}
"""By reader, a text and a replacement that gets a rule wrong: full hands, fours, players who are out, the order of
payers."""


def test_a_reader_that_has_a_rule_wrong_is_noticed(
    reader: tuple[list[str], Path], nights: list[Path], tmp_path: Path
) -> None:
    run, script = reader
    for right, wrong in WRONG[script.name]:
        text = script.read_text()
        assert text.count(right) == 1
        (tmp_path / script.name).write_text(text.replace(right, wrong))
        assert read(run, tmp_path / script.name, nights).returncode == 1, wrong


def test_a_payment_that_was_changed_is_noticed(
    reader: tuple[list[str], Path], nights: list[Path], tmp_path: Path
) -> None:
    changed = tmp_path / "changed.tln"
    before, payment, after = nights[0].read_text().partition("= p2 p1 2 ")
    changed.write_text(f"{before}= p2 p1 3 {after}")
    ran = read(*reader, [changed])
    assert payment
    assert (ran.returncode, ran.stdout) == (1, "")
    assert f"changed.tln: round {before.count('round ')}: " in ran.stderr
