"""Use an HTTPS installation as a stranger: generated clients record nights, other programs read the exports, and
the pages answer questions."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ledger.recorder import Installation
from tests.clients.generated import CLIENTS, MADE_WITH, NIGHTS, night_and_balances
from tests.recorder.exports import readers
from tests.web.questions import QUESTIONS, is_answered
from trying.evening import evening
from trying.files import Changed, as_it_is
from trying.hosts import Debian, fresh_debian
from trying.roots import Missing, Site, Wrong, require


def walk() -> Iterator[str]:
    """Run all checks on a fresh Debian, set up by OPERATING.md; then the tasks of a bad evening."""
    yield from fresh_debian(_visited)


def _visited(found: Debian) -> Iterator[str]:
    yield from walked(found.site)
    yield from evening(found)


def walked(site: Site, nights: Sequence[str] = NIGHTS, changed: Changed = as_it_is) -> Iterator[str]:
    """Run all checks with these nights. `changed` plants a defect in the site's answers."""
    require("hledger")
    needed = (*(path for paths in MADE_WITH.values() for path in paths), readers.IHATEMONEY)
    if missing := [str(path) for path in needed if not path.exists()]:
        raise Missing(f"{', '.join(missing)} could not be installed")

    @cache
    def get(path: str, token: str = "") -> str:
        return changed(site.get(path, token))

    unanswered = [question.asked for question in QUESTIONS if not is_answered(question, get)]
    if unanswered:
        raise Wrong(f"not answered within two clicks: {', '.join(unanswered)}")
    yield f"{len(QUESTIONS)} questions are answered within two clicks"
    with TemporaryDirectory(prefix="tienlen-walk-") as place:
        folder = Path(place)
        (folder / "openapi.json").write_text(get("/api/v1/openapi.json"), encoding="utf-8")
        to_record = [_told(night, folder) for night in nights]
        for client, make in CLIENTS.items():
            with _wrong_where_it_fails(f"the client in {client}"):
                command = make(folder)
            for night, balances in to_record:
                address, token = _recorded(site, command, night, balances, folder)
                for program, read in _READERS.items():
                    with _wrong_where_it_fails(program):
                        found = read(_exported(get, address, token, program), folder)
                    if found != balances:
                        raise Wrong(f"{program} comes to {found}, not to {balances}")
            entries = " and ".join(str(len(night["events"])) for night, _ in to_record)
            agree = ", ".join(_READERS)
            yield f"the client in {client} records whole nights, of {entries} entries; {agree} come to the same"


def _told(record: str, folder: Path) -> tuple[dict[str, Any], Mapping[str, int]]:
    """A night to record, and its balances by name, computed in a separate database."""
    installation = Installation.find(f"sqlite:///{folder / record}.db", {}, make=True)
    installation.migrate()
    recorder = installation.open()
    with closing(recorder.store):
        night, balances = night_and_balances(record, recorder)
    return night, {name: balances[f"p{number}"] for number, name in enumerate(night["players"], 1)}


def _recorded(
    site: Site, command: Sequence[Path], night: Mapping[str, Any], balances: Mapping[str, int], folder: Path
) -> tuple[str, str]:
    """Let a client record a night at the site: its address, and the keeper's token. The client gets the trusted
    certificate through its platform's variable."""
    (folder / "night.json").write_text(json.dumps(night), encoding="utf-8")
    trusting = dict.fromkeys(("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"), str(site.authority))
    printed = json.loads(site.own.run(*command, site.address, folder / "night.json", **trusting))
    if list(printed["balances"].values()) != list(balances.values()):
        raise Wrong(f"{command[1].name} is told {printed['balances']}, not {balances}")
    return f"/n/{printed['night']}", printed["token"]


def _exported(get: Callable[..., str], address: str, token: str, program: str) -> str:
    """The export for a program, by its link on the night's export page."""
    page = get(f"{address}/export", token)
    found = re.search(rf'href="([^"]+/{program})"', page)
    if found is None:
        raise Wrong(f"there is no file for {program} under Export")
    return get(found[1], token)


def _hledger(text: str, folder: Path) -> Mapping[str, float] | None:
    found = readers.hledger(text, folder / "night.journal")
    return found and {name.removeprefix("players:"): points for name, points in found.items()}


def _beancount(text: str, folder: Path) -> Mapping[str, float] | None:
    file = folder / "night.beancount"
    file.write_text(text, encoding="utf-8")
    check = Path(sys.executable).with_name("bean-check")
    done = subprocess.run([check, file], capture_output=True, text=True)
    assert not done.returncode, done.stderr
    names = re.findall(r'^  player: .+\n  name: "(.*)"$', text, re.MULTILINE)
    return dict(zip(names, (readers.beancount(text) or {}).values(), strict=True))


def _ihatemoney(text: str, folder: Path) -> Mapping[str, float] | None:
    with TemporaryDirectory(dir=folder) as project:
        return readers.ihatemoney(text, Path(project))


_READERS = {"hledger": _hledger, "beancount": _beancount, "ihatemoney": _ihatemoney}
"""The function that reads a night's points, by name, with each program."""


@contextmanager
def _wrong_where_it_fails(what: str) -> Iterator[None]:
    try:
        yield
    except AssertionError as failure:
        raise Wrong(f"{what}: {str(failure)[-800:]}") from None
