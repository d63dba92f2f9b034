"""A page shows one snapshot: if an entry is recorded between any two queries of a request, the page shows the night
before or after that entry, and never a mixture."""

import re
import threading
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import pytest
from flask import Flask

from ledger.recorder.exports import Format
from ledger.store import Reader
from tests.soaking import further
from tests.store.making import run_in_thread
from tests.web.phones import Table
from tests.web.routes import STATUSES, Route, asked, played

pytestmark = pytest.mark.slow

_ID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""Each form has its own id."""


class Between:
    """Counts the queries to the store, and records an entry before one of them."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.questions = 0
        self._before: tuple[int, Callable[[], object]] | None = None
        self._here = threading.get_ident()
        for query in ("all", "rows"):
            patch.setattr(Reader, query, self._counted(getattr(Reader, query)))

    def _counted(self, query: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any) -> Any:
            if threading.get_ident() == self._here:
                self._count()
            return query(*given)

        return counted

    def _count(self) -> None:
        self.questions += 1
        if self._before is not None and self._before[0] == self.questions:
            (_, record), self._before = self._before, None
            run_in_thread(record)

    def question(self, number: int, record: Callable[[], object] | None) -> None:
        """Restart the count, and record before the query with this number."""
        self.questions, self._before = 0, record and (number, record)


@pytest.fixture
def between(monkeypatch: pytest.MonkeyPatch) -> Between:
    return Between(monkeypatch)


RULES = [
    rule
    for method, rule in STATUSES
    if method == "GET" and rule.startswith("/n/") and not rule.endswith("/export/<format>")
]


def paths(app: Flask, night: Table) -> dict[str, str]:
    """The address of every page of a night, and of every export."""
    calls = {rule: asked(app, Route("GET", rule), night) for rule in RULES}
    found = {rule: f"{one.path}?{one.query}" for rule, one in calls.items()}
    return found | {f"export {form}": f"/n/{night.night}/export/{form}?" for form in Format}


class Visitor:
    """Requests one page again and again, bypassing caches."""

    def __init__(self, night: Table, role: str, path: str) -> None:
        self._client, self._path, self._times = night.client, path, 0
        self._headers = {"Authorization": f"Bearer {night.tokens[role]}"}

    def page(self) -> tuple[int, str]:
        """Its status, and its text without the parts unique to a response."""
        self._times += 1
        response = self._client.get(f"{self._path}&time={self._times}", headers=self._headers)
        text = re.sub(f"time(=|%3D){self._times}\\b", "", response.text)
        return response.status_code, _ID.sub("", text)


def taken_back_and_put_back(night: Table) -> Iterator[Callable[[], object]]:
    """Undo and redo the beginning of round 3, in turn."""
    while True:
        yield lambda: night.caught_up().record("undo")
        yield lambda: night.caught_up().record("redo")


def voided_and_counted_again(night: Table) -> Iterator[Callable[[], object]]:
    """Void round 1 and count it again, with its payments."""
    while True:
        yield lambda: night.caught_up().record("void", round=1, reason="chia nhầm")
        address = f"{night.keeper.board()['seq']}.0"
        counted = {"changes": [{"target": address, "with": None}], "reason": "vẫn tính"}
        yield partial(night.caught_up().record, "correct", **counted)


PAGES = [*RULES, *(f"export {form}" for form in Format)]
TABLE = list(product(["watch", "keeper"], [RULES[0]], [taken_back_and_put_back, voided_and_counted_again]))
ASKED = [
    *TABLE,
    *product(["keeper"], PAGES[1::3], [voided_and_counted_again]),
    *product(["keeper"], PAGES[2::3], [voided_and_counted_again]),
    *product(["keeper"], PAGES[3::3], [voided_and_counted_again]),
    *product(["keeper"], PAGES[1:], [taken_back_and_put_back]),
]


@pytest.mark.parametrize(
    "asked_for", further(ASKED, "entries on every page", plain=len(TABLE) + len(PAGES[1::3]))
)
def test_whatever_comes_in_between(
    app: Flask,
    between: Between,
    asked_for: tuple[str, str, Callable[[Table], Iterator[Callable[[], object]]]],
) -> None:
    role, page, entries = asked_for
    night = played(app)
    visitor, coming = Visitor(night, role, paths(app, night)[page]), entries(night)
    between.question(0, None)
    now = visitor.page()
    for number in range(1, between.questions + 2):
        before = now
        between.question(number, next(coming))
        shown = visitor.page()
        between.question(0, None)
        now = visitor.page()
        assert now[0] in (200, 302), (page, number)
        assert shown in (before, now), (page, number)
