"""`tienlen doctor`: its findings in broken installations, and how each is mended."""

import http.client
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NoReturn

import pytest
from flask import Flask, Response
from werkzeug.serving import make_server

from ledger.cli.hosting import examine_site
from ledger.recorder import Recorder
from ledger.recorder.operations.doctor import (
    Check,
    State,
    check_clock,
    check_disk,
    check_room,
    examine,
    file_system,
)
from ledger.store import StoreReadOnly
from ledger.store.systems.locks import LockFile
from ledger.web import Settings, create_app
from tests.cli.commands import says_one_line, tienlen

NOW = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
KEY = bytes(32)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation with a night, for copying."""
    folder = tmp_path_factory.mktemp("made")
    assert tienlen("--database", f"sqlite:///{folder / 'ledger.db'}", "demo").status == 0
    return folder


@pytest.fixture
def database(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh copy of an installation with a night."""
    path = tmp_path / "installation" / "ledger.db"
    shutil.copytree(made, path.parent)
    monkeypatch.setenv("TIENLEN_DATABASE_URL", f"sqlite:///{path}")
    return path


def found(*arguments: str | Path) -> dict[str, list[dict[str, str]]]:
    """The checks that are not fine, by name; checks of the disk are left out."""
    checks = tienlen("doctor", "--json", *arguments).data
    wrong: dict[str, list[dict[str, str]]] = {}
    for check in checks:
        assert (check["state"] == State.FINE) == (check["mend"] == "")
        if check["state"] != State.FINE and check["name"] not in ("disk", "sync", "room"):
            wrong.setdefault(check["name"], []).append(check)
    return wrong


def sql(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(statement)
    connection.close()


def test_a_new_installation_has_nothing_wrong(database: Path) -> None:
    ran = tienlen("doctor")
    assert "✗ schema" not in ran.out
    for text in ("✓ database", "✓ schema", "✓ writing", "✓ key", "✓ permissions", "✓ clock", "1 nights"):
        assert text in ran.out
    assert found() == {}


def test_a_doctor_leaves_everything_as_it_was(database: Path) -> None:
    def contents() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in database.parent.iterdir() if path.is_file()}

    before = contents()
    tienlen("doctor", "--backups", database.parent / "none")
    assert contents() == before


def test_a_database_and_what_lies_beside_it_are_their_owners_alone(database: Path) -> None:
    files = [path for path in database.parent.iterdir() if path.is_file()]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert tienlen("backup", database.parent / "backups").status == 0
    assert {path.stat().st_mode & 0o777 for path in (database.parent / "backups").iterdir()} == {0o600}


def test_a_file_that_others_may_read_is_named_with_the_command_that_mends_it(database: Path) -> None:
    paths = [database.with_name(name) for name in ("ledger.db", "ledger.db.lock", "server.key")]
    for path in paths:
        path.chmod(0o644)
    wrong = found()
    assert {check["mend"] for check in [*wrong["permissions"], *wrong["key"]]} == {
        f"chmod 600 {path}" for path in paths
    }
    assert tienlen("doctor").status == 1


def test_a_trigger_that_is_gone_is_named_and_what_cannot_be_written_for_it(database: Path) -> None:
    sql(database, "DROP TRIGGER event_refuses_delete")
    (check,) = found()["schema"]
    assert check["found"] == "trigger event_refuses_delete is missing"
    assert "backup" in check["mend"]
    assert tienlen("doctor").status == 1


def test_a_file_that_is_cut_off_is_told_with_what_mends_it(database: Path) -> None:
    with database.open("r+b") as file:
        file.truncate(100_000)
    (check,) = found()["database"]
    assert "malformed" in check["found"]
    assert "tienlen restore" in check["mend"]
    assert tienlen("doctor").status == 1


