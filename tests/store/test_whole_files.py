"""Reading a whole database keeps no writer waiting, and waits for none."""

import threading
from contextlib import closing
from pathlib import Path

import pytest

from ledger.store import Store
from tests.store.making import MadeNight, audited, run_in_thread
from tests.store.systems import OtherProgram, edit_catalog
from tests.store.test_transactions import append_some

pytestmark = pytest.mark.sqlite


def everything(store: Store, night: str, folder: Path) -> None:
    """Run everything that reads a whole database or night."""
    assert store.differences() == ()
    assert audited(store) == []
    assert list(store.export_log(night))
    store.copy_to(folder / "copy.db")
    with store.reading() as reader:
        assert reader.events(night)
        assert reader.balances(night)


def test_nothing_that_reads_waits_for_a_writer(night: MadeNight, url: str, tmp_path: Path) -> None:
    with night.store.writing(night.id) as writer:
        append_some(writer, night.id, 1)
        with closing(Store.open(url, web=False)) as tool:
            run_in_thread(lambda: everything(tool, night.id, tmp_path))
    with closing(Store.open(f"sqlite:///{tmp_path / 'copy.db'}", web=False)) as copy:
        assert copy.describe().entries == 4  # what the writer had not committed is not in it


def test_a_copy_is_of_one_moment_while_others_record(store: Store, tmp_path: Path) -> None:
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
    with closing(Store.open(f"sqlite:///{tmp_path / 'copy.db'}", web=False)) as copy:
        assert copy.differences() == ()
        assert audited(copy) == []
        entries = [listed.entries for listed in copy.listed_nights()]
    assert 3 * 2000 <= sum(entries) <= 3 * 2000 + recorded
    assert max(entries) - min(entries) <= 1  # the nights were recorded in turn


def test_an_index_that_lacks_rows_is_found(night: MadeNight, other: OtherProgram) -> None:
    index = "event_by_round"
    assert night.store.damages() == []
    edit_catalog(other, "sql = sql || ' WHERE seq < 3' WHERE name = ?", index)
    other.run(f"REINDEX {index}")
    edit_catalog(other, "sql = replace(sql, ' WHERE seq < 3', '') WHERE name = ?", index)
    assert night.store.differences() == ()
    (found, *_) = night.store.damages()
    assert index in found.what
