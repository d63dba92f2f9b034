"""`tienlen backup` and `tienlen restore`: their output, and how they fail."""

import os
import sqlite3
import subprocess
import time
from pathlib import Path
from uuid import uuid4

import pytest

from ledger.recorder import Link, Recorder, Role
from ledger.store import Store, temporary_folder
from tests.cli.commands import Ran, says_one_line, tienlen, tienlen_process
from tests.cli.test_nights import database, into, night
from tests.servers import PROGRAM

__all__ = ["database", "night"]


@pytest.fixture
def backup(night: str, tmp_path: Path) -> Path:
    """A backup of the night."""
    ran = tienlen("backup", tmp_path / "backups")
    assert (ran.status, ran.err) == (0, "")
    return Path(ran.out.splitlines()[0])


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    return tmp_path / "elsewhere" / "ledger.db"


def test_a_backup_is_named_with_the_head_of_every_night(night: str, tmp_path: Path) -> None:
    ran = tienlen("backup", tmp_path / "backups")
    file, head = ran.out.splitlines()
    assert Path(file).is_file()
    assert tienlen("export", night, "--format", "share").out.splitlines()[-1] in head
    assert night in head


def killed_on_the_way(folder: Path, *arguments: str | Path) -> Path:
    """Kill a command once it has created its temporary folder; returns that folder."""
    with subprocess.Popen([*PROGRAM, *map(str, arguments)]) as process:
        deadline = time.monotonic() + 60
        while not (places := list(folder.glob(".tienlen-*"))):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.001)
        process.kill()
    (place,) = places
    return place


def test_what_killed_backups_and_restores_have_left_is_swept_at_the_next_start(
    night: str, tmp_path: Path, backup: Path, elsewhere: Path
) -> None:
    """They hold copies of the database, with players' names."""
    backups = tmp_path / "backups"
    left = killed_on_the_way(backups, "backup", backups)
    time.sleep(1)  # a backup's name has a resolution of a second
    assert tienlen("backup", backups).status == 0
    assert not left.exists()
    elsewhere.parent.mkdir()
    to_elsewhere = ("--database", f"sqlite:///{elsewhere}", "restore", backup)
    left = killed_on_the_way(elsewhere.parent, *to_elsewhere)
    assert tienlen(*to_elsewhere).status == 0
    assert not left.exists()
    elsewhere.unlink()
    left = killed_on_the_way(elsewhere.parent, *to_elsewhere)
    assert into(elsewhere, "migrate").status == 0  # `serve` begins with the same
    assert not left.exists()


