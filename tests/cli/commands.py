"""The command line in tests: in this process, or in a subprocess where bytes matter."""

import json
import os
import resource
import signal
import sqlite3
import subprocess
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from unittest.mock import patch

from click.testing import CliRunner

from ledger.cli import main
from tests.servers import PROGRAM

RECORDS = Path(__file__).parent.parent / "records"


@dataclass(frozen=True)
class Ran:
    """A finished command: its exit status and output, and the niceness that it asked for."""

    status: int
    out: str
    err: str
    niceness: int = field(default=0, compare=False)

    @property
    def data(self) -> list[Any]:
        """The printed JSON objects, one per line."""
        return [json.loads(line) for line in self.out.splitlines()]


def tienlen(*arguments: str | Path, input: bytes = b"") -> Ran:
    """Run a command in this process; any exception other than its exit fails the test.

    A priority that it asks for is not set: no process may raise it again, and whatever a test process runs later,
    servers and browsers included, would wait for everything else.
    """
    with patch("os.setpriority") as asked:
        result = CliRunner().invoke(
            main, list(map(str, arguments)), input=input, prog_name="tienlen", catch_exceptions=False
        )
    niceness = asked.call_args.args[-1] if asked.called else 0
    return Ran(result.exit_code, result.stdout_bytes.decode(), result.stderr, niceness)


def tienlen_process(
    *arguments: str | bytes | Path,
    input: bytes = b"",
    environment: Mapping[str, str] | None = None,
    room: int | None = None,
    out: IO[str] | int = subprocess.PIPE,
) -> Ran:
    """Run a command in a subprocess. `room` simulates a full disk: no file may exceed so many bytes."""

    def fill() -> None:
        if room is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    done = subprocess.run(
        [*PROGRAM, *arguments],
        input=input,
        stdout=out,
        stderr=subprocess.PIPE,
        env=os.environ | (environment or {}),
        preexec_fn=fill,
        check=False,
    )
    return Ran(
        done.returncode, (done.stdout or b"").decode(errors="replace"), done.stderr.decode(errors="replace")
    )


def says_one_line(ran: Ran) -> bool:
    """Whether the only output is one line on standard error, without a traceback."""
    return not ran.out and ran.err.count("\n") == 1 and ran.err.endswith("\n") and "Traceback" not in ran.err


def refused(*arguments: str | Path, input: bytes = b"", status: int = 2) -> str:
    """The line with which a command is refused, without its end: all that it prints."""
    ran = tienlen(*arguments, input=input)
    assert (ran.status, says_one_line(ran)) == (status, True), f"{arguments}: {ran}"
    return ran.err.removesuffix("\n")


def tamper(database: Path, *statements: str) -> None:
    """Change a database of SQLite as its owner can: without its triggers, which are there again afterwards."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in (*statements, *(text for _, text in triggers)):
            connection.execute(statement)
