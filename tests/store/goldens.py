"""Golden nights: for each schema, a database as it wrote it, as SQL, with the heads and balances it must keep.

python -m tests.store.goldens        # writes those of the newest schema, once
"""

import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from uuid import uuid4

from alembic.script import ScriptDirectory

import ledger
from ledger.game.terms import Stake
from ledger.recorder import GroupLink, Recorder
from ledger.store import Store, head_code, migrate
from tests.recorder.examples import EXAMPLES_IN
from tests.recorder.tables import CLASSIC, KEY, WINNER_TAKES_ALL, Clock, open_table
from tests.stories import A_SETTLED_ROUND

GOLDEN: Final = Path(__file__).parent / "golden"
MIGRATIONS: Final = Path(ledger.__file__).parent.parent / "migrations"

A_PAYMENT: Final = {"payer": "p1", "payee": "p2", "points": 1, "reason": "bia"}


def record(url: str) -> None:
    """Record the golden nights: a long one with a stake, one with other rules and an entry by a named phone, and
    one whose names are erased; the first two belong to a group."""
    with closing(Store.open(url, web=False)) as store:
        recorder = Recorder(store, KEY, Clock())
        long = open_table(recorder, stake=Stake(Decimal(1000), "VND")).tell(EXAMPLES_IN[CLASSIC])
        other = open_table(recorder, 2, ruleset=WINNER_TAKES_ALL).tell(A_SETTLED_ROUND)
        other.send(other.request("adjust", A_PAYMENT, phone="3f9a1c07 máy Tí"))
        other.record("paid", payer="p2", payee="p1", points=1, carried_to=long.night)
        group = recorder.groups.open(other.keeper, str(uuid4()), "Hội thứ sáu")
        recorder.groups.add(GroupLink(group.id, keeps=True), long.keeper)
        forgotten = open_table(recorder, 2).tell(A_SETTLED_ROUND)
        recorder.forget(forgotten.night)


def kept(url: str) -> str:
    """The heads and balances of all nights, which must never change, as text."""
    with closing(Store.open(url, web=False)) as store:
        recorder = Recorder(store, KEY)
        nights = {night: _of_night(recorder, night) for night in sorted(row.id for row in recorder.nights())}
    return json.dumps(nights, indent=1, ensure_ascii=False) + "\n"


def _of_night(recorder: Recorder, night: str) -> dict[str, Any]:
    with recorder.store.reading() as reader:
        head = reader.head(night)
        balances = dict.fromkeys(reader.names(night), 0) | reader.balances(night)
    return {"head": head_code(head.seq, head.hash), "hash": head.hash.hex(), "balances": balances}


def revisions() -> Iterator[str]:
    """The revisions of all schemas."""
    return (script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions())


def main() -> int:
    revision = max(revisions())
    files = [GOLDEN / f"{revision}.sql", GOLDEN / f"{revision}.json"]
    if any(file.exists() for file in files):
        print(
            f"the golden nights of schema {revision} are there: what was written once is never written again"
        )
        return 1
    with TemporaryDirectory() as folder:
        database = Path(folder) / "ledger.db"
        url = f"sqlite:///{database}"
        migrate(url)
        record(url)
        with closing(sqlite3.connect(database)) as connection:
            text = "\n".join(connection.iterdump()) + "\n"
        for file, content in zip(files, (text, kept(url)), strict=True):
            file.write_text(content, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
