"""Refused entries: every code of the rules, and the problems that come before the rules."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from ledger.game.errors import Code, Verdict
from ledger.recorder import KINDS, Link, Problem, ProblemCode, Recorder, Role
from tests.case_files import CASES
from tests.game import short_rounds
from tests.game.short_rounds import Case
from tests.game.table import verdict
from tests.recorder.examples import EXAMPLES
from tests.recorder.tables import A_ROUND, A_SETTLED_ROUND, SAY, Table, open_table, whole

IN_TURN = "round opening \n p1 3s \n p2 4c \n p3 5d \n p4 6h"

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


def test_the_mark_is_dropped_from_what_is_legal(table: Table) -> None:
    table.tell("round opening ! \n p1 3s !")
    round = table.round()
    assert (round["stood"], round["moves"][0]["stood"], round["findings"]) == (False, False, [])


def test_a_refusal_says_what_was_offered_and_what_lay_on_the_table(table: Table) -> None:
    refusal = table.tell("round opening \n p1 3s \n p2 5c").refused("p3 4d").refusal
    assert refusal is not None
    assert (refusal.offered, refusal.top, refusal.player) == (("4d",), ("5c",), 2)


def test_a_refusal_of_a_card_names_the_move_that_showed_it(table: Table) -> None:
    refusal = table.tell("round opening \n p1 3s").refused("p2 3s").refusal
    assert refusal is not None
    assert (refusal.card, refusal.move, refusal.holder) == ("3s", 1, 0)


def test_hands_missing_names_whose(table: Table) -> None:
    refusal = table.tell(A_ROUND).refused("settle").refusal
    assert refusal is not None
    assert refusal.expected == (1,)


def test_five_friends_must_say_who_sits_in_the_first_round(recorder: Recorder) -> None:
    problem = open_table(recorder, 5).refused("round opening")
    assert problem.code == Code.WRONG_SEAT_COUNT


# Problems before the rules


EVERYTHING = ["p2 4c", "p2 -", f"p2 claims {whole('p2')}", "p2 shows 3c", "p2 declares none", "settle"]
NONSENSE = ["p3 3s 3s", "p9 -", f"p1 claims {whole('p1')}", "p12 shows 2s", "p4 declares 3s"]


@pytest.mark.parametrize("line", [*EVERYTHING, *NONSENSE, "settle 1", "of 1 p2 declares none"])
def test_a_settled_round_takes_nothing_more_whatever_the_rules_say(table: Table, line: str) -> None:
    problem = table.tell(A_SETTLED_ROUND).refused(line)
    assert (problem.status, problem.code, problem.facts) == (409, ProblemCode.ROUND_SETTLED, {"round": 1})
    assert problem.refusal is None


@pytest.mark.parametrize("story", ["", A_SETTLED_ROUND])
def test_there_is_nothing_to_undo(table: Table, story: str) -> None:
    problem = table.tell(story).refused("undo")
    assert (problem.status, problem.code) == (409, ProblemCode.NOTHING_TO_UNDO)


@pytest.mark.parametrize(
    "story",
    [
        "",
        "round opening",
        "round opening \n p1 3s \n undo \n redo",
        "round opening \n p1 3s \n undo \n p1 3s 3c",
        "round opening \n undo \n round opening",
        A_SETTLED_ROUND,
    ],
)
def test_there_is_nothing_to_redo(table: Table, story: str) -> None:
    problem = table.tell(story).refused("redo")
    assert (problem.status, problem.code) == (409, ProblemCode.NOTHING_TO_REDO)


@pytest.mark.parametrize(
    "line",
    [
        *("round opening", *EVERYTHING, "undo", "redo", "pay p1 p2 3 trà đá", "end", "settle 9"),
        "correct 2.0 = struck because nhầm",
    ],
)
def test_an_ended_night_takes_nothing_more(table: Table, line: str) -> None:
    problem = table.tell(f"{A_SETTLED_ROUND} \n end").refused(line)
    assert (problem.status, problem.code) == (409, ProblemCode.NIGHT_ENDED)


def test_a_night_that_goes_on_cannot_be_reopened(table: Table) -> None:
    problem = table.refused("reopen quên một ván")
    assert (problem.status, problem.code) == (409, ProblemCode.NIGHT_NOT_ENDED)


@pytest.mark.parametrize("story", ["round opening", IN_TURN, A_ROUND])
def test_a_night_with_a_round_that_is_not_settled_cannot_end(table: Table, story: str) -> None:
    problem = table.tell(story).refused("end")
    assert (problem.status, problem.code) == (409, ProblemCode.UNSETTLED_ROUND)
    assert problem.facts == {"rounds": [1]}


@pytest.mark.parametrize(
    ("kind", "content", "field"),
    [
        ("adjust", {"payer": "p5", "payee": "p1", "points": 1, "reason": "bia"}, "payer"),
        ("adjust", {"payer": "p1", "payee": "p12", "points": 1, "reason": "bia"}, "payee"),
        ("adjust", {"payer": "p1", "payee": "p1", "points": 1, "reason": "bia"}, "payee"),
        ("play", {"seat": "p1", "cards": ["1s"]}, "cards"),
        ("claim", {"seat": "p1", "cards": ["3x"]}, "cards"),
        ("show", {"seat": "p1", "cards": [""]}, "cards"),
        ("declare", {"seat": "p1", "sets": [["3s"], ["♠"]]}, "sets"),
    ],
)
def test_what_cannot_be_read_names_its_field(
    table: Table, kind: str, content: dict[str, Any], field: str
) -> None:
    table.tell("round opening")
    with pytest.raises(Problem) as caught:
        table.record(kind, **content)
    assert (caught.value.status, caught.value.code) == (400, ProblemCode.UNREADABLE)
    assert list(caught.value.facts["fields"]) == [field]
    assert table.board()["seq"] == 1


# Roles


def test_another_nights_keeper_finds_nothing_here(table: Table) -> None:
    stranger = Link(str(uuid4()), Role.KEEPER)
    with pytest.raises(Problem) as caught:
        table.recorder.record(table.night, table.request("round", {"opening": True}), stranger)
    assert (caught.value.status, caught.value.code) == (404, ProblemCode.NOT_FOUND)


def test_a_night_that_never_was_is_not_found_whatever_is_asked(recorder: Recorder) -> None:
    nowhere = Table(recorder, str(uuid4()))
    asked: list[Callable[[], object]] = [
        lambda: nowhere.record("round", opening=True),
        lambda: nowhere.ask.board(nowhere.keeper, SAY),
        lambda: nowhere.preview("settle"),
        lambda: nowhere.ask.ledger(),
        lambda: nowhere.ask.log(),
        lambda: nowhere.ask.round_page(1, SAY),
        lambda: nowhere.ask.whole(),
        lambda: nowhere.ask.ruleset,
        lambda: nowhere.ask.tokens(),
    ]
    for ask in asked:
        with pytest.raises(Problem) as caught:
            ask()
        assert (caught.value.status, caught.value.code) == (404, ProblemCode.NOT_FOUND)


@pytest.mark.parametrize("number", [0, 2, -1, 10**9])
def test_a_round_that_never_was_is_not_found(table: Table, number: int) -> None:
    table.tell(A_SETTLED_ROUND)
    with pytest.raises(Problem) as caught:
        table.page(number)
    assert caught.value.code == ProblemCode.NOT_FOUND


def test_a_round_whose_header_was_undone_is_not_found(table: Table) -> None:
    table.tell("round opening \n undo")
    for asked in (table, table.restarted()):
        with pytest.raises(Problem) as caught:
            asked.page(1)
        assert caught.value.code == ProblemCode.NOT_FOUND


@pytest.mark.parametrize("kind", KINDS)
def test_a_preview_asks_the_same_question_and_records_nothing(table: Table, kind: str) -> None:
    before = table.contents()
    content = EXAMPLES[kind].content
    asked = became(lambda: table.preview(kind, **content))
    assert table.contents() == before
    assert became(lambda: table.record(kind, **content)) == asked


def became(ask: Callable[[], object]) -> str | None:
    """The code of the problem that a call raises, if any."""
    try:
        ask()
    except Problem as problem:
        return problem.code
    return None
