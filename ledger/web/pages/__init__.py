"""The pages: each view reads the request, calls the recorder and answers. GET changes nothing."""

from ledger.web.pages import (
    disputes,
    help,
    ledger,
    opening,
    people,
    phone,
    proof,
    rounds,
    rules,
    seasons,
    table,
)
from ledger.web.pages.shared.blueprint import pages
