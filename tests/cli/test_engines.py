"""`tienlen perft` and `tienlen corpus`: counts and rounds for other engines."""

from pathlib import Path

import pytest

from tests.cli.commands import tienlen, tienlen_process
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
