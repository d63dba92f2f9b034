"""A PostgreSQL server for tests, if its programs are installed."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from tests import processes
from tests.patience import descendants_of

OWNER, WEB = "tienlen_owner", "tienlen_web"
STANDBY = "tienlen_standby"

_PLACES = Path("/usr/lib/postgresql")
"""Debian's folder of each version's programs, which are not on the PATH."""

_IN_MEMORY = Path("/dev/shm")


def programs() -> Path | None:
    """The folder of the newest PostgreSQL's programs."""
    versions = sorted(_PLACES.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    found = versions[-1] if versions else on_path and Path(on_path).resolve()
    return found.parent if found else None


class Cluster:
    """A private server, reached by a socket in its own folder."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        self._programs = programs
        self._user = "postgres" if os.geteuid() == 0 else None  # the server refuses to be root
        self._names = count(1)
        if self._user:
            shutil.chown(folder, self._user)

    def make(self) -> None:
        """Create and start it, with the two roles."""
        self._call(
            "initdb", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"
        )
        self.start()
        for role in (OWNER, WEB):
            self.run(f"CREATE ROLE {role} LOGIN")

    def follow(self, primary: "Cluster") -> None:
        """Create and start it as a standby of `primary`, which may wait for it by the name STANDBY."""
        there = f"host={primary.folder} user=postgres application_name={STANDBY}"
        self._call("pg_basebackup", "--write-recovery-conf", "--checkpoint=fast", "--dbname", there)
        self.start()

    def promote(self) -> None:
        """Turn a standby into a primary."""
        self._call("pg_ctl", "promote", "--wait", "--silent")

    def start(self) -> None:
        options = ["listen_addresses=", f"unix_socket_directories={self.folder}", "max_connections=200"]
        log, data = self.folder / "log", self.folder / "data"
        settings = [f"-c{option}" for option in options]
        command = [str(self._programs / "postgres"), "-D", str(data), *settings]
        self._process = processes.start(command, log, user=self._user, folder=self.folder)

        def accepts() -> bool:
            """Whether the server has written into the file of its pid, as pg_ctl reads it, that it is ready."""
            lines = (data / "postmaster.pid").read_text().split("\n")
            return lines[0] == str(self._process.pid) and "".join(lines[7:8]).strip() in ("ready", "standby")

        try:
            processes.await_answer(self._process, accepts, "PostgreSQL to accept connections", log)
        except BaseException:
            self.crash()
            raise

    def crash(self) -> None:
        """Stop as if killed, if it runs; at the next start it recovers commits from its log."""
        processes.stop(self._process, signal.SIGQUIT)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop its processes for the block; the kernel goes on to answer for its connections."""
        pids = {self._process.pid, *descendants_of(self._process.pid)}
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)

    def wait_for(self, standby: str) -> None:
        """Make commits wait for the standby of this name; for none if it is empty."""
        self.run(f"ALTER SYSTEM SET synchronous_standby_names = '{standby}'")
        self.run("SELECT pg_reload_conf()")
        while True:
            with self.connect() as connection:  # a new one: an old one sees the setting later
                if connection.execute("SHOW synchronous_standby_names").fetchone() == (standby,):
                    return
            time.sleep(0.02)

    def url(self, database: str, role: str = WEB) -> str:
        return f"postgresql://{role}@/{database}?host={self.folder}"

    def connect(self, database: str = "postgres", role: str = "postgres") -> psycopg.Connection[Any]:
        """A new connection in autocommit mode."""
        return psycopg.connect(self.url(database, role), autocommit=True)

    def run(self, statement: str) -> None:
        """Run a statement as the superuser."""
        with self.connect() as connection:
            connection.execute(statement)

    def new_database(self, template: str = "template0") -> str:
        """Create a database for a test and return its name. It is empty, or a copy of one without connections.

        A copy lacks the rights on the database itself, so they are granted as the migrations do.
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
    """A server with the two roles, or a standby, in a folder or else in memory if possible.
    Skips the test if PostgreSQL is not installed."""
    where = programs()
    if where is None:
        import pytest  # which the benchmark need not have

        pytest.skip("no PostgreSQL found: install Debian's postgresql package")
    # The store insists on safe settings, so only the place of the files can make the server fast.
    place = tempfile.mkdtemp(
        prefix="tienlen-pg-", dir=folder or (_IN_MEMORY if _IN_MEMORY.is_dir() else None)
    )
    with processes.guarded(Path(place)):
        try:
            cluster = Cluster(Path(place), where)
            if follows:
                cluster.follow(follows)
            else:
                cluster.make()
            try:
                yield cluster
            finally:
                cluster.crash()
        finally:
            shutil.rmtree(place, ignore_errors=True)
