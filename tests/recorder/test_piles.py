"""Every entry of a round is in the pile that it belongs to. What piles say: tests/cases/nights/boards.txt."""

import pytest

from ledger.game.payments import Reason
from ledger.recorder import Recorder
from tests.factories import NightFactory
from tests.recorder.examples import EXAMPLES_IN
from tests.recorder.tables import SAY, Table
from tests.stories import A_NIGHT


@pytest.mark.parametrize("ruleset", EXAMPLES_IN)
def test_every_entry_of_a_round_is_on_one_pile(recorder: Recorder, ruleset: str) -> None:
    table: Table = NightFactory.create(by=recorder, ruleset=ruleset, story=EXAMPLES_IN[ruleset])
    for number in range(1, table.ask.ledger().rounds[-1].number + 1):
        page = table.ask.round_page(number, SAY)
        rows = [row for pile in page.piles for row in pile.lines]
        assert sorted(row.address for row in rows) == sorted(row.address for row in page.lines)
        assert [row for row in rows if row.move] == [row for row in page.lines if row.move]
        bombs = [one for pile in page.piles for one in pile.bombs]
        assert bombs == [one for one in page.payments if one.reason == Reason.BOMB_BONUS]


def test_what_is_on_no_pile_has_a_place_of_its_own(table: Table) -> None:
    table.tell(A_NIGHT)
    claimed, shown = (table.ask.round_page(number, SAY).piles for number in (1, 2))
    assert [(pile.number, pile.plays) for pile in claimed] == [(0, [])]
    assert [pile.number for pile in shown][-1] == 0
    assert {row.kind for row in shown[-1].lines} <= {"show", "declare"}
