"""Third-party programs that read exports, and the balances that each computes."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

from beancount import loader
from beancount.core import data as directives
from beancount.core import realization


def hledger(text: str, file: Path) -> dict[str, int] | None:
    """The balances of a journal by account, in order; None if hledger refuses it. Writes the journal to `file`."""

    def run(*command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["hledger", "--file", str(file), *command],
            capture_output=True,
            encoding="utf-8",
            env=os.environ | {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"},
            check=False,
        )

    file.write_text(text, encoding="utf-8", newline="")
    if run("check", "--strict").returncode:
        return None
    shown = run("balance", "--declared", "--empty", "--flat", "--no-total", "--output-format", "csv")
    assert shown.returncode == 0, shown.stderr
    _, *rows = csv.reader(shown.stdout.splitlines())
    return {place: int(amount.removesuffix(" điểm")) for place, amount in rows}


def beancount(text: str) -> dict[str, int] | None:
    """The balances of a journal by account, in order; None if beancount refuses it."""
    entries, errors, _ = loader.load_string(text)
    if errors:
        return None
    balances = {}
    for entry in entries:
        if isinstance(entry, directives.Open):
            balance = realization.compute_balance(
                realization.get(realization.realize(entries), entry.account)
            )
            balances[entry.account] = int(sum(position.units.number for position in balance))
    return balances


_IMPORT = """
import json, sys
from io import BytesIO
from ihatemoney.run import create_app
app = create_app()
with app.test_client() as client:
    told = {"name": "night", "id": "night", "password": "four", "contact_email": "an@so.example"}
    assert client.post("/create", data=told | {"default_currency": "XXX"}).status_code == 302
    bills = sys.stdin.buffer.read()
    for time in range(2):
        client.post("/night/import", data={"file": (BytesIO(bills), "night.json", "application/json")})
    credentials = ("night", "four")
    statistics = client.get("/api/projects/night/statistics", auth=credentials).get_json()
    print(json.dumps({one["member"]["name"]: one["balance"] for one in statistics}))
"""


IHATEMONEY = Path(sys.prefix) / "peers" / "ihatemoney" / "bin" / "python"
"""Its Python, which scripts/test installs if it is available."""


def ihatemoney(text: str, folder: Path) -> dict[str, float]:
    """The balances by name in IHateMoney after a new project imported a file twice."""
    settings = folder / "ihatemoney.cfg"
    settings.write_text(
        f'SQLALCHEMY_DATABASE_URI = "sqlite:///{folder / "ihatemoney.db"}"\nSECRET_KEY = "of this test"\n'
        "MAIL_SUPPRESS_SEND = True\nWTF_CSRF_ENABLED = False\nTESTING = True\n"
    )
    environment = os.environ | {"IHATEMONEY_SETTINGS_FILE_PATH": str(settings)}
    command = [str(IHATEMONEY), "-c", _IMPORT]
    done = subprocess.run(command, env=environment, input=text.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    balances: dict[str, float] = json.loads(done.stdout)
    return balances
