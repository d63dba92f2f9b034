"""The entries that one PostgreSQL server commits in a second, by the number of nights recorded at once and by the
time that a commit waits for a standby; and what the transactions wait for meanwhile."""

import asyncio
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Final

from benchmarks.measuring import KEY, Effort, Figure, Row
from benchmarks.nights import Night, some_rounds
from ledger.recorder import Recorder
from ledger.store import Store, migrate
from ledger.store.models import Event
from ledger.store.models import Night as NightRow
from ledger.store.systems.postgresql import COMMIT
from tests import postgresql

_SOCKET: Final = ".s.PGSQL.5432"
_LOOKS_A_SECOND: Final = 50
_WAITS: Final = """
SELECT coalesce(wait_event_type || ' ' || wait_event, 'running') FROM pg_stat_activity
WHERE usename = 'tienlen_web' AND state = 'active'
"""
_LOCK: Final = "Lock object"
"""How PostgreSQL calls a wait for the lock of notifications."""
_NIGHT: Final = "00000000-0000-4000-8000-"


def rows(effort: Effort) -> Iterator[Row]:
    """One row for each delay of the standby's answer, and number of nights."""
    with ExitStack() as stack:
        cluster = stack.enter_context(postgresql.running_cluster())
        standby = stack.enter_context(postgresql.running_cluster(follows=cluster))
        relay = stack.enter_context(_running_relay(cluster.folder, standby.folder / "relay"))
        here = f"host={relay.folder} user=postgres application_name={postgresql.STANDBY}"
        standby.run(f"ALTER SYSTEM SET primary_conninfo = '{here}'")
        standby.run("SELECT pg_reload_conf()")
        database = _prepared(cluster, max(effort.nights_at_once))
        script = cluster.folder / "entry.sql"
        script.write_text(_entry())
        for milliseconds in (None, *effort.standby_milliseconds):
            if milliseconds is not None:
                relay.seconds = milliseconds / 1e3
                cluster.wait_for(postgresql.STANDBY)
                cluster.run("SELECT pg_logical_emit_message(true, '', '')")  # until the standby has caught up
            for nights in effort.nights_at_once:
                yield _row(cluster, database, milliseconds, nights, effort.commit_seconds)


def _prepared(cluster: postgresql.Cluster, nights: int) -> str:
    """A new database with so many nights of one entry."""
    database = cluster.new_database()
    migrate(cluster.url(database, postgresql.OWNER))
    with closing(Store.open(cluster.url(database))) as store:
        original = Night(Recorder(store, KEY), some_rounds(1)).id
    first = {"id": f"'{_NIGHT}' || lpad(number::text, 12, '0')"}
    entry = {"night": "n.id", "seq": "1", "id": "gen_random_uuid()", "prev": "n.hash", "payment_count": "0"}
    with cluster.connect(database) as connection:
        connection.execute(
            f"INSERT INTO night {_copied(NightRow, first, 'night')},"
            f" generate_series(0, {nights - 1}) number WHERE id = '{original}'"
        )
        connection.execute(
            f"INSERT INTO event {_copied(Event, entry, 'event')}, night n"
            f" WHERE night = '{original}' AND seq = 2 AND n.id LIKE '{_NIGHT}%'"
        )
    return database


def _copied(table: type[Event | NightRow], changed: dict[str, str], source: str) -> str:
    """A query for the rows of a table with some columns changed, without its end."""
    columns = [column.name for column in table.__table__.c]
    values = ", ".join(changed.get(name, f"{source}.{name}") for name in columns)
    return f"({', '.join(columns)}) SELECT {values} FROM {source}"


def _entry() -> str:
    """A transaction as the program's, with one entry in its client's night, for pgbench."""
    night = f"('{_NIGHT}' || lpad(:client_id::text, 12, '0'))"
    changed = {"seq": "seq + 1", "id": "gen_random_uuid()", "prev": "hash", "hash": "sha256(hash)"}
    insert = f"INSERT INTO event {_copied(Event, changed, 'event')} WHERE night = {night}"
    begin = f"BEGIN ISOLATION LEVEL READ COMMITTED; SELECT ledger_lock({night})"
    messages = (begin, f"{insert} ORDER BY seq DESC LIMIT 1", COMMIT)
    # pgbench sends statements with a \; between them in one message.
    return "".join(message.replace(";", r" \;") + ";\n" for message in messages)


def _row(
    cluster: postgresql.Cluster, database: str, milliseconds: float | None, nights: int, seconds: int
) -> Row:
    where = "no standby" if milliseconds is None else f"a standby {milliseconds:g} ms away"
    rate, waits = _recorded(cluster, database, nights, seconds, "-c tienlen.notifies=after\\ commit")
    within, then = _recorded(cluster, database, nights, seconds)
    shares = {"notified after": waits, "within": then}
    return Row(
        name=f"commits-{nights}-{'alone' if milliseconds is None else f'{milliseconds:g}ms'}",
        title=f"entries committed a second, {nights} nights at once, {where}",
        values=[rate],
        unit="a second",
        same_work="The program's transaction with one entry, sent by pgbench again and again for each night; the "
        "server's files are in memory. Beside it: with the notification within the transaction, and the share of "
        "transactions that were found waiting for its lock.",
        measured={
            "notified within": Figure(within, "a second"),
            **{
                f"waiting, {how}": Figure(some[_LOCK] / max(1, some.total()) * 100, "%")
                for how, some in shares.items()
            },
        },
    )


def _recorded(
    cluster: postgresql.Cluster, database: str, nights: int, seconds: int, options: str = ""
) -> tuple[float, Counter[str]]:
    """The transactions a second, and what they waited for at each look."""
    programs, waits = postgresql.programs(), Counter[str]()
    assert programs
    command = [
        str(programs / "pgbench"),
        "--no-vacuum",
        "--client",
        str(nights),
        "--time",
        str(seconds),
        "--file",
        "entry.sql",
    ]
    with (
        cluster.connect(database) as look,
        subprocess.Popen(
            [*command, cluster.url(database)],
            cwd=cluster.folder,
            env={"PGOPTIONS": options},
            stdout=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        while process.poll() is None:
            waits.update(what for (what,) in look.execute(_WAITS))
            sleep(1 / _LOOKS_A_SECOND)
        printed, _ = process.communicate()
    if not (found := re.search(r"^tps = ([\d.]+)", printed, re.MULTILINE)):
        raise RuntimeError(printed)
    return float(found[1]), waits


class _Relay:
    """A way to a server on which what is sent to it arrives later, so many seconds."""

    def __init__(self, server: Path, folder: Path) -> None:
        self.folder, self.seconds = folder, 0.0
        self._server = server / _SOCKET

    async def open(self) -> None:
        self.folder.mkdir()
        self.folder.chmod(0o777)
        await asyncio.start_unix_server(self._connect, self.folder / _SOCKET)
        (self.folder / _SOCKET).chmod(0o777)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_unix_connection(self._server)
        await asyncio.gather(
            self._pass_on(reader, to_server, later=True), self._pass_on(from_server, writer, later=False)
        )

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, later: bool
    ) -> None:
        loop = asyncio.get_running_loop()
        while data := await reader.read(1 << 16):
            if later and self.seconds:
                loop.call_later(self.seconds, writer.write, data)
            else:
                writer.write(data)
        writer.close()


@contextmanager
def _running_relay(server: Path, folder: Path) -> Iterator[_Relay]:
    relay, loop = _Relay(server, folder), asyncio.new_event_loop()
    loop.run_until_complete(relay.open())
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield relay
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
