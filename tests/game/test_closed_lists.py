"""The lists that the rules close, closed by tests too."""

import ast
import re
from pathlib import Path

import pytest

from ledger.game.errors import Clause, Notice
from ledger.game.scoring import Reason, Status, findings, payments, status
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import after, run

HERE = Path(__file__).parent


def names_of_tests() -> list[str]:
    """The names of all tests of the rules."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in HERE.glob("test_*.py"))
    return [
        node.name
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


NAMES = names_of_tests()


@pytest.mark.parametrize("clause", Clause)
def test_every_clause_is_cited_by_the_name_of_a_test(clause: Clause) -> None:
    cited = f"test_s_{clause.value.lower().replace('-', '_')}_"
    assert any(name.startswith(cited) for name in NAMES)


def test_every_clause_that_the_name_of_a_test_cites_is_one() -> None:
    clauses = {clause.value.lower().replace("-", "_") for clause in Clause}
    for name in NAMES:
        if cited := re.match(r"test_s_([a-z]+)_", name):
            assert cited[1] in clauses, name


STORIES = [
    "p1 3s",
    WHOLE_ROUND[4],
    FIRST_OUT[2],
    "p1 5s\np2 -\np1 3s",
    "p1 3s\np2 2s\np1 4s 4c 4d 4h",
    f"p1 claims {run('s')} 2s",
]


def test_every_reason_status_and_notice_comes_about() -> None:
    rounds = [after(story, players=4 if story == WHOLE_ROUND[4] else 2) for story in STORIES]
    assert {payment.reason for round in rounds for payment in payments(round)} == set(Reason)
    assert {status(round) for round in rounds} == set(Status)
    assert {finding.code for round in rounds for finding in findings(round)} == set(Notice)
