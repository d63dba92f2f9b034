"""Opening a night: from a form with its rules and prices, or from a pasted text."""

from ledger.web.pages.opening import open, paste
