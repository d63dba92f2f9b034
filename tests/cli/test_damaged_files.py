"""A host is told what is wrong with the files of a database, by every command that looks at them."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ledger.language import LANGUAGES
from ledger.store import Store
from ledger.web import Settings, create_app
from tests.cli.commands import tienlen
from tests.store.making import MadeNight
from tests.web.phones import answered

KEY = bytes(32)


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database of an installation, with a key in its folder."""
    path = tmp_path / "installation" / "ledger.db"
    path.parent.mkdir()
    monkeypatch.setenv("TIENLEN_DATABASE_URL", f"sqlite:///{path}")
    assert tienlen("demo").status == 0
    return path


def crash(database: Path) -> None:
    """Leave what was recorded last in the log alone, as a server does that is killed."""
    with closing(Store.open(f"sqlite:///{database}")) as store:
        MadeNight(store).append()
        for end in ("", "-wal"):
            shutil.copy(f"{database}{end}", f"{database.parent}.copy{end}")
    for end in ("", "-wal"):
        shutil.move(f"{database.parent}.copy{end}", f"{database}{end}")
    Path(f"{database}.lock.open").unlink()  # the files are others than before


def flip(file: Path, place: int) -> None:
    content = bytearray(file.read_bytes())
    content[place] ^= 1
    file.write_bytes(content)


def test_a_log_that_could_not_be_read_whole_is_told_until_the_host_removes_it(
    database: Path, tmp_path: Path
) -> None:
    crash(database)
    flip(database.with_name("ledger.db-wal"), 5000)
    backups = tmp_path / "backups"
    ran = {command: tienlen(*command.split()) for command in ("audit", f"backup {backups}", "doctor --json")}
    assert {command: one.status for command, one in ran.items()} == dict.fromkeys(ran, 1)
    (kept,) = database.parent.glob("ledger.db-wal.damaged-*")
    for one in ran.values():
        both = one.out + one.err
        assert str(kept) in both
        assert "power" in both
        assert "damaged" in both
    (check,) = (check for check in ran["doctor --json"].data if check["name"] == "log")
    assert "restore --tail" in check["mend"]
    assert len(list(backups.glob("*.db"))) == 1
    app = create_app(Settings(database_url=f"sqlite:///{database}", key=KEY))
    details = set()
    for language in LANGUAGES:
        answer = app.test_client().get("/healthz", headers={"Accept-Language": language})
        health = answered(answer)
        assert (answer.status_code, health["status"]) == (200, "log-damaged")
        assert str(health["frames"]) in health["detail"]
        assert str(database.parent) not in answer.text
        details.add(health["detail"])
    assert len(details) == len(LANGUAGES)
    kept.unlink()
    assert app.test_client().get("/healthz").json == {"status": "ok"}
    assert tienlen("audit").status == 0


def test_older_backups_are_kept_while_entries_may_be_missing_here(database: Path, tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    assert tienlen("backup", backups).status == 0
    (older,) = backups.glob("*.db")
    older.rename(older.with_name("tienlen-20200101T000000Z.db"))
    crash(database)
    flip(database.with_name("ledger.db-wal"), 5000)
    assert tienlen("backup", backups, "--keep", "1").status == 1
    assert (backups / "tienlen-20200101T000000Z.db").exists()


@pytest.mark.parametrize("beside", ["server.key", "ledger.db.lock", "ledger.db.lock.open", "ledger.db-wal"])
def test_an_empty_database_beside_what_was_made_with_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: str
) -> None:
    path = tmp_path / "ledger.db"
    monkeypatch.setenv("TIENLEN_DATABASE_URL", f"sqlite:///{path}")
    path.touch()
    path.with_name(beside).write_text("00" * 32 if beside == "server.key" else "")
    for command in ("migrate", "serve", "doctor", "audit", "nights"):
        ran = tienlen(command)
        assert ran.status == 2, command
        assert "is empty" in ran.err
        assert "restore" in ran.err
    assert path.stat().st_size == 0


def test_an_empty_file_with_nothing_beside_it_becomes_a_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ledger.db"
    path.touch()
    monkeypatch.setenv("TIENLEN_DATABASE_URL", f"sqlite:///{path}")
    assert tienlen("migrate").status == 0
    assert tienlen("audit").status == 0


def test_a_doctor_asks_sqlite_whether_the_pages_are_sound(database: Path) -> None:
    with closing(sqlite3.connect(database)) as program:
        asked = "SELECT rootpage FROM sqlite_schema WHERE name = 'payment'"
        ((page,),) = program.execute(asked).fetchall()
    checks = {check["name"]: check for check in tienlen("doctor", "--json").data}
    assert checks["pages"]["state"] == checks["log"]["state"] == "fine"
    flip(database, (page - 1) * 4096 + 3)  # the number of cells of the page
    ran = tienlen("doctor", "--json")
    (check,) = (check for check in ran.data if check["name"] == "pages")
    assert (ran.status, check["state"]) == (1, "wrong")
    assert "tienlen restore" in check["mend"]


@pytest.mark.parametrize("end", ["", "-wal", "-shm", ".lock", ".lock.open"])
def test_every_file_of_a_database_is_its_owner_s_alone(database: Path, end: str) -> None:
    with closing(Store.open(f"sqlite:///{database}")) as store:
        MadeNight(store)
        Path(f"{database}{end}").chmod(0o644)
        open_to_others = [
            check["mend"]
            for check in tienlen("doctor", "--json").data
            if check["name"] == "permissions" and check["state"] == "wrong"
        ]
        assert open_to_others == [f"chmod 600 {database}{end}"]
