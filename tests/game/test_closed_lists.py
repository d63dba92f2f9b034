"""The lists that the rules close, closed by tests too."""

import ast
import re
from pathlib import Path

import pytest

from ledger.game import notation
from ledger.game.errors import Clause, Code, Notice
from ledger.game.findings import findings
from ledger.game.payments import Reason
from ledger.game.rulesets import PRESETS
from ledger.game.scoring import Status, payments, status
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import after, run, told

HERE = Path(__file__).parent
RECORDS = HERE.parent / "records"
"""Whole nights of every kind of ruleset."""


def names_of_tests() -> list[str]:
    """The names of all tests of the rules, of every preset's too."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in HERE.rglob("test_*.py"))
    return [
        node.name
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


NAMES = names_of_tests()
PREFIXES = "|".join(sorted({ruleset.clauses.lower() for ruleset in PRESETS.values()}))
"""What the ids of clauses begin with, whatever the ruleset: a name cites a clause as `test_s_pass_...`."""


def _as_name(clause: Clause) -> str:
    return clause.value.lower().replace("-", "_")


@pytest.mark.parametrize("clause", Clause)
def test_every_clause_is_cited_by_the_name_of_a_test(clause: Clause) -> None:
    cited = re.compile(f"test_({PREFIXES})_{_as_name(clause)}_")
    assert any(map(cited.match, NAMES))


def test_every_clause_that_the_name_of_a_test_cites_is_one() -> None:
    clauses = tuple(f"{_as_name(clause)}_" for clause in Clause)
    for name in NAMES:
        if cited := re.match(f"test_({PREFIXES})_", name):
            assert name.removeprefix(cited[0]).startswith(clauses), name


STORIES = [
    "p1 3s",
    WHOLE_ROUND[4],
    FIRST_OUT[2],
    "p1 5s\np2 -\np1 3s",
    "p1 3s\np2 2s\np1 4s 4c 4d 4h",
    f"p1 claims {run('s')} 2s",
    "p1 3s\nvoid misdealt",
    "p1 locks 3s",
]


OWED = f"""
    round 1 opening
    p1 3s
    p2 2d
    p1 5s 5c 6s 6c 7s 7c
    p2 -
    p1 8d 9d Td Jd Qd Kd
    round 2 lead p1
    p2 claims {run("s", "3", "J")} 2s 2c 2d 2h
"""
"""Who owes a card wins at once with four 2s."""


def test_every_reason_status_and_notice_comes_about() -> None:
    rounds = [after(story, players=4 if story == WHOLE_ROUND[4] else 2) for story in STORIES]
    for path in RECORDS.glob("*.tln"):
        rounds += notation.replay(notation.read(path.read_text(encoding="utf-8"))).rounds
    assert {payment.reason for round in rounds for payment in payments(round)} == set(Reason)
    assert {status(round) for round in rounds} == set(Status)
    noticed = [finding for round in rounds for finding in findings(round, strict=True)]
    owed = told(OWED, players=2, rules=["chopped-owes-cards=yes", "cards-owed=any-two-flat"]).rounds
    noticed += findings(owed[1], owed[0])
    assert {finding.code for finding in noticed} - set(Code) == set(Notice)
