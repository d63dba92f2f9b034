"""What a request reads: one snapshot, which it releases before it renders, records, or waits for others.

So all that a page shows is of one moment, and no slow page, writer or queue holds a connection to the database.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from flask import g, render_template

from ledger.recorder import Snapshot, StoreError
from ledger.web.recorder import recorder


def snapshot() -> Snapshot:
    """The snapshot of this request: the same until `release`, and then a later one. Raises StoreUnavailable."""
    found: Snapshot | None = g.get("snapshot")
    if found is None:
        found = g.snapshot = recorder().snapshot()
    return found


def release(error: BaseException | None = None) -> None:
    """End the transaction in which this request reads, if it has one."""
    found: Snapshot | None = g.pop("snapshot", None)
    if found is not None:
        with suppress(StoreError):  # all that it was needed for has been read
            found.close()


@contextmanager
def last_reading() -> Iterator[Snapshot]:
    """The snapshot of this request, released at the end of the block, unless that raises an error."""
    yield snapshot()
    release()


def render(template: str, **values: Any) -> str:
    """Render a template, from values alone."""
    release()
    return render_template(template, **values)
