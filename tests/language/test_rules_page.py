"""The rules page of a night: it agrees with the data, and omits what does not apply."""

from dataclasses import replace

import pytest

from ledger.game.errors import Clause
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.overrides import with_rules
from ledger.language import LANGUAGES, PrintedClause, rules_page, speaker
from ledger.language.rules import SECTIONS

CLASSIC, ALL = PRESETS["southern-classic"], PRESETS["southern-winner-takes-all"]

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


def text(ruleset: Ruleset, clause: Clause, language: str = "en") -> str:
    """One clause as text."""
    printed = clauses(ruleset, language)[clause]
    cells = [" | ".join(row) for row in printed.table.rows] if printed.table else []
    return "\n".join([*printed.paragraphs, *cells])


def test_every_clause_has_its_place_once() -> None:
    listed = [clause for tellers in SECTIONS.values() for clause in tellers]
    assert sorted(listed) == sorted(Clause)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_classic_rules_print_every_southern_clause(language: str) -> None:
    assert set(clauses(CLASSIC, language)) == SOUTHERN


@pytest.mark.parametrize("language", LANGUAGES)
def test_winner_takes_all_leaves_out_nothing_but_the_knock_out(language: str) -> None:
    assert SOUTHERN - set(clauses(ALL, language)) == {Clause.KNOCK}


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
@pytest.mark.parametrize(
    ("changed", "clause", "value"),
    [
        ("deal.hand=11", Clause.DEAL, "11"),
        ("deal.hand=11", Clause.SEEN, "11"),
        ("deal.hand=11", Clause.FULL, "11"),
        ("deal.players=2,3", Clause.OPEN, "2"),
        ("payments.full_hand=7", Clause.FULL, "7"),
        ("payments.left=7", Clause.PLACE, "7"),
        ("instant_wins.points=7", Clause.INSTANT, "7"),
        ("combinations.sequence_from=7", Clause.COMBO, "7"),
        ("combinations.pair_sequences=7", Clause.COMBO, "7"),
        ("combinations.top_of_sequences=K", Clause.COMBO, "K."),
        ("payments.places=7/1/-1/-7", Clause.PLACE, "7"),
        ("payments.special_sets=1@2:7,2x3:7,4:7,2x4:7", Clause.SPECIAL, "28"),
        ("payments.special_sets=1@2:7,2x3:7,4:7,2x4:7", Clause.CHOP, "14"),
    ],
)
def test_a_changed_value_is_the_value_that_is_printed(
    changed: str, clause: Clause, value: str, language: str
) -> None:
    preset = ALL if "left" in changed else CLASSIC
    field, _, new = changed.partition("=")
    printed = text(with_rules(preset, [(field, new)]), clause, language)
    assert value in printed
    assert printed != text(preset, clause, language)


@pytest.mark.parametrize(
    ("changed", "gone"),
    [
        ("ending.knock_out=no", {Clause.KNOCK}),
        ("passing.late=none", {Clause.LATE}),
        ("instant_wins.hands=none", {Clause.INSTANT, Clause.MISSED}),
        ("bombs=none", {Clause.BOMB, Clause.CHOP, Clause.CHOP_OUT}),
        ("payments.special_sets=none", {Clause.CHOP, Clause.CHOP_OUT, Clause.HOARD, Clause.SHOW}),
        ("payments.places=none", {Clause.PLACE}),
        ("payments.full_hand=0", {Clause.FULL}),
        ("deal.players=2,3", {Clause.REST}),
    ],
)
def test_a_clause_that_cannot_apply_is_left_out(changed: str, gone: set[Clause]) -> None:
    field, _, new = changed.partition("=")
    assert SOUTHERN - set(clauses(with_rules(CLASSIC, [(field, new)]))) == gone
    assert SOUTHERN - set(clauses(with_rules(ALL, [("payments.left", "0")]))) == {Clause.PLACE, Clause.KNOCK}


def test_a_switch_changes_the_sentence() -> None:
    late = with_rules(CLASSIC, [("passing.locks", "no")])
    free = with_rules(late, [("passing.late", "none")])
    assert "locks" in text(CLASSIC, Clause.PASS)
    assert "may play again" in text(free, Clause.PASS)
    assert "late bombs" not in text(free, Clause.PILE)
    assert "Passes stay" in text(CLASSIC, Clause.LATE)
    assert "Passes stay" not in text(late, Clause.LATE)
    assert "may still play a four-pair sequence" in text(late, Clause.LATE)
    clockwise = with_rules(CLASSIC, [("deal.direction", "clockwise")])
    assert "run clockwise" in text(clockwise, Clause.DEAL)
    claimant = with_rules(CLASSIC, [("opening.after_instant_win", "no")])
    assert "claimed it leads" in text(claimant, Clause.LEAD)
    assert "claimed it leads" not in text(CLASSIC, Clause.LEAD)
    assert "instant win" not in text(claimant, Clause.OPEN)
    assert "first player goes out" in text(ALL, Clause.END)
    assert "winner" in text(ALL, Clause.HOARD)
    worthless = with_rules(CLASSIC, [("payments.special_sets", "none")])
    assert text(worthless, Clause.SPECIAL).startswith("No cards are worth points")


def test_what_a_bomb_beats_is_its_row() -> None:
    rows = clauses(CLASSIC)[Clause.BOMB].table
    assert rows is not None
    assert rows.rows[1] == (
        "Four of a kind",
        "a single 2, a pair of 2s, any three-pair sequence, and a lower four of a kind",
    )
    assert "No bomb beats a triple of 2s." in text(CLASSIC, Clause.BOMB)
    fewer = with_rules(CLASSIC, [("bombs", "2x3:1@2,2x4:1@2")])
    assert "Four of a kind" not in {row[0] for row in (clauses(fewer)[Clause.BOMB].table or rows).rows}


def test_a_bomb_that_cannot_be_played_is_not_listed() -> None:
    only_four = with_rules(CLASSIC, [("combinations.pair_sequences", "4")])
    assert "Three-pair" not in text(only_four, Clause.BOMB)


def test_late_bombs_are_those_of_the_data() -> None:
    late = with_rules(CLASSIC, [("passing.late", "2x3,4")])
    assert "three-pair sequence or four of a kind" in text(late, Clause.LATE)


def test_an_example_that_the_engine_would_not_take_is_not_given() -> None:
    no_pairs = with_rules(CLASSIC, [("combinations.same_rank", "1")])
    assert "7♠ 7♥" not in text(no_pairs, Clause.COMPARE)
    assert "A 2♣ 2♥" not in text(no_pairs, Clause.CHOP)


def test_the_examples_of_a_bomb_bonus_are_paid_as_the_engine_pays() -> None:
    printed = clauses(CLASSIC, "vi")[Clause.CHOP].table
    assert printed is not None
    assert [row[1] for row in printed.rows] == [
        "A trả B 3 điểm",
        "B trả C 4 điểm",
        "B trả C 3 điểm",
        "A trả B 2 điểm",
    ]


def test_a_sequence_that_cannot_be_played_is_no_combination() -> None:
    none = {"same_rank": "1,2,3", "sequence_from": "14", "pair_sequences": "none"}
    lines = [(f"combinations.{field}", value) for field, value in none.items()]
    printed = text(with_rules(CLASSIC, lines), Clause.COMBO)
    assert "equence" not in printed
    assert "Four" not in printed
