"""Nothing is half-recorded when the disk fails in the middle of an entry, and the next entry is recorded."""

import sqlite3
from typing import Any

import pytest
from sqlalchemy import event as events

from ledger.recorder import Recorder, StoreUnavailable, audit
from ledger.store import StoreFull
from ledger.store.log import Writer
from ledger.store.systems.sqlite_connections import store_error
from tests.recorder.tables import Table, open_table
from tests.stories import A_ROUND, A_SETTLED_ROUND, read_story

ENTRIES = [
    ("", "round opening"),
    ("round opening \n p1 3s", "p4 2h"),
    ("round opening \n p1 3s \n p4 2h", "undo"),
    ("round opening \n p1 3s \n p4 2h \n undo", "redo"),
    (f"{A_ROUND} \n p2 declares 2c", "settle"),
    (A_SETTLED_ROUND, "round lead p1"),
    ("", "pay p1 p2 5 bia"),
    ("", "end"),
]


def no_room(*_: object, **__: object) -> Any:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorname = "SQLITE_FULL"
    raise error


@pytest.mark.parametrize(("story", "line"), ENTRIES)
def test_an_entry_that_cannot_be_written_leaves_nothing_behind(
    table: Table, monkeypatch: pytest.MonkeyPatch, story: str, line: str
) -> None:
    """The disk fails after all is written, before the commit."""
    before, contents = table.tell(story).board(), table.contents()
    ((kind, content),) = read_story(line)
    request, append = table.request(kind, content), Writer.append
    with monkeypatch.context() as patch:
        patch.setattr(Writer, "append", lambda *args, **named: (append(*args, **named), no_room()))
        with pytest.raises(sqlite3.OperationalError):
            table.recorder.record(table.night, request, table.keeper)
    assert table.contents() == contents
    assert table.board() == before == table.restarted().board()
    assert table.send(request).created
    assert table.restarted().board() == table.board()
    assert list(audit(table.recorder)) == []


def test_a_night_that_cannot_be_committed_was_never_opened(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = Writer.create_night
    with monkeypatch.context() as patch:
        patch.setattr(Writer, "create_night", lambda *args: (create(*args), no_room()))
        with pytest.raises(sqlite3.OperationalError):
            open_table(recorder)
    assert recorder.nights() == []
    assert open_table(recorder).board()["seq"] == 0


def test_a_commit_that_fails_says_so_in_the_stores_words_and_keeps_nothing(table: Table) -> None:
    before, contents = table.tell("round opening").board(), table.contents()
    with table.recorder.store.writing(table.night) as writer:
        engine = writer.connection.engine

    def fail(connection: Any) -> None:
        try:
            no_room()
        except sqlite3.OperationalError as error:
            raise store_error(error) from error

    request = table.request("play", {"seat": "p1", "cards": ["3s"]})
    events.listen(engine, "commit", fail)
    try:
        with pytest.raises(StoreUnavailable) as caught:
            table.recorder.record(table.night, request, table.keeper)
    finally:
        events.remove(engine, "commit", fail)
    assert isinstance(caught.value, StoreFull)
    assert table.contents() == contents
    assert table.board() == before
    assert table.send(request).created
