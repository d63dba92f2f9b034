"""The pages: each view reads the request, calls the recorder and answers. GET changes nothing."""

from ledger.web.pages import (
    correct,
    dispute,
    documents,
    ledger,
    newcomers,
    noting,
    open,
    paste,
    payment,
    people,
    phone,
    proving,
    result,
    rounds,
    rules,
    seasons,
    settle,
    settle_up,
    statistics,
    table,
)
from ledger.web.pages.blueprint import pages
