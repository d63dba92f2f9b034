"""What was recorded is in SQLite's log alone for a second at most; and a log that is taken away takes no entry."""

import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from ledger.store import Store, errors
from ledger.store.systems import log_emptier
from ledger.store.systems.locks import LockFile
from ledger.store.systems.sqlite import lock_path
from ledger.store.systems.sqlite_log import log_path, log_size
from tests.processes import wait_for
from tests.store.making import MadeNight, audited

pytestmark = pytest.mark.sqlite

_NEVER = 3600.0


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log is emptied as soon as possible after a commit, not a second later."""
    monkeypatch.setattr(log_emptier, "SECONDS", 0.0)


@pytest.fixture
def never(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test takes so long that the log is emptied after a commit."""
    monkeypatch.setattr(log_emptier, "SECONDS", _NEVER)


def without_its_log(path: Path) -> int:
    """How many entries a database has without its log."""
    copy = path.with_name("without.db")
    shutil.copy(path, copy)
    with closing(sqlite3.connect(f"{copy.as_uri()}?immutable=1", uri=True)) as alone:
        (number,) = alone.execute("SELECT count(*) FROM event").fetchone()
    return int(number)


@pytest.mark.usefixtures("at_once")
def test_after_each_entry_of_an_evening_nothing_stays_in_the_log_alone(night: MadeNight, path: Path) -> None:
    for number in range(5, 45):
        night.append()
        wait_for(lambda: not log_size(path))
        assert without_its_log(path) == number
    assert audited(night.store) == []


@pytest.mark.usefixtures("at_once")
def test_what_another_process_of_the_server_recorded_is_copied_as_well(
    night: MadeNight, path: Path, url: str
) -> None:
    with closing(Store.open(url)) as another:
        MadeNight(another)
        night.append()
        wait_for(lambda: not log_size(path))
        assert without_its_log(path) == night.head().seq


@pytest.mark.usefixtures("at_once")
def test_a_log_that_a_reader_needs_is_emptied_once_it_has_ended(night: MadeNight, path: Path) -> None:
    with night.store.reading() as reader:
        head = reader.head(night.id)
        recording = threading.Thread(target=night.append)
        recording.start()
        recording.join()
        assert log_size(path)
        assert reader.head(night.id) == head
    wait_for(lambda: not log_size(path))
    assert without_its_log(path) == head.seq + 1


@pytest.mark.usefixtures("at_once")
def test_a_log_is_not_emptied_beside_who_holds_the_lock(night: MadeNight, path: Path) -> None:
    with LockFile(lock_path(path)).exclusive():
        recording = threading.Thread(target=night.append)
        recording.start()
        recording.join(0.1)
        size = log_size(path)
        recording.join(0.1)
        assert log_size(path) == size
    recording.join()
    wait_for(lambda: not log_size(path))


@pytest.mark.usefixtures("never")
def test_entries_in_quick_succession_share_one_copy(night: MadeNight, path: Path) -> None:
    sizes = []
    for _ in range(10):
        night.append()
        sizes.append(log_size(path))
    assert sizes == sorted(sizes)
    assert without_its_log(path) < 10


@pytest.mark.usefixtures("at_once")
def test_no_thread_outlives_its_store(url: str) -> None:
    before = threading.active_count()
    for _ in range(3):
        with closing(Store.open(url)) as store:
            MadeNight(store)
            assert threading.active_count() == before + 1
    assert threading.active_count() == before


def removed(log: Path) -> None:
    log.unlink()


def replaced(log: Path) -> None:
    """By an older copy of itself, which SQLite would read."""
    older = log.with_name("older")
    shutil.copy(log, older)
    older.replace(log)


TAKEN = pytest.mark.parametrize("take", [removed, replaced])


@TAKEN
@pytest.mark.usefixtures("never")
def test_nothing_is_recorded_once_the_log_is_taken_away_and_nothing_is_lost(
    night: MadeNight, path: Path, url: str, take: Callable[[Path], None]
) -> None:
    before = night.append().seq
    take(log_path(path))
    for use in (night.append, lambda: night.store.confirm(night.id), night.store.check):
        with pytest.raises(errors.StoreFailing, match="start the server again"):
            use()
    assert night.head().seq == before
    night.store.close()
    with closing(Store.open(url)) as store, store.reading() as reader:
        assert reader.head(night.id).seq == before
        assert audited(store) == []


@TAKEN
@pytest.mark.usefixtures("at_once")
def test_what_was_in_a_log_that_is_taken_away_is_in_the_database_a_second_later(
    night: MadeNight, path: Path, take: Callable[[Path], None]
) -> None:
    with night.store.reading() as reader:  # until it has ended, the log is not emptied
        reader.head(night.id)
        recording = threading.Thread(target=night.append)
        recording.start()
        recording.join()
        take(log_path(path))
    wait_for(lambda: without_its_log(path) == 5 and not log_size(path))
    with pytest.raises(errors.StoreFailing):
        night.append()


@pytest.mark.usefixtures("never")
def test_a_log_that_sqlite_itself_makes_anew_is_no_other_log(night: MadeNight, path: Path, url: str) -> None:
    """The last connection that closes deletes the log, and the next one makes it."""
    night.store.close()
    for _ in range(2):
        with closing(Store.open(url)) as store:
            MadeNight(store)
            store.check()
