"""Every code of the rules, and what is not found. Other refusals: tests/cases/nights/refusals.txt."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from ledger.game.errors import Code, Verdict
from ledger.recorder import KINDS, Link, Problem, ProblemCode, Recorder, Role
from tests.case_files import CASES
from tests.game import short_rounds
from tests.game.short_rounds import Case
from tests.game.table import verdict
from tests.recorder.examples import EXAMPLES
from tests.recorder.tables import SAY, Table, open_table
from tests.stories import A_SETTLED_ROUND

BY_THE_RULES = list(short_rounds.read(CASES / "entries.txt"))
IRREGULAR, IMPOSSIBLE = (
    [case for case in BY_THE_RULES if case.refused and case.refused[1] is one]
    for one in (Verdict.IRREGULAR, Verdict.IMPOSSIBLE)
)


def told(recorder: Recorder, case: Case) -> tuple[Table, str]:
    """A table that has recorded the story of a case but for its last line, and that line."""
    story, line = case.parts
    table = open_table(recorder, players=case.table.players, ruleset=case.table.ruleset)
    return table.tell(story), line


@pytest.mark.parametrize("case", BY_THE_RULES, ids=str)
def test_the_rules_refuse_with_a_code_and_a_clause_and_nothing_is_recorded(
    recorder: Recorder, case: Case
) -> None:
    table, line = told(recorder, case)
    problem = table.refused(line)
    assert verdict(problem.refusal) == case.refused
    assert case.refused
    assert (problem.status, problem.code, problem.clause) == (422, *case.refused[::2])


MET_BY_MANY_ENTRIES = {Code.TOO_MANY_ENTRIES, Code.TOO_MANY_ROUNDS}
"""Codes that only long stories cause, tested in test_bounds.py."""


def test_every_code_of_the_rules_can_be_met() -> None:
    assert {case.refused[0] for case in BY_THE_RULES if case.refused} == set(Code) - MET_BY_MANY_ENTRIES


@pytest.mark.parametrize("case", IRREGULAR, ids=str)
def test_what_is_irregular_is_recorded_when_it_stood_and_leaves_a_finding(
    recorder: Recorder, case: Case
) -> None:
    assert case.refused
    code, _, clause = case.refused
    table, line = told(recorder, case)
    table.tell(f"{line} !")
    for board in (table.board(), table.restarted().board()):
        (finding,) = [each for each in board["round"]["findings"] if each["code"] == code]
        assert finding["clause"] == clause
        assert finding["move"] == (0 if code is Code.WRONG_LEADER else len(board["round"]["moves"]))
        assert finding["message"]
        if finding["move"]:
            row = board["round"]["moves"][-1]
            assert (row["stood"], row["code"], row["clause"]) == (True, code, clause)


@pytest.mark.parametrize(
    "case",
    [case for case in IMPOSSIBLE if case.parts[1].split()[1:2] not in (["shows"], ["declares"])],
    ids=str,
)
def test_what_is_impossible_is_refused_even_if_it_is_said_to_have_stood(
    recorder: Recorder, case: Case
) -> None:
    table, line = told(recorder, case)
    assert verdict(table.refused(f"{line} !").refusal) == case.refused


def test_another_nights_keeper_finds_nothing_here(table: Table) -> None:
    stranger = Link(str(uuid4()), Role.KEEPER)
    with pytest.raises(Problem) as caught:
        table.recorder.record(table.night, table.request("round", {"opening": True}), stranger)
    assert (caught.value.status, caught.value.code) == (404, ProblemCode.NOT_FOUND)


def test_a_night_that_never_was_is_not_found_whatever_is_asked(recorder: Recorder) -> None:
    nowhere = Table(recorder, str(uuid4()))
    ask = nowhere.ask
    calls: list[Callable[[], object]] = [
        *(lambda: nowhere.record("round", opening=True), lambda: nowhere.preview("settle")),
        *(lambda: ask.board(nowhere.keeper, SAY), lambda: ask.round_page(1, SAY), lambda: ask.ruleset),
        *(lambda: ask.ledger(), lambda: ask.log(), lambda: ask.whole(), lambda: ask.tokens()),
    ]
    for call in calls:
        with pytest.raises(Problem) as caught:
            call()
        assert (caught.value.status, caught.value.code) == (404, ProblemCode.NOT_FOUND)


@pytest.mark.parametrize(
    ("story", "number"),
    [*((A_SETTLED_ROUND, number) for number in (0, 2, -1, 10**9)), ("round opening \n undo", 1)],
)
def test_a_round_that_never_was_or_whose_header_was_undone_is_not_found(
    table: Table, story: str, number: int
) -> None:
    for asked in (table.tell(story), table.restarted()):
        with pytest.raises(Problem) as caught:
            asked.page(number)
        assert caught.value.code == ProblemCode.NOT_FOUND


@pytest.mark.parametrize("kind", KINDS)
def test_a_preview_asks_the_same_question_and_records_nothing(table: Table, kind: str) -> None:
    before = table.contents()
    content = EXAMPLES[kind].content
    asked = became(lambda: table.preview(kind, **content))
    assert table.contents() == before
    assert became(lambda: table.record(kind, **content)) == asked


def test_a_preview_names_the_moves_whose_verdict_changes(table: Table) -> None:
    table.tell("round opening \n p1 3s \n p2 5c \n p3 6c")
    preview = table.preview("correct", changes=[{"target": "3.0", "with": None}], reason="nhầm")
    struck, later = preview["moves"]
    assert struck["after"] is None
    assert (later["before"]["code"], later["after"]["code"]) == (None, "not-your-turn")
    assert later["after"]["message"]


def became(ask: Callable[[], object]) -> str | None:
    """The code of the problem that a call raises, if any."""
    try:
        ask()
    except Problem as problem:
        return problem.code
    return None
