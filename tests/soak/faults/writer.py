"""A program for strace that records an endless night in several folders, each under its own settings. Its log is
emptied often: cut off, or, where a reader comes in between, overwritten from its beginning. Other nights are opened
and forgotten between its moves."""

import json
import sqlite3
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from itertools import count, islice
from pathlib import Path
from unittest.mock import patch

from ledger.recorder import Recorder
from ledger.store import Store
from ledger.store.systems import sqlite, sqlite_connections
from tests.recorder.tables import KEY, NAMES
from tests.soak.faults.moves import Place, nights, open_night, record

DATABASE = "ledger.db"
LOG = f"{DATABASE}-wal"
SHARED_MEMORY = f"{DATABASE}-shm"
LOG_BYTES = 20 * 4096  # which a few moves fill, so that checkpoints are frequent
ACKNOWLEDGED = "acknowledged"
"""The file of what was acknowledged: places of the night, none of which may be lost, and erased names, which no
file may have."""
ERASED = "erased "
BETWEEN_ERASURES = 5  # moves


def main(moves: int, folder: Path, sectors: str, settings: dict[str, object]) -> None:
    others = nights()
    night = next(others)
    with ExitStack() as stack:
        stack.enter_context(patch.dict(sqlite_connections.SETTINGS, settings))
        stack.enter_context(patch.object(sqlite_connections, "SECTORS", sectors))
        stack.enter_context(patch.object(sqlite, "LOG_BYTES", LOG_BYTES))
        stack.enter_context(patch.object(sqlite, "checkpoint", _beside_readers(folder / DATABASE)))
        store = stack.enter_context(closing(Store.open(f"sqlite:///{folder / DATABASE}")))
        output = stack.enter_context((folder / ACKNOWLEDGED).open("ab", buffering=0))

        def acknowledge(line: object) -> None:
            output.write(f"{line}\n".encode())

        recorder = Recorder(store, KEY)
        acknowledge(Place(0, open_night(recorder, night)))
        for place in islice(record(recorder, night, after=0, acknowledge=acknowledge), moves):
            if place.seq % BETWEEN_ERASURES == 0:
                other, name = next(others), f"Quyên {place.seq}."
                open_night(recorder, other, (name, NAMES[0]))
                recorder.forget(other)
                acknowledge(f"{ERASED}{name}")


def _beside_readers(database: Path) -> Callable[..., bool]:
    """A checkpoint that a reader of everything recorded keeps, every other time, from cutting the log off."""
    usual, number = sqlite_connections.checkpoint, count()

    def checkpoint(connection: sqlite3.Connection, *, wait: bool) -> bool:
        if wait or next(number) % 2:
            return usual(connection, wait=wait)
        with closing(sqlite3.connect(database, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM sqlite_schema")
            return usual(connection, wait=wait)

    return checkpoint


if __name__ == "__main__":
    _, number, *rest = sys.argv
    for where, how in zip(rest[::2], rest[1::2], strict=True):
        main(int(number), Path(where), *json.loads(how))
