"""The role that may record each kind of entry, and the state after kinds that change the night."""

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules

import pytest

from ledger.recorder import KINDS, Link, Problem, ProblemCode, Role, events
from ledger.recorder.events.event import REGISTERED
from ledger.recorder.parts import MOVES
from tests.recorder.examples import EXAMPLES
from tests.recorder.tables import Table


def test_each_module_with_kinds_is_in_the_list_that_orders_them() -> None:
    for module in iter_modules(events.__path__, f"{events.__name__}."):
        import_module(module.name)
    assert KINDS.keys() == REGISTERED.keys()


def test_the_entries_that_make_a_round_are_its_beginning_and_its_moves() -> None:
    assert {kind for kind, event in KINDS.items() if event.is_entry} == {"round"} | MOVES


@pytest.mark.parametrize("kind", [kind for kind, event in REGISTERED.items() if event.changes_night()])
def test_an_entry_that_changes_the_night_leads_to_another_state(
    before_example: Callable[[str], Table], kind: str
) -> None:
    table = before_example(kind)
    with table.recorder.night(table.night) as snapshot:
        before = snapshot.state
    table.tell(EXAMPLES[kind].line)
    with table.recorder.night(table.night) as snapshot:
        after = snapshot.state
    assert before._replace(head=after.head, after=after.after, net=after.net, logs=after.logs) != after


@pytest.mark.parametrize("kind", KINDS)
def test_a_link_records_what_is_its_own_to_record(before_example: Callable[[str], Table], kind: str) -> None:
    table = before_example(kind)
    before = table.contents()
    request, _ = table.asked(table.request(kind, EXAMPLES[kind].content))
    for link in (table.keeper, Link(table.night, Role.SEAT, "p1"), Link(table.night, Role.WATCH)):
        if link.role is not KINDS[kind].recorded_by:
            with pytest.raises(Problem) as caught:
                table.recorder.record(table.night, request, link)
            assert (caught.value.status, caught.value.code) == (403, ProblemCode.FORBIDDEN)
    assert table.contents() == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_that_posts_payments_says_so(before_example: Callable[[str], Table], kind: str) -> None:
    table = before_example(kind).tell(EXAMPLES[kind].line)
    with table.recorder.store.reading() as reader:
        row = reader.last(table.night)
    assert row is not None
    assert KINDS[kind].posts or not row.payment_count
