"""The rules page of a night: it agrees with the data, and omits what does not apply."""

from dataclasses import replace

import pytest

from ledger.game.errors import Clause
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.language import LANGUAGES, PrintedClause, rules_page, speaker
from ledger.language.rules import SECTIONS
from ledger.language.rules.telling import sentences
from tests.case_files import told
from tests.game.table import ruleset_of

CLASSIC = PRESETS["southern-classic"]

ELSEWHERE = {
    *(Clause.SUIT_LOCK, Clause.TRUMP, Clause.DRAW, Clause.FORWARD),
    *(Clause.CARDS, Clause.GET_IN, Clause.LAST_CARD, Clause.CONTRACT, Clause.CUSTOM),
}
"""Clauses that no southern ruleset has."""
SOUTHERN = set(Clause) - ELSEWHERE


def clauses(ruleset: Ruleset, language: str = "en") -> dict[str, PrintedClause]:
    """The printed clauses, by the end of their ids."""
    printed = [clause for section in rules_page(ruleset, speaker(language)) for clause in section.clauses]
    return {clause.id.partition("-")[2]: clause for clause in printed}


@pytest.mark.parametrize(
    "need", ["payments.crad", "payments.for_outcome|payments.crad", "passing.locks=maybe"]
)
def test_a_sentence_that_needs_what_no_rules_have_stops_the_program(need: str) -> None:
    with pytest.raises((AttributeError, LookupError, ValueError)):
        sentences(("rules LEAD", need))


def text(ruleset: Ruleset, clause: str, language: str = "en") -> str:
    """One clause as text."""
    printed = clauses(ruleset, language)[clause]
    cells = [" | ".join(row) for row in printed.table.rows] if printed.table else []
    return "\n".join([*printed.paragraphs, *cells])


def test_every_clause_has_its_place_once() -> None:
    listed = [clause for tellers in SECTIONS.values() for clause in tellers]
    assert sorted(listed) == sorted(Clause)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("rules", "gone"), told("rules-page.txt", "left out"))
def test_every_clause_is_printed_but_those_that_cannot_apply(rules: str, gone: str, language: str) -> None:
    assert SOUTHERN - set(clauses(ruleset_of(rules), language)) == set(gone.split())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.id)
def test_a_page_is_whole_sentences_and_full_tables(preset: Ruleset, language: str) -> None:
    for clause in clauses(preset, language).values():
        assert clause.title
        assert clause.paragraphs
        assert all(paragraph[-1] in ".:" and "%" not in paragraph for paragraph in clause.paragraphs)
        if clause.table:
            assert all(len(row) == len(clause.table.head) and all(row) for row in clause.table.rows)


def test_a_clause_is_cited_by_the_rulesets_own_prefix() -> None:
    assert clauses(replace(CLASSIC, clauses="X"))["PASS"].id == "X-PASS"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("rules", "clause", "value"), told("rules-page.txt", "changed"))
def test_a_changed_value_is_printed(rules: str, clause: str, value: str, language: str) -> None:
    preset, printed = rules.partition(" ")[0], text(ruleset_of(rules), clause, language)
    assert value in printed
    assert printed != text(ruleset_of(preset), clause, language)


@pytest.mark.parametrize(("rules", "clause", "words"), told("rules-page.txt", "says"))
def test_a_clause_says_what_its_table_plays(rules: str, clause: str, words: str) -> None:
    assert words in f"\n{text(ruleset_of(rules), clause)}\n"


@pytest.mark.parametrize(("rules", "clause", "words"), told("rules-page.txt", "does not say"))
def test_a_clause_says_nothing_that_its_table_does_not_play(rules: str, clause: str, words: str) -> None:
    assert words not in text(ruleset_of(rules), clause)


def test_the_examples_of_a_bomb_bonus_are_paid_as_the_engine_pays() -> None:
    printed = clauses(CLASSIC, "vi")[Clause.CHOP].table
    assert printed is not None
    paid = ["A trả B 3 điểm", "B trả C 4 điểm", "B trả C 3 điểm", "A trả B 2 điểm"]
    assert [row[1] for row in printed.rows] == paid
