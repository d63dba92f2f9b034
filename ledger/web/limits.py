"""How often one address may write, open nights, and come with wrong tokens."""

import math
import time

from flask import Flask, current_app, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from limits import RateLimitItem, parse

from ledger.web.origins import SAFE_METHODS
from ledger.web.problems import WebCode, web_problem
from ledger.web.settings import Settings

_EXTENSION = "tienlen-limits"


class Limits:
    """Counts in this process's memory."""

    def __init__(self, app: Flask, settings: Settings) -> None:
        self._limiter = Limiter(get_remote_address, app=app, storage_uri="memory://")
        self._rates: dict[str, RateLimitItem] = {
            "write": parse(settings.writes),
            "new-night": parse(settings.new_nights),
            "wrong-token": parse(settings.wrong_tokens),
        }

    def spend(self, what: str) -> None:
        """Count one; raises a Problem that says when to come again if there were too many."""
        rate, caller = self._rates[what], (what, get_remote_address())
        if not self._limiter.limiter.hit(rate, *caller):
            reset, _ = self._limiter.limiter.get_window_stats(rate, *caller)
            retry_after = max(1, math.ceil(reset - time.time()))
            raise web_problem(WebCode.TOO_MANY_REQUESTS, retry_after=retry_after)


def set_limits(app: Flask, settings: Settings) -> None:
    """Count every write; what else is counted calls `spend`."""
    app.extensions[_EXTENSION] = Limits(app, settings)
    app.before_request(_count_writes)


def spend(what: str) -> None:
    """Count one for whoever calls now; raises a Problem with status 429 if there were too many."""
    limits = current_app.extensions[_EXTENSION]
    assert isinstance(limits, Limits)
    limits.spend(what)


def _count_writes() -> None:
    if request.method not in SAFE_METHODS:
        spend("write")
