"""A round by piles: every entry appears exactly once, in the pile that it belongs to."""

import pytest

from ledger.game.payments import Reason
from ledger.recorder import Recorder
from ledger.recorder.views.round_page import PileView
from tests.recorder.examples import EXAMPLES_IN
from tests.recorder.tables import SAY, Table, open_table, run
from tests.stories import A_NIGHT

TWO_PILES = "round opening \n p1 3s \n p2 5d \n p3 - \n p4 - \n p1 - \n p2 6s 6c \n p3 -"


def piles(table: Table, number: int = 1) -> list[PileView]:
    found: list[PileView] = table.ask.round_page(number, SAY).piles
    return found


def test_a_pile_goes_from_its_lead_until_nobody_beats_it(table: Table) -> None:
    first, second = piles(table.tell(TWO_PILES))
    assert [row.cards for row in first.plays] == [["3s"], ["5d"]]
    assert [row.cards for row in second.plays] == [["6s", "6c"]]
    assert (first.passed, second.passed) == (["p3", "p4", "p1"], ["p3"])
    assert (first.number, second.number) == (1, 2)
    assert first.concerns("p1")
    assert not second.concerns("p1")


def test_what_was_taken_back_is_on_the_pile_of_the_move_before_it(table: Table) -> None:
    first, second = piles(table.tell(f"{TWO_PILES} \n undo \n undo"))[0], piles(table)[0]
    assert first == second
    assert first.undone == 2
    assert not first.corrected
    (first,) = piles(table.tell("p2 7s 7c \n undo"))
    assert first.undone == 3


def test_what_was_taken_back_and_played_otherwise_is_on_its_own_pile(table: Table) -> None:
    first, second = piles(table.tell(f"{TWO_PILES} \n p4 7s 7c \n undo \n p4 8s 8c"))
    assert (first.undone, second.undone) == (0, 1)
    assert [row.cards for row in second.plays] == [["6s", "6c"], ["8s", "8c"]]


def test_what_was_corrected_is_on_the_pile_of_what_it_became(table: Table) -> None:
    first, second = piles(table.tell(f"{TWO_PILES} \n correct 7.0 = p2 6s because nhầm"))
    assert not first.corrected
    assert second.corrected
    assert [row.cards for row in second.lines] == [["6s", "6c"], ["6s"], []]
    assert [row.cards for row in second.plays] == [["6s"]]


def test_a_bomb_and_who_goes_out_are_told_of_their_pile(table: Table) -> None:
    table.tell("round opening \n p1 3s \n p2 2h \n p3 4s 4c 4d 4h \n p4 - \n p1 - \n p2 -")
    table.tell(f"p3 {run('c', '5', 'K')}")
    (first, second) = piles(table)
    assert [(one.payer, one.payee) for one in first.bombs] == [("p2", "p3")]
    assert (first.concerns("p2"), first.concerns("p4")) == (True, False)
    assert (first.out, second.out, second.bombs) == ([], ["p3"], [])


def test_a_move_that_stood_marks_its_pile(table: Table) -> None:
    first, second = piles(table.tell(f"{TWO_PILES} \n p4 3h 9c !"))
    assert (first.stood, second.stood) == (False, True)


@pytest.mark.parametrize("ruleset", EXAMPLES_IN)
def test_every_entry_of_a_round_is_on_one_pile(recorder: Recorder, ruleset: str) -> None:
    table = open_table(recorder, ruleset=ruleset).tell(EXAMPLES_IN[ruleset])
    for number in range(1, table.ask.ledger().rounds[-1].number + 1):
        page = table.ask.round_page(number, SAY)
        rows = [row for pile in page.piles for row in pile.lines]
        assert sorted(row.address for row in rows) == sorted(row.address for row in page.lines)
        assert [row for row in rows if row.move] == [row for row in page.lines if row.move]
        bombs = [one for pile in page.piles for one in pile.bombs]
        assert bombs == [one for one in page.payments if one.reason == Reason.BOMB_BONUS]


def test_what_is_on_no_pile_has_a_place_of_its_own(table: Table) -> None:
    table.tell(A_NIGHT)
    claimed, shown = piles(table, 1), piles(table, 2)
    assert [pile.number for pile in claimed] == [0]
    assert [pile.plays for pile in claimed] == [[]]
    assert [pile.number for pile in shown][-1] == 0
    assert {row.kind for row in shown[-1].lines} <= {"show", "declare"}
