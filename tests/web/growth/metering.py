"""Counting what a request costs: statements, calls of Python functions in the queue for heavy work and outside it,
and bytes of its answer.

What functions of C do is not counted, but for the one whose time grows faster than its text:
`unicodedata.normalize` sorts each run of combining marks.
"""

import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.web.costing import Meter

_MARKS: Final = re.compile("[\u0300-\u036f]{2,}")
_PAIRS_OF_A_CALL: Final = 128
"""As many pairs of marks are compared in the time of one call of a Python function."""

_MOST: Final = 1_000_000
"""A text for which normalizing counts as more is left as it is: it would take seconds."""


@dataclass(frozen=True, slots=True)
class Weight:
    """What one request costs."""

    statements: int
    calls: int
    """Outside the queue for heavy work."""
    queued: int
    """In the queue."""
    size: int
    """The bytes of the answer, without compression."""
    status: int

    @property
    def work(self) -> int:
        """All calls."""
        return self.calls + self.queued


class Scale(Meter):
    """Weighs requests to an application."""

    def __init__(self, app: Flask) -> None:
        super().__init__(app)
        self._workers = []
        for places in app.extensions["tienlen-costly"].values():
            places.worker = _Watched(places.worker)
            self._workers.append(places.worker)

    @contextmanager
    def installed(self) -> Iterator["Scale"]:
        with pytest.MonkeyPatch.context() as patched, super().installed():
            normalize = unicodedata.normalize
            for module in list(sys.modules.values()):
                if vars(module).get("normalize") is normalize:
                    patched.setattr(module, "normalize", self._charged(normalize))
            yield self

    def weigh(self, request: Callable[[], TestResponse]) -> Weight:
        """Make one request, and return what it cost."""
        answers = list[TestResponse]()
        cost = self.cost(lambda: answers.append(request()))
        (answer,) = answers
        queued = self._counted["queued"]
        return Weight(cost.statements, cost.calls, queued, len(answer.data), answer.status_code)

    def _called(self, frame: object, what: str, argument: object) -> None:
        if what == "call":
            self._count(1)

    def _count(self, calls: int) -> None:
        self._counted["queued" if any(worker.works for worker in self._workers) else "calls"] += calls

    def _charged(self, normalize: Callable[[Any, str], str]) -> Callable[[Any, str], str]:
        def charged(form: Any, text: str) -> str:
            calls = sum(len(run) ** 2 for run in _MARKS.findall(text)) // _PAIRS_OF_A_CALL
            self._count(calls)
            return normalize(form, text) if calls < _MOST else text

        return charged


class _Watched:
    """The lock of a queue, which tells whether somebody holds it."""

    def __init__(self, lock: Any) -> None:
        self._lock, self.works = lock, False

    def acquire(self, **how: Any) -> bool:
        self.works = bool(self._lock.acquire(**how))
        return self.works

    def release(self) -> None:
        self.works = False
        self._lock.release()
