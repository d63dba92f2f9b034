"""SQLite's log as a file: what is damaged in it is found before SQLite reads it, and its frames are counted."""

import shutil
import sqlite3
import struct
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random

import pytest

from ledger.store import Store, StoreUnavailable, migrate
from ledger.store.systems.sqlite_log import LogState, examine_log, frames_cut_off
from tests.store.making import MadeNight

pytestmark = pytest.mark.sqlite

HEADER, FRAME, PAGE = 32, 24, 4096


def log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def index_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-shm")


@pytest.fixture
def crashed(night: MadeNight, path: Path, tmp_path: Path) -> Path:
    """A database whose server has crashed, in a folder of its own: its last entries are in the log alone."""
    folder = tmp_path / "crashed"
    folder.mkdir()
    for file in (path, log_of(path), index_of(path)):
        shutil.copy(file, folder)
    return folder / path.name


@pytest.fixture
def log(crashed: Path) -> bytes:
    return log_of(crashed).read_bytes()


def frames_of(log: bytes) -> int:
    return (len(log) - HEADER) // (FRAME + PAGE)


def test_a_log_that_sqlite_reads_to_its_end_is_whole(log: bytes) -> None:
    assert examine_log(log) == LogState(frames_of(log), 0)
    assert frames_of(log) > 10
    assert examine_log(b"") == examine_log(log[:HEADER]) == examine_log(log[:20]) == LogState()


def test_every_flipped_bit_is_found_and_the_frames_from_there_on_are_counted(log: bytes) -> None:
    chance, all_frames = Random(61), frames_of(log)
    for frame in range(all_frames):
        begins = HEADER + frame * (FRAME + PAGE)
        for place in (*range(begins, begins + FRAME), begins + FRAME + chance.randrange(PAGE)):
            state = examine_log(flipped(log, place, chance.randrange(8)))
            assert state == LogState(frame, all_frames - frame), (frame, place - begins)
    for place in range(HEADER):
        assert examine_log(flipped(log, place, chance.randrange(8))) == LogState(0, all_frames), place


def flipped(content: bytes, place: int, bit: int) -> bytes:
    return content[:place] + bytes((content[place] ^ 1 << bit,)) + content[place + 1 :]


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_log_of_a_machine_with_the_other_order_of_bytes_is_read(log: bytes, order: str) -> None:
    """Only the checksums depend on the order of bytes."""
    written = rewritten(log, order)
    assert examine_log(written) == LogState(frames_of(log), 0)
    assert examine_log(flipped(written, HEADER + FRAME + 7, 0)) == LogState(0, frames_of(log))


def rewritten(log: bytes, order: str) -> bytes:
    """A log with the checksums of a machine of an order of bytes, as SQLite's documentation states them."""

    def checksum(before: tuple[int, int], data: bytes) -> tuple[int, int]:
        one, two = before
        words = struct.unpack(f"{order}{len(data) // 4}I", data)
        for place in range(0, len(words), 2):
            one = (one + words[place] + two) % 2**32
            two = (two + words[place + 1] + one) % 2**32
        return one, two

    head = struct.pack(">I", 0x377F0682 | (order == ">")) + log[4:24]
    sums = checksum((0, 0), head)
    made = head + struct.pack(">2I", *sums)
    for place in range(HEADER, len(log), FRAME + PAGE):
        frame, page = log[place : place + 16], log[place + FRAME : place + FRAME + PAGE]
        sums = checksum(sums, frame[:8] + page)
        made += frame + struct.pack(">2I", *sums) + page
    return made


def test_what_an_earlier_use_of_the_file_left_behind_is_no_damage(night: MadeNight, path: Path) -> None:
    """A log that was copied into the database is overwritten from its beginning, with other salts."""
    with closing(sqlite3.connect(path, isolation_level=None)) as program:
        program.execute("PRAGMA wal_checkpoint(PASSIVE)")
    frames = frames_of(log_of(path).read_bytes())
    night.append()
    log = log_of(path).read_bytes()
    assert frames_of(log) == frames
    assert 0 < examine_log(log).whole < frames
    assert examine_log(log).unread == 0


def test_frames_of_a_transaction_that_was_not_committed_are_no_damage(log: bytes) -> None:
    """A writer that was killed leaves whole frames, which the next one overwrites in part."""
    pages = [struct.unpack_from(">I", log, place + 4)[0] for place in range(HEADER, len(log), FRAME + PAGE)]
    begins = next(at for at in range(2, len(pages)) if not pages[at] and not pages[at + 1])
    cut = log[: HEADER + (begins + 2) * (FRAME + PAGE)]
    assert examine_log(flipped(cut, HEADER + begins * (FRAME + PAGE) + FRAME, 3)) == LogState(begins, 0)


def test_a_log_that_ends_within_a_frame_ends_with_the_one_before(log: bytes) -> None:
    assert examine_log(log[:-1]) == LogState(frames_of(log) - 1, 0)


