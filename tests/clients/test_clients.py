"""A client that openapi-python-client makes of the interface's description, and one that openapi-typescript types:
each records whole nights on a real server."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.clients.generated import CLIENTS, MADE_WITH, NIGHTS, run, told
from tests.recorder.tables import opened
from tests.web.test_served import Server, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("served")) as found:
        yield found.server


@pytest.fixture(scope="module")
def folder(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where clients are made, with the description as the server answers it."""
    made = tmp_path_factory.mktemp("clients")
    status, text = server.call("GET", "/api/v1/openapi.json")
    assert status == 200
    (made / "openapi.json").write_text(json.dumps(text), encoding="utf-8")
    return made


@pytest.fixture(scope="module", params=CLIENTS)
def client(request: pytest.FixtureRequest, folder: Path) -> Sequence[Path]:
    """The command that records a night."""
    if not all(path.exists() for path in MADE_WITH[request.param]):
        pytest.skip("what makes clients is not installed: scripts/test does it")
    return CLIENTS[request.param](folder)


@pytest.mark.parametrize("record", NIGHTS)
def test_a_client_that_was_generated_records_a_whole_night(
    client: Sequence[Path], record: str, server: Server, folder: Path, tmp_path: Path, empty_database: Path
) -> None:
    with opened(tmp_path / "ledger.db", empty_database) as recorder:
        night, balances = told(record, recorder)
    (tmp_path / "night.json").write_text(json.dumps(night), encoding="utf-8")
    printed = run(*client, f"http://127.0.0.1:{server.port}", tmp_path / "night.json", folder=folder)
    assert json.loads(printed)["balances"] == balances
    assert any(balances.values())
