"""Backups are consistent, audited, and restored completely; and the tail that an old one lacks is added."""

import json
import multiprocessing
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ledger.game.terms import Terms
from ledger.recorder import Installation, Recorder, StoreError, audit
from ledger.recorder.operations.backup import Backup, BackupRefused, back_up, restore
from ledger.recorder.operations.transfer import add_tail
from ledger.store import PlaceTaken, Store
from tests.processes import end_with_parent
from tests.recorder.tables import KEY, SECRET, Clock, Table, asked, open_table, opened
from tests.stories import A_SETTLED_ROUND

NOW = datetime(2026, 11, 20, 22, 45, tzinfo=UTC)
NOTHING: dict[str, str] = {}


@pytest.fixture
def installation(path: Path) -> Installation:
    key_file = path.with_name("server.key")
    key_file.write_text(KEY.hex() + "\n")
    return Installation(f"sqlite:///{path}", KEY, key_file)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backups and more?"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """The path of another installation's database; not even its folder exists."""
    return tmp_path / "new % machine" / "ledger.db"


@pytest.fixture
def settled(table: Table) -> Table:
    """A night with a settled round and an adjustment."""
    return table.tell(f"{A_SETTLED_ROUND} \n pay p3 p4 7 tiền xe")


def url_of(place: Path) -> str:
    return f"sqlite:///{place}".replace("%", "%25")


def restored(backup: Path, place: Path, environment: dict[str, str] = NOTHING) -> Recorder:
    restore(backup, url_of(place), environment)
    return Recorder(Store.open(url_of(place), web=False), KEY, Clock())


