"""`tienlen doctor`: what it finds on the machine and of a running server, and how that is mended.

tests/cases/commands/doctor.txt has the tests of what it finds in an installation.
"""

import http.client
import shutil
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NoReturn

import pytest
from flask import Flask, Response
from werkzeug.serving import make_server

from ledger.cli.site import examine_site
from ledger.recorder import Recorder
from ledger.recorder.operations import doctor
from ledger.recorder.operations.checks import Check, State
from ledger.store import StoreReadOnly, files
from ledger.store.systems import locks
from ledger.web import Settings, create_app
from tests.cli.commands import tienlen

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


def test_a_folder_that_cannot_be_written_is_told_with_what_mends_it(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(path: Path, access: int) -> NoReturn:
        raise StoreReadOnly(f"{path}: Permission denied")

    monkeypatch.setattr(locks, "_opened", refuses)
    (check,) = (check for check in tienlen("doctor", "--json").data if check["name"] == "database")
    assert "Permission denied" in check["found"]
    assert "let the user that serves write" in check["mend"]


def test_an_entry_of_the_future_means_that_the_clock_was_put_back(database: Path) -> None:
    (finding,) = doctor.check_clock(NOW, "2026-11-21T20:00:30.000Z", None)
    assert (finding.state, "20:00:30" in finding.found) == (State.WRONG, True)
    assert "timedatectl" in finding.mend
    for newest in ("2026-11-21T19:59:30.000Z", None, "not a time"):
        assert [check.state for check in doctor.check_clock(NOW, newest, None)] == [State.FINE]
    checks = doctor.examine(f"sqlite:///{database}", datetime.now(UTC) - timedelta(days=1))
    assert [check.state for check in checks if check.name == "clock"] == [State.WRONG]


@pytest.mark.parametrize(
    ("megabytes", "state"), [(10, State.WRONG), (500, State.DOUBTFUL), (5_000, State.FINE)]
)
def test_a_disk_without_room_is_reported_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, megabytes: int, state: State
) -> None:
    usage = type(shutil.disk_usage(tmp_path))(10**12, 0, megabytes * 10**6)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert [check.state for check in doctor.check_room(tmp_path)] == [state]


@pytest.mark.parametrize(
    ("seconds", "state"), [(1e-6, State.DOUBTFUL), (0.004, State.FINE), (0.080, State.DOUBTFUL)]
)
def test_a_disk_is_slow_or_too_quick_to_be_true(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, state: State
) -> None:
    monkeypatch.setattr(doctor, "sync_time", lambda _: seconds)
    assert [check.state for check in doctor.check_disk(tmp_path) if check.name == "sync"] == [state]


@pytest.mark.parametrize(
    ("kind", "state"),
    [("ext4", State.FINE), ("nfs4", State.WRONG), ("9p", State.DOUBTFUL), ("tmpfs", State.WRONG)],
)
def test_a_database_belongs_on_a_disk_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, state: State
) -> None:
    mounts, here = tmp_path / "mounts", f"{tmp_path} {kind} rw 0 0"
    mounts.write_text(f"/dev/a / xfs rw 0 0\nold {tmp_path} vfat rw 0 0\nnew {here}\nb /else nfs rw 0 0")
    monkeypatch.setattr(files, "_MOUNTS", mounts)
    monkeypatch.setattr(doctor, "sync_time", lambda _: 0.001)
    assert files.file_system(tmp_path) == kind
    assert [check.state for check in doctor.check_disk(tmp_path) if check.name == "disk"] == [state]
    monkeypatch.setattr(files, "_MOUNTS", tmp_path / "none")
    assert [check.name for check in doctor.check_disk(tmp_path)] == ["sync"]


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
    fine = ("reached", "metrics", "setup", "caller", "host", "compression", "stream")
    states = {name: check.state for name, check in checks.items()}
    assert states == dict.fromkeys(fine, State.FINE) | {"https": State.DOUBTFUL}
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
    monkeypatch.setattr("ledger.cli.site._PATIENCE_WITH_STREAMS", 0.3)
    held = threading.Event()
    rules = site.app.url_map.iter_rules()
    (view,) = (one.endpoint for one in rules if one.rule.startswith("/api/") and one.rule.endswith("/live"))
    site.app.view_functions[view] = lambda **_: (held.wait(), Response(""))[1]
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

    monkeypatch.setattr("ledger.cli.site.HTTPSConnection", Proxy)
    site.url = site.url.replace("http://", "https://")
    check = site.checks()["https"]
    assert (check.state, "TIENLEN_PROXIES" in check.mend) == (state, state is State.WRONG)


def test_a_server_that_is_not_there_is_told(site: Site) -> None:
    site.close()
    assert {name: check.state for name, check in site.checks().items()} == {"reached": State.WRONG}
