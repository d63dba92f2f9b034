"""Reading a whole database happens in slices, so that a writer waits for one slice at most."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from ledger.store import Store
from ledger.store.systems import sqlite as system_of_files
from ledger.store.systems import sqlite_copy
from ledger.store.systems.locks import LockFile
from tests.store.making import MadeNight, audited
from tests.store.systems import OtherProgram, edit_catalog
from tests.store.test_transactions import append_some

pytestmark = pytest.mark.sqlite

_STEPS = 100
_AN_ENTRY = 10
"""Steps for each entry: a night's entries are counted in one query, at a hundred million steps a second."""


class Stopwatch:
    """Counts SQLite's steps instead of seconds, so that other load on the machine does not matter."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.longest = self._steps = 0
        connect, shared = sqlite3.connect, LockFile.shared

        def counting(*given: Any, **how: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = connect(*given, **how)
            connection.set_progress_handler(self._count, _STEPS)
            return connection

        monkeypatch.setattr(sqlite3, "connect", counting)
        monkeypatch.setattr(LockFile, "shared", lambda lock: self._held(shared(lock)))

    def _count(self) -> None:
        self._steps += 1

    @contextmanager
    def _held(self, lock: AbstractContextManager[None]) -> Iterator[None]:
        with lock:
            before = self._steps
            yield
            self.longest = max(self.longest, self._steps - before)


def everything(store: Store, night: str, folder: Path) -> None:
    """Run everything that reads a whole database or night."""
    assert audited(store) == []
    assert list(store.export_log(night))
    store.copy_to(folder / f"copy-{store.describe().entries}.db")
    with store.reading() as reader:
        assert reader.events(night)
        assert reader.payments(night) == []
        assert reader.events_of_kinds(night, ["undo"]) == []


def test_no_transaction_that_reads_grows_with_the_night(
    store: Store, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_of_files, "_PAGES_AT_ONCE", 0)  # as for a larger database
    night, longest = MadeNight(store), []
    for _ in range(2):
        with store.writing(night.id) as writer:
            append_some(writer, night.id, 2000)
        with monkeypatch.context() as meanwhile:
            watch, tool = Stopwatch(meanwhile), Store.open(url, web=False)
            everything(tool, night.id, tmp_path)
            tool.close()
            longest.append(watch.longest)
    first, second = longest
    assert 0 < second - first < _AN_ENTRY * 2000 / _STEPS


def test_a_copy_is_taken_while_others_record_and_each_night_is_of_one_moment(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_copy, "_ENTRIES", 100)
    nights = [MadeNight(store) for _ in range(3)]
    for night in nights:
        with store.writing(night.id) as writer:
            append_some(writer, night.id, 2000)
    copier = threading.Thread(target=store.copy_to, args=(tmp_path / "copy.db",))
    copier.start()
    recorded = 0
    while copier.is_alive():
        nights[recorded % 3].name("p1", f"An {recorded}")
        recorded += 1
    assert recorded > 5
    with closing(Store.open(f"sqlite:///{tmp_path / 'copy.db'}", web=False)) as copy:
        assert copy.differences() == ()
        assert audited(copy) == []
        assert copy.describe().entries >= 3 * 2000


def without_some_rows(other: OtherProgram, index: str) -> None:
    """Make an index lack rows of its table, as a torn page may."""
    edit_catalog(other, "sql = sql || ' WHERE seq < 3' WHERE name = ?", index)
    other.run(f"REINDEX {index}")
    edit_catalog(other, "sql = replace(sql, ' WHERE seq < 3', '') WHERE name = ?", index)


@pytest.mark.parametrize("at_once", [0, 1000])
@pytest.mark.parametrize("index", ["event_by_round", "payment_by_round"])
def test_an_index_that_lacks_rows_is_found_however_large_the_file(
    night: MadeNight, other: OtherProgram, index: str, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_of_files, "_PAGES_AT_ONCE", at_once)
    assert night.store.damages() == []
    without_some_rows(other, index)
    assert night.store.differences() == ()
    (found, *_) = night.store.damages()
    assert index in found.what
