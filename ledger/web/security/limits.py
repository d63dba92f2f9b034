"""How often one address may write, open nights, and come with wrong tokens."""

import math
import re
import time
from ipaddress import IPv6Address, IPv6Network, ip_address

from flask import Flask, current_app, request
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from ledger.web.observability.request_log import LOG
from ledger.web.problems import WebCode, web_problem
from ledger.web.security.origins import SAFE_METHODS
from ledger.web.settings import Settings

_EXTENSION = "tienlen-limits"
_HOUSEHOLD = 64
"""Bits of an IPv6 address that name a household: the rest its phones choose themselves, as often as they like."""

_WITH_PORT = re.compile(r"\[(?P<v6>[^\]]+)\](?::\d+)?|(?P<v4>[\d.]+):\d+")
"""As some proxies pass an address on: the port is another one for each connection."""


class Limits:
    """What each address has spent of the rates. A process counts by itself, and lets its part of each rate pass."""

    def __init__(self, settings: Settings) -> None:
        self._limiter = FixedWindowRateLimiter(MemoryStorage())
        rates = {
            "write": settings.writes,
            "new-night": settings.new_nights,
            "wrong-token": settings.wrong_tokens,
        }
        self._rates = {what: _part(parse(rate), settings.processes) for what, rate in rates.items()}

    def spend(self, what: str) -> None:
        """Count one; raises a Problem that says when to come again if there were too many.

        Where it cannot be counted, nobody is refused.
        """
        rate, who = self._rates[what], (what, caller())
        try:
            allowed = self._limiter.hit(rate, *who)
        except RuntimeError as error:  # the storage could start no thread, which is to forget what has ended
            LOG.warning("uncounted", extra={"error": type(error).__name__, "says": str(error)})
            return
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


def _part(rate: RateLimitItem, processes: int) -> RateLimitItem:
    """What one of so many processes lets pass, so that all together let no more pass than the rate."""
    return type(rate)(max(rate.amount // processes, 1), rate.multiples)


def _count_writes() -> None:
    if request.method not in SAFE_METHODS:
        spend("write")
