"""A program for strace that records an endless night in several folders, each under its own settings.

python -m tests.soak.faults.writer MOVES FOLDER '{"synchronous": 1}' …
"""

import json
import os
import sys
from itertools import islice
from pathlib import Path
from unittest.mock import patch

from ledger.recorder import Recorder
from ledger.store import Store
from ledger.store.systems import sqlite_connections
from tests.recorder.tables import KEY
from tests.soak.faults.moves import Place, nights, open_night, record

DATABASE = "ledger.db"
JOURNAL = f"{DATABASE}-journal"
ACKNOWLEDGED = "acknowledged"
"""The file to which the writer appends every acknowledged place; none of them may be lost."""


def main(moves: int, folder: Path, settings: dict[str, object]) -> None:
    with (
        patch.dict(sqlite_connections.SETTINGS, settings),
        patch.dict(sqlite_connections.FORGETTING, settings),
    ):
        store = Store.open(f"sqlite:///{folder / DATABASE}")
        output = os.open(folder / ACKNOWLEDGED, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

        def acknowledge(place: Place) -> None:
            os.write(output, f"{place}\n".encode())

        try:
            recorder, night = Recorder(store, KEY), next(nights())
            acknowledge(Place(0, open_night(recorder, night)))
            list(islice(record(recorder, night, after=0, acknowledge=acknowledge), moves))
        finally:
            os.close(output)
            store.close()


if __name__ == "__main__":
    _, number, *rest = sys.argv
    for where, how in zip(rest[::2], rest[1::2], strict=True):
        main(int(number), Path(where), json.loads(how))
