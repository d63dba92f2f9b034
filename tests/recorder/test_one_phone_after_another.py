"""The same request twice, and two phones that record after the same entry."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest

from ledger.game.rulesets import PRESETS
from ledger.game.terms import Stake, Terms
from ledger.recorder import EventRequest, Link, Problem, ProblemCode, Recorded, Recorder, Role
from ledger.recorder.judging import MOST_SINCE
from ledger.store import Store
from tests.recorder.examples import EXAMPLES
from tests.recorder.tables import (
    CLASSIC,
    KEY,
    NAMES,
    SECRET,
    WINNER_TAKES_ALL,
    Clock,
    Table,
    open_table,
    plain,
)
from tests.stories import A_ROUND, A_SETTLED_ROUND, read_story


def request_of(table: Table, line: str) -> EventRequest:
    ((kind, content),) = read_story(line)
    return table.request(kind, content, at="2026-11-20T20:15:00+07:00")


@pytest.mark.parametrize("kind", EXAMPLES)
def test_the_same_request_twice_records_once_and_answers_the_same(
    before_example: Callable[[str], Table], kind: str
) -> None:
    table = before_example(kind)
    before = len(table.recorded)
    request = request_of(table, EXAMPLES[kind].line)
    first = table.send(request)
    recorded = table.contents()
    for again in (table, table.restarted()):
        assert again.recorder.record(again.night, *again.asked(request)) == replace(first, created=False)
    assert first.created
    assert table.contents() == recorded
    assert (first.id, first.seq) == (request.id, before + 1)
    assert first.hash == table.board()["hash"]


@pytest.mark.parametrize(
    "other",
    [
        {"content": {"seat": "p1", "cards": ["3s", "3c"]}},
        {"content": {"seat": "p1", "cards": ["3s"], "stood": True}},
        {"kind": "claim"},
        {"kind": "undo", "content": {}},
        {"after": str(uuid4())},
    ],
)
def test_an_id_with_other_content_is_refused(table: Table, other: dict[str, Any]) -> None:
    request = request_of(table.tell("round opening"), "p1 3s")
    table.send(request)
    before = table.contents()
    with pytest.raises(Problem) as caught:
        table.send(replace(request, **other))
    assert (caught.value.status, caught.value.code) == (422, ProblemCode.ID_REUSED)
    assert table.contents() == before


def test_an_id_belongs_to_its_night(recorder: Recorder) -> None:
    one, other = open_table(recorder), open_table(recorder)
    request = request_of(one, "round opening")
    one.send(request)
    assert other.send(replace(request, after=other.night)).created


def test_no_entry_takes_the_id_of_its_night(table: Table) -> None:
    """Otherwise an `after` would be ambiguous."""
    with pytest.raises(Problem) as caught:
        table.send(replace(request_of(table, "round opening"), id=table.night))
    assert caught.value.code == ProblemCode.ID_REUSED
    assert table.board()["seq"] == 0


def test_a_night_opened_twice_by_the_same_request_is_one(recorder: Recorder) -> None:
    terms = Terms(PRESETS[CLASSIC], Stake(Decimal(1000), "VND"))
    opening: dict[str, Any] = {"secret": SECRET, "terms": terms, "players": NAMES}
    open_it = partial(recorder.open_night, str(uuid4()))
    first = open_it(**opening)
    assert first.created
    assert open_it(**opening) == replace(first, created=False)
    for other in (
        {"terms": replace(terms, ruleset=PRESETS[WINNER_TAKES_ALL])},
        {"players": NAMES[:4]},
        {"players": NAMES[::-1]},
        {"terms": replace(terms, stake=None)},
        {"terms": replace(terms, stake=Stake(Decimal(2000), "VND"))},
    ):
        with pytest.raises(Problem) as caught:
            open_it(**opening | other)
        assert (caught.value.status, caught.value.code) == (422, ProblemCode.ID_REUSED)
    assert len(recorder.nights()) == 1


# Stale entries


def test_what_is_recorded_after_an_older_entry_is_stale_and_carries_what_came_since(table: Table) -> None:
    """Before the rules are asked, which would refuse it as well."""
    table.tell("round opening")
    last_id = table.after
    table.tell("p1 3s \n p2 5c")
    other = Table(table.recorder, table.night, last_id)
    problem = other.refused("p1 3s")
    assert (problem.status, problem.code) == (409, ProblemCode.STALE)
    assert [entry.seq for entry in problem.facts["events"]] == [2, 3]
    assert plain(problem.facts["events"]) == table.log(after=1)
    assert [json.loads(entry.body)["kind"] for entry in problem.facts["events"]] == ["play", "play"]


def test_a_first_entry_names_the_night_and_the_second_may_not(table: Table) -> None:
    table.tell("round opening")
    problem = Table(table.recorder, table.night, table.night).refused("round opening")
    assert problem.code == ProblemCode.STALE
    assert [entry.kind for entry in problem.facts["events"]] == ["round"]


@pytest.mark.parametrize("story", ["", "round opening"])
def test_an_entry_after_one_that_was_never_recorded_is_stale(table: Table, story: str) -> None:
    problem = Table(table.tell(story).recorder, table.night, str(uuid4())).refused("round opening")
    assert (problem.code, problem.facts) == (ProblemCode.STALE, {"events": [], "missing": True})


def test_a_queue_may_be_based_on_its_own_entries(table: Table) -> None:
    queue = [request_of(table, "round opening")]
    for line in ("p1 3s", "p3 5d", "p1 9s"):
        ((kind, content),) = read_story(line)
        queue.append(EventRequest(str(uuid4()), queue[-1].id, kind, content))
    assert [table.send(request).seq for request in queue] == [1, 2, 3, 4]


# Statements of seats about what their players saw

AGREES = "p2 confirms 1"
DOUBTS = "p2 disputes 1 payment 7.0 tôi đâu có nợ"
DOUBTS_A_MOVE = "p2 disputes 1 move 3.0 nhầm lá"


def as_seen(table: Table, line: str, last_seq: int) -> EventRequest:
    """The request of a seat for a story's line, with the seq that its player saw last."""
    ((kind, content),) = read_story(line)
    return table.request(kind, content | {"seen": last_seq})


