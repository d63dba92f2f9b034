"""The pages: each view reads the request, calls one use case and answers. GET changes nothing."""

from ledger.web.pages import (
    correct,
    dispute,
    exports,
    ledger,
    lines,
    mend,
    mine,
    newcomers,
    noting,
    open,
    overlay,
    payment,
    people,
    phone,
    proving,
    result,
    round,
    rounds,
    rules,
    seasons,
    settle,
    settle_up,
    statistics,
    table,
)
from ledger.web.pages.blueprint import pages
