"""A move is recorded on the night as it was seen at the door, or as it is if anything came in between."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

import pytest

from ledger.recorder import EventRequest, Problem, ProblemCode, Recorded, audit
from ledger.store import Glance, Store, Writer
from tests.recorder.tables import SAY, Table


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The nights that were held to be written."""
    nights: list[str] = []
    writing = Store.writing

    def noted(store: Store, night: str) -> AbstractContextManager[Writer]:
        nights.append(night)
        return writing(store, night)

    monkeypatch.setattr(Store, "writing", noted)
    return nights


@pytest.fixture
def begun(table: Table, held: list[str]) -> Table:
    """A round has begun; so far the night has been held for each entry."""
    table.tell("round opening")
    held.clear()
    return table


def seen(table: Table) -> Glance | None:
    return table.recorder.store.glance(table.night)


def send(table: Table, request: EventRequest, at_the_door: Glance | None) -> Recorded:
    recorded, board = table.recorder.record_and_show(table.night, request, table.keeper, SAY, at_the_door)
    assert board == table.restarted().board()
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
    at_the_door, request = seen(begun), play(begun, "3s")
    meanwhile(begun)
    held.clear()
    if refused is None:
        assert send(begun, request, at_the_door).seq == 3
    else:
        with pytest.raises(Problem) as problem:
            send(begun, request, at_the_door)
        assert problem.value.code is refused
    assert held == [begun.night]
    assert list(audit(begun.recorder)) == []


def test_the_same_move_twice_is_recorded_once_whatever_was_seen(begun: Table) -> None:
    at_the_door, request = seen(begun), play(begun, "3s")
    first = send(begun, request, at_the_door)
    for again in (at_the_door, seen(begun)):
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
