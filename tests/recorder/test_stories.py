"""Stories of rounds: their durations, and searches among them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ledger.recorder import Problem, Recorder
from ledger.recorder.views.stories import RoundStory
from tests.game.table import run
from tests.recorder.tables import KEY, Table
from tests.stories import A_NIGHT, A_ROUND, whole


def stories(table: Table, **asked: str) -> dict[int, RoundStory]:
    """Round number -> its story."""
    return {one.line.number: one for one in table.ask.stories(**asked).rounds}


def in_brief(payment: Any) -> str:
    return f"{payment.payer} {payment.payee} {payment.points} {payment.reason} {payment.move}"


class Wristwatch:
    """A night whose clock is advanced by the test."""

    def __init__(self, table: Table) -> None:
        self.now = datetime(2026, 11, 20, 23, 55, tzinfo=UTC)
        self.table = Table(Recorder(table.recorder.store, KEY, lambda: self.now), table.night, table.after)

    def after(self, minutes: float, story: str) -> "Wristwatch":
        """Advance the clock by some minutes, then record these lines."""
        self.now += timedelta(minutes=minutes)
        self.table.tell(story)
        return self

    def minutes(self) -> int | None:
        """The duration shown for the first round."""
        return stories(self.table)[1].summary.minutes


def test_a_payment_leads_to_where_it_is_posted_or_to_its_place_among_those_of_its_round(table: Table) -> None:
    biggest = stories(table.tell(A_NIGHT))[2].summary.biggest
    assert biggest is not None
    (posted,) = (one for one in table.ask.ledger().payments if one.address == biggest.posted)
    assert in_brief(posted) == in_brief(biggest)
    table.tell(f"undo \n undo \n p2 claims {whole('p2')}")
    unposted = stories(table)[5].summary.biggest
    assert unposted is not None
    assert (unposted.posted, unposted.place) == (None, 1)


def test_what_is_looked_for_is_told_with_its_rounds(table: Table) -> None:
    table.tell(A_NIGHT)
    bombs = {2: ["p2 p3 2 bomb-bonus 3"], 4: ["p3 p2 2 bomb-bonus 1"]}
    for asked, expected in (
        ({"heading": "bombs"}, bombs),
        ({"bomber": "p3"}, {2: bombs[2]}),
        ({"bombed": "p3"}, {4: bombs[4]}),
        ({"bomber": "p3", "bombed": "p3"}, {}),
        ({"heading": "instant-wins", "player": "p4"}, {1: ["p4 p1 2 instant-win 1"]}),
        ({"player": "p4"}, {number: [] for number in (1, 2, 3, 4, 5)}),
    ):
        found = stories(table, **asked)
        assert {number: list(map(in_brief, one.payments)) for number, one in found.items()} == expected


def test_headings_are_those_of_what_was_paid_in_any_round(table: Table) -> None:
    assert (table.ask.stories().headings, table.ask.stories().rounds) == ([], [])
    table.tell(A_NIGHT)
    for asked in ({}, {"bomber": "p3"}):
        assert table.ask.stories(**asked).headings == ["places", "bombs", "hoarding", "instant-wins"]


def test_a_stranger_is_not_looked_for(table: Table) -> None:
    with pytest.raises(Problem) as caught:
        table.ask.stories(bombed="p5")
    assert (caught.value.status, caught.value.facts) == (
        400,
        {"fields": {"bombed": ["a player of this night"]}},
    )


def test_a_round_takes_from_its_beginning_to_its_last_play(table: Table) -> None:
    watch = Wristwatch(table).after(0, "round opening p1 p2 \n p1 3s")
    assert watch.minutes() is None
    watch.after(3, "p2 4c \n p1 2s").after(4.9, f"p1 {run('s', '4')}")
    assert watch.minutes() == 7
    # Later declarations, settlements and corrections do not count.
    watch.after(60, "p2 declares 2c \n settle")
    watch.after(600, "correct before 4.0 = p2 5c ! | 4.0 = p1 2s because Bình đánh trước lượt")
    assert [entry["move"] for entry in watch.table.page(1)["moves"] if entry["stood"]] == [3]
    assert watch.minutes() == 7


def test_a_move_that_was_taken_back_took_no_time(table: Table) -> None:
    watch = Wristwatch(table).after(0, A_ROUND).after(30, "undo")
    assert watch.minutes() is None
    watch.after(0.5, f"p1 {run('s', '4')}").after(5, "undo \n redo")
    assert watch.minutes() == 30


def test_nobody_knows_how_long_a_round_took_that_nobody_followed(table: Table) -> None:
    watch = Wristwatch(table).after(0, "round opening").after(9, "result p2 p1 p3 knocked p4")
    assert watch.minutes() is None


def test_a_round_that_does_not_count_takes_no_time(table: Table) -> None:
    watch = Wristwatch(table).after(0, "round opening").after(2, f"p1 claims {whole('p1')}")
    assert watch.minutes() == 2
    assert watch.after(1, "void 1 chia nhầm").minutes() is None
