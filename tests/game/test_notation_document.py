"""NOTATION.md agrees with what the notation's readers accept, and with the codes of the rules."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.game import notation
from ledger.game.errors import Code, Notice
from ledger.game.notation import new_terms, notes, reader, script
from ledger.game.payments import Reason
from ledger.game.terms import WRITTEN
from tests.game.short_rounds import cases
from tests.game.test_rounds import OF_THE_RECORDER, TOO_LONG

DOCUMENT = (Path(__file__).parents[2] / "NOTATION.md").read_text(encoding="utf-8")
WORD = re.compile("[a-z]+|[-–=!]")


def table(head: str) -> list[list[str]]:
    """The cells of a table by row, found by the head of its first column."""
    _, _, below = DOCUMENT.partition(f"| {head} |")
    rows = below.partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def in_code(text: str) -> list[str]:
    return re.findall("`([^`]+)`", text)


LINES = [line for cells in table("line") for line in in_code(cells[0])]
ALSO = ["p1 –", "p1 unlocks 4s 5s 6s", "p1 declares none", "= none", "rule scheme=card-count"]
"""Lines shown in the second column."""


def words_that_are_read() -> Iterator[str]:
    """Every term, and every constant in the notation's readers that may be a word of the notation."""
    yield from WRITTEN
    for module in (reader, new_terms, notes, script):
        tree = ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and WORD.fullmatch(node.value):
                yield node.value


WORDS = set(words_that_are_read()) - {"p", "pattern", "f"}
"""Without the prefix of tags, a keyword of the schema, and a format of numbers."""


def test_every_word_of_the_notation_is_described() -> None:
    assert {word for line in LINES + ALSO for word in line.split()} >= WORDS
    assert {"forward", "contract", "locks", "–"} <= WORDS
    assert all(f"`{line}`" in DOCUMENT for line in ALSO)


@pytest.mark.parametrize("line", LINES + ALSO)
def test_every_line_that_is_described_is_read(line: str) -> None:
    word, others = line.split()[0], ["p1 Bà", "p2 Bình"]
    head = ["tienlen 1", "ruleset double-deck" if "'" in line else "ruleset southern-classic"]
    below = ["round 1 opening"]
    if word in ("tienlen", "ruleset"):
        head = [line if one.startswith(f"{word} ") else one for one in head]
    elif line.endswith(" all"):
        others.append(line)
    elif word == "rule" or word in WRITTEN:
        head.append(line)
    elif line == "p1 An":
        others[0] = line
    elif word == "round":
        below = [line]
    else:
        below += ["result p1", line] if word in ("knocked", "bombed") else [line]
    night = notation.read("\n".join([*head, *others, *below]))
    assert len(night.rounds) == 1
    if WORD.fullmatch(line.split()[0]) is None and line != "p1 An":
        assert night.rounds[0].moves


def test_every_described_line_begins_with_a_word_that_is_read_or_a_player() -> None:
    assert {line.split()[0] for line in LINES} - {"p1"} <= WORDS


def test_every_code_is_described_in_the_order_of_precedence() -> None:
    assert [code for cells in table("code") for code in in_code(cells[0])] == list(Code)


PROVOKED = {case.refused for case in cases() if case.refused}


def test_a_code_is_described_with_its_verdict_and_its_clause() -> None:
    described = {cells[0].strip("`"): cells for cells in table("code")}
    for code, verdict, clause in PROVOKED:
        assert verdict in described[code][1].split(", "), code
        assert clause.partition("-")[2] in described[code][2].split(", "), code


def test_no_verdict_is_described_that_no_round_provokes() -> None:
    provoked = {(code.value, verdict.value) for code, verdict, _ in PROVOKED}
    described = {
        (in_code(cells[0])[0], verdict) for cells in table("code") for verdict in cells[1].split(", ")
    }
    assert described - provoked == {(code.value, "impossible") for code in OF_THE_RECORDER | TOO_LONG}


def test_notices_and_reasons_are_described() -> None:
    noticed = DOCUMENT.partition("Noticed without refusing anything:")[2].partition("\n\n")[0]
    assert set(in_code(noticed)) == set(Notice)
    reasons = DOCUMENT.partition("Reasons of payments:")[2].partition("\n\n")[0]
    assert in_code(reasons) == list(Reason)