def test_a_header_without_anything_in_it_hides_no_frame(log: bytes) -> None:
    assert examine_log(bytes(HEADER) + log[HEADER:]) == LogState(0, frames_of(log))
    assert (
        examine_log(bytes(HEADER + FRAME + PAGE) + log[HEADER + FRAME + PAGE :]).unread == frames_of(log) - 1
    )


def opened(path: Path) -> None:
    Store.open(f"sqlite:///{path}", web=False).close()


def migrated(path: Path) -> None:
    migrate(f"sqlite:///{path}")


@pytest.mark.parametrize("use", [opened, migrated])
def test_a_damaged_log_is_kept_before_sqlite_overwrites_it_until_the_host_removes_it(
    crashed: Path, log: bytes, use: Callable[[Path], None]
) -> None:
    damaged = flipped(log, HEADER + 3 * (FRAME + PAGE) + 100, 1)
    log_of(crashed).write_bytes(damaged)
    use(crashed)
    assert not log_of(crashed).exists()
    opened(crashed)
    with closing(Store.open(f"sqlite:///{crashed}")) as store:
        (kept,) = store.damaged_logs()
    assert kept.frames == frames_of(log) - 3
    assert kept.file.read_bytes() == damaged
    kept.file.unlink()
    with closing(Store.open(f"sqlite:///{crashed}")) as store:
        assert not store.damaged_logs()


@pytest.mark.parametrize("use", [opened, migrated])
def test_a_log_that_was_cut_is_kept_with_the_number_of_frames_that_its_index_counts(
    crashed: Path, log: bytes, use: Callable[[Path], None]
) -> None:
    log_of(crashed).write_bytes(log[: HEADER + 4 * (FRAME + PAGE) + 1000])
    use(crashed)
    with closing(Store.open(f"sqlite:///{crashed}")) as store:
        (kept,) = store.damaged_logs()
    assert kept.frames == frames_of(log) - 4


def test_an_index_of_another_log_says_nothing(crashed: Path, log: bytes) -> None:
    """After a power cut the index on the disk may be of any time before."""
    index = index_of(crashed).read_bytes()
    cut = log[: HEADER + 4 * (FRAME + PAGE)]
    assert frames_cut_off(log, index) == 0
    assert frames_cut_off(cut, index) == frames_of(log) - 4
    assert frames_cut_off(cut[:16] + bytes(8) + cut[24:], index) == 0
    assert frames_cut_off(b"", index) == frames_cut_off(cut, b"") == frames_cut_off(cut, bytes(48)) == 0


def test_a_log_that_is_cut_under_a_server_is_found_by_its_check_and_refuses_entries(
    night: MadeNight, path: Path
) -> None:
    night.append()
    night.store.check()
    night.append()
    with log_of(path).open("r+b") as file:
        file.truncate(HEADER + FRAME + PAGE)
    with pytest.raises(StoreUnavailable):
        night.store.check()


def test_a_database_that_is_cut_is_found_by_the_check_of_a_server(night: MadeNight, path: Path) -> None:
    night.append()
    night.store.check()
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - PAGE)
    with pytest.raises(StoreUnavailable):
        night.store.check()


def test_the_same_damage_is_kept_once(crashed: Path, log: bytes) -> None:
    for _ in range(2):
        log_of(crashed).write_bytes(flipped(log, HEADER + 100, 1))
        opened(crashed)
    assert len(list(crashed.parent.glob("*damaged*"))) == 1


def test_a_sound_log_is_kept_nowhere(crashed: Path) -> None:
    opened(crashed)
    assert not list(crashed.parent.glob("*damaged*"))


def test_sqlite_reads_as_many_frames_as_are_whole(crashed: Path, log: bytes, tmp_path: Path) -> None:
    """SQLite is asked, with each frame damaged in turn: it reads whole transactions, up to the damage."""
    database = crashed.read_bytes()
    for frame, folder in zip(range(frames_of(log)), folders(tmp_path), strict=False):
        copy = folder / "ledger.db"
        copy.write_bytes(database)
        damaged = flipped(log, HEADER + frame * (FRAME + PAGE) + FRAME + 5, 2)
        log_of(copy).write_bytes(damaged)
        with closing(sqlite3.connect(copy)) as program:
            ((_, read, _),) = program.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        assert read == committed(damaged[: HEADER + examine_log(damaged).whole * (FRAME + PAGE)]), frame


def folders(under: Path) -> Iterator[Path]:
    for number in count():
        (folder := under / str(number)).mkdir()
        yield folder


def committed(log: bytes) -> int:
    """The number of the last frame that commits a transaction."""
    places = range(HEADER, len(log), FRAME + PAGE)
    ends = [number for number, place in enumerate(places, start=1) if any(log[place + 4 : place + 8])]
    return max(ends, default=0)
