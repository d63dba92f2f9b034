"""The rules of any table: every field that the engine reads appears in the text, in every ruleset."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from ledger.game.errors import Clause
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.model import DECLARED
from ledger.game.rulesets.overlays.clashes import WORDS_OF_PRESETS
from ledger.game.rulesets.overlays.edits import Contradiction
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES, find, lay
from ledger.game.rulesets.overrides import with_rules
from ledger.language import LANGUAGES, rules_page, rules_text, speaker
from ledger.language.rules import SECTIONS
from tests import soaking
from tests.case_files import lines_below_headings
from tests.game.mattering import cases, rows

CLASSIC, THIRTEEN = PRESETS["southern-classic"], PRESETS["thirteen"]
TOLD = [field for field, row in rows().items() if row["shows"] != "nothing"]
"""Fields that differ in the text of the rules."""
ORIGINS = {f"Ruleset.{name}" for name in ("id", "clauses", "house_rules", "scheme", "open")}
"""Fields that are no rules: names and origins of a ruleset."""
RULES = [field for field in TOLD if field not in ORIGINS]


def clause_texts(ruleset: Ruleset, language: str = "en") -> dict[str, str]:
    """The text of every clause, by the end of its id."""
    page = rules_page(ruleset, speaker(language))
    found = {}
    for clause in (clause for section in page for clause in section.clauses):
        rows = [f"| {' | '.join(row)} |" for row in clause.table.rows] if clause.table else []
        found[clause.id.partition("-")[2]] = "\n".join([*clause.paragraphs, *rows])
    return found


@pytest.mark.parametrize("field", TOLD)
def test_every_field_is_told(field: str) -> None:
    case = cases()[field]
    for language in LANGUAGES:
        before, after = (rules_text(ruleset, speaker(language)) for ruleset in (case.before, case.after))
        assert before != after, language


@pytest.mark.parametrize("field", RULES)
def test_the_clause_that_tells_a_field_is_the_one_that_owns_up_to_its_choice(field: str) -> None:
    case = cases()[field]
    before, after = clause_texts(case.before), clause_texts(case.after)
    assert before.get(DECLARED[case.path].clause) != after.get(DECLARED[case.path].clause)


def test_what_is_left_open_has_a_clause_to_be_told_at() -> None:
    clauses = {clause for tellers in SECTIONS.values() for clause in tellers}
    paths = {cases()[field].path for field in RULES}
    assert {DECLARED[path].clause for path in paths | {path.partition(".")[0] for path in paths}} <= clauses


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.id)
def test_whatever_a_source_leaves_open_is_the_tables_choice(preset: Ruleset, language: str) -> None:
    say, page = speaker(language), clause_texts(preset, language)
    mark = say.say("rules open", fields="")[:-1]
    for path in preset.open:
        assert mark in page[DECLARED[path].clause]
        assert say.field(path) in page[DECLARED[path].clause]
    assert sum(mark in clause for clause in page.values()) == len(
        {DECLARED[path].clause for path in preset.open}
    )


def test_a_choice_is_told_even_of_what_the_table_does_not_have() -> None:
    page = clause_texts(replace(CLASSIC, open=("passing.forward", "deal.direction")))
    assert "none of it" in page[Clause.FORWARD]
    assert "The winner of a pile may go on beating it: no" in page[Clause.FORWARD]
    assert "Direction of dealing and play: anticlockwise" in page[Clause.DEAL]


def house_rule_cases() -> Iterator[tuple[str, str, str]]:
    """A preset, a house rule and its value: a quarter of all combinations, or all when soaking."""
    every = ((rule.name, choice) for rule in HOUSE_RULES.values() for choice in rule.choices)
    return (
        (preset, name, choice)
        for (at, (name, choice)), (number, preset) in product(enumerate(every), enumerate(PRESETS))
        if soaking.asked or (at + number) % 4 == 0
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_under_any_house_rule_is_whole_sentences_and_full_tables(language: str) -> None:
    for preset, name, choice in house_rule_cases():
        try:
            ruleset = lay(PRESETS[preset], name, choice)
        except Contradiction:
            continue
        for section in rules_page(ruleset, speaker(language)):
            for clause in section.clauses:
                assert all(
                    one[-1] in ".:" and "%" not in one and "  " not in one for one in clause.paragraphs
                )
                assert clause.table is None or all(
                    len(row) == len(clause.table.head) and all(row) for row in clause.table.rows
                )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.id)
def test_what_a_presets_own_text_rules_out_is_told_with_its_words(preset: Ruleset, language: str) -> None:
    say, page = speaker(language), clause_texts(preset, language)
    for words in WORDS_OF_PRESETS.get(preset.id, ()):
        clause = page[DECLARED[words.field].clause]
        assert say.say(f"says {words.id}") in clause
        for bullet in words.rules:
            assert say.field(find(bullet.partition("=")[0]).name) in clause
    mark = say.say("rules says", words="", rules="")[:10]
    assert sum(clause.count(mark) for clause in page.values()) == len(WORDS_OF_PRESETS.get(preset.id, ()))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "choice", "clause"),
    [
        ("cards-owed", "any-two-stacking", Clause.CUSTOM),
        ("bombs-of-exact-size", "yes", Clause.BOMB),
        ("winner-leads-until-players-change", "yes", Clause.OPEN),
    ],
)
def test_a_house_rule_that_can_be_read_in_two_ways_is_marked_as_the_tables_choice(
    name: str, choice: str, clause: Clause, language: str
) -> None:
    say, ruleset = speaker(language), lay(lay(THIRTEEN, "chopped-owes-cards"), name, choice)
    page = clause_texts(ruleset, language)
    assert say.say(f"reading {name}") in page[clause]
    assert say.say("rules open", fields="")[:-1] in page[clause]
    assert not any(say.say(f"reading {name}") in text for text in clause_texts(THIRTEEN, language).values())


@pytest.mark.parametrize(
    ("preset", "who"),
    [
        ("thirteen", "The last player owes"),
        ("card-count", "Everyone who is left owes"),
        ("southern-winner-takes-all", "Everyone who is left owes"),
        ("southern-classic", "it is these who owe"),
    ],
)
def test_who_owes_2s_after_a_round_is_told_as_the_round_ends(preset: str, who: str) -> None:
    page = clause_texts(lay(PRESETS[preset], "loser-owes-twos"))[Clause.CUSTOM]
    assert who in page
    assert ("The last player owes" in page) == (not PRESETS[preset].ending.at_first_out)


def test_what_pairs_and_sequences_must_be_is_told_of_instant_wins_too() -> None:
    plain = clause_texts(THIRTEEN)[Clause.INSTANT]
    pairs = clause_texts(lay(THIRTEEN, "pairs-of-one-colour"))[Clause.INSTANT]
    runs = clause_texts(lay(THIRTEEN, "sequences-of-one-suit"))[Clause.INSTANT]
    for sentence, page in (
        ("A pair counts for such a hand only if its cards are of one colour", pairs),
        ("A sequence that wins at once may be of any suits", runs),
    ):
        assert sentence in page
        assert sentence not in plain
        assert sentence not in clause_texts(PRESETS["northern"])[Clause.INSTANT]


# Single mechanisms


def told() -> Iterator[tuple[str, Clause, str]]:
    """A table, a clause and words of its text, from `tests/cases/clauses.txt`."""
    for table, line in lines_below_headings("clauses.txt"):
        clause, words = line.split(": ", 1)
        yield table, Clause(clause), words


@pytest.mark.parametrize(("table", "clause", "words"), list(told()))
def test_a_clause_says_what_the_rules_of_a_table_do(table: str, clause: Clause, words: str) -> None:
    preset, *lines = table.split()
    rules = [(path, text) for path, _, text in (line.partition("=") for line in lines)]
    assert words in clause_texts(with_rules(PRESETS[preset], rules))[clause]


def test_a_table_without_points_has_no_special_sets() -> None:
    assert Clause.SPECIAL not in clause_texts(THIRTEEN)


# The text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.id)
def test_the_text_says_what_the_page_says(preset: Ruleset, language: str) -> None:
    say = speaker(language)
    text = rules_text(preset, say)
    words = " ".join(text.split())
    assert text.startswith(f"{say.ruleset(preset.id)} ({preset.id})\n")
    assert say.ruleset_line(preset.id) in words
    for section in rules_page(preset, say):
        assert section.title.upper() in text
        for clause in section.clauses:
            assert f"{clause.title} [{clause.id}]" in text
            assert all(paragraph in words for paragraph in clause.paragraphs)
            assert clause.table is None or all(cell in words for row in clause.table.rows for cell in row)


def test_the_text_names_the_house_rules() -> None:
    text = rules_text(lay(THIRTEEN, "triple-beats-ace"), speaker("en"))
    assert "  + A triple beats a single ace\n" in text


def test_no_line_of_the_text_is_longer_than_a_terminal_is_wide() -> None:
    for preset in PRESETS.values():
        for language in LANGUAGES:
            assert max(map(len, rules_text(preset, speaker(language)).splitlines())) <= 90


def test_the_scheme_of_counting_cards_leaves_its_chain_to_the_table() -> None:
    assert "payments.chain" in with_rules(PRESETS["thirteen"], [("scheme", "card-count")]).open
