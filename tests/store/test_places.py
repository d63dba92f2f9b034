"""Copies of a database: made, inspected in a scratch folder, and put in place."""

import errno
import fcntl
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ledger.store import (
    MOST_AT_ONCE,
    Store,
    errors,
    migrate,
    put_in_place,
    require_empty,
    same_database,
    scratch,
    server_key,
    sweep,
    temporary_folder,
    translated_file_errors,
    without_password,
)
from tests.store.making import MadeNight
from tests.store.systems import OtherProgram, SqliteProgram

pytestmark = pytest.mark.sqlite


@pytest.fixture
def copy(night: MadeNight, tmp_path: Path) -> Path:
    """A copy of a database with a night in it."""
    file = tmp_path / "copy.db"
    night.store.copy_to(file)
    return file


def test_a_copy_holds_all_that_the_database_holds(copy: Path, other: OtherProgram) -> None:
    with closing(SqliteProgram(copy)) as program:
        assert program.contents() == other.contents()


def test_a_copy_waits_for_no_reader_and_is_of_the_moment_before_a_writer_commits(
    night: MadeNight, tmp_path: Path
) -> None:
    head = night.head()
    night.store.copy_to(tmp_path / "before.db")
    night.append()
    with Store.open(f"sqlite:///{tmp_path / 'before.db'}").reading() as reader:
        assert reader.head(night.id) == head


def test_what_happens_in_a_scratch_place_leaves_the_copy_as_it_was(copy: Path, tmp_path: Path) -> None:
    before = copy.read_bytes()
    with scratch(copy, tmp_path) as url:
        MadeNight(Store.open(url)).play_a_little()
    assert copy.read_bytes() == before
    assert not list(tmp_path.glob(".tienlen-*"))