def seq(table: Table) -> int:
    seq: int = table.board()["seq"]
    return seq


@pytest.mark.parametrize(
    ("story", "line", "since"),
    [
        (A_SETTLED_ROUND, AGREES, "correct 2.0 = p1 3s ! because ghi lại"),
        (A_SETTLED_ROUND, DOUBTS_A_MOVE, "correct 2.0 = p1 3s ! because ghi lại"),
        (A_SETTLED_ROUND, AGREES, "void 1 chia nhầm"),
        (A_SETTLED_ROUND, DOUBTS, "void 1 chia nhầm"),
        (A_SETTLED_ROUND, DOUBTS, "p1 disputes 1 payment 7.0 ừ nhỉ \n decide 8 kept xem lại rồi"),
        (A_ROUND, "p2 confirms 1", "p2 declares 2c \n settle"),
        ("round opening \n p1 3s \n undo", "p2 disputes 1 move 2.0 nhầm", "redo"),
        ("round opening \n p1 3s", "p2 disputes 1 move 2.0 nhầm", "undo"),
    ],
)
def test_a_seat_speaks_of_the_round_that_its_player_saw(
    table: Table, story: str, line: str, since: str
) -> None:
    last_seq = seq(table.tell(story))
    late = as_seen(table, line, last_seq)
    log = table.tell(since).log()
    with pytest.raises(Problem) as caught:
        table.send(late)
    assert (caught.value.status, caught.value.code) == (409, ProblemCode.STALE)
    assert plain(caught.value.facts) == {"events": table.log(after=last_seq), "round": 1}
    assert table.log() == log


@pytest.mark.parametrize("beyond", [0, 3])
def test_a_refused_request_carries_a_bounded_part_of_what_came_since(table: Table, beyond: int) -> None:
    last_seq = seq(table.tell(A_SETTLED_ROUND))
    late, seats = Table(table.recorder, table.night, table.after), as_seen(table, AGREES, last_seq)
    table.tell("\n".join(["void 1 chia nhầm", *["pay p1 p2 1 trà"] * (MOST_SINCE - 1 + beyond)]))
    with pytest.raises(Problem) as caught:
        table.send(seats)
    for problem in (late.refused("pay p1 p2 1 trà"), caught.value):
        assert plain(problem.facts["events"]) == table.log(after=last_seq)[:MOST_SINCE]
        assert problem.facts.get("more", 0) == beyond


