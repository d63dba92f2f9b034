"""A client that openapi-python-client makes of the interface's description, and one that openapi-typescript types:
each records whole nights on a real server."""

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ledger.game.report import score
from ledger.language import speaker
from ledger.recorder import KINDS, Recorder, import_tln
from tests.javascript.conftest import PINNED_NODE, ROOT
from tests.recorder.tables import opened
from tests.web.test_served import Server, running

HERE = Path(__file__).parent
PEER = ROOT / ".venv" / "peers" / "generators" / "bin"
PACKAGES = HERE / "node_modules"
NIGHTS = ("by-hand-05-results-where-the-winner-takes-all", "southern-04")


def run(*command: str | Path, folder: Path) -> str:
    """What a command prints; whatever it says where it fails."""
    ran = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


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


@pytest.fixture(scope="module")
def python(folder: Path) -> Sequence[Path]:
    """The command that records a night in Python."""
    if not PEER.exists():
        pytest.skip("openapi-python-client is not installed: scripts/test does it")
    generate = (PEER / "openapi-python-client", "generate", "--path", "openapi.json", "--meta", "none")
    run(*generate, "--output-path", "tienlen", folder=folder)
    shutil.copy(HERE / "record_night.py", folder)
    return PEER / "python", folder / "record_night.py"


@pytest.fixture(scope="module")
def javascript(folder: Path) -> Sequence[Path]:
    """The command that records a night in JavaScript, whose calls are held to the types first."""
    if not PACKAGES.exists() or not PINNED_NODE.exists():
        pytest.skip("openapi-typescript is not installed: scripts/test does it")
    (folder / "node_modules").symlink_to(PACKAGES)
    for name in ("record_night.js", "tsconfig.json", "package.json"):
        shutil.copy(HERE / name, folder)
    generator = PACKAGES / "openapi-typescript" / "bin" / "cli.js"
    run(PINNED_NODE, generator, "openapi.json", "--output", "schema.d.ts", folder=folder)
    run(PINNED_NODE, PACKAGES / "typescript" / "bin" / "tsc", folder=folder)
    return PINNED_NODE, folder / "record_night.js"


def told(record: str, recorder: Recorder) -> tuple[dict[str, Any], dict[str, int]]:
    """A night to be recorded, and what it comes to."""
    text = (ROOT / "tests" / "records" / f"{record}.tln").read_text(encoding="utf-8")
    night = score(text, speaker("en").words).night
    assert night is not None
    with recorder.night(import_tln(recorder, night).night) as seen:
        events, balances = [json.loads(event.body) for event in seen.log().events], seen.ledger().balances
    contents = [
        event["content"]
        | {"kind": event["kind"]}
        | ({"after": ""} if "after" in KINDS[event["kind"]].schema.fields else {})
        for event in events
    ]
    return {"ruleset": night.ruleset.id, "players": list(night.names), "events": contents}, balances


@pytest.mark.parametrize("record", NIGHTS)
@pytest.mark.parametrize("client", ["python", "javascript"])
def test_a_client_that_was_generated_records_a_whole_night(
    client: str,
    record: str,
    request: pytest.FixtureRequest,
    server: Server,
    folder: Path,
    tmp_path: Path,
    empty_database: Path,
) -> None:
    command = request.getfixturevalue(client)
    with opened(tmp_path / "ledger.db", empty_database) as recorder:
        night, balances = told(record, recorder)
    (tmp_path / "night.json").write_text(json.dumps(night), encoding="utf-8")
    printed = run(*command, f"http://127.0.0.1:{server.port}", tmp_path / "night.json", folder=folder)
    assert json.loads(printed) == balances
    assert any(balances.values())
