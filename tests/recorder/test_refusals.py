"""Refused entries: every code of the rules, and the problems that come before the rules."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from ledger.game.errors import Code, Verdict
from ledger.recorder import KINDS, Link, Problem, ProblemCode, Recorder, Role
from tests.recorder.examples import EXAMPLES
from tests.recorder.tables import A_ROUND, A_SETTLED_ROUND, SAY, Table, open_table, run, whole

IN_TURN = "round opening \n p1 3s \n p2 4c \n p3 5d \n p4 6h"
FIRST_OUT = f"{IN_TURN} \n p1 2s \n p2 - \n p3 - \n p4 - \n p1 {run('s', '4')}"
A_CLAIM = f"round opening p1 p2 \n p1 claims {whole('p1')} \n settle"

BY_THE_RULES = [
    ("", "p1 3s", Code.NO_ROUND, "S-DEAL"),
    ("", "p1 -", Code.NO_ROUND, "S-DEAL"),
    ("", f"p1 claims {whole('p1')}", Code.NO_ROUND, "S-DEAL"),
    ("", "p1 shows 3s", Code.NO_ROUND, "S-DEAL"),
    ("", "settle", Code.NO_ROUND, "S-DEAL"),
    (A_SETTLED_ROUND, "settle 2", Code.NO_ROUND, "S-DEAL"),
    (A_SETTLED_ROUND, "of 2 p2 declares none", Code.NO_ROUND, "S-DEAL"),
    ("round opening", "round lead p1", Code.ROUND_RUNNING, "S-DEAL"),
    ("round opening p1 p2", "p3 3s", Code.NOT_SEATED, "S-DEAL"),
    ("round opening p1 p2", "p3 -", Code.NOT_SEATED, "S-DEAL"),
    ("round opening p1 p2", "p12 3s", Code.NOT_SEATED, "S-DEAL"),
    (A_ROUND, "p12 shows 3c", Code.NOT_SEATED, "S-DEAL"),
    ("", "round lead p3 p1 p2", Code.NOT_SEATED, "S-DEAL"),
    ("", "round opening p1 p5", Code.NOT_SEATED, "S-DEAL"),
    ("", "round opening p1", Code.WRONG_SEAT_COUNT, "S-DEAL"),
    ("", "round opening p1 p1", Code.WRONG_SEAT_COUNT, "S-DEAL"),
    (A_ROUND, "p2 5c", Code.ROUND_OVER, "S-END"),
    (A_ROUND, "p2 -", Code.ROUND_OVER, "S-END"),
    ("round opening", "p1 shows 3s", Code.ROUND_NOT_OVER, "S-END"),
    ("round opening", "p1 declares none", Code.ROUND_NOT_OVER, "S-END"),
    ("round opening", "settle", Code.ROUND_NOT_OVER, "S-END"),
    ("round opening", "p1 3s 3s", Code.CARD_TWICE, "S-SEEN"),
    (A_ROUND, "p2 declares 2c, 2c", Code.CARD_TWICE, "S-SEEN"),
    ("round opening \n p1 3s", "p2 3s", Code.CARD_ALREADY_PLAYED, "S-SEEN"),
    ("round opening", f"p1 {whole('p1')} 3c", Code.TOO_MANY_CARDS, "S-SEEN"),
    (FIRST_OUT, "p1 -", Code.NOT_IN_ROUND, "S-OUT"),
    ("round opening", "p1 3s 5s", Code.NOT_A_COMBINATION, "S-COMBO"),
    ("round opening \n p1 3s \n p2 - \n p3 5d", "p2 6c", Code.LOCKED_OUT, "S-PASS"),
    ("round opening \n p1 3s \n p2 4c", "p1 -", Code.NOT_YOUR_TURN, "S-PASS"),
    ("round opening", "p1 4s", Code.MUST_OPEN_LOWEST, "S-OPEN"),
    ("round opening \n p1 3s \n p2 5c", "p3 4d", Code.DOES_NOT_BEAT, "S-COMPARE"),
    ("round opening \n p1 3s", "p2 4s 4c 4d 4h", Code.DOES_NOT_BEAT, "S-BOMB"),
    ("round lead p1", "p1 -", Code.PASS_ON_EMPTY_PILE, "S-PASS"),
    (A_SETTLED_ROUND, "round lead p2", Code.WRONG_LEADER, "S-LEAD"),
    (A_SETTLED_ROUND, "round opening", Code.WRONG_LEADER, "S-LEAD"),
    (A_CLAIM, "round lead p1", Code.WRONG_LEADER, "S-OPEN"),
    ("round opening", "p1 contract guaransheed", Code.NO_SUCH_CONTRACT, "S-CONTRACT"),
    ("round opening", "p1 claims 3s 4s", Code.CLAIM_COUNT, "S-INSTANT"),
    ("round opening \n p1 3s", f"p2 claims {whole('p2')}", Code.CLAIM_TOO_LATE, "S-INSTANT"),
    ("round opening", f"p1 claims {run('s', '4', '2')} 5c", Code.NOT_AN_INSTANT_WIN, "S-INSTANT"),
    (A_ROUND, "p2 shows 3c 5c", Code.SHOWN_COUNT, "S-SEEN"),
    (A_ROUND, f"p2 shows 3s {run('c', '5', '2')}", Code.SHOWN_ALREADY_PLAYED, "S-SEEN"),
    (A_ROUND, "p2 declares 2s", Code.DECLARATION_CONTRADICTED, "S-SHOW"),
    (A_ROUND, "settle", Code.HANDS_MISSING, "S-SHOW"),
    ("round opening", "result p1 p2", Code.RESULT_INCOMPLETE, "S-OUT"),
    ("round opening \n p1 3s", "result p2 p3 p4 knocked p1", Code.RESULT_CONTRADICTED, "S-OUT"),
    ("round opening", "result p1 p2 p3 p4 bombed p1 p1 2d", Code.RESULT_CONTRADICTED, "S-CHOP"),
]


@pytest.mark.parametrize(("story", "line", "code", "clause"), BY_THE_RULES)
def test_the_rules_refuse_with_a_code_and_a_clause_and_nothing_is_recorded(
    table: Table, story: str, line: str, code: Code, clause: str
) -> None:
    problem = table.tell(story).refused(line)
    assert (problem.status, problem.code, problem.clause) == (422, code, clause)
    assert problem.refusal is not None
    assert (problem.refusal.code, problem.refusal.clause) == (code, clause)


OF_OTHER_TABLES = [
    ("core", 4, "round opening", "p1 3s 3c", Code.OPENING_FORM),
    ("akita", 4, "round opening \n p1 3s 4s 5s", "p2 6c 7d 8h", Code.SUIT_LOCKED),
    ("pro-play", 4, "round opening \n p1 3s", "p2 contract guaransheed", Code.CONTRACT_TOO_LATE),
    (
        "northern",
        2,
        f"round opening \n p1 {run('h', '3', 'K')} \n p2 - \n p1 Ah \n p2 2s",
        "p1 2h",
        Code.LAST_CARD_TWO,
    ),
]


@pytest.mark.parametrize(("ruleset", "players", "story", "line", "code"), OF_OTHER_TABLES)
def test_the_rules_of_other_tables_refuse_in_the_same_way(
    recorder: Recorder, ruleset: str, players: int, story: str, line: str, code: Code
) -> None:
    table = open_table(recorder, players=players, ruleset=ruleset)
    assert table.tell(story).refused(line).code == code


MET_BY_MANY_ENTRIES = {Code.TOO_MANY_ENTRIES, Code.TOO_MANY_ROUNDS}
"""Codes that only long stories cause, tested in test_bounds.py."""


def test_every_code_of_the_rules_can_be_met() -> None:
    met = {row[2] for row in BY_THE_RULES} | {row[4] for row in OF_OTHER_TABLES}
    assert met | MET_BY_MANY_ENTRIES == set(Code)
    assert not met & MET_BY_MANY_ENTRIES


IRREGULAR = [
    row
    for row in BY_THE_RULES
    if row[2]
    in (
        Code.NOT_A_COMBINATION,
        Code.LOCKED_OUT,
        Code.NOT_YOUR_TURN,
        Code.MUST_OPEN_LOWEST,
        Code.DOES_NOT_BEAT,
        Code.PASS_ON_EMPTY_PILE,
        Code.WRONG_LEADER,
        Code.CLAIM_TOO_LATE,
        Code.NOT_AN_INSTANT_WIN,
    )
]


@pytest.mark.parametrize(("story", "line", "code", "clause"), IRREGULAR)
def test_what_is_irregular_is_recorded_when_it_stood_and_leaves_a_finding(
    table: Table, story: str, line: str, code: Code, clause: str
) -> None:
    table.tell(story).tell(f"{line} !")
    for board in (table.board(), table.restarted().board()):
        (finding,) = [each for each in board["round"]["findings"] if each["code"] == code]
        assert finding["clause"] == clause
        assert finding["move"] == (0 if code is Code.WRONG_LEADER else len(board["round"]["moves"]))
        assert finding["message"]
        if finding["move"]:
            row = board["round"]["moves"][-1]
            assert (row["stood"], row["code"], row["clause"]) == (True, code, clause)


@pytest.mark.parametrize(
    ("story", "line", "code", "clause"),
    [
        row
        for row in BY_THE_RULES
        if row not in IRREGULAR and row[1].split()[1:2] not in (["shows"], ["declares"])
    ],
)
def test_what_is_impossible_is_refused_even_if_it_is_said_to_have_stood(
    table: Table, story: str, line: str, code: Code, clause: str
) -> None:
    problem = table.tell(story).refused(f"{line} !")
    assert (problem.code, problem.clause) == (code, clause)
    assert problem.refusal is not None
    assert problem.refusal.verdict is Verdict.IMPOSSIBLE


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
