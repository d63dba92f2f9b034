"""Soak tests: more cases of tests that run on some cases without `--soak`."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet

SEEDS = "further seeds"
PLANTED = "further defects planted in what tests"

asked = False
"""Whether `--soak` is given; set before collection, so that a plain run does not even create the other cases."""


def further(values: Iterable[object], why: str = SEEDS, *, plain: int = 1) -> list[ParameterSet]:
    """Parameters of a test; all but the first `plain` run only with `--soak`."""
    return [
        pytest.param(value, marks=() if place < plain else pytest.mark.soak(why))
        for place, value in enumerate(values)
        if asked or place < plain
    ]
