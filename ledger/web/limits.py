"""How often one address may write, open nights, and come with wrong tokens."""

import math
import re
import time
from ipaddress import IPv6Address, IPv6Network, ip_address

from flask import Flask, current_app, request
from limits import RateLimitItem, parse
from limits.strategies import FixedWindowRateLimiter

from ledger.recorder import Count
from ledger.web.counting import SharedStorage
from ledger.web.observing import LOG
from ledger.web.origins import SAFE_METHODS
from ledger.web.problems import WebCode, web_problem
from ledger.web.recording import recorder
from ledger.web.settings import Settings

_EXTENSION = "tienlen-limits"
_HOUSEHOLD = 64
"""Bits of an IPv6 address that name a household: the rest its phones choose themselves, as often as they like."""

_WITH_PORT = re.compile(r"\[(?P<v6>[^\]]+)\](?::\d+)?|(?P<v4>[\d.]+):\d+")
"""As some proxies pass an address on: the port is another one for each connection."""


class Limits:
    """Counts that all processes of a server share, and all hosts on its database."""

    def __init__(self, settings: Settings) -> None:
        self.storage = SharedStorage(key=settings.key, shared=_shared)
        self._limiter = FixedWindowRateLimiter(self.storage)
        self._counts = True
        self._rates: dict[str, RateLimitItem] = {
            "write": parse(settings.writes),
            "new-night": parse(settings.new_nights),
            "wrong-token": parse(settings.wrong_tokens),
        }

    def spend(self, what: str) -> None:
        """Count one; raises a Problem that says when to come again if there were too many.

        Where it cannot be counted, nobody is refused: the table goes on, and whoever runs the server is told once.
        """
        rate, who = self._rates[what], (what, caller())
        try:
            allowed = self._limiter.hit(rate, *who)
        except OSError as error:
            if self._counts:
                LOG.warning("uncounted", extra={"error": type(error).__name__, "says": str(error)})
            self._counts = False
            return
        self._counts = True
        if not allowed:
            reset, _ = self._limiter.get_window_stats(rate, *who)
            retry_after = max(1, math.ceil(reset - time.time()))
            raise web_problem(WebCode.TOO_MANY_REQUESTS, retry_after=retry_after)


def set_limits(app: Flask, settings: Settings) -> None:
    """Count every write; what else is counted calls `spend`."""
    app.extensions[_EXTENSION] = Limits(settings)
    app.before_request(_count_writes)


def spend(what: str) -> None:
    """Count one for whoever calls now; raises a Problem with status 429 if there were too many."""
    limits = current_app.extensions[_EXTENSION]
    assert isinstance(limits, Limits)
    limits.spend(what)


def caller() -> str:
    """Who is counted as one: an address, and of IPv6 the network that one household has."""
    said = request.remote_addr or ""
    if with_port := _WITH_PORT.fullmatch(said):
        said = with_port["v6"] or with_port["v4"]
    try:
        address = ip_address(said)
    except ValueError:
        return said
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Network((int(address), _HOUSEHOLD), strict=False))


def _shared(whose: bytes, seconds: float, by: int) -> Count | None:
    return recorder().count(whose, seconds, by)


def _count_writes() -> None:
    if request.method not in SAFE_METHODS:
        spend("write")
