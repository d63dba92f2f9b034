"""A plugin of pytest that notes which tests call which of the functions that have a probe: `PROBED=FILE pytest`.

FILE gets one JSON object: the seconds of each test, and for each function, as "path:line", its tests; among them ""
if it is called outside of tests, as when its module is imported."""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

_tests: dict[str, dict[str, None]] = defaultdict(dict)
_seconds: dict[str, float] = {}
_now = ""


def hit(file: str, line: int) -> None:
    """Called by a function with a probe."""
    _tests[f"{file}:{line}"][_now] = None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    global _now
    _now = item.nodeid
    try:
        return (yield)
    finally:
        _now = ""


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _seconds[report.nodeid] = _seconds.get(report.nodeid, 0.0) + report.duration


def pytest_sessionfinish() -> None:
    found = {"seconds": _seconds, "tests": {name: list(tests) for name, tests in _tests.items()}}
    Path(os.environ["PROBED"]).write_text(json.dumps(found), encoding="utf-8")
