"""Nights that are imported from replays."""

import pytest

from ledger.game import notation
from ledger.game.night import Night
from ledger.recorder import Recorder, audit, import_tln
from ledger.store import NewEvent, StoreError, Writer
from tests.factories import NightFactory
from tests.recorder.tables import Table, record_text
from tests.stories import A_ROUND, whole


def record(number: int) -> Night:
    return notation.replay(notation.read(record_text(number)))


def test_rounds_that_cannot_be_settled_are_named(recorder: Recorder) -> None:
    table: Table = NightFactory.create(
        by=recorder, story=f"{A_ROUND} \n round lead p1 p1 p2 \n p1 claims {whole('p1')}"
    )
    found = import_tln(recorder, table.ask.whole())
    assert found.unsettled == (1,)
    assert found.events == len(Table(recorder, found.night).log())


def test_an_imported_night_can_be_played_on_and_is_audited_clean(recorder: Recorder) -> None:
    table = Table(recorder, import_tln(recorder, record(1)).night)
    table.after = table.board()["after"]
    table.tell("pay p1 p2 1 tiền xe \n end")
    assert list(audit(recorder, table.night)) == []


def test_what_fails_in_the_middle_leaves_nothing_behind(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A night is imported completely or not at all."""
    append, night = Writer.append, record(5)

    def full(writer: Writer, event: NewEvent) -> None:
        if event.row.seq == 100:
            raise StoreError("no room is left")
        append(writer, event)

    with monkeypatch.context() as patch:
        patch.setattr(Writer, "append", full)
        with pytest.raises(StoreError):
            import_tln(recorder, night)
    assert recorder.nights() == []
    assert list(audit(recorder)) == []
    assert len(Table(recorder, import_tln(recorder, night).night).log()) > 100
