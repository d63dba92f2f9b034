"""A program for strace that records an endless night in several folders, each under its own settings."""

import json
import sys
from contextlib import ExitStack, closing
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
ACKNOWLEDGED = "acknowledged"  # the file of all acknowledged places, none of which may be lost


def main(moves: int, folder: Path, settings: dict[str, object]) -> None:
    night = next(nights())
    with ExitStack() as stack:
        for changed in (sqlite_connections.SETTINGS, sqlite_connections.FORGETTING):
            stack.enter_context(patch.dict(changed, settings))
        store = stack.enter_context(closing(Store.open(f"sqlite:///{folder / DATABASE}")))
        output = stack.enter_context((folder / ACKNOWLEDGED).open("ab", buffering=0))

        def acknowledge(place: Place) -> None:
            output.write(f"{place}\n".encode())

        recorder = Recorder(store, KEY)
        acknowledge(Place(0, open_night(recorder, night)))
        list(islice(record(recorder, night, after=0, acknowledge=acknowledge), moves))


if __name__ == "__main__":
    _, number, *rest = sys.argv
    for where, how in zip(rest[::2], rest[1::2], strict=True):
        main(int(number), Path(where), json.loads(how))
