"""What a host is told of an installation, and which entries it has: for files that were damaged.

A program of its own, as file permissions bind it even if it runs as root: `bound`.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from ledger.recorder import DATABASE_VARIABLE, Installation, StoreError
from ledger.store import Store
from ledger.store.chain import break_after
from ledger.web import Settings, create_app
from ledger.web.recorder import recorder
from tests.cli.commands import tienlen
from tests.soak.faults.writer import DATABASE

ROOT: Final = Path(__file__).parents[3]
_OF_THE_MACHINE: Final = {"disk", "sync", "room", "clock"}
"""The doctor's checks of what is not in the files of an installation."""


@dataclass(frozen=True, slots=True)
class Seen:
    """`silent` are those of `audit`, `doctor` and `/healthz` to which all is well. `entries` are the hashes of the
    entries by seq; `broken` is whether their chain is."""

    silent: Sequence[str]
    entries: dict[int, str] = field(default_factory=dict)
    broken: bool = False


def look(folder: Path, night: str) -> Seen:
    """Look at an installation as `serve`, `doctor` and `audit` do, one after the other; and at a night."""
    url = f"sqlite:///{folder.resolve() / DATABASE}"
    well = {"/healthz": _is_healthy(url), "doctor": _is_sound(url)}
    well["audit"] = tienlen("--database", url, "audit").status == 0
    silent = [name for name, fine in well.items() if fine]
    try:
        with closing(Store.open(url, web=False)) as store:
            with store.reading() as reader:
                opened, rows = reader.night(night), reader.events(night)
            if opened is None:
                return Seen(silent)
            seq, head, broken = 0, opened.hash, False
            for row in rows:
                broken = broken or bool(break_after(seq, head, row))
                seq, head = row.seq, row.hash
            return Seen(silent, {row.seq: row.hash.hex() for row in rows}, broken)
    except StoreError:
        return Seen(silent)


def _is_healthy(url: str) -> bool:
    """Whether a server would start, and its health check finds nothing."""
    environment = {DATABASE_VARIABLE: url}
    try:
        Installation.find(url, environment).migrate()
        app = create_app(Settings.find(environment))
        with app.app_context(), closing(recorder().store):
            answer = app.test_client().get("/healthz")
            return answer.status_code == 200 and answer.get_json() == {"status": "ok"}
    except StoreError:
        return False


def _is_sound(url: str) -> bool:
    ran = tienlen("--database", url, "doctor", "--json")
    wrong = (check["name"] for check in ran.data if check["state"] == "wrong")
    return ran.status < 2 and not {*wrong} - _OF_THE_MACHINE


def bound(command: Sequence[str]) -> list[str]:
    """A command that file permissions bind, even if it runs as root."""
    capabilities = "-dac_override,-dac_read_search"
    return [*command] if os.geteuid() else ["setpriv", "--bounding-set", capabilities, *command]


def is_bound_here() -> bool:
    """Whether this machine has what `bound` needs."""
    return bool(os.geteuid() or shutil.which("setpriv"))


def look_from_outside(folder: Path, night: str) -> Seen:
    """`look` in a process that file permissions bind."""
    command = [sys.executable, "-m", "tests.soak.faults.looking", str(folder), night]
    ran = subprocess.run(bound(command), cwd=ROOT, capture_output=True, text=True, check=True)
    seen = json.loads(ran.stdout.splitlines()[-1])
    entries = {int(seq): hash for seq, hash in seen.pop("entries").items()}
    return Seen(entries=entries, **seen)


if __name__ == "__main__":
    print(json.dumps(asdict(look(Path(sys.argv[1]), sys.argv[2]))))
