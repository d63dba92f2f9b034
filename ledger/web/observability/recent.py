"""What a server did in the last ten minutes, summed over its processes, for `tienlen status`.

Each process counts its own answers, by minute, and writes the counts to a file in a folder that they share
(`FOLDER_VARIABLE`), once a second at most. Without a folder, a process reports only its own.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain
from math import ceil, log
from pathlib import Path
from threading import Lock
from time import time
from typing import Any, Final

from ledger.web.logs import Served

FOLDER_VARIABLE: Final = "TIENLEN_RECENT"

MINUTES: Final = 10
_WRITE_SECONDS: Final = 1.0
_STEP: Final = 1.25
"""The ratio between the longest times of a bucket and of the one before it."""

Minute = dict[str, Counter[str]]
"""Counts of one minute: the entries of each night (`nights`); how long they `took`, by the number of a bucket of
milliseconds; the answers that `refused` (4xx) and `failed` (5xx), by code."""
_COUNTED: Final = ("nights", "took", "refused", "failed")


class Recent:
    """Counts the answers of this process; `summary` sums those of all processes of the server."""

    def __init__(self, now: Callable[[], float] = time) -> None:
        self._now = now
        self._minutes: dict[str, Minute] = {}
        self._lock = Lock()
        self._written = 0.0

    def served(self, served: Served) -> None:
        """Count an answer."""
        if not served.recorded and served.status < 400:
            return
        with self._lock:
            now = self._now()
            minute = self._minute(int(now // 60))
            if served.recorded:
                minute["nights"][served.night or ""] += 1
                minute["took"][_bucket(served.ms)] += 1
            if served.status >= 400:
                minute["failed" if served.status >= 500 else "refused"][served.code or "unnamed"] += 1
            if now - self._written >= _WRITE_SECONDS:
                self._written = now
                self._write()

    def summary(self) -> dict[str, Any]:
        """Of the last `minutes`: how many `tables` recorded, `moves_a_minute`, the milliseconds that the quickest
        of their slowest hundredth took (rounded up, by a quarter at most; None without moves), and how many
        requests were `refused` and `failed`, by code."""
        earliest = int(self._now() // 60) - MINUTES
        whole: Minute = {what: Counter() for what in _COUNTED}
        with self._lock:
            for number, minute in chain(self._minutes.items(), *map(dict.items, self._others())):
                if int(number) > earliest:
                    for what in _COUNTED:
                        whole[what].update(minute[what])
        return {
            "minutes": MINUTES,
            "tables": len(whole["nights"]),
            "moves_a_minute": round(whole["took"].total() / MINUTES, 1),
            "slowest_hundredth_ms": _slowest_hundredth(whole["took"]),
            "refused": dict(whole["refused"].most_common()),
            "failed": dict(whole["failed"].most_common()),
        }

    def _minute(self, number: int) -> Minute:
        if str(number) not in self._minutes:
            kept = {other: minute for other, minute in self._minutes.items() if int(other) > number - MINUTES}
            self._minutes = kept | {str(number): {what: Counter() for what in _COUNTED}}
        return self._minutes[str(number)]

    def _write(self) -> None:
        if folder := os.environ.get(FOLDER_VARIABLE):
            path = Path(folder) / f"{os.getpid()}.json"
            with suppress(OSError):  # a full disk keeps no table from recording
                path.with_suffix(".new").write_text(json.dumps(self._minutes))
                path.with_suffix(".new").replace(path)

    def _others(self) -> Iterator[dict[str, Minute]]:
        """What the other processes wrote last, those that have ended included."""
        folder = os.environ.get(FOLDER_VARIABLE)
        for path in Path(folder).glob("*.json") if folder else ():
            if path.stem != str(os.getpid()):
                with suppress(OSError):
                    yield json.loads(path.read_text())


def _bucket(ms: float) -> str:
    return str(ceil(log(max(ms, 1), _STEP)))


def _slowest_hundredth(took: Counter[str]) -> int | None:
    above = 0
    for bucket in sorted(map(int, took), reverse=True):
        above += took[str(bucket)]
        if above * 100 >= took.total():
            return ceil(_STEP**bucket)
    return None
