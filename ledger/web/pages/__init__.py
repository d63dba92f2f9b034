"""The pages: each view reads the request, calls one use case and answers. GET changes nothing."""

from ledger.web.pages import (
    accounts,
    comparing,
    correcting,
    disputing,
    exports,
    noting,
    opening,
    people,
    proving,
    reasons,
    replay,
    resulting,
    rules,
    settling,
    settling_up,
    statistics,
    table,
)
from ledger.web.pages.blueprint import pages

__all__ = [
    "accounts",
    "comparing",
    "correcting",
    "disputing",
    "exports",
    "noting",
    "opening",
    "pages",
    "people",
    "proving",
    "reasons",
    "replay",
    "resulting",
    "rules",
    "settling",
    "settling_up",
    "statistics",
    "table",
]
