"""A full disk: requests that record, and health checks, report it."""

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.web import Settings, create_app
from tests.web.phones import NIGHTS, new_night, open_table


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of a megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no disk can be mounted here: that takes root")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


def fill(file: Path) -> None:
    with file.open("wb", buffering=0) as sink:
        try:
            while True:
                sink.write(bytes(4096))
        except OSError:
            return


def test_a_full_disk_is_told_by_the_check_as_by_a_move_and_neither_outlives_it(
    settings: Settings, disk: Path
) -> None:
    shutil.copy(settings.database_url.removeprefix("sqlite:///"), disk / "ledger.db")
    app = create_app(replace(settings, database_url=f"sqlite:///{disk / 'ledger.db'}"))
    client = app.test_client()
    open_table(client)
    assert client.get("/healthz").status_code == 200
    fill(disk / "filler")
    health, refused = client.get("/healthz"), opened_until_refused(client)
    for answer in (health, refused):
        assert (answer.status_code, answer.get_json()["code"]) == (503, "full")
        assert answer.headers["Retry-After"].isdigit()
    (disk / "filler").unlink()
    assert client.get("/healthz").status_code == 200
    open_table(client)


def opened_until_refused(client: FlaskClient) -> TestResponse:
    """Open nights until one is refused; returns the refusal. The database file has room for some."""
    while (answer := client.post(NIGHTS, json=new_night())).status_code == 201:
        pass
    return answer
