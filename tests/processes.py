"""Processes that tests, harnesses and benchmarks start, and that run until they are stopped.

Each leads a session of its own, and ends with the process that started it, however that ends (`guard.py`).
"""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from tests.patience import SECONDS, Patience

_LONG = 5.0
"""Seconds after which a wait says what it waits for."""
_PAUSE = 0.01

_REGISTERED = 'echo "starts $$" >&0; exec "$@" </dev/null'
"""A shell's command that tells the guard of a process before it runs, so that none is ever without a guard."""

Process = subprocess.Popen[bytes]


class DidNotStart(Exception):
    """A process has ended, or is not ready in time: what was waited for, and its log."""


@cache
def _guard(starter: int) -> int:
    """The file descriptor to write to the guard of a process, which is started on first use."""
    guard = subprocess.Popen(
        [sys.executable, "-S", Path(__file__).with_name("guard.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert guard.stdin is not None
    written = os.dup(guard.stdin.fileno())
    guard.stdin.close()
    guard.returncode = 0  # it is waited for by nobody: it ends after this process
    return written


_one_guard = Lock()
_not_stopped = set[int]()


def _tell_guard(does: str, what: object) -> None:
    os.write(_pipe(), f"{does} {what}\n".encode())


def _pipe() -> int:
    with _one_guard:
        return _guard(os.getpid())


def start(
    command: Sequence[str | Path],
    log: Path,
    environment: Mapping[str, str] | None = None,
    *,
    user: str | None = None,
    folder: Path | None = None,
) -> Process:
    """Start a command that reads nothing, with these variables besides this process's; it appends to `log`."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            ["/bin/sh", "-c", _REGISTERED, "sh", *command],
            stdin=_pipe(),
            stdout=output,
            stderr=output,
            env=os.environ | (environment or {}),
            start_new_session=True,
            user=user,
            cwd=folder,
        )
    _not_stopped.add(process.pid)
    return process


def stop(process: Process, number: int = signal.SIGTERM) -> None:
    """End a process by a signal, and kill what is left of its session; a process that was stopped stays so.

    Raises AssertionError if it does not end; it is killed then.
    """
    if process.pid not in _not_stopped:
        return
    try:
        process.send_signal(number)
        await_end(process)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        _not_stopped.discard(process.pid)
        _tell_guard("ended", process.pid)


@contextmanager
def running(
    command: Sequence[str | Path],
    log: Path,
    environment: Mapping[str, str] | None = None,
    *,
    ready: Callable[[], object],
    what: str,
) -> Iterator[Process]:
    """Run a command for the block, which begins when `ready` returns true. Raises DidNotStart."""
    process = start(command, log, environment)
    try:
        await_answer(process, ready, what, log)
        yield process
    finally:
        stop(process)


@contextmanager
def guarded(folder: Path) -> Iterator[None]:
    """Leave a folder to the guard for the block: it is removed if this process is killed."""
    _tell_guard("left", folder)
    try:
        yield
    finally:
        _tell_guard("removed", folder)


def await_answer(process: Process, ready: Callable[[], object], what: str, log: Path) -> None:
    """Wait until `ready` returns true, or raise DidNotStart with the log; OSError from `ready` means not yet."""

    def is_ready() -> object:
        if process.poll() is not None:
            raise DidNotStart(f"{what}: ended with {process.returncode}\n{log.read_text(errors='replace')}")
        with suppress(OSError):
            return ready()
        return False

    try:
        wait_for(is_ready, what)
    except AssertionError as late:
        raise DidNotStart(f"{late}\n{log.read_text(errors='replace')}") from None


def await_end(process: subprocess.Popen[Any], seconds: float = SECONDS) -> None:
    """Wait until a process ends, as `wait_for` does."""
    wait_for(lambda: process.poll() is not None, f"process {process.pid} to end", seconds=seconds)


def wait_for(
    state: Callable[[], object],
    what: str = "",
    *,
    happened: Callable[[], object] | None = None,
    seconds: float = SECONDS,
) -> None:
    """Wait until `state` returns true; a wait that takes long says on standard error what it waits for. Raises
    AssertionError when the machine has given so many seconds to this process and its descendants
    (`tests/patience.py`) since `happened` has last returned something new."""
    patience, began = Patience(seconds, happened), time.monotonic()
    says_at = began + _LONG
    while not state():
        now = time.monotonic()
        if now > says_at and what:
            print(f"waiting for {what}: {now - began:.0f} s", file=sys.stderr, flush=True)
            says_at = now + _LONG
        assert not patience.ends(), f"waited {patience.waited:.0f} s for {what or 'nothing'}"
        time.sleep(_PAUSE)


def end_with_parent() -> None:
    """Let this process of `multiprocessing` end with the one that started it, however that ends."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def is_running(process: int) -> bool:
    """Whether a process with this pid exists, and has not ended."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    with suppress(OSError):
        return " Z " not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2][:3]
    return True


def is_waited_for(lock: Path) -> bool:
    """Whether a process waits for the lock of this file; on Linux only."""
    waiting = (line for line in Path("/proc/locks").read_text().splitlines() if "->" in line)
    return any(f":{lock.stat().st_ino} " in line for line in waiting)