def test_a_folder_that_cannot_be_written_is_told_with_what_mends_it(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(path: Path) -> NoReturn:
        raise StoreReadOnly(f"{path}: Permission denied")

    monkeypatch.setattr(LockFile, "_open", staticmethod(refuses))
    (check,) = found()["database"]
    assert "Permission denied" in check["found"]
    assert "let the user that serves write" in check["mend"]


def test_a_database_of_an_older_version_is_to_be_migrated(database: Path) -> None:
    sql(database, "UPDATE alembic_version SET version_num = '0001'")
    assert found()["schema"][0]["mend"] == "tienlen migrate"


def test_a_key_that_is_none_or_not_there_is_told(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = database.with_name("server.key")
    made_key = key.read_text()
    key.write_text("a poem")
    assert found()["key"][0]["state"] == State.WRONG
    key.unlink()
    assert found()["key"][0]["state"] == State.DOUBTFUL
    assert not key.exists()
    monkeypatch.setenv("TIENLEN_KEY", made_key)
    assert found() == {}


@pytest.mark.parametrize("key", ["abc", "00" * 31, "xy" * 32])
def test_a_doctor_judges_a_key_in_the_environment_as_serve_does(
    database: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("TIENLEN_KEY", key)
    (check,) = found()["key"]
    assert check["state"] == State.WRONG
    served = tienlen("serve")
    assert (served.status, says_one_line(served)) == (2, True)
    assert check["found"] in served.err


def test_a_key_that_the_links_were_not_made_with_is_told_until_it_is_taken(database: Path) -> None:
    assert tienlen("migrate").status == 0  # records the key
    key = database.with_name("server.key")
    first = key.read_text()
    key.write_text("11" * 32)
    (check,) = found()["key"]
    assert check["state"] == State.WRONG
    assert "migrate --new-key" in check["mend"]
    assert tienlen("migrate").status == 0  # does not record the key
    assert tienlen("doctor").status == 1
    assert tienlen("migrate", "--new-key").status == 0
    assert found() == {}
    key.write_text(first)
    assert tienlen("doctor").status == 1


def test_an_entry_of_the_future_means_that_the_clock_was_put_back(database: Path) -> None:
    (finding,) = check_clock(NOW, "2026-11-21T20:00:30.000Z", None)
    assert (finding.state, "20:00:30" in finding.found) == (State.WRONG, True)
    assert "timedatectl" in finding.mend
    for newest in ("2026-11-21T19:59:30.000Z", None, "not a time"):
        assert [check.state for check in check_clock(NOW, newest, None)] == [State.FINE]
    checks = examine(f"sqlite:///{database}", datetime.now(UTC) - timedelta(days=1))
    assert [check.state for check in checks if check.name == "clock"] == [State.WRONG]


def test_backups_are_to_be_new(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    (check,) = found("--backups", folder)["backups"]
    assert (check["state"], check["mend"]) == (State.WRONG, f"tienlen backup {folder}, every day")
    assert tienlen("backup", folder).status == 0
    assert found("--backups", folder) == {}
    (made,) = folder.glob("*.db")
    made.rename(folder / "tienlen-20260101T000000Z.db")
    assert found("--backups", folder)["backups"][0]["state"] == State.DOUBTFUL


@pytest.mark.parametrize(
    ("megabytes", "state"), [(10, State.WRONG), (500, State.DOUBTFUL), (5_000, State.FINE)]
)
def test_a_disk_without_room_is_reported_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, megabytes: int, state: State
) -> None:
    usage = type(shutil.disk_usage(tmp_path))(10**12, 0, megabytes * 10**6)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert [check.state for check in check_room(tmp_path)] == [state]


@pytest.mark.parametrize(
    ("seconds", "state"), [(0.000_001, State.DOUBTFUL), (0.004, State.FINE), (0.080, State.DOUBTFUL)]
)
def test_a_disk_is_slow_or_too_quick_to_be_true(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, state: State
) -> None:
    monkeypatch.setattr("ledger.recorder.operations.doctor.sync_time", lambda _: seconds)
    assert [check.state for check in check_disk(tmp_path) if check.name == "sync"] == [state]


@pytest.mark.parametrize(
    ("kind", "state"),
    [("ext4", State.FINE), ("nfs4", State.DOUBTFUL), ("fuse.sshfs", State.DOUBTFUL), ("tmpfs", State.WRONG)],
)
def test_a_database_belongs_on_a_disk_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, state: State
) -> None:
    mounts = tmp_path / "mounts"
    lines = [
        "/dev/a / xfs rw 0 0",
        f"old {tmp_path} vfat rw 0 0",
        f"new {tmp_path} {kind} rw 0 0",
        "b /else nfs rw 0 0",
    ]
    mounts.write_text("\n".join(lines))
    monkeypatch.setattr("ledger.recorder.operations.doctor._MOUNTS", mounts)
    monkeypatch.setattr("ledger.recorder.operations.doctor.sync_time", lambda _: 0.001)
    assert file_system(tmp_path) == kind
    assert [check.state for check in check_disk(tmp_path) if check.name == "disk"] == [state]
    monkeypatch.setattr("ledger.recorder.operations.doctor._MOUNTS", tmp_path / "none")
    assert [check.name for check in check_disk(tmp_path)] == ["sync"]


@pytest.mark.parametrize("url", ["nonsense", "sqlite:////not/there.db", "sqlite:///{}/not-there.db"])
def test_what_cannot_be_looked_at_is_one_line(tmp_path: Path, url: str) -> None:
    ran = tienlen("--database", url.format(tmp_path), "doctor")
    assert (ran.status, says_one_line(ran)) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_the_status_tells_how_much_there_is(database: Path) -> None:
    (status,) = tienlen("status", "--json").data
    assert (status["nights"], status["differences"]) == (1, [])
    assert status["entries"] > 100
    text = tienlen("status").out
    assert "nights      1\n" in text
    assert "Lan" not in text


# Checks of a running server


class Site:
    """The installation as a server in a thread; tests may change `app` before the first request."""

    def __init__(self, path: Path, proxies: int = 1) -> None:
        self.app: Flask = create_app(Settings(database_url=f"sqlite:///{path}", key=KEY, proxies=proxies))
        self.recorder = Recorder.open(f"sqlite:///{path}", KEY)
        self._server = make_server("127.0.0.1", 0, self.app, threaded=True)
        self.url = f"http://127.0.0.1:{self._server.port}/"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def checks(self) -> dict[str, Check]:
        return {check.name: check for check in examine_site(self.url, self.recorder)}

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self.recorder.store.close()


@pytest.fixture
def site(database: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr("werkzeug.serving.WSGIRequestHandler.log", lambda *_: None)
    site = Site(database)
    yield site
    site.close()


def test_a_server_is_asked_as_phones_ask_it(database: Path) -> None:
    site = Site(database, proxies=0)
    checks = site.checks()
    site.close()
    assert {name: check.state for name, check in checks.items()} == {
        "reached": State.FINE,
        "metrics": State.FINE,
        "https": State.DOUBTFUL,
        "setup": State.FINE,
        "caller": State.FINE,
        "host": State.FINE,
        "compression": State.FINE,
        "stream": State.FINE,
    }
    assert "trusts 0 proxies" in checks["setup"].found


def test_whoever_may_say_who_calls_without_a_proxy_is_told(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIENLEN_PROXIES", "0")  # of this shell, not of the server
    checks = site.checks()
    assert (checks["caller"].state, "TIENLEN_PROXIES=0" in checks["caller"].mend) == (State.WRONG, True)
    assert "trusts 1 proxies" in checks["setup"].found


def test_metrics_that_strangers_can_read_and_a_server_that_is_not_well_are_told(site: Site) -> None:
    site.app.add_url_rule("/metrics", view_func=lambda: Response("tienlen_requests_total 1"))
    site.app.view_functions["health.health"] = lambda: Response("{}", 503)
    checks = site.checks()
    assert checks["metrics"].state == checks["reached"].state == State.WRONG


def test_a_server_of_another_key_is_not_this_installation_s(site: Site) -> None:
    site.recorder = Recorder(site.recorder.store, bytes([1] * 32))
    assert site.checks()["stream"].state is State.WRONG
    assert "its key" in site.checks()["stream"].mend
    assert site.checks()["setup"].state is State.DOUBTFUL


def test_a_stream_that_is_held_back_is_told(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.cli.hosting._PATIENCE", 0.3)
    held = threading.Event()
    rules = site.app.url_map.iter_rules()
    view = next(
        rule.endpoint for rule in rules if rule.rule.startswith("/api/") and rule.rule.endswith("/live")
    )
    site.app.view_functions[view] = lambda **_: (held.wait(10), Response(""))[1]
    try:
        check = site.checks()["stream"]
    finally:
        held.set()
    assert (check.state, "proxy_buffering" in check.mend) == (State.WRONG, True)


@pytest.mark.parametrize(("says", "state"), [("https", State.FINE), ("http", State.WRONG)])
def test_behind_a_proxy_that_speaks_https_the_server_must_be_told_so(
    site: Site, monkeypatch: pytest.MonkeyPatch, says: str, state: State
) -> None:
    """A stand-in for the proxy: it accepts HTTPS, and may or may not tell the server."""

    class Proxy(http.client.HTTPConnection):
        def request(
            self, method: str, url: str, body: Any = None, headers: Any = None, **options: Any
        ) -> None:
            super().request(method, url, body, {**(headers or {}), "X-Forwarded-Proto": says}, **options)

    monkeypatch.setattr("ledger.cli.hosting.HTTPSConnection", Proxy)
    site.url = site.url.replace("http://", "https://")
    check = site.checks()["https"]
    assert (check.state, "TIENLEN_PROXIES" in check.mend) == (state, state is State.WRONG)


def test_a_server_that_is_not_there_is_told(site: Site) -> None:
    site.close()
    assert {name: check.state for name, check in site.checks().items()} == {"reached": State.WRONG}


@pytest.mark.parametrize(
    "url", ["ledger.example", "https://", "https://ledger.example:port/", "https://h:99999", "https://[::1"]
)
def test_an_address_that_is_none_is_told(database: Path, url: str) -> None:
    ran = tienlen("doctor", "--url", url)
    assert ran.status == 2
    assert "https://HOST/" in ran.err
