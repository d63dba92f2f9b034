"""What soaks: the same question, asked of more. Every test asks it of something without `--soak`."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet

SEEDS = "further seeds"
PLANTED = "further defects planted in what tests"

asked = False
"""Whether `--soak` is given. It is known before any test is read: a plain run need not even make what it skips."""


def further(values: Iterable[object], why: str = SEEDS, *, plain: int = 1) -> list[ParameterSet]:
    """Parameters of a test, of which all but the first few soak."""
    return [
        pytest.param(value, marks=() if place < plain else pytest.mark.soak(why))
        for place, value in enumerate(values)
        if asked or place < plain
    ]
