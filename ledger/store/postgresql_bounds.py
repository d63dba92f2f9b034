"""How long PostgreSQL is waited for where it sets no bound itself.

A commit waits for its standby without end: to the server it is no statement any more, whose time is limited. So it
is the client that gives up, and closes the connection. The server's process goes on waiting, and commits once the
standby is back: to cancel it would commit without one.
"""

import time
from collections.abc import Generator
from functools import cache
from typing import Any, Final

ANSWER: Final = {"seconds": 7.0}
"""Longer than what writes waits for a lock, and shorter than a phone waits for its answer."""


@cache
def bounded_connection() -> Any:
    """The driver's class of connections, with this bound; asked for when the driver is there, which it need not be
    for SQLite."""
    import psycopg

    class BoundedConnection(psycopg.Connection[Any]):
        def wait(self, gen: Any, *args: Any, **how: Any) -> Any:
            return super().wait(self._in_time(gen), *args, **how)

        def _in_time(self, steps: Any) -> Generator[Any, Any, Any]:
            """The steps of an exchange with the server; between them the driver looks several times a second."""
            until = time.monotonic() + ANSWER["seconds"]
            try:
                wanted = next(steps)
                while True:
                    ready = yield wanted
                    if not ready and time.monotonic() > until:
                        self.pgconn.finish()
                        raise psycopg.OperationalError(f"no answer in {ANSWER['seconds']:g} s")
                    wanted = steps.send(ready)
            except StopIteration as end:
                return end.value

    return BoundedConnection
