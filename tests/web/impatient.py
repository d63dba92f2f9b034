"""The server's worker, as it is but for its patience."""

from ledger.web.worker import Worker as Patient


class Worker(Patient):
    SENDING_SECONDS = 1.0
