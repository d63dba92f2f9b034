"""A database restored or moved while a server serves it."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.store.store import MOST_AT_ONCE
from tests.cli.commands import refused, tienlen
from tests.cli.test_nights import into
from tests.soak.faults.moves import nights
from tests.soak.faults.serving import Phone, Server
from tests.soak.faults.writer import DATABASE


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    if os.geteuid() == 0 and not shutil.which("setpriv"):
        pytest.skip("root has no setpriv here")
    monkeypatch.setenv("TIENLEN_KEY", "00" * 32)
    with Server(tmp_path / "served") as server:
        yield server


@pytest.fixture
def phone(server: Server) -> Phone:
    """A keeper's phone that has recorded five entries."""
    phone = Phone.opening(server, next(nights()))
    for _ in range(5):
        assert phone.record().status == 201
    return phone


@pytest.fixture
def database(server: Server) -> Path:
    return server.folder / DATABASE


def backup_of(database: Path, folder: Path) -> Path:
    ran = into(database, "backup", folder)
    assert ran.status == 0
    return Path(ran.out.splitlines()[0])


def test_nothing_is_restored_under_a_server(phone: Phone, database: Path, tmp_path: Path) -> None:
    backup = backup_of(database, tmp_path / "backups")
    database.rename(tmp_path / "away.db")
    assert "stop the server" in refused("--database", f"sqlite:///{database}", "restore", backup)
    assert not database.exists()


def test_a_night_that_would_keep_the_tables_waiting_is_imported_once_the_server_is_stopped(
    server: Server, phone: Phone, database: Path, tmp_path: Path
) -> None:
    replay = tmp_path / "long.tln"
    opening = ["tienlen 1", "ruleset southern-classic", "p1 An", "p2 Bình", ""]
    replay.write_text("\n".join([*opening, *["pay p1 p2 1 bia"] * (MOST_AT_ONCE + 1), ""]), encoding="utf-8")
    before = into(database, "nights").out
    assert "stop the server" in refused("--database", f"sqlite:///{database}", "import", replay)
    assert into(database, "nights").out == before
    assert phone.record().status == 201
    server.stop()
    assert into(database, "import", replay).status == 0
    assert len(into(database, "nights").out.splitlines()) == len(before.splitlines()) + 1
    assert into(database, "audit").status == 0


def test_a_server_goes_on_with_the_file_that_it_finds(phone: Phone, database: Path, tmp_path: Path) -> None:
    """After files were moved away by hand, with their locks, every request gets a 503 until a restore."""
    backup = backup_of(database, tmp_path / "backups")
    assert phone.record().status == 201
    away = tmp_path / "away"
    away.mkdir()
    for file in database.parent.glob(f"{DATABASE}*"):
        file.rename(away / file.name)
    for answer in (phone.read(), phone.record(), phone.server.ask("GET", "/healthz")):
        assert answer.status == 503
    assert into(database, "restore", backup).status == 0
    assert phone.read().data["seq"] == 5
    assert phone.server.ask("GET", "/healthz").status == 200
    del phone.acknowledged[5:]
    assert phone.record().status == 201
    assert [phone.read().data["seq"] for _ in range(5)] == [6] * 5
    assert phone.wrong == []
    assert tienlen("--database", f"sqlite:///{database}", "audit").status == 0


def test_a_file_that_is_moved_over_another_is_found_at_the_next_request(
    phone: Phone, database: Path, tmp_path: Path
) -> None:
    backup = backup_of(database, tmp_path / "backups")
    assert phone.record().status == 201
    shutil.copy(backup, tmp_path / "served" / "copy.db")
    (tmp_path / "served" / "copy.db").replace(database)
    assert phone.read().data["seq"] == 5
    del phone.acknowledged[5:]
    assert phone.record().status == 201
    assert phone.read().data["seq"] == 6
