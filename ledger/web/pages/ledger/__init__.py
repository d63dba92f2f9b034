"""The ledger of a night: payments and their reasons, settling up, exports, statistics."""

from ledger.web.pages.ledger import ledger, payment, settle_up, statistics
