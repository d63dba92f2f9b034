"""What the requests of an evening cost is stated in `tests/costs.toml`, and no request costs more, or grows with
the night."""

import sys
import tomllib
from dataclasses import astuple
from pathlib import Path

import pytest
from flask import Flask

from tests.web.costing import Cost, evening

_STATED = tomllib.loads((Path(__file__).parents[1] / "costs.toml").read_text(encoding="utf-8"))
_SHORT, _LONG = 3, 23  # rounds


@pytest.fixture(autouse=True)
def every_statement_names_a_night() -> None:
    """Not asked here, where calls are counted."""


@pytest.fixture(scope="module")
def after_few(shared_app: Flask) -> dict[str, Cost]:
    """The lesser of two evenings: what a process does once, like opening a connection, may fall into a request."""
    evening(shared_app, 1)  # fills what a process keeps
    first, second = (evening(shared_app, _SHORT) for _ in range(2))
    return {name: Cost(*map(min, astuple(first[name]), astuple(second[name]))) for name in first}


def test_a_request_costs_what_is_stated(after_few: dict[str, Cost]) -> None:
    stated = {name: Cost(**{key: row[key] for key in Cost.__slots__}) for name, row in _STATED.items()}
    assert {name: (cost.transactions, cost.statements) for name, cost in after_few.items()} == {
        name: (cost.transactions, cost.statements) for name, cost in stated.items()
    }
    counts = [
        (name, what, getattr(cost, what), getattr(stated[name], what))
        for name, cost in after_few.items()
        for what in ("calls", "functions", "files", "changes")
    ]
    assert [row for row in counts if row[2] > row[3]] == []
    if sys.version_info[:2] == (3, 11):  # later versions call less
        assert [row for row in counts if row[2] < 0.9 * row[3] - 10] == [], "state the lower cost"


def test_no_request_grows_with_the_rounds_before_it(shared_app: Flask, after_few: dict[str, Cost]) -> None:
    for name, cost in evening(shared_app, _LONG).items():
        few, more = after_few[name], _STATED[name].get("calls_a_round", 0) * (_LONG - _SHORT)
        assert (cost.transactions, cost.statements) == (few.transactions, few.statements), name
        assert cost.calls <= few.calls * 1.03 + more, name