def description_of(backup: Backup) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(backup.file.with_suffix(".json").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def kept(settled: Table, installation: Installation, folder: Path) -> Backup:
    return back_up(installation, folder, NOW)


@pytest.fixture
def again(kept: Backup, elsewhere: Path) -> Iterator[Recorder]:
    """The installation restored from the backup."""
    recorder = restored(kept.file, elsewhere)
    yield recorder
    recorder.store.close()


# Backing up


def test_a_backup_put_back_is_the_same_nights_audited_clean_and_goes_on(
    settled: Table, again: Recorder
) -> None:
    other = Table(again, settled.night, settled.after)
    assert other.contents() == settled.contents()
    assert other.board() == settled.board()
    assert list(audit(again)) == []
    assert other.tell("round lead p1 p1 p2 \n p1 3s").round()["number"] == 2


def test_a_backup_says_when_it_was_made_and_where_every_night_had_come_and_leaves_nothing_else(
    settled: Table, kept: Backup, folder: Path
) -> None:
    board = settled.board()
    assert kept.heads == {settled.night: {name: board[name] for name in ("seq", "hash", "code")}}
    assert kept.file == folder / "tienlen-20261120T224500Z.db"
    description = description_of(kept)
    assert (description["heads"], description["made_at"]) == (kept.heads, "2026-11-20T22:45:00+00:00")
    ends = ("db", "json", "key")
    assert {path.name for path in folder.iterdir()} == {f"{kept.file.stem}.{end}" for end in ends}


def test_the_key_is_kept_for_its_owner_alone_and_put_back(
    kept: Backup, again: Recorder, elsewhere: Path
) -> None:
    assert kept.key_file is not None
    put_back = elsewhere.with_name("server.key")
    for path in (kept.key_file, put_back):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert bytes.fromhex(path.read_text()) == KEY


def test_a_key_of_the_environment_stays_there_and_is_the_one_that_counts(
    settled: Table, installation: Installation, folder: Path, elsewhere: Path, tmp_path: Path
) -> None:
    kept = back_up(Installation(installation.database_url, KEY), folder, NOW)
    assert kept.key_file is None
    restored(kept.file, elsewhere).store.close()
    assert [path.name for path in elsewhere.parent.iterdir() if path.suffix == ".key"] == []
    with_key = back_up(installation, folder, NOW + timedelta(seconds=1))
    other = tmp_path / "other" / "ledger.db"
    restored(with_key.file, other, {"TIENLEN_KEY": "00" * 32}).store.close()
    assert not other.with_name("server.key").exists()


def test_backups_stand_beside_each_other_and_none_is_written_over(
    settled: Table, kept: Backup, installation: Installation, folder: Path
) -> None:
    before = kept.file.read_bytes()
    settled.tell("pay p1 p2 1 nước")
    with pytest.raises(PlaceTaken):
        back_up(installation, folder, NOW)
    later = back_up(installation, folder, NOW + timedelta(seconds=1))
    assert kept.file.read_bytes() == before
    assert later.heads[settled.night]["seq"] == kept.heads[settled.night]["seq"] + 1


def record_until_told(url: str, night: str, stop: str) -> None:
    """Record adjustments until the file `stop` exists; runs in another process."""
    end_with_parent()
    recorder = Recorder(Store.open(url), KEY)
    table = Table(recorder, night)
    table.after = table.board()["after"]
    while not Path(stop).exists():
        table.tell("pay p1 p2 1 nhanh \n pay p2 p3 2 hơn")


@pytest.mark.slow
def test_a_backup_under_writes_is_of_one_moment(
    settled: Table, installation: Installation, folder: Path, tmp_path: Path
) -> None:
    stop = tmp_path / "stop"
    arguments = (installation.database_url, settled.night, str(stop))
    writer = multiprocessing.get_context("spawn").Process(target=record_until_told, args=arguments)
    start = settled.board()["seq"]
    writer.start()
    try:
        while settled.board()["seq"] == start:
            assert writer.is_alive()
        backups = [back_up(installation, folder, NOW + timedelta(seconds=number)) for number in range(4)]
    finally:
        stop.touch()
        writer.join()
    assert writer.exitcode == 0
    seqs = [kept.heads[settled.night]["seq"] for kept in backups]
    assert start < seqs[0]
    assert seqs == sorted(set(seqs)), "it was recorded in between"
    hashes = {event["seq"]: event["hash"] for event in settled.log()}
    for number, kept in enumerate(backups):
        recorder = restored(kept.file, tmp_path / str(number) / "ledger.db")
        assert list(audit(recorder)) == []
        assert Table(recorder, settled.night).board()["hash"] == hashes[kept.heads[settled.night]["seq"]]
        recorder.store.close()


def spoil(path: Path, statement: str) -> None:
    """Drop the triggers and run a statement, as the owner of the file can."""
    connection = sqlite3.connect(path, isolation_level=None)
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(statement)
    connection.close()


ONLY_THE_TRIGGERS, TOO_MANY_POINTS = "SELECT 1", "UPDATE payment SET points = points + 1"


@pytest.mark.parametrize("statement", [TOO_MANY_POINTS, ONLY_THE_TRIGGERS])
def test_the_copy_of_a_damaged_database_is_no_backup(
    settled: Table, installation: Installation, folder: Path, path: Path, statement: str
) -> None:
    settled.recorder.store.close()
    spoil(path, statement)
    with pytest.raises(BackupRefused, match="no backup"):
        back_up(installation, folder, NOW)
    assert list(folder.iterdir()) == []


def test_a_file_that_is_no_database_is_no_backup(
    installation: Installation, folder: Path, path: Path
) -> None:
    path.write_bytes(b"not a database, by any means " * 1000)
    with pytest.raises(StoreError):
        back_up(installation, folder, NOW)


# Restoring


def test_a_backup_of_which_a_byte_is_another_is_refused(kept: Backup, elsewhere: Path) -> None:
    whole = kept.file.read_bytes()
    for place in (0, 100, len(whole) // 2, len(whole) - 1):
        kept.file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(BackupRefused, match="damaged"):
            restored(kept.file, elsewhere)
    kept.file.write_bytes(whole[:-4096])
    with pytest.raises(BackupRefused, match="damaged"):
        restored(kept.file, elsewhere)
    assert not elsewhere.exists()


@pytest.mark.parametrize(
    "statement", [TOO_MANY_POINTS, "UPDATE event SET hash = randomblob(32) WHERE seq = 3"]
)
def test_a_backup_that_lost_its_heads_is_refused_by_the_audit(
    kept: Backup, elsewhere: Path, statement: str
) -> None:
    kept.file.with_suffix(".json").unlink()
    spoil(kept.file, statement)
    with pytest.raises(BackupRefused, match="damaged"):
        restored(kept.file, elsewhere)
    assert not elsewhere.exists()


def test_a_backup_alone_can_be_put_back(settled: Table, kept: Backup, elsewhere: Path) -> None:
    for end in (".json", ".key"):
        kept.file.with_suffix(end).unlink()
    recorder = restored(kept.file, elsewhere)
    assert Table(recorder, settled.night).contents() == settled.contents()
    recorder.store.close()


def test_another_database_under_the_name_of_a_backup_is_refused(
    settled: Table, kept: Backup, installation: Installation, folder: Path, elsewhere: Path
) -> None:
    settled.tell("pay p1 p2 1 nước")
    later = back_up(installation, folder, NOW + timedelta(seconds=1))
    description = description_of(kept) | {"sha256": description_of(later)["sha256"]}
    kept.file.with_suffix(".json").write_text(json.dumps(description), encoding="utf-8")
    shutil.copy(later.file, kept.file)
    with pytest.raises(BackupRefused, match="heads"):
        restored(kept.file, elsewhere)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"sha256": 1}', "\ud800"])
def test_heads_that_cannot_be_read_are_refused(kept: Backup, elsewhere: Path, text: str) -> None:
    kept.file.with_suffix(".json").write_bytes(text.encode(errors="surrogatepass"))
    with pytest.raises(BackupRefused, match="cannot be read"):
        restored(kept.file, elsewhere)


@pytest.mark.parametrize("name", ["ledger.db", "ledger.db-journal", "ledger.db-wal", "server.key"])
def test_nothing_that_is_there_is_written_over(kept: Backup, elsewhere: Path, name: str) -> None:
    elsewhere.parent.mkdir()
    elsewhere.with_name(name).write_bytes(b"")
    with pytest.raises(PlaceTaken, match=name):
        restored(kept.file, elsewhere)
    assert [path.name for path in elsewhere.parent.iterdir()] == [name]
    assert elsewhere.with_name(name).read_bytes() == b""


def test_a_key_that_is_there_already_and_the_same_stays(kept: Backup, elsewhere: Path) -> None:
    elsewhere.parent.mkdir()
    elsewhere.with_name("server.key").write_text(KEY.hex())
    restored(kept.file, elsewhere).store.close()
    assert elsewhere.with_name("server.key").read_text() == KEY.hex()


# The tail of a night


def log_of(table: Table) -> list[str]:
    return list(table.recorder.store.export_log(table.night))


def test_an_old_backup_and_a_tail_are_the_present(settled: Table, again: Recorder) -> None:
    settled.tell("round lead p1 p1 p2 \n p1 3s \n undo \n pay p2 p1 2 nước")
    before = asked(again, settled.night).log().seq
    added = add_tail(again, log_of(settled))
    assert (added.before.seq, added.after.seq) == (before, settled.board()["seq"])
    assert Table(again, settled.night).board() == settled.board()
    assert Table(again, settled.night).contents() == settled.contents()
    assert log_of(Table(again, settled.night)) == log_of(settled)
    assert list(audit(again)) == []


def test_a_tail_brings_those_who_came_and_who_were_renamed(settled: Table, again: Recorder) -> None:
    settled.tell("join Giang \n rename p2 Bính \n rename p5 Giàng")
    add_tail(again, log_of(settled))
    assert asked(again, settled.night).names == settled.ask.names
    assert list(audit(again)) == []


def refused(recorder: Recorder, night: str, log: list[str], why: str) -> None:
    table = Table(recorder, night)
    before = table.contents()
    with pytest.raises(BackupRefused, match=why):
        add_tail(recorder, log)
    assert table.contents() == before


def test_a_tail_is_added_once(settled: Table, again: Recorder) -> None:
    settled.tell("pay p2 p1 2 nước")
    add_tail(again, log_of(settled))
    refused(again, settled.night, log_of(settled), "nothing is missing")


def test_a_log_that_ends_before_the_head_adds_nothing(settled: Table, again: Recorder) -> None:
    Table(again, settled.night, settled.after).tell("pay p2 p1 2 nước")
    refused(again, settled.night, log_of(settled), "nothing is missing")


def test_a_log_that_forks_is_refused_with_where(settled: Table, again: Recorder) -> None:
    """Two installations recorded different entries after the backup: neither log continues the other."""
    seq = settled.board()["seq"]
    Table(again, settled.night, settled.after).tell("pay p1 p2 1 ở đây")
    settled.tell("pay p3 p4 1 ở kia \n pay p3 p4 1 nữa")
    refused(again, settled.night, log_of(settled), f"differ from entry {seq + 1} on")


def test_a_night_that_is_not_here_is_refused(settled: Table, again: Recorder) -> None:
    refused(again, settled.night, log_of(open_table(settled.recorder)), "not in this database")


def test_a_tail_is_not_added_to_a_database_that_does_not_conform(
    settled: Table, kept: Backup, elsewhere: Path
) -> None:
    settled.tell("pay p2 p1 2 nước")
    restored(kept.file, elsewhere).store.close()
    spoil(elsewhere, ONLY_THE_TRIGGERS)
    recorder = Recorder(Store.open(url_of(elsewhere), web=False), KEY)
    with pytest.raises(StoreError, match="trigger"):
        add_tail(recorder, log_of(settled))
    recorder.store.close()


def test_the_night_of_another_text_under_the_same_id_is_refused(
    settled: Table, empty_database: Path, tmp_path: Path
) -> None:
    with opened(tmp_path / "other.db", empty_database) as other:
        ruleset = settled.ask.ruleset
        other.open_night(settled.night, secret=SECRET, terms=Terms(ruleset), players=["Ai", "Đó"])
        refused(other, settled.night, log_of(settled), "opened otherwise")
