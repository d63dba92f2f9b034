"""The records: whole nights whose payments were worked out elsewhere, and rounds that must be refused."""

import re
from pathlib import Path

import pytest

from ledger.game import notation
from ledger.game.night import Night
from ledger.game.report import Outcome, Words, as_data, score

RECORDS = Path(__file__).parent.parent / "records"
NIGHTS = sorted(RECORDS.glob("*.tln"))
REFUSED = sorted((RECORDS / "refused").glob("*.tln"))
WORDS = Words(
    refusal=lambda refusal, names: refusal.code,
    finding=lambda finding, names: finding.code,
    disagreement=lambda missing, unexpected: f"missing {missing}, unexpected {unexpected}",
    unreadable=lambda expected: expected,
    idle=lambda rule: f"idle: {rule.path}",
)


def name(path: Path) -> str:
    return path.stem


def replayed(path: Path) -> Night:
    return notation.replay(notation.read(path.read_text(encoding="utf-8")))


def rewritten(text: str) -> str:
    return notation.write(notation.replay(notation.read(text), strict=True), with_payments=True)


@pytest.mark.parametrize("path", NIGHTS, ids=name)
def test_a_record_agrees_with_every_payment_that_it_states(path: Path) -> None:
    report = score(path.read_text(encoding="utf-8"), WORDS, strict=True)
    assert (report.outcome, as_data(report.answer).get("error")) == (Outcome.SCORED, None)
    assert report.night is not None
    assert sum(as_data(report.answer)["net"].values()) == 0


@pytest.mark.parametrize("path", NIGHTS, ids=name)
def test_a_record_is_the_same_after_it_was_written_again(path: Path) -> None:
    text = notation.write(replayed(path), with_payments=True)
    assert rewritten(text) == text


@pytest.mark.parametrize("path", NIGHTS, ids=name)
def test_a_record_is_the_same_with_names_in_the_place_of_tags(path: Path) -> None:
    text = notation.write(replayed(path), with_payments=True)
    text_with_names, names = "", dict[str, str]()
    for line in text.splitlines():
        tag, _, person = line.partition(" ")
        if re.fullmatch(r"p\d+", tag) and tag not in names:
            names[tag] = person
        elif not line.startswith("void"):
            line = re.sub(r"\bp\d+\b", lambda found: names[found[0]].upper(), line)
        text_with_names += f"{line}\n"
    assert text_with_names != text
    assert rewritten(text_with_names) == text


@pytest.mark.parametrize("path", REFUSED, ids=name)
def test_a_record_is_refused_at_the_move_and_with_the_code_that_its_first_line_names(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    expected = re.match(r"; --strict: refused at move (\d+) of round (\d+) with ([a-z-]+)", text)
    assert expected
    report = score(text, WORDS, strict=True)
    assert report.outcome is Outcome.REFUSED
    error = as_data(report.answer)["error"]
    assert (str(error["move"]), str(error["round"]), error["code"]) == expected.groups()
    assert error["code"] == re.sub(r"-\d+$", "", path.stem)


@pytest.mark.parametrize("path", sorted(RECORDS.glob("printed-*.tln")), ids=name)
def test_a_record_of_printed_examples_says_what_the_source_says_and_what_is_paid(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    begun = [place for place, line in enumerate(lines) if line.startswith("round")]
    assert all(lines[place - 1].startswith("; ") for place in begun)
    for place, following in zip(begun, [*begun[1:], len(lines)], strict=True):
        assert any(line.startswith("=") for line in lines[place:following])


def test_there_are_records_to_check() -> None:
    assert len(NIGHTS) >= 35
    assert len(REFUSED) >= 50