def test_what_is_no_database_does_not_come_to_life(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(b"no database at all " * 1000)
    with pytest.raises(errors.StoreDamaged), scratch(copy, tmp_path):
        pass
    assert list(tmp_path.iterdir()) == [copy]


def test_a_temporary_folder_that_is_swept_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = fcntl.flock

    def lock_after_a_sweep(descriptor: int, operation: int) -> None:
        monkeypatch.setattr(fcntl, "flock", lock)
        sweep(tmp_path)
        lock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", lock_after_a_sweep)
    with temporary_folder(tmp_path) as folder:
        assert list(tmp_path.iterdir()) == [folder]


def test_what_a_killed_process_left_is_swept_and_nothing_else(tmp_path: Path) -> None:
    with temporary_folder(tmp_path) as living:
        (nights := tmp_path / "nights").mkdir()
        (left := tmp_path / f"{living.name}-of-another").mkdir()
        (left / "scratch.db").touch()
        sweep(tmp_path)
        assert set(tmp_path.iterdir()) == {living, nights}
    assert list(tmp_path.iterdir()) == [nights]


def test_a_temporary_folder_that_is_gone_before_its_end_is_no_failure(tmp_path: Path) -> None:
    with temporary_folder(tmp_path) as folder:
        shutil.rmtree(folder)


@pytest.fixture
def lenient() -> Iterator[None]:
    """Other users may have all rights to what this process makes, unless it says otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("lenient")
def test_all_files_are_for_their_owner_only(tmp_path: Path) -> None:
    url, copy = f"sqlite:///{tmp_path / 'made.db'}", tmp_path / "copy.db"
    migrate(url)
    server_key(tmp_path / "server.key", {})
    with closing(Store.open(url)) as store:
        MadeNight(store)
        store.copy_to(copy)
        with scratch(copy, tmp_path) as place:
            put_in_place(place, f"sqlite:///{tmp_path / 'place.db'}")
            files = [file for file in tmp_path.rglob("*") if file.is_file()]
            assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}, files


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def test_files_are_closed_again(copy: Path, tmp_path: Path, url: str) -> None:
    before = open_files()
    with scratch(copy, tmp_path) as place:
        put_in_place(place, f"sqlite:///{tmp_path / 'place.db'}")
        sweep(tmp_path)
    for taken in (url, f"sqlite:///{tmp_path / 'place.db'}"):
        with pytest.raises(errors.PlaceTaken):
            require_empty(taken)
    (tmp_path / ".tienlen-left").mkdir()
    sweep(tmp_path)
    with closing(Store.open(f"sqlite:///{tmp_path / 'place.db'}")) as store:
        MadeNight(store)
    (tmp_path / "place.db").unlink()
    assert open_files() == before


def require_in_use(url: str) -> None:
    with pytest.raises(errors.PlaceTaken, match="open in another process"):
        require_empty(url)


def test_a_database_is_in_use_until_the_last_who_opened_it_closes_it(night: MadeNight, url: str) -> None:
    with closing(Store.open(url)):
        night.store.close()
        require_in_use(url)
    with pytest.raises(errors.PlaceTaken, match="is there already"):
        require_empty(url)


def test_whoever_could_not_open_a_database_has_it_open_no_longer(
    night: MadeNight, other: OtherProgram, url: str
) -> None:
    other.run("UPDATE alembic_version SET version_num = '9999'")
    night.store.close()
    with pytest.raises(errors.StoreNewer) as kept:
        Store.open(url)
    with pytest.raises(errors.PlaceTaken, match="is there already"):
        require_empty(url)
    del kept  # it held the store until here


def test_whoever_was_refused_as_not_the_only_user_still_is_one(night: MadeNight, url: str) -> None:
    with closing(Store.open(url)) as second:
        with second.writing(night.id, entries=MOST_AT_ONCE):
            pass
        with pytest.raises(errors.StoreBusy), second.writing(night.id, entries=MOST_AT_ONCE + 1):
            pass
        night.store.close()
        require_in_use(url)


def test_a_database_is_put_in_place_once(copy: Path, tmp_path: Path, night: MadeNight) -> None:
    place = tmp_path / "place.db"
    with scratch(copy, tmp_path) as url:
        put_in_place(url, f"sqlite:///{place}")
        with pytest.raises(errors.PlaceTaken, match=r"place\.db"):
            put_in_place(url, f"sqlite:///{place}")
    with closing(Store.open(f"sqlite:///{place}")) as store:
        with store.reading() as reader:
            assert reader.head(night.id).seq == 4
        store.check()


def test_the_name_of_a_database_that_is_put_in_place_is_flushed_to_the_disk(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, flush, flushed = tmp_path / "to" / "place.db", os.fsync, set[tuple[int, bool]]()
    place.parent.mkdir()

    def noted(descriptor: int) -> None:
        flushed.add((os.fstat(descriptor).st_ino, place.exists()))
        flush(descriptor)

    monkeypatch.setattr("os.fsync", noted)
    with scratch(copy, tmp_path) as url:
        put_in_place(url, f"sqlite:///{place}")
    assert (place.stat().st_ino, False) in flushed
    assert (place.parent.stat().st_ino, True) in flushed


def test_a_journal_that_was_left_behind_would_be_played_into_the_database(copy: Path, tmp_path: Path) -> None:
    """So a database is not put in place next to one."""
    (tmp_path / "place.db-journal").write_bytes(b"")
    with scratch(copy, tmp_path) as url, pytest.raises(errors.PlaceTaken, match="journal"):
        put_in_place(url, f"sqlite:///{tmp_path / 'place.db'}")


def test_a_copy_that_cannot_be_written_says_so(night: MadeNight, tmp_path: Path) -> None:
    with pytest.raises(errors.StoreFailing):
        night.store.copy_to(tmp_path / "nowhere" / "copy.db")
    (tmp_path / "taken.db").write_bytes(b"something else " * 100)
    with pytest.raises(errors.StoreError):
        night.store.copy_to(tmp_path / "taken.db")


@pytest.mark.parametrize(
    ("meaning", "numbers"),
    [
        (errors.StoreFull, (errno.ENOSPC, errno.EDQUOT)),
        (errors.StoreReadOnly, (errno.EROFS, errno.EACCES, errno.EPERM)),
        (errors.StoreFailing, (errno.EIO, errno.ENOENT)),
    ],
)
def test_failures_of_files_are_told_apart(meaning: type[errors.StoreError], numbers: tuple[int, ...]) -> None:
    told = "the copy cannot be kept"
    for number in numbers:
        with pytest.raises(meaning, match=f"^{told}: "), translated_file_errors(told):
            raise OSError(number, "what the system said")


@pytest.mark.parametrize(
    ("other", "same"),
    [("sqlite:///a.db", True), ("sqlite:///b.db", False), ("postgresql://host/a", False)],
)
def test_addresses_of_one_database_are_told_from_those_of_others(other: str, same: bool) -> None:
    assert same_database("sqlite:///a.db", other) is same
    assert same_database(other, "sqlite:///a.db") is same
    assert without_password(other) == other


def test_an_address_is_shown_without_its_password_whatever_it_names() -> None:
    assert without_password("mysql://web:secret@host/ledger") == "mysql://web:***@host/ledger"
    with pytest.raises(errors.StoreAddressUnusable):
        without_password("ledger.db")
