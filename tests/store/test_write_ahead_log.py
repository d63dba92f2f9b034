"""SQLite's write-ahead log: it stays short, has no erased name, belongs to its file, and ends with its users."""

import os
import re
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from ledger.store import Store, errors, files, migrate
from ledger.store.systems import sqlite, sqlite_connections
from ledger.store.systems.locks import LockFile
from ledger.store.systems.sqlite_log import log_size
from tests.store.making import MadeNight, audited, run_in_thread

pytestmark = pytest.mark.sqlite

PAGE = 4096


def log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def test_no_database_is_made_on_a_network_share(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (mounts := tmp_path / "mounts").write_text(f"host:/nights {tmp_path} nfs4 rw 0 0")
    monkeypatch.setattr(files, "_MOUNTS", mounts)
    with pytest.raises(errors.StoreFailing, match="network share"):
        migrate(url)


def has(text: str, path: Path) -> bool:
    """Whether the database or a file next to it has a text."""
    return any(text.encode() in file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


def test_the_log_is_cut_off_by_the_writer_that_finds_it_long(
    night: MadeNight, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "LOG_BYTES", 50 * PAGE)
    sizes = []
    for _ in range(40):
        night.append()
        sizes.append(log_size(path))
    assert 0 in sizes
    assert max(sizes) < 50 * PAGE
    assert min(size for size in sizes if size) < 20 * PAGE  # most writers leave it as it is
    assert audited(night.store) == []


def test_a_reader_keeps_the_log_only_until_it_is_too_long(
    night: MadeNight, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "LOG_BYTES", 10 * PAGE)
    monkeypatch.setattr(sqlite_connections, "BUSY_SECONDS", 20)
    with night.store.reading() as reader:
        head = reader.head(night.id)
        for _ in range(20):
            run_in_thread(night.append)
        assert log_size(path) > 20 * PAGE
        assert reader.head(night.id) == head
        monkeypatch.setattr(sqlite, "MOST_LOG_BYTES", 10 * PAGE)
        waiting = threading.Thread(target=night.append)
        waiting.start()
        waiting.join(0.3)
        assert waiting.is_alive()
    waiting.join()
    assert log_size(path) == 0
    assert night.head().seq == head.seq + 21


def test_a_name_that_a_reader_keeps_in_the_log_is_said_to_be_there_and_is_cut_off_later(
    night: MadeNight, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_connections, "BUSY_SECONDS", 0)
    night.name("p1", "Quyên")
    with night.store.reading() as reader:
        assert "Quyên" in reader.names(night.id).values()

        def forget() -> None:
            with (
                pytest.raises(errors.StoreUncertain, match="do it again"),
                night.store.writing(night.id, forgets=True) as writer,
            ):
                writer.erase_names(night.id)

        run_in_thread(forget)
        assert has("Quyên", path)
    night.append()
    assert not has("Quyên", path)


def test_a_log_that_was_cut_off_after_an_erasure_is_so_on_the_disk(
    night: MadeNight, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[os.stat_result] = []
    monkeypatch.setattr("os.fsync", lambda descriptor: flushed.append(os.fstat(descriptor)))
    night.append()
    assert flushed == []
    with night.store.writing(night.id, forgets=True) as writer:
        writer.erase_names(night.id)
    assert [one.st_ino for one in flushed] == [log_of(path).stat().st_ino]
    night.store.copy_to(copy := path.with_name("copy.db"))
    whole = copy.stat()
    assert (flushed[-1].st_ino, flushed[-1].st_size) == (whole.st_ino, whole.st_size)


def test_a_connection_is_set_as_before_after_it_has_cut_off_the_log(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "LOG_BYTES", 0)
    with closing(Store.open(url, web=False)) as store:
        night = MadeNight(store)
        with store.writing(night.id) as writer:
            assert sqlite_connections.wrong_settings(writer.connection) == []


def test_what_is_written_to_a_file_that_is_moved_away_meanwhile_may_be_lost(
    night: MadeNight, path: Path
) -> None:
    with pytest.raises(errors.StoreUncertain), night.store.writing(night.id):
        path.rename(path.with_name("elsewhere.db"))


def test_what_is_noted_of_the_file_in_use_replaces_what_was(tmp_path: Path) -> None:
    with closing(LockFile(tmp_path / "lock")) as lock:
        assert not lock.join()
        for file in ("", "12345", "67"):
            lock.used_file = file
            assert lock.used_file == file


def test_whoever_closes_empties_the_log_and_the_last_one_leaves_the_file_alone(path: Path, url: str) -> None:
    stores = [Store.open(url) for _ in range(2)]
    night = MadeNight(stores[0])
    assert log_size(path) > 0
    night.append()
    stores[0].close()
    assert log_of(path).exists()
    assert log_size(path) == 0
    stores[1].close()
    assert not log_of(path).exists()
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as alone:
        assert alone.execute("SELECT count(*) FROM event").fetchone() == (1,)


def test_whoever_closes_waits_for_the_lock(night: MadeNight, path: Path) -> None:
    closes = threading.Thread(target=night.store.close)
    with LockFile(sqlite.lock_path(path)).exclusive():
        closes.start()
        closes.join(0.2)
        assert closes.is_alive()
    closes.join()
    assert not log_of(path).exists()


def test_whoever_closes_does_not_wait_for_a_lock_that_cannot_be_used(
    night: MadeNight, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = sqlite.lock_path(path)
    lock.unlink()
    lock.mkdir()
    pauses: list[float] = []
    monkeypatch.setattr("ledger.store.systems.locks.time.sleep", pauses.append)
    night.store.close()
    assert pauses == []


def test_a_file_with_a_rollback_journal_is_refused_until_it_is_migrated(path: Path, url: str) -> None:
    with closing(sqlite3.connect(path)) as before:
        before.execute("PRAGMA journal_mode = delete")
    with closing(Store.open(url)) as store:
        assert store.differences() == ("pragma journal_mode is delete, not wal: migrate",)
        with pytest.raises(errors.StoreNotConforming, match="migrate"):
            MadeNight(store)
    migrate(url)
    with closing(Store.open(url)) as store:
        assert store.differences() == ()
        assert MadeNight(store).append().seq == 1


def test_a_file_system_without_shared_memory_is_refused(
    path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect

    def as_on_a_network_share(file: str, **how: object) -> sqlite3.Connection:
        return connect(f"{file}&vfs=unix-none" if "unix" not in file else file, **how)  # type: ignore[call-overload, no-any-return]

    with closing(connect(path)) as before:
        before.execute("PRAGMA journal_mode = delete")
    monkeypatch.setattr(sqlite3, "connect", as_on_a_network_share)
    with pytest.raises(errors.StoreFailing, match="network share"):
        migrate(url)


def head_in(path: Path, night: MadeNight) -> int:
    with closing(Store.open(f"sqlite:///{path}")) as store, store.reading() as reader:
        return reader.head(night.id).seq


def test_the_log_of_a_file_that_another_is_moved_over_is_put_aside(
    night: MadeNight, path: Path, tmp_path: Path
) -> None:
    night.store.copy_to(tmp_path / "other.db")
    night.append()
    kept = log_of(path).read_bytes()
    (tmp_path / "other.db").replace(path)
    assert head_in(path, night) == 4
    assert log_of(path).with_name(f"{path.name}-wal.of-another-file").read_bytes() == kept


def test_a_log_of_which_nobody_knows_whose_it_is_is_not_taken(
    night: MadeNight, path: Path, tmp_path: Path
) -> None:
    """After a crash, a folder is copied whole, and then another file is moved over the copied one."""
    night.store.copy_to(tmp_path / "other.db")
    night.append()
    (folder := tmp_path / "after a crash").mkdir()
    for file in path.parent.glob(f"{path.name}*"):
        shutil.copy(file, folder)
    copied = folder / path.name
    with pytest.raises(errors.StoreFailing, match=re.escape(f"whole, delete {copied}.lock.open")) as refused:
        head_in(copied, night)
    copied.with_name(f"{path.name}.lock.open").unlink()
    assert head_in(copied, night) == 5
    assert "otherwise move the log away" in str(refused.value)


def test_a_file_that_another_is_moved_over_is_neither_read_nor_written(night: MadeNight, path: Path) -> None:
    assert not night.store.is_replaced()
    other = path.with_name("other.db")
    shutil.copy(path, other)
    other.replace(path)
    assert night.store.is_replaced()
    with pytest.raises(errors.StoreFailing, match="is not the file any more"), night.store.reading():
        pass
    with pytest.raises(errors.StoreFailing, match="is not the file any more"):
        night.append()
    with pytest.raises(errors.StoreFailing, match="is not the file any more"):
        night.store.differences()
