"""Clients of the interface, generated from its description by other tools; and whole nights for them to record."""

import json
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ledger.game.report import score
from ledger.language import speaker
from ledger.recorder import KINDS, Recorder, import_tln
from tests.conftest import PINNED_NODE
from tests.javascript.conftest import ROOT
from tests.recorder.tables import RECORDS

HERE = Path(__file__).parent
PEER = ROOT / ".venv" / "peers" / "generators" / "bin"
PACKAGES = HERE / "node_modules"
NIGHTS = ("by-hand-05-results-where-the-winner-takes-all", "southern-04")
"""Nights of tests/records: one with only results, one with every move."""


def run(*command: str | Path, folder: Path) -> str:
    """The output of a command, which must succeed."""
    ran = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def python_client(folder: Path) -> Sequence[Path]:
    """Generate a client from the folder's openapi.json with openapi-python-client. Returns the command that records
    a night with it, without the arguments SERVER and NIGHT.json."""
    generate = (PEER / "openapi-python-client", "generate", "--path", "openapi.json", "--meta", "none")
    run(*generate, "--output-path", "tienlen", folder=folder)
    shutil.copy(HERE / "record_night.py", folder)
    return PEER / "python", folder / "record_night.py"


def javascript_client(folder: Path) -> Sequence[Path]:
    """The same in JavaScript, after checking its calls against the types made by openapi-typescript."""
    (folder / "node_modules").symlink_to(PACKAGES)
    for name in ("record_night.js", "tsconfig.json", "package.json"):
        shutil.copy(HERE / name, folder)
    generator = PACKAGES / "openapi-typescript" / "bin" / "cli.js"
    run(PINNED_NODE, generator, "openapi.json", "--output", "schema.d.ts", folder=folder)
    run(PINNED_NODE, PACKAGES / "typescript" / "bin" / "tsc", folder=folder)
    return PINNED_NODE, folder / "record_night.js"


CLIENTS: Mapping[str, Callable[[Path], Sequence[Path]]] = {
    "python": python_client,
    "javascript": javascript_client,
}
MADE_WITH: Mapping[str, tuple[Path, ...]] = {"python": (PEER,), "javascript": (PACKAGES, PINNED_NODE)}
"""The tools for each client; scripts/test installs those available."""


def night_and_balances(record: str, recorder: Recorder) -> tuple[dict[str, Any], dict[str, int]]:
    """A night to record, and its balances."""
    night = score((RECORDS / f"{record}.tln").read_text(encoding="utf-8"), speaker("en").words).night
    assert night is not None
    with recorder.night(import_tln(recorder, night).night) as snapshot:
        events = [json.loads(event.body) for event in snapshot.log().events]
        balances = snapshot.ledger().balances
    contents = [event["content"] | {"kind": event["kind"]} for event in events]
    for content in contents:
        if "after" in KINDS[content["kind"]].schema.fields:
            content["after"] = ""
    return {"ruleset": night.ruleset.id, "players": list(night.names), "events": contents}, balances
