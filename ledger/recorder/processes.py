"""Several processes that read one database side by side; what they tell is told in the order of the work.

Each opens the database for itself. None outlives whoever waits for it: they hold one end of a pipe, and leave at
once when the other end is gone, whether it was closed or its process was killed.
"""

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from threading import Thread, active_count
from typing import TypeVar

from ledger.store import Store, StoreFailing

_Told = TypeVar("_Told")


def processors() -> int:
    """How many processes can work at a time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def side_by_side(
    url: str, works: Sequence[Callable[[Store], Iterable[_Told]]], *, jobs: int
) -> Iterator[_Told]:
    """What each piece of work tells, in this order; begun in this order, too, by so many processes.

    Whoever asks has no transaction open, and closes this iterator when enough was told. Raises what the work
    raises, and StoreFailing where a process was ended by somebody else.
    """
    alive, ending = Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, _context(), initializer=_begin, initargs=(alive, ending))
    try:
        told = [pool.submit(_done, url, work) for work in works]
        # Which processes there are the pool sees when something is asked of it: a process that was still being
        # made, and is killed, would be waited for without end.
        pool.submit(os.getpid)
        for done in told:
            yield from done.result()
    except BaseException as error:
        ending.close()
        if isinstance(error, BrokenProcessPool):
            raise StoreFailing(
                "a process that read the database was ended before its work was done"
            ) from None
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        ending.close()
        alive.close()


def _context() -> BaseContext:
    """A fork is this process again, in an instant; where other threads are at work, nobody knows in what state."""
    return get_context("fork" if sys.platform == "linux" and active_count() == 1 else "spawn")


def _begin(alive: Connection, ending: Connection) -> None:
    """In a process that has just started: whoever waits for it decides when it ends, and not the keyboard."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()  # what is read is dropped piece by piece; to look for circles takes a twentieth of the time
    ending.close()
    Thread(target=_end_with, args=(alive,), daemon=True).start()


def _end_with(alive: Connection) -> None:
    alive.poll(None)
    os._exit(1)


def _done(url: str, work: Callable[[Store], Iterable[_Told]]) -> list[_Told]:
    return list(work(_opened(url)))


@lru_cache(maxsize=1)
def _opened(url: str) -> Store:
    """The store of this process, for as long as that lives."""
    return Store.open(url, web=False)
