"""Limits of entries in a round and rounds in a night, so that none takes long to read."""

import json
import time

import pytest

from ledger.game.errors import Code
from ledger.game.fold import MOST_ENTRIES
from ledger.recorder import Recorder, audit
from ledger.recorder.round_log import ENTRIES_PER_CHANGE
from tests.factories import NightFactory
from tests.recorder.tables import Table, open_table

INSERTED = 64
"""The largest number of changes in a correction."""


@pytest.fixture
def table(recorder: Recorder) -> Table:
    table: Table = NightFactory.create(by=recorder, story="round opening\np1 3s\np2 - ! \np2 - !")
    return table


def correction(of: int = INSERTED) -> str:
    return "correct " + " | ".join(["before 4.0 = p2 - !"] * of) + " because x"


@pytest.mark.slow
def test_a_round_takes_so_many_entries_by_corrections_and_no_more(table: Table) -> None:
    """Regression: without a limit, the audit of such a round took 19 s."""
    while (room := MOST_ENTRIES - entries(table) - ENTRIES_PER_CHANGE) >= INSERTED:
        table.tell(correction())
    began = time.process_time()
    refusal = table.refused(correction(room + 1))
    assert (refusal.code, refusal.status, refusal.clause) == (Code.TOO_MANY_ENTRIES, 422, "S-END")
    table.tell(correction(room))
    for line in ("p3 4d", "undo", "correct 2.0 = struck because x"):
        assert table.refused(line).code == Code.TOO_MANY_ENTRIES
    assert list(audit(table.recorder, table.night)) == []
    assert time.process_time() - began < 10
    table.tell("void 1 because x\nround opening\np1 3s")
    assert table.round()["number"] == 2


def test_what_was_taken_back_counts(table: Table) -> None:
    while MOST_ENTRIES - entries(table) >= (INSERTED + ENTRIES_PER_CHANGE) * 2:
        table.tell(f"{correction()}\nundo")
    assert len(table.round()["moves"]) == 3
    taken_back = 0
    while entries(table) + 2 + ENTRIES_PER_CHANGE <= MOST_ENTRIES:
        table.tell("p3 4d\nundo")
        taken_back += 1
    assert 0 < taken_back < INSERTED * 2 // ENTRIES_PER_CHANGE + 2
    assert {table.refused(line).code for line in ("undo", "p3 4d")} == {Code.TOO_MANY_ENTRIES}


@pytest.mark.slow
def test_a_round_is_corrected_so_often_that_it_is_read_in_a_moment(table: Table) -> None:
    """Regression: a long round was judged again for each of hundreds of corrections; its audit took ten seconds."""
    for _ in range(6):
        table.tell(correction())
    moves, corrections = len(table.round()["moves"]), 0
    while entries(table) + 1 + ENTRIES_PER_CHANGE <= MOST_ENTRIES:
        table.tell(correction(1))
        corrections += 1
    assert table.refused(correction(1)).code == Code.TOO_MANY_ENTRIES
    assert (moves + corrections) * corrections < MOST_ENTRIES**2 / 4 / ENTRIES_PER_CHANGE
    began = time.process_time()
    assert list(audit(table.recorder, table.night)) == []
    assert time.process_time() - began < 10
    table.tell("void 1 because x\nround opening\np1 3s")


@pytest.mark.slow
def test_a_night_takes_so_many_rounds_and_no_more(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.game.night.MOST_ROUNDS", 12)
    table = open_table(recorder)
    for number in range(1, 13):
        table.tell(f"round opening\nvoid {number} because x")
    refusal = table.refused("round opening")
    assert (refusal.code, refusal.clause) == (Code.TOO_MANY_ROUNDS, "S-DEAL")
    table.tell("end")


def entries(table: Table) -> int:
    """The number of entries that count for the only round."""
    return sum(
        len(json.loads(event["body"])["parts"])
        + ENTRIES_PER_CHANGE * (event["kind"] in ("correct", "undo", "redo"))
        for event in table.log()
    )
