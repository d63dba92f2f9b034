"""`tienlen backup` and `tienlen restore` that are killed, find no room, or have a group to keep.

tests/cases/commands/keeping.txt has the other tests.
"""

import subprocess
import time
from pathlib import Path
from uuid import uuid4

import pytest

from ledger.recorder import Link, Role
from ledger.store import temporary_folder
from tests.cli.commands import says_one_line, tienlen, tienlen_process
from tests.cli.test_nights import database, into, night, recording
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


def killed_on_the_way(folder: Path, *arguments: str | Path) -> Path:
    """Kill a command once it has created its temporary folder; returns that folder."""
    with subprocess.Popen([*PROGRAM, *map(str, arguments)]) as process:
        while not (places := list(folder.glob(".tienlen-*"))):
            assert process.poll() is None
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


def test_a_group_is_put_back_with_its_nights_and_its_links_hold(
    night: str, database: Path, tmp_path: Path, elsewhere: Path
) -> None:
    with recording(database) as recorder:
        recorder.groups.open(Link(night, Role.KEEPER), str(uuid4()), "Hội thứ sáu")
    made = tienlen("backup", tmp_path / "backups").out.splitlines()[0]
    assert into(elsewhere, "restore", made).status == 0
    links = tienlen("link", night)
    assert into(elsewhere, "link", night) == links
    *_, group, keeper, watch = links.out.splitlines()
    assert group == "group   Hội thứ sáu"
    assert keeper.startswith("keeper  http://127.0.0.1:8000/t/g/")
    assert watch.startswith("watch   http://127.0.0.1:8000/t/g/")


@pytest.mark.parametrize("bytes_left", [0, 20_000])
def test_a_full_disk_is_said_in_one_line_and_leaves_nothing(
    database: Path, tmp_path: Path, backup: Path, bytes_left: int
) -> None:
    folder = tmp_path / "full"
    elsewhere = f"sqlite:///{tmp_path / 'full-too' / 'ledger.db'}"
    with recording(database) as recorder:  # SQLite needs room to open a file that nobody has open
        assert recorder.nights()
        for arguments in (("backup", folder), ("--database", elsewhere, "restore", backup)):
            ran = tienlen_process(*arguments, room=bytes_left)
            assert (ran.status, says_one_line(ran)) == (2, True), ran
    assert list(folder.iterdir()) == []
    assert list((tmp_path / "full-too").iterdir()) == []