def test_what_is_at_work_is_not_swept(night: str, tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    backups.mkdir()
    with temporary_folder(backups) as place:
        assert tienlen("backup", backups).status == 0
        assert place.is_dir()
    assert not place.exists()


def test_what_is_put_back_is_audited_clean_and_its_links_hold(
    night: str, backup: Path, elsewhere: Path
) -> None:
    ran = into(elsewhere, "restore", backup)
    assert (ran.status, ran.err) == (0, "")
    assert night in ran.out
    assert into(elsewhere, "audit") == Ran(0, "ok\n", "")
    assert into(elsewhere, "link", night) == tienlen("link", night)
    assert into(elsewhere, "export", night, "--exact") == tienlen("export", night, "--exact")


def test_a_group_is_put_back_with_its_nights_and_its_links_hold(
    night: str, database: Path, tmp_path: Path, elsewhere: Path
) -> None:
    recorder = Recorder(Store.open(f"sqlite:///{database}"), bytes(32))
    recorder.groups.open(Link(night, Role.KEEPER), str(uuid4()), "Hội thứ sáu")
    recorder.store.close()
    assert tienlen("backup", tmp_path / "backups").status == 0
    (made,) = (tmp_path / "backups").glob("*.db")
    assert into(elsewhere, "restore", made).status == 0
    links = tienlen("link", night)
    assert into(elsewhere, "link", night) == links
    *_, group, keeper, watch = links.out.splitlines()
    assert group == "group   Hội thứ sáu"
    assert keeper.startswith("keeper  http://127.0.0.1:8000/t/g/")
    assert watch.startswith("watch   http://127.0.0.1:8000/t/g/")


def test_a_key_of_the_environment_is_not_in_the_backup_and_is_spoken_of(
    night: str, tmp_path: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIENLEN_KEY", "5a" * 32)
    ran = tienlen("backup", tmp_path / "backups")
    assert "keep it, too" in ran.err
    assert not list((tmp_path / "backups").glob("*.key"))
    assert "TIENLEN_KEY" in into(elsewhere, "restore", ran.out.splitlines()[0]).err


def test_what_a_night_lacks_is_added_from_a_log_that_was_kept(
    night: str, elsewhere: Path, tmp_path: Path
) -> None:
    """The phone kept the log of the whole night; the database only has its first 48 entries."""
    whole = tmp_path / "whole.ndjson"
    assert tienlen("export", night, "--exact", "-o", whole).status == 0
    lines = whole.read_text(encoding="utf-8").splitlines(keepends=True)
    part = tmp_path / "part.ndjson"
    part.write_text("".join(lines[:50]), encoding="utf-8")
    elsewhere.parent.mkdir()
    assert into(elsewhere, "import", part).status == 0
    ran = into(elsewhere, "restore", "--tail", whole)
    assert ran == Ran(0, f"night {night}: entries 49 to {len(lines) - 2} were added\n", "")
    assert into(elsewhere, "export", night, "--exact").out == "".join(lines)
    assert into(elsewhere, "audit") == Ran(0, "ok\n", "")
    again = into(elsewhere, "restore", "--tail", whole)
    assert (again.status, says_one_line(again)) == (1, True)
    assert "nothing is missing" in again.err


@pytest.mark.parametrize("text", ["", "{}", "tienlen 1\n", "\xff"])
def test_a_tail_that_is_no_log_is_said_in_one_line(night: str, tmp_path: Path, text: str) -> None:
    file = tmp_path / "tail"
    file.write_bytes(text.encode("latin-1"))
    ran = tienlen("restore", "--tail", file)
    assert (ran.status, says_one_line(ran)) == (2, True)


def test_either_a_backup_or_a_tail_is_restored(night: str, backup: Path) -> None:
    for arguments in ((), (backup, "--tail", backup)):
        ran = tienlen("restore", *arguments)
        assert ran.status == 2
        assert "Name a BACKUP" in ran.err


def test_nights_that_are_there_are_not_written_over(night: str, backup: Path, database: Path) -> None:
    before = database.read_bytes()
    ran = tienlen("restore", backup)
    assert (ran.status, says_one_line(ran)) == (2, True)
    assert str(database) in ran.err
    assert database.read_bytes() == before


def test_a_damaged_backup_is_refused_in_one_line(backup: Path, elsewhere: Path) -> None:
    whole = backup.read_bytes()
    damaged = whole.replace(b'"play"', b'"plax"')
    assert damaged != whole
    backup.write_bytes(damaged)
    ran = into(elsewhere, "restore", backup)
    assert (ran.status, says_one_line(ran)) == (1, True)
    assert not elsewhere.exists()


@pytest.mark.parametrize("name", ["not-there.db", "."])
def test_a_backup_that_cannot_be_read_is_said_in_one_line(tmp_path: Path, elsewhere: Path, name: str) -> None:
    ran = into(elsewhere, "restore", tmp_path / name)
    assert (ran.status, says_one_line(ran)) == (2, True)


def test_a_damaged_database_has_no_backup(night: str, database: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(database)
    (name,) = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger' LIMIT 1").fetchone()
    connection.execute(f"DROP TRIGGER {name}")
    connection.close()
    ran = tienlen("backup", tmp_path / "backups")
    assert (ran.status, says_one_line(ran)) == (1, True)
    assert list((tmp_path / "backups").iterdir()) == []


def test_without_a_database_there_is_no_backup(database: Path, tmp_path: Path) -> None:
    ran = tienlen("backup", tmp_path / "backups")
    assert (ran.status, says_one_line(ran)) == (2, True)
    assert not (tmp_path / "backups").exists()


def test_a_folder_that_cannot_be_made_is_said_in_one_line(night: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for place in (file, file / "below"):
        ran = tienlen("backup", place)
        assert (ran.status, says_one_line(ran)) == (2, True)


def test_a_folder_that_cannot_be_written_is_said_in_one_line(night: str, tmp_path: Path) -> None:
    folder = tmp_path / "read-only"
    folder.mkdir(mode=0o500)
    if os.geteuid() == 0:
        # Root can write into any folder except the kernel's own, where no file can be made.
        folder = Path("/sys")
    ran = tienlen("backup", folder)
    assert (ran.status, says_one_line(ran)) == (2, True)


@pytest.mark.parametrize("bytes_left", [0, 20_000])
def test_a_full_disk_is_said_in_one_line_and_leaves_nothing(
    night: str, tmp_path: Path, backup: Path, bytes_left: int
) -> None:
    folder = tmp_path / "full"
    elsewhere = f"sqlite:///{tmp_path / 'full-too' / 'ledger.db'}"
    commands: list[list[str | Path]] = [["backup", folder], ["--database", elsewhere, "restore", backup]]
    for arguments in commands:
        ran = tienlen_process(*arguments, room=bytes_left)
        assert (ran.status, says_one_line(ran)) == (2, True), ran
    assert list(folder.iterdir()) == []
    assert list((tmp_path / "full-too").iterdir()) == []
