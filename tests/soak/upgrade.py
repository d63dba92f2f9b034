"""Upgrade two hosts on one PostgreSQL from the version before, one after the other, while tables record."""

import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import islice
from os import environ
from pathlib import Path
from threading import Event
from typing import Annotated, Final

from benchmarks.filling import copy_night, inserting_into_postgresql

from ledger.recorder import Recorder
from ledger.store import Store, StoreError
from ledger.store.schema import VERSION_TABLE
from tests.patience import Patience
from tests.postgresql import OWNER, Cluster, running_cluster
from tests.processes import DidNotStart
from tests.recorder.tables import KEY
from tests.servers import PROGRAM, Served
from tests.soak.failover.tables import Server, Table, compare, playing, refusals
from tests.soak.faults.moves import nights
from tests.soak.running import Tally, row, scratch
from tests.versions import HERE, NAMED, PARTS, previous_program
from tests.web.phones import NIGHTS

_FINISHED: Final = 2
"""Nights that only the version before records."""
PATIENCE: Final = 60.0
"""Seconds that the machine gives (`tests/patience.py`) until the next table has to record again."""
DEFECTS: Final = {
    "": "",
    "a column renamed": "ALTER TABLE event RENAME COLUMN kind TO sort",
    "a column that must be filled": """
ALTER TABLE event ADD COLUMN host text NOT NULL DEFAULT '';
ALTER TABLE event ALTER COLUMN host DROP DEFAULT
""",
    "a move lost": """
ALTER TABLE event DISABLE TRIGGER event_is_only_appended;
DELETE FROM event WHERE (night, seq) IN (SELECT night, max(seq) FROM event GROUP BY night)
   AND payment_count = 0 AND (night, seq) NOT IN (SELECT night, seq FROM correction);
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE event ENABLE ALWAYS TRIGGER event_is_only_appended
""",
}
"""What one more migration does."""
_UPGRADABLE: Final = (
    (
        "self._reading = engine_of(url, _BEGIN_READING",
        f'self._reading = engine_of(url, _BEGIN_READING + "; LOCK TABLE {VERSION_TABLE} IN ACCESS SHARE MODE"',
    ),
    ("import compared, wanted_schema", "import differences"),
    (
        '*compared(wanted_schema("postgresql"), schema(connection))',
        '*differences(connection, "postgresql", schema(connection))',
    ),
)
"""What is replaced in the version before the first release."""
_MIGRATION: Final = '''
from alembic import op

revision, down_revision, branch_labels, depends_on = "9999.0001", "{last}", None, None


def upgrade() -> None:
    op.execute("""{does}""")
'''


@dataclass(frozen=True)
class Evening:
    """Two hosts of one database, and the tables that record through them."""

    hosts: Sequence[Served]
    tables: Sequence[Table]
    tally: Tally
    moves: int

    def after(self, what: str, does: Callable[[], object] = lambda: None) -> None:
        """Do something, and wait until every table has recorded some moves after it; every host that runs must show
        every night then. Raises TimeoutError."""
        began = time.monotonic()
        does()
        took = time.monotonic() - began
        enough = [len(table.acknowledged) + self.moves for table in self.tables]

        def lacking() -> list[int]:
            return [max(e - len(t.acknowledged), 0) for t, e in zip(self.tables, enough, strict=True)]

        patience = Patience(PATIENCE, lacking)
        while any(lacking()):
            if any(table.wrong for table in self.tables):
                raise TimeoutError(f"{what}: a table does not go on")
            if patience.ends():
                raise TimeoutError(f"{what}: tables lack {lacking()} moves: {dict(refusals(self.tables))}")
            time.sleep(0.05)
        self._show(what)
        longest = max(
            (waited for table in self.tables for since, waited in table.waits if since + waited > began),
            default=0.0,
        )
        self.tally["longest wait in ms"] = max(self.tally["longest wait in ms"], round(1000 * longest))
        row(what, f"{took:.1f} s", f"{longest:.1f} s")

    def _show(self, what: str) -> None:
        for host in self.hosts:
            for table in self.tables if host.process.poll() is None else ():
                for path in ("/healthz", f"{NIGHTS}/{table.night}", f"{NIGHTS}/{table.night}/ledger"):
                    answer = host.get(path, table.token)
                    if answer.status != 200:
                        self.tally.wrong.append(f"{what}: {path}: {answer.status} {answer.body[:300]!r}")


