"""The command line in tests: in this process, or in a subprocess where bytes matter."""

import json
import os
import resource
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from click.testing import CliRunner

from ledger.cli import main
from tests.servers import PROGRAM

RECORDS = Path(__file__).parent.parent / "records"


@dataclass(frozen=True)
class Ran:
    """A finished command: its exit status and output."""

    status: int
    out: str
    err: str

    @property
    def data(self) -> list[Any]:
        """The printed JSON objects, one per line."""
        return [json.loads(line) for line in self.out.splitlines()]


def tienlen(*arguments: str | Path, input: bytes = b"") -> Ran:
    """Run a command in this process; any exception other than its exit fails the test."""
    result = CliRunner().invoke(
        main, list(map(str, arguments)), input=input, prog_name="tienlen", catch_exceptions=False
    )
    return Ran(result.exit_code, result.stdout_bytes.decode(), result.stderr)


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
        timeout=60,
        check=False,
    )
    return Ran(
        done.returncode, (done.stdout or b"").decode(errors="replace"), done.stderr.decode(errors="replace")
    )


def says_one_line(ran: Ran) -> bool:
    """Whether the only output is one line on standard error, without a traceback."""
    return not ran.out and ran.err.count("\n") == 1 and ran.err.endswith("\n") and "Traceback" not in ran.err
