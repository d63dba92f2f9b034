"""A move is recorded on the night as it was seen last, or as it is if anything came in between."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

import pytest

from ledger.recorder import EventRequest, Problem, ProblemCode, Recorded, Visit, audit
from ledger.store import Store, Writer
from tests.recorder.tables import SAY, Table


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The nights that were held to be written."""
    nights: list[str] = []
    writing = Store.writing

    def noted(store: Store, night: str, **how: bool) -> AbstractContextManager[Writer]:
        nights.append(night)
        return writing(store, night, **how)

    monkeypatch.setattr(Store, "writing", noted)
    return nights


@pytest.fixture
def begun(table: Table, held: list[str]) -> Table:
    """A round has begun; so far the night has been held for each entry."""
    table.tell("round opening")
    held.clear()
    return table


def seen(table: Table) -> Visit:
    """The keeper comes, and finds the night as it is."""
    night = table.recorder.store.glance(table.night)
    assert night is not None
    return Visit(table.keeper, night)


def send(table: Table, request: EventRequest, visit: Visit) -> Recorded:
    recorder = table.recorder
    recorded = recorder.record_as_seen(visit, request) or recorder.record(table.night, request, table.keeper)
    assert recorded.board(table.keeper, SAY) == table.restarted().board()
    return recorded


def play(table: Table, *cards: str) -> EventRequest:
    return table.request("play", {"seat": "p1", "cards": list(cards)})


def test_a_move_on_the_night_as_it_was_seen_asks_nothing_more(begun: Table, held: list[str]) -> None:
    request = play(begun, "3s")
    recorded = send(begun, request, seen(begun))
    assert (recorded.created, recorded.seq, held) == (True, 2, [])
    begun.after = request.id
    assert send(begun, begun.request("pass", {"seat": "p2"}), seen(begun)).seq == 3
    assert held == []
    assert list(audit(begun.recorder)) == []


def moved(table: Table) -> None:
    table.restarted().record("play", seat="p1", cards=["3s", "3c"])


def named(table: Table) -> None:
    table.restarted().record("rename", player="p2", name="Bính")


def revoked(table: Table) -> None:
    table.restarted().record("revoke", role="keeper")


@pytest.mark.parametrize(
    ("meanwhile", "refused"),
    [(moved, ProblemCode.STALE), (named, None), (revoked, ProblemCode.NOT_FOUND)],
)
def test_what_came_in_between_from_elsewhere_is_not_overlooked(
    begun: Table, held: list[str], meanwhile: Callable[[Table], None], refused: ProblemCode | None
) -> None:
    then, request = seen(begun), play(begun, "3s")
    meanwhile(begun)
    held.clear()
    if refused is None:
        assert send(begun, request, then).seq == 3
    else:
        with pytest.raises(Problem) as problem:
            send(begun, request, then)
        assert problem.value.code is refused
    assert held == [begun.night]
    assert list(audit(begun.recorder)) == []


def test_a_name_that_was_erased_in_between_is_not_told_once_more(begun: Table, held: list[str]) -> None:
    then = seen(begun)
    begun.restarted().recorder.forget(begun.night)
    held.clear()
    assert send(begun, play(begun, "3s"), then).seq == 2
    assert held == []
    assert [player["name"] for player in begun.board()["players"]] == ["p1", "p2", "p3", "p4"]


def test_the_same_move_twice_is_recorded_once_whatever_was_seen(begun: Table) -> None:
    then, request = seen(begun), play(begun, "3s")
    first = send(begun, request, then)
    for again in (then, seen(begun)):
        assert send(begun, request, again) == replace(first, created=False)


def test_an_id_that_is_taken_is_refused_whatever_was_seen(begun: Table) -> None:
    taken = replace(play(begun, "3s"), id=begun.recorded[0].id)
    for id in (taken.id, begun.night):
        with pytest.raises(Problem) as problem:
            send(begun, replace(taken, id=id), seen(begun))
        assert problem.value.code is ProblemCode.ID_REUSED
    assert begun.board()["seq"] == 1


def test_a_move_against_the_rules_is_refused_as_ever(begun: Table) -> None:
    with pytest.raises(Problem) as problem:
        send(begun, play(begun, "3s", "4c"), seen(begun))
    assert problem.value.code is begun.refused("p1 3s 4c").code


def test_moves_that_hang_keep_no_other_night_waiting(begun: Table) -> None:
    turns = begun.recorder._moves
    with turns.turn(0) as one, turns.turn(0) as two:
        assert (one, two) == (True, False)
        assert send(begun, play(begun, "3s"), seen(begun)).seq == 2
