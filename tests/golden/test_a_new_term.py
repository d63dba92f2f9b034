"""A copy of the project in which a table types one term more, declared as CONTRIBUTING.md says: in one line, with
its name in both languages. Everything else follows, and what is left out is noticed."""

from pathlib import Path

import pytest

from tests.golden.branch import copy_project, run

DECLARED = '    venue: str = typed(60, "quán Ba Tèo", "where the night is played")\n'
NAMED = {"vi": "Nơi chơi", "en": "Place"}
FOLLOWS = "tests/golden/test_same_night.py", "-k", "venue or every_field"
WORDS = "tests/language/test_catalogs.py", "-k", "term_that_people_type"
DOCUMENTS = "tests/test_documents.py", "-k", "declared_rows"


@pytest.fixture(scope="module")
def branch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copy_project(tmp_path_factory.mktemp("branch"))
    terms = folder / "ledger" / "game" / "terms.py"
    before, beginning, after = terms.read_text().partition("class TypedTerms:\n")
    docstring, end, rest = after.partition('"""\n')
    terms.write_text(f"{before}{beginning}{docstring}{end}\n{DECLARED}{rest}")
    return folder


def test_what_a_new_term_lacks_is_noticed(branch: Path) -> None:
    unnamed = run(branch, *WORDS)
    assert "term venue" in unnamed.stdout, unnamed.stdout
    undocumented = run(branch, *DOCUMENTS)
    assert "venue quán Ba Tèo" in undocumented.stdout, undocumented.stdout


def test_a_new_term_with_its_name_is_asked_for_kept_shown_and_carried(branch: Path) -> None:
    for language, name in NAMED.items():
        with (branch / "ledger" / "language" / language / "words.po").open("a") as words:
            words.write(f'\nmsgid "term venue"\nmsgstr "{name}"\n')
    done = run(branch, *FOLLOWS)
    assert done.returncode == 0, done.stdout
