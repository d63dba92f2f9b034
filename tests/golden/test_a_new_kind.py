"""A copy of the project with one kind of entry more, made as CONTRIBUTING.md prints it: its file, its place in the
list, an example. Everything else follows, and what is left out is noticed."""

import re
from pathlib import Path

import pytest

from tests.golden.branch import copy_project, run

LISTED = "tests/recorder/test_kinds.py", "-k", "in_the_list"
EXAMPLES = "tests/golden/test_same_night.py", "-k", "every_kind"
PROMISED = "tests/golden/test_golden.py", "-k", "answered and house"
LAWS = [f"tests/recorder/test_{name}.py" for name in ("pause", "kinds", "contents", "refusals")]


@pytest.fixture(scope="module")
def branch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy with the files that CONTRIBUTING.md prints."""
    folder = copy_project(tmp_path_factory.mktemp("branch"))
    recipe = (
        (folder / "CONTRIBUTING.md").read_text().partition("## A kind of entry\n")[2].partition("\n## ")[0]
    )
    for path, text in re.findall(r"`([\w/]+[.]py)`:\n\n```python\n(.*?)```", recipe, re.DOTALL):
        (folder / path).write_text(text)
    return folder


def test_a_new_kind_of_entry_is_noticed_until_nothing_is_left_out(branch: Path) -> None:
    unlisted = run(branch, *LISTED)
    assert "'pause'" in unlisted.stdout, unlisted.stdout
    index = branch / "ledger" / "recorder" / "events" / "index.py"
    index.write_text(
        index.read_text()
        .replace("people, round\n", "pause, people, round\n")
        .replace("note, dis", "note, pause, dis")
    )
    for lacking, named in ((EXAMPLES, "'pause'"), (PROMISED, "Pause: id* after at kind* reason*")):
        noticed = run(branch, *lacking)
        assert named in noticed.stdout, noticed.stdout
    examples = branch / "tests" / "cases" / "examples.txt"
    lines = examples.read_text().replace("\n\n[pro", '\n{"kind": "pause", "reason": "phở"}\n\n[pro')
    examples.write_text(lines)
    done = run(branch, *LAWS, "-k", "pause")
    assert done.returncode == 0, done.stdout
