"""Texts from outside: bounded before they are normalized, which nothing else does."""

import ast
import sys
from pathlib import Path
from unicodedata import combining, normalize

import pytest

from ledger.game.texts import MOST_MARKS, composed, decomposed, without_heaps

LEDGER = Path(__file__).parents[2] / "ledger"
NORMALIZING = {"normalize", "is_normalized"}
DESCENDING = "".join(sorted(map(chr, range(0x300, 0x370)), key=combining, reverse=True))


def test_nothing_else_in_the_program_normalizes() -> None:
    found = {
        str(path.relative_to(LEDGER))
        for path in LEDGER.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Attribute) and node.attr in NORMALIZING)
        or (isinstance(node, ast.alias) and node.name in {*NORMALIZING, "*"})
        or (isinstance(node, ast.Constant) and node.value in NORMALIZING)
    }
    assert found == {"game/texts.py"}


def test_every_character_that_begins_with_a_mark_when_decomposed_is_counted() -> None:
    marks = [
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if not 0xD800 <= ord(char) < 0xE000 and combining(normalize("NFKD", char)[0])
    ]
    assert len(marks) > 900
    assert [char for char in marks if without_heaps(char * (MOST_MARKS + 1)) != char * MOST_MARKS] == []


@pytest.mark.parametrize("before", ["", "a", "ệ", "漢"])
@pytest.mark.parametrize("mark", ["\u0301", "\u0323", "\u0f73", "\uff9e"])
def test_a_run_has_thirty_marks_at_most(before: str, mark: str) -> None:
    allowed = before + mark * MOST_MARKS
    assert composed(allowed, 100) == normalize("NFC", allowed)
    for heap in (allowed + mark, allowed + "\u0316", f"Bình {allowed}{mark} Chi"):
        with pytest.raises(ValueError, match="marks"):
            composed(heap, 100)
        assert without_heaps(heap) == heap.replace(allowed + mark, allowed).replace(
            allowed + "\u0316", allowed
        )


@pytest.mark.parametrize(
    "text",
    ["", "Bình", "🎉" * 100, "♠♥♦♣" * 30, "…" * 200, ("e\u0302\u0323" * 60), " " * 500, "—" * 31 + "é"],
)
def test_what_people_type_is_composed(text: str) -> None:
    assert composed(text, 500) == normalize("NFC", text)
    assert decomposed(text) == normalize("NFD", text)
    assert decomposed(text, alike=True) == normalize("NFKD", text)


def test_a_text_is_measured_before_anything_else() -> None:
    assert composed("e\u0301" * 50, 100) == "é" * 50
    with pytest.raises(ValueError, match="100 characters"):
        composed("e\u0301" * 50 + DESCENDING * 2_000, 100)
