"""No other site writes in a visitor's name: what browsers say about where a request comes from is checked.

A token in the form would expire, and would refuse a move that waited offline.
"""

from flask import Flask, request

from ledger.web.problems import WebCode, web_problem

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def check_origins(app: Flask) -> None:
    """Check every request before its view sees it."""
    app.before_request(_refuse_other_sites)


def _refuse_other_sites() -> None:
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
