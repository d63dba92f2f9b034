"""The pages: each view reads the request, calls one use case and answers. GET changes nothing."""

from ledger.web.pages import (
    accounts,
    comparing,
    correcting,
    exports,
    noting,
    opening,
    people,
    proving,
    replay,
    rules,
    settling,
    statistics,
    table,
)
from ledger.web.pages.blueprint import pages

__all__ = [
    "accounts",
    "comparing",
    "correcting",
    "exports",
    "noting",
    "opening",
    "pages",
    "people",
    "proving",
    "replay",
    "rules",
    "settling",
    "statistics",
    "table",
]
