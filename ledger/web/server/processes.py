"""Several processes that do the same work, and one that watches over them: it forks them, replaces those that end,
and ends them all within a few seconds."""

import os
import signal
from collections.abc import Callable, Iterator
from threading import Thread
from time import monotonic, sleep
from types import FrameType
from typing import Final, NoReturn

from ledger.web.observability.logs import LOG

STOP_SECONDS: Final = 4.5
"""How long a process may take to end once it is told to; after that it is killed."""
_REPLACE_SECONDS: Final = 0.2
"""The pause after a process ended by itself: one that ends at once must not be forked without pause."""
_LOOK_SECONDS: Final = 0.02
_STOPS: Final = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}

Stopping = Callable[[], bool]
Work = Callable[[Stopping], None]
"""What a process does. `Stopping` is whether it has been told to end, by a SystemExit in its main thread."""


def watch_over(work: Work, count: int, *, ended: Callable[[int], None]) -> None:
    """Keep so many processes at their work until this one gets SIGTERM, SIGINT or SIGHUP. `ended` is called with
    the id of each that has ended.

    Must be called in the main thread, before there are others. The processes end, too, if this one is killed.
    """
    signal.signal(signal.SIGCHLD, _no_more_than_wake)
    signal.pthread_sigmask(signal.SIG_BLOCK, {*_STOPS, signal.SIGCHLD})
    until_gone, held = os.pipe()
    working = {_forked(work, until_gone, held) for _ in range(count)}
    while signal.sigwait({*_STOPS, signal.SIGCHLD}) not in _STOPS:
        for process in _ended_of(working):
            ended(process)
            LOG.error("process", extra={"says": f"process {process} has ended, and is replaced"})
            sleep(_REPLACE_SECONDS)
            working.add(_forked(work, until_gone, held))
    for process in working:
        os.kill(process, signal.SIGTERM)
    patience = monotonic() + STOP_SECONDS
    while working and monotonic() < patience:
        sleep(_LOOK_SECONDS)
        for process in _ended_of(working):
            ended(process)
    for process in working:
        LOG.error("process", extra={"says": f"process {process} does not end, and is killed"})
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        ended(process)


def _no_more_than_wake(_signal: int, _frame: FrameType | None) -> None:
    """A signal that has no handler may be thrown away where it is waited for."""


def _ended_of(working: set[int]) -> Iterator[int]:
    """Take those that have ended out of a set, and return them one by one."""
    for process in list(working):
        if os.waitpid(process, os.WNOHANG)[0]:
            working.remove(process)
            yield process


def _forked(work: Work, until_gone: int, held: int) -> int:
    process = os.fork()
    if not process:
        _work(work, until_gone, held)
    return process


def _work(work: Work, until_gone: int, held: int) -> NoReturn:
    """Be a process that works. What the terminal tells all processes is for the one that watches."""
    told = False

    def stop(_signal: int, _frame: FrameType | None) -> None:
        nonlocal told
        told = True
        raise SystemExit

    status = 1
    try:
        os.close(held)
        signal.signal(signal.SIGTERM, stop)
        for each in (signal.SIGINT, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)
        Thread(target=_end_with, args=(until_gone,), name="until-gone", daemon=True).start()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {*_STOPS, signal.SIGCHLD})
        work(lambda: told)
        status = 0
    except SystemExit:
        status = 0
    except Exception:
        LOG.exception("failed")
    finally:
        os._exit(status)


def _end_with(until_gone: int) -> None:
    """Wait until the process that watches is gone, which held the other end of a pipe, and end this one."""
    os.read(until_gone, 1)
    os.kill(os.getpid(), signal.SIGTERM)
