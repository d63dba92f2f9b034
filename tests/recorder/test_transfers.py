"""Nights exported as replays and imported again."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ledger.game import notation
from ledger.game.night import Night
from ledger.recorder import Recorder, audit, export_tln, import_tln
from ledger.store import NewEvent, StoreError, Writer
from tests.recorder.tables import A_ROUND, Table, open_table, opened, record_text, whole

TAKEN_BACK = f"""
    {A_ROUND}
    round lead p4 p4 p3 p2 p1 !
    p4 3h 3d 3s
    undo
    p4 4h
    p2 6c 8c !
    pay p4 p1 7 làm rơi bài
    undo
    redo
"""


def read(text: str) -> Night:
    return notation.replay(notation.read(text))


def imported(recorder: Recorder, text: str) -> Table:
    night = import_tln(recorder, read(text)).night
    return Table(recorder, night)


@pytest.fixture
def elsewhere(tmp_path: Path, empty_database: Path) -> Iterator[Recorder]:
    """Another installation."""
    with opened(tmp_path / "elsewhere.db", empty_database) as recorder:
        yield recorder


def test_what_was_taken_back_is_not_in_the_replay(recorder: Recorder, elsewhere: Recorder) -> None:
    table = open_table(recorder).tell(TAKEN_BACK)
    text = export_tln(recorder, table.night)
    assert "3d" not in text
    assert "p2 6c 8c !" in text
    assert "round 2 lead p4 p4 p3 p2 p1 !" in text
    assert "pay p4 p1 7 làm rơi bài" in text
    again = imported(elsewhere, text)
    assert export_tln(elsewhere, again.night) == text
    assert (again.board()["unsettled"], again.board()["net"]) == ([1, 2], table.board()["net"])
    assert [finding["code"] for finding in again.round()["findings"]] == [
        finding["code"] for finding in table.round()["findings"]
    ]


def test_rounds_that_cannot_be_settled_are_named(recorder: Recorder) -> None:
    table = open_table(recorder).tell(f"{A_ROUND} \n round lead p1 p1 p2 \n p1 claims {whole('p1')}")
    found = import_tln(recorder, table.ask.whole())
    assert found.unsettled == (1,)
    assert found.events == len(Table(recorder, found.night).log())


def test_an_imported_night_can_be_played_on_and_is_audited_clean(recorder: Recorder) -> None:
    table = imported(recorder, record_text(1))
    table.after = table.board()["after"]
    table.tell("pay p1 p2 1 tiền xe \n end")
    assert list(audit(recorder, table.night)) == []


def test_what_the_host_carried_in_says_so(recorder: Recorder) -> None:
    table = imported(recorder, record_text(1))
    assert {row["actor"] for row in table.page(1)["moves"]} == {"host"}


# Atomicity


def test_what_fails_in_the_middle_leaves_nothing_behind(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A night is imported completely or not at all."""
    append, night = Writer.append, read(record_text(5))

    def full(writer: Writer, event: NewEvent) -> None:
        if event.row.seq == 100:
            raise StoreError("no room is left")
        append(writer, event)

    with ExitStack() as stack:
        patch = stack.enter_context(monkeypatch.context())
        patch.setattr(Writer, "append", full)
        with pytest.raises(StoreError):
            import_tln(recorder, night)
    assert recorder.nights() == []
    assert list(audit(recorder)) == []
    assert len(Table(recorder, import_tln(recorder, night).night).log()) > 100
