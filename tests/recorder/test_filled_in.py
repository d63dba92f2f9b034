"""A correction of one play takes back the passes that were filled in because of it, and works them out again."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest

from ledger.game.moves import Play
from ledger.game.notation import tag
from ledger.game.rulesets import PRESETS
from ledger.recorder import Problem, Recorder, with_passes
from ledger.recorder.events.correction import ChangeData
from tests.recorder.tables import CLASSIC, Table, open_table
from tests.soak.slips import whole_round


def corrected(table: Table, change: ChangeData) -> list[ChangeData]:
    """Record a correction as the page does; returns its changes."""
    with table.recorder.night(table.night) as night:
        changes = with_passes(night, 1, change)
    table.record("correct", changes=changes, reason="nhầm")
    return changes


def moves(table: Table) -> list[str]:
    """The moves that stand: `p2 5c`, `p3 -`."""
    return [
        f"{row['player']} {' '.join(row['cards']) or '-'}"
        for row in table.page(1)["moves"]
        if row["move"] and not row.get("struck_by")
    ]


def a_play(seat: str, *cards: str) -> dict[str, object]:
    return {"kind": "play", "seat": seat, "cards": list(cards)}


def test_a_play_of_whoever_was_said_to_have_passed(recorder: Recorder) -> None:
    """p4 played 2♦; it was recorded under p1, so that p4's pass was filled in, and p1's was not."""
    table = open_table(recorder).tell("round opening\np1 3s\np2 Ad\np1 2d\np2 4s 4c 5s 5c 6s 6c")
    assert moves(table)[2:5] == ["p3 -", "p4 -", "p1 2d"]
    changes = corrected(table, {"target": "4.2", "with": a_play("p4", "2d")})
    assert changes == [
        {"target": "4.2", "with": a_play("p4", "2d")},
        {"target": "4.1", "with": None},
        {"before": "5.0", "with": {"kind": "pass", "seat": "p1"}},
    ]
    assert moves(table) == ["p1 3s", "p2 Ad", "p3 -", "p4 2d", "p1 -", "p2 4s 4c 5s 5c 6s 6c"]
    assert not table.round()["findings"]


def test_one_undo_takes_it_all_back(recorder: Recorder) -> None:
    table = open_table(recorder).tell("round opening\np1 3s\np2 Ad\np1 2d\np2 4s 4c 5s 5c 6s 6c")
    before = moves(table)
    corrected(table, {"target": "4.2", "with": a_play("p4", "2d")})
    table.tell("undo")
    assert moves(table) == before


def test_what_a_correction_has_filled_in_is_worked_out_again_by_the_next(recorder: Recorder) -> None:
    table = open_table(recorder).tell("round opening\np1 3s\np2 5c\np1 9d")
    corrected(table, {"target": "3.0", "with": a_play("p3", "5c")})
    assert moves(table) == ["p1 3s", "p2 -", "p3 5c", "p4 -", "p1 9d"]
    corrected(table, {"target": "5.0", "with": a_play("p2", "5c")})
    assert moves(table) == ["p1 3s", "p2 5c", "p3 -", "p4 -", "p1 9d"]
    assert not table.round()["findings"]


def test_a_move_is_corrected_as_often_as_it_was_wrong(recorder: Recorder) -> None:
    """What the first correction has struck lies between the passes and their play."""
    table = open_table(recorder).tell("round opening\np1 3s\np4 9d")
    for change, expected in (
        (a_play("p3", "9d"), ["p1 3s", "p2 -", "p3 9d"]),
        (a_play("p2", "9d"), ["p1 3s", "p2 9d"]),
        (a_play("p4", "9d"), ["p1 3s", "p2 -", "p3 -", "p4 9d"]),
        (None, ["p1 3s"]),
    ):
        corrected(table, {"target": table.page(1)["moves"][-1]["address"], "with": change})
        assert moves(table) == expected


def test_a_pass_alone_is_not_made_up_again(recorder: Recorder) -> None:
    table = open_table(recorder).tell("round opening\np1 3s\np4 9d\np1 Td")
    with table.recorder.night(table.night) as night:
        assert with_passes(night, 1, {"target": "3.1", "with": None}) == [{"target": "3.1", "with": None}]


def test_a_forgotten_play_takes_the_place_of_a_pass_that_was_filled_in(recorder: Recorder) -> None:
    table = open_table(recorder).tell("round opening\np1 3s\np4 9d\np1 Td")
    corrected(table, {"before": "3.2", "with": a_play("p3", "5c")})
    assert moves(table) == ["p1 3s", "p2 -", "p3 5c", "p4 9d", "p1 Td"]


def test_a_play_that_never_was_takes_its_passes_with_it(recorder: Recorder) -> None:
    table = open_table(recorder).tell("round opening\np1 3s\np3 5c\np4 9d")
    corrected(table, {"target": "3.1", "with": None})
    assert moves(table) == ["p1 3s", "p2 -", "p3 -", "p4 9d"]
    table.tell("undo\nundo")
    corrected(table, {"target": "3.1", "with": None})
    assert moves(table) == ["p1 3s"]


def test_passes_that_were_entered_stay(recorder: Recorder) -> None:
    table = open_table(recorder).tell("round opening\np1 3s\np2 -\np3 -\np4 5c")
    assert corrected(table, {"target": "5.0", "with": a_play("p4", "5d")}) == [
        {"target": "5.0", "with": a_play("p4", "5d")}
    ]
    assert moves(table) == ["p1 3s", "p2 -", "p3 -", "p4 5d"]


class Slip(NamedTuple):
    """A play of a round that is recorded for a wrong seat."""

    seats: int
    plays: list[tuple[str, list[str]]]
    """The plays of the round as they were, each with its player."""
    place: int
    seat: str
    later: int
    """How many plays follow before it is noticed."""


def slips(seed: int) -> Iterator[Slip]:
    """Slips in a generated round."""
    chance, ruleset = Random(seed), PRESETS[CLASSIC]
    round = whole_round(chance, ruleset)[-1].round
    plays = [move for move in round.moves if isinstance(move, Play)]
    told = [(tag(play.player), list(ruleset.deck.write(play.cards))) for play in plays]
    for _ in range(4):
        place, seat = chance.randrange(1, len(plays)), tag(chance.choice(round.header.seats))
        if told[place][0] != seat:
            yield Slip(len(round.header.seats), told, place, seat, chance.randrange(7))


@pytest.mark.parametrize("slip", [slip for seed in range(12) for slip in slips(seed)])
def test_a_wrong_seat_noticed_some_plays_later_leaves_no_trace(recorder: Recorder, slip: Slip) -> None:
    """As far as the recorder takes the wrong seat and what follows, the corrected round is the one without it."""
    right, wrong = (open_table(recorder, players=slip.seats) for _ in range(2))
    for table in (right, wrong):
        table.record("round", opening=True)
    address = ""
    for number, (who, cards) in enumerate(slip.plays[: slip.place + 1 + slip.later]):
        right.record("play", seat=who, cards=cards, stood=not number)
        try:
            seat = slip.seat if number == slip.place else who
            wrong.record("play", seat=seat, cards=cards, stood=not number)
        except Problem:
            break  # it is noticed here
        if number == slip.place:
            address = next(row["address"] for row in wrong.page(1)["moves"] if row["cards"] == cards)
    if address:
        who, cards = slip.plays[slip.place]
        corrected(wrong, {"target": address, "with": a_play(who, *cards)})
    assert moves(wrong) == moves(right)[: len(moves(wrong))]
    assert not any(row["stood"] for row in wrong.page(1)["moves"][2:] if row["move"])