def upgraded(
    cluster: Cluster,
    place: Path,
    *,
    tables: int,
    moves: int,
    thinking: float,
    workers: int = 2,
    entries: int = 0,
    defect: str = "",
) -> Tally:
    """Upgrade the two hosts of a database with so many `entries` of other nights; what it has then is compared with
    what was acknowledged. Raises LookupError without the version before this one."""
    before, after, tally = _prepared(previous_program(place / "before")), HERE, Tally()
    if defect:
        after = _planted(place / "after", DEFECTS[defect])
    database = cluster.new_database()
    web, owner = cluster.url(database), cluster.url(database, OWNER)
    _migrate(before, web, owner)
    with ExitStack() as running:
        one, two = hosts = [_host(place / name, web, before, workers) for name in ("one", "two")]
        with ThreadPoolExecutor(len(hosts)) as pool:
            list(pool.map(Served.start, hosts))
        for host in hosts:
            running.callback(host.stop)
        some = islice(nights(), _FINISHED + tables)
        finished = [Table(n, _servers(hosts), Event(), thinking=0, moves=22) for n in islice(some, _FINISHED)]
        for table in finished:
            table.play()
        if entries:
            with closing(Store.open(web)) as store:
                copies = entries // len(finished[0].acknowledged)
                inserting = inserting_into_postgresql(cluster, database)
                copy_night(Recorder(store, KEY), finished[0].night, copies, inserting)
        with playing(some, _servers(hosts), thinking=thinking) as recording:
            evening = Evening(hosts, recording, tally, moves)
            steps: tuple[tuple[str, Callable[[], object]], ...] = (
                ("two hosts of the version before", lambda: None),
                ("one is stopped", one.stop),
                ("the database is migrated", lambda: _migrate(after, web, owner)),
                ("one is started with this version", lambda: _renew(one, after)),
                ("the other is stopped", two.stop),
                ("it is started with this version", lambda: _renew(two, after)),
            )
            try:
                for what, does in steps:
                    if not tally.wrong:
                        evening.after(what, does)
            except (TimeoutError, DidNotStart) as error:
                tally.wrong.append(str(error))
    try:
        compare(web, [*finished, *recording], tally)
    except StoreError as error:
        tally.wrong.append(f"the database cannot be read: {error}")
    return tally


def _prepared(program: Path) -> Path:
    """A version before the first release, with what makes each from then on upgradable while others record: it uses
    newer schemas that name its own, and waits for a migration before the moment that it reads."""
    schema, system = "ledger/store/schema.py", program / "ledger/store/systems/postgresql.py"
    if "usable_since" not in (program / schema).read_text():
        shutil.copy(HERE / schema, program / schema)
        text = system.read_text()
        for old, new in _UPGRADABLE:
            assert old in text
            text = text.replace(old, new)
        system.write_text(text)
    return program


def _planted(folder: Path, does: str) -> Path:
    """This version with one more migration."""
    for part in PARTS:
        shutil.copytree(HERE / part, folder / part)
    versions = folder / "migrations/versions"
    last = max(file.name.partition("_")[0] for file in versions.glob("[0-9]*_*.py"))
    (versions / "9999.0001_planted.py").write_text(_MIGRATION.format(last=last, does=does))
    return folder


def _migrate(program: Path, web: str, owner: str) -> None:
    python, run, words = PROGRAM
    urls = {"TIENLEN_DATABASE_URL": web, "TIENLEN_OWNER_URL": owner}
    done = subprocess.run(
        [python, run, f"{NAMED}\n{words}", "migrate"],
        env=environ | urls | {"PROGRAM": str(program)},
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise DidNotStart(f"tienlen migrate: {done.stderr}")


def _host(folder: Path, url: str, program: Path, workers: int) -> Served:
    folder.mkdir()
    return Served(folder, url, workers=workers, plant=NAMED, environment={"PROGRAM": str(program)})


def _renew(host: Served, program: Path) -> None:
    host.environment["PROGRAM"] = str(program)
    host.start()


def _servers(hosts: Sequence[Served]) -> list[Server]:
    return [Server(host.host, host.port) for host in hosts]


def soak(
    *,
    tables: int = 10,
    moves: int = 20,
    entries: Annotated[int, "entries of other nights"] = 0,
    defect: Annotated[str, "what one more migration does", DEFECTS] = "",
) -> Tally:
    """Upgrade two hosts from the version before this one, one after the other, while tables record."""
    with running_cluster() as cluster, scratch() as place:
        try:
            return upgraded(
                cluster, place, tables=tables, moves=moves, thinking=0.2, entries=entries, defect=defect
            )
        except LookupError as error:
            return Tally(wrong=[error])
