"""What keeps strangers out, whatever is asked for.

Requests that another site has a browser send are refused, and hosts that are not ours; how often an address may
write, open nights and guess is counted; every answer has its headers, and is compressed where its length tells
nobody anything. What a link lets somebody do is the affair of `ledger.web.access`.
"""

import math
import re
import time
from collections.abc import Iterable, Sequence
from functools import lru_cache
from gzip import compress
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask, Response, current_app, request
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter
from markupsafe import Markup
from werkzeug.datastructures import Headers

from ledger.resources import part, policy_hash
from ledger.web.observability.logs import LOG
from ledger.web.problems import WebCode, web_problem
from ledger.web.recorder import Settings

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def refuse_other_sites() -> None:
    """Refuse an unsafe request that a browser sent from another site.

    A request with a bearer token passes: no other site can make a browser send one, as it can a password that the
    browser knows. So does one without either header: every browser of the last years sends `Origin` with a POST, so
    it is a program, which chose its cookies itself.
    """
    sent = request.authorization
    if request.method in SAFE_METHODS or (sent is not None and sent.type == "bearer"):
        return
    if not from_this_site():
        raise web_problem(WebCode.OTHER_SITE)


def from_this_site() -> bool:
    """`Sec-Fetch-Site` decides where it is sent (HTTPS, or a loopback address), else `Origin` against scheme and
    host of the request; behind a trusted proxy, those that the proxy was asked with."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("Origin")
    # "null" is no host: whichever site has a page without a referrer can have its forms say that.
    return origin is None or _is_ours(origin)


def _is_ours(origin: str) -> bool:
    host = request.host.lower()
    return host != "" and origin.lower() == f"{request.scheme}://{host}"


_NONE = "["
"""What Werkzeug takes for no name."""


def check_hosts(app: Flask, named: Sequence[str] = ()) -> None:
    """Let an app see no host that it would fail with, and refuse (400) all but the `named`, if any are: another
    site could have its name lead here. A proxy's word is looked at as well: call this first."""
    app.config["TRUSTED_HOSTS"] = list(named) or None
    public = app.wsgi_app

    def checked(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        if "HTTP_HOST" in environ:
            environ["HTTP_HOST"] = environ["HTTP_HOST"].lower()
        if not _can_be(environ.get("HTTP_HOST", "")):
            environ["HTTP_HOST"] = environ["SERVER_NAME"] = _NONE
        return public(environ, start)

    app.wsgi_app = checked  # type: ignore[method-assign, assignment]


@lru_cache(maxsize=64)
def _can_be(host: str) -> bool:
    name = host.partition(":")[0]
    try:
        return not name or bool(name.encode("idna").decode("idna"))
    except UnicodeError:
        return False


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

    def spend(self, what: str, cost: int = 1) -> None:
        """Count one, or as many as something costs, but never more than the whole rate; raises a Problem that says
        when to come again if there were too many.

        Where it cannot be counted, nobody is refused.
        """
        rate, who = self._rates[what], (what, caller())
        try:
            allowed = self._limiter.hit(rate, *who, cost=min(cost, rate.amount))
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


def spend(what: str, cost: int = 1) -> None:
    """Count one, or more, for whoever calls now; raises a Problem with status 429 if there were too many."""
    limits: Limits = current_app.extensions[_EXTENSION]
    limits.spend(what, cost)


def caller() -> str:
    """Who is counted as one: an address, and of IPv6 the network that one household has."""
    remote = request.remote_addr or ""
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
    return str(IPv6Network((int(address), _HOUSEHOLD), strict=False))


def _part(rate: RateLimitItem, processes: int) -> RateLimitItem:
    """What one of so many processes lets pass, so that all together let no more pass than the rate."""
    return type(rate)(max(rate.amount // processes, 1), rate.multiples)


def _count_writes() -> None:
    if request.method not in SAFE_METHODS:
        spend("write")


AGAIN = part("again.js")
"""The one script that pages have within them: what asks again for the others cannot be one that was lost."""
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
UNLESS_SAID = {
    # Browsers send `Origin: null` with a form of a page that has `no-referrer`, and its own address says nothing
    # secret: only the page of a link, whose address is the secret, asks for more, and lets its form say the origin.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Where an answer says nothing else."""
HSTS = "max-age=31536000"


def set_headers(app: Flask) -> None:
    """Send them with whatever the app answers, and give pages the script that they allow. To be called when nothing
    else will be put round the app."""
    app.jinja_env.globals["again"] = Markup(AGAIN)
    inner = app.wsgi_app

    def answered(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        def begin(status: str, headers_given: list[tuple[str, str]], *error: Any) -> Any:
            headers = Headers(headers_given)
            headers.update(ALWAYS)
            for name, value in UNLESS_SAID.items():
                headers.setdefault(name, value)
            if (
                environ["wsgi.url_scheme"] == "https"
            ):  # by now a trusted proxy has been asked how the visitor came
                headers["Strict-Transport-Security"] = HSTS
            return start(status, headers.to_wsgi_list(), *error)

        return inner(environ, begin)

    app.wsgi_app = answered  # type: ignore[method-assign, assignment]


# Pages, pictures, styles and scripts go out compressed: they weigh little, also on a slow network. A page that
# holds links does not, nor does data for programs: a stranger can put a name into it, and the length of both
# together would tell them.

_FILES = frozenset({"pages.static", "pages.service_worker"})
_NOT_AT_ALL = 0
"""The bytes as they are, in the form of what is compressed."""
_LEVEL = 6
"""A page is compressed once for each that looks at it: of a large one five sixths less in half a millisecond."""
_COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/)[\s\S])*\*/)[ \t]*\n", re.MULTILINE)
"""One that has lines of its own. No text of a script has a line that looks like one."""
_OF_FILES = ("Accept-Ranges", "Content-Disposition", "Expires", "Last-Modified")
"""What a file's answer would say beside its digest, and nobody asks for."""


def hold_secrets(response: Response) -> Response:
    """Let nobody on the way compress or keep a page. Not every proxy minds `no-transform` (nginx does not), so the
    page goes out as if it were compressed: what is, is left as it is."""
    response.headers["Cache-Control"] = "no-store, no-transform"
    return response


def compress_answer(response: Response) -> Response:
    """An answer as it is compressed for whoever asked, if at all."""
    if response.location:
        return response  # there is hardly anything in it
    is_file, is_secret = request.endpoint in _FILES, response.cache_control.no_transform
    if not (is_file or response.mimetype in ("text/html", "image/svg+xml")):
        return response
    response.vary.add("Accept-Encoding")
    for name in _OF_FILES if is_file else ():
        response.headers.pop(name, None)
    if request.accept_encodings["gzip"] and (response.status_code == 200 or not is_file):
        response.direct_passthrough = False
        content = response.get_data()
        level = _NOT_AT_ALL if is_secret else _LEVEL
        if is_file:
            response.set_data(_compressed(content, response.mimetype in ("text/javascript", "text/css")))
        else:
            response.set_data(compress(content, level, mtime=0))
        response.content_encoding = "gzip"
        etag, _ = response.get_etag()
        if etag is not None:
            response.set_etag(etag, weak=True)
    elif is_secret:
        response.content_encoding = "identity"  # a proxy that compresses may have asked for a plain one
    return response


@lru_cache(maxsize=64)
def _compressed(content: bytes, commented: bool) -> bytes:
    return compress(_COMMENT.sub(b"", content) if commented else content, mtime=0)
