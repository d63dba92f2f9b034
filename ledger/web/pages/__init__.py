"""The pages: each view reads the request, calls one use case and answers. GET changes nothing."""

from ledger.web.pages import (
    comparing,
    correct,
    dispute,
    exports,
    installing,
    ledger,
    lines,
    noting,
    open,
    payment,
    people,
    proving,
    result,
    round,
    rounds,
    rules,
    setting,
    settle,
    settle_up,
    statistics,
    table,
)
from ledger.web.pages.blueprint import pages