@pytest.mark.parametrize(
    "since",
    ["p1 confirms 1", "p1 disputes 1 move 3.0 ?", "round lead p1", "pay p1 p2 3 trà đá", "rename p2 Bính"],
)
@pytest.mark.parametrize("line", [AGREES, DOUBTS])
def test_what_leaves_a_round_as_it_was_overtakes_nobody(table: Table, line: str, since: str) -> None:
    request = as_seen(table, line, seq(table.tell(A_SETTLED_ROUND)))
    table.tell(since)
    assert table.send(request).created
    assert not table.send(request).created


def test_what_was_refused_stays_refused_however_late_a_copy_comes(table: Table) -> None:
    table.tell(f"{A_SETTLED_ROUND} \n p1 disputes 1 payment 7.0 ừ nhỉ")
    refused = as_seen(table, DOUBTS, seq(table))
    unsaid = table.request(*next(read_story(DOUBTS)))
    for request in (refused, unsaid):
        with pytest.raises(Problem, match="already-disputed"):
            table.send(request)
    table.tell("decide 8 kept xem lại rồi")
    with pytest.raises(Problem, match="stale"):
        table.send(refused)
    assert table.send(unsaid).created, "of the round as it is: nobody said what was seen"


def test_a_payment_by_hand_is_spoken_of_as_it_was_seen_too(table: Table) -> None:
    paid = table.tell("pay p1 p2 3 trà đá").log()[-1]["seq"]
    late = as_seen(table, f"p2 disputes 0 payment {paid}.0 đâu có", seq(table))
    table.tell(f"p1 disputes 0 payment {paid}.0 ừ nhỉ \n decide {paid + 1} kept xem lại rồi")
    with pytest.raises(Problem, match="stale") as caught:
        table.send(late)
    assert plain(caught.value.facts) == {"events": table.log(after=paid), "round": 0}


def test_a_seat_speaks_for_nobody_else_whatever_it_says(table: Table) -> None:
    table.tell(A_SETTLED_ROUND)
    request = table.request("confirm", {"round": 1, "player": "p2"})
    table.recorder.record(table.night, request, Link(table.night, Role.SEAT, "p1"))
    assert table.ask.agreement().agreed[1].keys() == {"p1"}


# Concurrency


def race(*runners: Callable[[], Recorded]) -> tuple[list[Recorded], list[Problem]]:
    """Run all at the same time; returns what was recorded, and the problems."""
    start = Barrier(len(runners))

    def go(runner: Callable[[], Recorded]) -> Recorded | Problem:
        start.wait()
        try:
            return runner()
        except Problem as problem:
            return problem

    with ThreadPoolExecutor(len(runners)) as pool:
        answers = list(pool.map(go, runners))
    problems = [answer for answer in answers if isinstance(answer, Problem)]
    return [answer for answer in answers if not isinstance(answer, Problem)], problems


@pytest.fixture
def phones(recorder: Recorder, path: Path) -> Iterator[list[Table]]:
    """Four phones of one night, served by two recorders with separate stores."""
    second = Store.open(f"sqlite:///{path}")
    night = open_table(recorder).night
    recorders = [recorder, Recorder(second, KEY, Clock())] * 2
    yield [Table(each, night) for each in recorders]
    second.close()


def sending(phone: Table, request: EventRequest) -> Callable[[], Recorded]:
    return partial(phone.recorder.record, phone.night, request, phone.keeper)


def test_of_phones_that_record_after_the_same_entry_one_succeeds(phones: list[Table]) -> None:
    winners = []
    for _ in range(8):
        recorded, stale = race(*(sending(each, request_of(each, "pay p1 p2 1 vì sao")) for each in phones))
        (winner,) = recorded
        winners.append(winner.hash)
        assert [problem.code for problem in stale] == [ProblemCode.STALE] * 3
        assert all([entry.id for entry in each.facts["events"]] == [winner.id] for each in stale)
        for phone in phones:
            phone.after = winner.id
    assert phones[0].board()["net"]["p2"] == 8
    assert {phone.board()["hash"] for phone in phones} == {winners[-1]}


def test_of_the_same_request_sent_at_once_one_is_recorded_and_all_are_answered(phones: list[Table]) -> None:
    request = request_of(phones[0], "round opening")
    recorded, problems = race(*(sending(phone, request) for phone in phones))
    assert not problems
    assert sorted(answer.created for answer in recorded) == [False, False, False, True]
    answers = {(answer.id, answer.seq, answer.hash) for answer in recorded}
    assert answers == {(request.id, 1, recorded[0].hash)}
