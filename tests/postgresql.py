"""A PostgreSQL server of the tests' own, where its programs are installed."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

OWNER, WEB = "tienlen_owner", "tienlen_web"
STANDBY = "tienlen_standby"

_PLACES = Path("/usr/lib/postgresql")
"""Where Debian keeps each version's programs, which are not on the PATH."""

_IN_MEMORY = Path("/dev/shm")


def programs() -> Path | None:
    """The folder of the newest PostgreSQL's programs."""
    versions = sorted(_PLACES.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    found = versions[-1] if versions else on_path and Path(on_path).resolve()
    return found.parent if found else None


class Cluster:
    """A server that nobody else knows: reached by a socket in its own folder."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        self._programs = programs
        self._user = "postgres" if os.geteuid() == 0 else None  # the server refuses to be root
        self._names = count(1)
        if self._user:
            shutil.chown(folder, self._user)

    def make(self) -> None:
        """A new one, with the two roles."""
        self._call(
            "initdb", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"
        )
        self.start()
        for role in (OWNER, WEB):
            self.run(f"CREATE ROLE {role} LOGIN")

    def follow(self, primary: "Cluster") -> None:
        """A standby of another one, which may wait for it by its name."""
        there = f"host={primary.folder} user=postgres application_name={STANDBY}"
        self._call("pg_basebackup", "--write-recovery-conf", "--checkpoint=fast", "--dbname", there)
        self.start()

    def promote(self) -> None:
        """A standby no more."""
        self._call("pg_ctl", "promote", "--wait", "--silent")

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c max_connections=200"
        log = str(self.folder / "log")
        self._call("pg_ctl", "start", "--wait", "--silent", "--log", log, "--options", options)

    def crash(self) -> None:
        """Stop as if killed, if it runs: at its next start it recovers what was committed from its log."""
        if (self.folder / "data" / "postmaster.pid").exists():
            self._call("pg_ctl", "stop", "--wait", "--silent", "--mode=immediate")

    def wait_for(self, standby: str) -> None:
        """Let commits wait for a standby of this name, from now on; for none where it is empty."""
        self.run(f"ALTER SYSTEM SET synchronous_standby_names = '{standby}'")
        self.run("SELECT pg_reload_conf()")
        while True:
            with self.connect() as connection:  # a new one: each takes its time to notice
                if connection.execute("SHOW synchronous_standby_names").fetchone() == (standby,):
                    return
            time.sleep(0.02)

    def url(self, database: str, role: str = WEB) -> str:
        return f"postgresql://{role}@/{database}?host={self.folder}"

    def connect(self, database: str = "postgres", role: str = "postgres") -> psycopg.Connection[Any]:
        """Someone's own connection, each statement by itself."""
        return psycopg.connect(self.url(database, role), autocommit=True)

    def run(self, statement: str) -> None:
        """As whoever runs the server."""
        with self.connect() as connection:
            connection.execute(statement)

    def new_database(self, template: str = "template0") -> str:
        """The name of a database of its own for a test; empty, or a copy of another that nobody is using.

        Rights on the database itself, which a copy does not have, are as the migrations make them.
        """
        name = f"ledger_{next(self._names)}"
        self.run(f"CREATE DATABASE {name} OWNER {OWNER} TEMPLATE {template} ENCODING 'UTF8'")
        self.run(f"REVOKE ALL ON DATABASE {name} FROM PUBLIC; GRANT CONNECT ON DATABASE {name} TO {WEB}")
        return name

    def drop(self, database: str) -> None:
        self.run(f"DROP DATABASE {database} WITH (FORCE)")

    def _call(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._programs / program, "-D", self.folder / "data", *arguments],
            user=self._user,
            cwd=self.folder,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr


@contextmanager
def running_cluster(folder: Path | None = None, *, follows: Cluster | None = None) -> Iterator[Cluster]:
    """A server with the two roles, its files in a folder, or where they are quickest; or a standby of another one.
    Skips where PostgreSQL's programs are not installed."""
    where = programs()
    if where is None:
        import pytest  # which the benchmark need not have

        pytest.skip("no PostgreSQL found: install Debian's postgresql package")
    # Settings are those that the store insists on, so the speed comes from where the files are.
    place = tempfile.mkdtemp(
        prefix="tienlen-pg-", dir=folder or (_IN_MEMORY if _IN_MEMORY.is_dir() else None)
    )
    try:
        cluster = Cluster(Path(place), where)
        if follows:
            cluster.follow(follows)
        else:
            cluster.make()
        yield cluster
        cluster.crash()
    finally:
        shutil.rmtree(place, ignore_errors=True)
