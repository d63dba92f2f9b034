"""The security of all requests and answers; `ledger.web.access` decides what a link allows.

Requests from other sites and for foreign hosts are refused. Writes, new nights and wrong tokens are limited by
address. Every answer has security headers, and is compressed where its length reveals nothing.
"""

import math
import re
import time
from collections.abc import Iterable, Sequence
from functools import lru_cache
from gzip import compress
from ipaddress import IPv6Address, IPv6Network, ip_address
from threading import Lock
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask, Response, current_app, request
from markupsafe import Markup

from ledger.resources import as_sent, part, policy_hash
from ledger.web.problems import WebCode, web_problem
from ledger.web.recorder import Rate, Settings

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def refuse_other_sites() -> None:
    """Refuse an unsafe request that a browser sent from another site.

    A request with a bearer token passes: unlike a stored password, no other site can make a browser send one. So
    does one without `Sec-Fetch-Site` and `Origin`: recent browsers send `Origin` with each POST, so it is a
    program, which chose its cookies itself.
    """
    sent = request.authorization
    if request.method in SAFE_METHODS or (sent is not None and sent.type == "bearer"):
        return
    if not from_this_site():
        raise web_problem(WebCode.OTHER_SITE)


def from_this_site() -> bool:
    """Decided by `Sec-Fetch-Site` if it is sent (HTTPS, or a loopback address), else by comparing `Origin` with the
    request's scheme and host; behind a trusted proxy, with those of the request to the proxy."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("Origin")
    host = request.host.lower()
    # "null" is not ours: forms on any site's page with `no-referrer` send it.
    return origin is None or (host != "" and origin.lower() == f"{request.scheme}://{host}")


_NONE = "["
"""A host that Werkzeug treats as missing."""


def check_hosts(app: Flask, named: Sequence[str] = ()) -> None:
    """Hide malformed hosts from an app, and refuse (400) all but the `named`, if any are: another site's name could
    lead here. Call this before `ProxyFix`, so that the proxy's host is checked."""
    app.config["TRUSTED_HOSTS"] = list(named) or None
    public = app.wsgi_app

    def checked(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        if "HTTP_HOST" in environ:
            environ["HTTP_HOST"] = environ["HTTP_HOST"].lower()
        if not _is_valid_host(environ.get("HTTP_HOST", "")):
            environ["HTTP_HOST"] = environ["SERVER_NAME"] = _NONE
        return public(environ, start)

    app.wsgi_app = checked  # type: ignore[method-assign, assignment]


@lru_cache(maxsize=64)
def _is_valid_host(host: str) -> bool:
    name = host.partition(":")[0]
    try:
        return not name or bool(name.encode("idna").decode("idna"))
    except UnicodeError:
        return False


_EXTENSION = "tienlen-limits"
_HOUSEHOLD_PREFIX = 64
"""The length of a household's IPv6 prefix: its devices choose the other bits, and change them at will."""

_WITH_PORT = re.compile(r"\[(?P<v6>[^\]]+)\](?::\d+)?|(?P<v4>[\d.]+):\d+")
"""An address with a port, as some proxies pass it on; the port differs for each connection."""


class Limits:
    """Rate limits by address. Each process counts for itself, and allows its share of each rate."""

    def __init__(self, settings: Settings) -> None:
        rates = {
            "write": settings.writes,
            "new-night": settings.new_nights,
            "wrong-token": settings.wrong_tokens,
        }
        self._counters = {what: Counter(rate, settings.processes) for what, rate in rates.items()}

    def spend(self, what: str, cost: int = 1) -> None:
        """Count a request at its cost, at most the whole rate; beyond it raises a Problem with `retry_after`."""
        retry_after = self._counters[what].spend(caller(), cost)
        if retry_after is not None:
            raise web_problem(WebCode.TOO_MANY_REQUESTS, retry_after=max(1, math.ceil(retry_after)))


class Counter:
    """What callers spent of one process's share of a rate, at least 1; a window begins with a caller's request."""

    def __init__(self, rate: Rate, processes: int = 1) -> None:
        self._amount = max(rate.amount // processes, 1)
        self._seconds = rate.seconds
        self._lock = Lock()
        self.windows: dict[str, tuple[float, int]] = {}
        """Caller -> when its window ends, and what it spent; those that end first come first."""

    def spend(self, who: str, cost: int) -> float | None:
        """Count a request. Beyond the rate, the seconds that are left of the caller's window."""
        now = time.time()
        with self._lock:
            while self.windows and next(iter(self.windows.values()))[0] <= now:
                del self.windows[next(iter(self.windows))]
            ends, spent = self.windows.get(who, (now + self._seconds, 0))
            spent += min(cost, self._amount)
            self.windows[who] = ends, spent
        return ends - now if spent > self._amount else None


def set_limits(app: Flask, settings: Settings) -> None:
    """Limit the writes of an app; other code calls `spend` for its own limits."""
    app.extensions[_EXTENSION] = Limits(settings)
    app.before_request(_count_writes)


def spend(what: str, cost: int = 1) -> None:
    """Count this request at its cost. Raises a Problem with status 429 beyond the rate."""
    limits: Limits = current_app.extensions[_EXTENSION]
    limits.spend(what, cost)


def caller() -> str:
    """The key by which this request is counted: its client's address, or the IPv6 network of a household."""
    return _counted_as(request.remote_addr or "")


@lru_cache(maxsize=1024)
def _counted_as(remote: str) -> str:
    if with_port := _WITH_PORT.fullmatch(remote):
        remote = with_port["v6"] or with_port["v4"]
    try:
        address = ip_address(remote)
    except ValueError:
        return remote
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Network((int(address), _HOUSEHOLD_PREFIX), strict=False))


def _count_writes() -> None:
    if request.method not in SAFE_METHODS:
        spend("write")


AGAIN = as_sent(part("shared/again.js"))
"""The one inline script of pages: it reloads scripts that failed to load, so it must not be one of them."""
CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "style-src 'self'",
        f"script-src 'self' '{policy_hash(AGAIN)}'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
_NOT_USED = ("camera", "display-capture", "geolocation", "microphone", "midi", "payment", "serial", "usb")
PERMISSIONS_POLICY = ", ".join(f"{feature}=()" for feature in _NOT_USED)

ALWAYS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": PERMISSIONS_POLICY,
    "X-Content-Type-Options": "nosniff",
}
DEFAULT_HEADERS = {
    # With `no-referrer`, browsers send `Origin: null` with a page's forms. Only the page of a link, whose address
    # is secret, has it, and a `meta` element that lets its form send the origin.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Default headers, which a view may override."""
HSTS = "max-age=31536000"


def set_headers(app: Flask) -> None:
    """Add the headers to every answer of an app, and give templates the inline script that they allow. Call this
    last, so that no other middleware is outside of it."""
    app.jinja_env.globals["again"] = Markup(AGAIN)
    inner = app.wsgi_app

    def answered(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        def begin(status: str, given: list[tuple[str, str]], *error: Any) -> Any:
            sent = {name.lower() for name, _ in given}
            headers = [*given, *ALWAYS.items()]
            headers += [one for one in DEFAULT_HEADERS.items() if one[0].lower() not in sent]
            if environ["wsgi.url_scheme"] == "https":  # as a trusted proxy has said by now
                headers.append(("Strict-Transport-Security", HSTS))
            return start(status, headers, *error)

        return inner(environ, begin)

    app.wsgi_app = answered  # type: ignore[method-assign, assignment]


# Pages, pictures, styles and scripts are compressed, for slow networks. Pages with links are not, nor is JSON: a
# stranger can put a name into them, and the length of both compressed together would reveal the links (BREACH).

_FILES = frozenset({"pages.static", "pages.service_worker"})
_STORED = 0
"""The level at which gzip stores the bytes unchanged."""
_LEVEL = 6
"""A page is compressed on every request: a large one shrinks by five sixths in half a millisecond."""
_DROPPED_HEADERS = ("Accept-Ranges", "Content-Disposition", "Expires", "Last-Modified")
"""Headers that Flask sends with a file and that are dropped: its address has a digest."""


def hold_secrets(response: Response) -> Response:
    """Keep proxies from compressing or storing a page. Some ignore `no-transform` (nginx does), so the page is sent
    with a gzip encoding that compresses nothing, which they leave unchanged."""
    response.headers["Cache-Control"] = "no-store, no-transform"
    return response


def compress_answer(response: Response) -> Response:
    """Compress an answer if its client accepts gzip and its length reveals nothing."""
    is_file = request.endpoint in _FILES
    if not (is_file or response.mimetype in ("text/html", "image/svg+xml")) or response.location:
        return response  # a redirect has hardly any body
    is_secret = "no-transform" in response.headers.get("Cache-Control", "")
    response.vary.add("Accept-Encoding")
    for name in _DROPPED_HEADERS if is_file else ():
        response.headers.pop(name, None)
    if request.accept_encodings["gzip"] and (response.status_code == 200 or not is_file):
        response.direct_passthrough = False
        content = response.get_data()
        level = _STORED if is_secret else _LEVEL
        if is_file:
            response.set_data(_compressed(content, response.mimetype in ("text/javascript", "text/css")))
        else:
            response.set_data(compress(content, level, mtime=0))
        response.content_encoding = "gzip"
        etag, _ = response.get_etag()
        if etag is not None:
            response.set_etag(etag, weak=True)
    elif is_secret:
        response.content_encoding = (
            "identity"  # so that a proxy which asked for a plain one does not compress it
        )
    return response


@lru_cache(maxsize=64)
def _compressed(content: bytes, is_code: bool) -> bytes:
    return compress(as_sent(content.decode()).encode() if is_code else content, mtime=0)
