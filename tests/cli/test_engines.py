"""`tienlen perft` and `tienlen corpus`: counts and rounds for other engines."""

from pathlib import Path

import pytest

from tests.cli.commands import says_one_line, tienlen, tienlen_process
from tests.game.judging import published

CASE = next(case for case in published() if case.number == 10 and case.ruleset == "southern-classic")


@pytest.fixture
def deal(tmp_path: Path) -> Path:
    """A file with a published deal."""
    file = tmp_path / "deal.txt"
    file.write_text(CASE.deal)
    return file


def test_a_published_deal_is_counted(deal: Path) -> None:
    for depth, count in enumerate(CASE.counts[:3], start=1):
        assert tienlen("perft", deal, "--depth", str(depth)).out == f"{count}\n"


def test_counts_are_told_apart_by_the_first_move(deal: Path) -> None:
    *lines, total = tienlen("perft", deal, "--depth", "2", "--divide").out.splitlines()
    assert "p1 2s 2h: 2" in lines
    assert int(total) == sum(int(line.rpartition(" ")[2]) for line in lines) == CASE.counts[1]


def test_what_a_table_agreed_on_is_laid_over_the_ruleset(deal: Path) -> None:
    ran = tienlen("perft", "-", "--depth", "4", "--rule", "passing.late=none", input=CASE.deal.encode())
    assert 0 < int(ran.out) < CASE.counts[3]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ["--under", "core-17"],
            "deal.txt:5: This line cannot be read: expected as many hands as may play (3).",
        ),
        (["--under", "family", "--rule", "nonsense=1"], "a house rule (no such rule: nonsense)"),
    ],
)
def test_a_deal_that_does_not_fit_is_told_in_one_line(deal: Path, options: list[str], sentence: str) -> None:
    ran = tienlen("perft", deal, "--depth", "1", *options)
    assert (ran.status, ran.out) == (2, "")
    assert sentence in ran.err


def test_a_deal_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        ran = tienlen("perft", path, "--depth", "1")
        assert (ran.status, says_one_line(ran)) == (2, True)


@pytest.mark.slow
def test_a_corpus_is_the_same_to_the_byte_whatever_sets_are_ordered_by(tmp_path: Path) -> None:
    made = []
    for number in ("0", "1"):
        folder = tmp_path / number
        ran = tienlen_process(
            "corpus", "240", "--seed", "3", "--into", folder, environment={"PYTHONHASHSEED": number}
        )
        assert ran.status == 0
        made.append({file.name: file.read_bytes() for file in folder.iterdir()})
    assert made[0] == made[1]
    assert len(made[0]) == 12
    assert tienlen("score", "--strict", tmp_path / "0").status == 0


def test_one_night_goes_to_standard_output() -> None:
    ran = tienlen("corpus", "3", "--seed", "1", "--under", "core", "--rule", "price.places.2=7/-7")
    assert (
        ran.out
        == tienlen("corpus", "3", "--seed", "1", "--under", "core", "--rule", "price.places.2=7/-7").out
    )
    assert "rule price.places.2=7/-7" in ran.out or "rule payments.places" in ran.out
    assert tienlen("score", "--strict", "-", input=ran.out.encode()).status == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["3", "--seed", "1"],
        ["501", "--seed", "1", "--under", "core"],
        ["3", "--seed", "1", "--rule", "passing.locks=no", "--into", "folder"],
        ["0", "--seed", "1", "--under", "core"],
        ["3", "--seed", "1", "--under", "core", "--into", "/dev/null/folder"],
    ],
)
def test_a_corpus_that_cannot_be_is_refused(arguments: list[str]) -> None:
    ran = tienlen("corpus", *arguments)
    assert (ran.status, ran.out) == (2, "")
