"""A copy of the project with a newcomer's change, as CONTRIBUTING.md prints it: one kind of entry more, and one
term more that a table types. Everything else follows, and what is left out is noticed.

Each run of pytest in the copy imports the whole program, so that each asks for both."""

import re
from pathlib import Path

import pytest

from tests.golden.branch import copy_project, run

TERM = '    venue: str = typed(60, "quán Ba Tèo", "where the night is played")\n'
NAMES_OF_THE_TERM = {"vi": "Nơi chơi", "en": "Place"}

UNLISTED, UNNAMED, UNDOCUMENTED = "in_the_list", "term_that_people_type", "declared_rows"
WITHOUT_EXAMPLE, NOT_PROMISED = "every_kind", "programs_are_promised"
LAWS = [f"tests/recorder/test_{name}.py" for name in ("pause", "kinds", "contents", "refusals")]


@pytest.fixture(scope="module")
def branch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy with the files of a kind that CONTRIBUTING.md prints, and the declaration of a term."""
    folder = copy_project(tmp_path_factory.mktemp("branch"))
    recipe = (
        (folder / "CONTRIBUTING.md").read_text().partition("## A kind of entry\n")[2].partition("\n## ")[0]
    )
    for path, text in re.findall(r"`([\w/]+[.]py)`:\n\n```python\n(.*?)```", recipe, re.DOTALL):
        (folder / path).write_text(text)
    terms = folder / "ledger" / "game" / "terms.py"
    before, beginning, after = terms.read_text().partition("class TypedTerms:\n")
    docstring, end, rest = after.partition('"""\n')
    terms.write_text(f"{before}{beginning}{docstring}{end}\n{TERM}{rest}")
    return folder


def test_a_new_kind_of_entry_and_a_new_term_are_noticed_until_nothing_is_left_out(branch: Path) -> None:
    lacking = run(
        branch,
        "tests/recorder/test_kinds.py",
        "tests/language/test_catalogs.py",
        "tests/test_documents.py",
        "-k",
        f"{UNLISTED} or {UNNAMED} or {UNDOCUMENTED}",
    )
    for name in ("'pause'", "term venue", "venue quán Ba Tèo"):
        assert name in lacking.stdout, lacking.stdout
    list_and_name(branch)
    lacking = run(
        branch,
        "tests/golden/test_same_night.py",
        "tests/golden/test_golden.py",
        "-k",
        f"{WITHOUT_EXAMPLE} or {NOT_PROMISED}",
    )
    for name in ("'pause'", "Pause: id* after at kind* reason*"):
        assert name in lacking.stdout, lacking.stdout
    examples = branch / "tests" / "cases" / "examples.txt"
    lines = examples.read_text().replace("\n\n[pro", '\n{"kind": "pause", "reason": "phở"}\n\n[pro')
    examples.write_text(lines)
    done = run(branch, *LAWS, "tests/golden/test_same_night.py", "-k", "pause or venue or every_field")
    assert done.returncode == 0, done.stdout


def list_and_name(branch: Path) -> None:
    index = branch / "ledger" / "recorder" / "events" / "index.py"
    index.write_text(
        index.read_text()
        .replace("    people,\n", "    pause,\n    people,\n")
        .replace("note, dis", "note, pause, dis")
    )
    for language, name in NAMES_OF_THE_TERM.items():
        with (branch / "ledger" / "language" / language / "words.po").open("a") as words:
            words.write(f'\nmsgid "term venue"\nmsgstr "{name}"\n')
