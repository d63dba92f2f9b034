"""Checks of a running server: through its proxy and over HTTPS, as phones reach it."""

import json
import ssl
from collections.abc import Iterator
from contextlib import closing
from gzip import decompress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from time import monotonic
from typing import Final
from urllib.parse import SplitResult, urlsplit

from ledger.recorder import Recorder
from ledger.recorder.operations.checks import Check, doubtful, fine, wrong

_PATIENCE: Final = 5.0
_PATIENCE_WITH_STREAMS: Final = 5.0
_STREAM_SECONDS: Final = 2.0
_UNBUFFERED: Final = "let the proxy not buffer it (nginx: proxy_buffering off)"
_NOBODY: Final = "192.0.2.77"
"""An address that no machine has, sent as a forged `X-Forwarded-For`."""
_FOR: Final = "let the proxy set X-Forwarded-For (nginx: proxy_set_header X-Forwarded-For $remote_addr)"
_PROXIES: Final = "let the proxy send X-Forwarded-Proto and X-Forwarded-Host, and set TIENLEN_PROXIES=1"


def examine_site(url: str, recorder: Recorder) -> Iterator[Check]:
    """Run every check of a server at its address. Changes nothing there."""
    site = urlsplit(url)
    try:
        yield from _answers(site)
        if site.scheme == "http":
            yield doubtful(
                "https",
                "without HTTPS links can be read on the way, and phones keep nothing without network",
                "put a proxy with a certificate in front (Caddy does so by itself)",
            )
        yield from _setup(site, recorder)
        yield from _stream(site, recorder)
    except (OSError, HTTPException) as error:
        why = error.verify_message if isinstance(error, ssl.SSLCertVerificationError) else str(error)
        yield wrong("reached", f"{url}: {why}", "is it served, and does the name lead here?")


def examine_running(address: str) -> Check:
    """Check whether the server of this machine can record."""
    try:
        status, well = _health(urlsplit(address))
    except (OSError, HTTPException) as error:
        return doubtful("server", f"{address} does not answer: {error}", "does its address lead here?")
    if well:
        return fine("server", f"{address} can record")
    return wrong(
        "server", f"its /healthz answers {status}", "its log says why; if it cannot record, restart it"
    )


def _health(site: SplitResult) -> tuple[int, bool]:
    """The status of a server's health check, and whether all is well."""
    status, _, body = ask(site, "/healthz")
    try:
        return status, status == 200 and json.loads(body)["status"] == "ok"
    except (ValueError, KeyError, TypeError):
        return status, False


def _answers(site: SplitResult) -> Iterator[Check]:
    status, well = _health(site)
    if well:
        yield fine("reached", f"{site.geturl()} answers and can record")
    else:
        yield wrong("reached", f"/healthz answers {status}", "the server's log says why")
    status, _, body = ask(site, "/metrics")
    if status == 200 and b"tienlen_" in body:
        yield wrong("metrics", "/metrics can be read from outside", "let no proxy pass its port on")
    else:
        yield fine("metrics", "not told to the outside")


def _setup(site: SplitResult, recorder: Recorder) -> Iterator[Check]:
    """Check the server's settings, and what proxies do to a request and its answer."""
    status, headers, body = ask(
        site,
        "/setup",
        Authorization=f"Bearer {recorder.host_token()}",
        Accept_Encoding="gzip",
        X_Forwarded_For=_NOBODY,
    )
    page = decompress(body) if headers.get("content-encoding") == "gzip" else body
    try:
        found = json.loads(page) if status == 200 else None
    except ValueError:
        found = None
    if found is None:
        mend = "is it this installation that is served there, in this version, with its key?"
        yield doubtful("setup", f"is not told: the answer is {status}", mend)
        return
    names = ", ".join(found["hosts"]) or "any name"
    yield fine("setup", f"{found['version']}, trusts {found['proxies']} proxies, answers to {names}")
    if site.scheme == "https":
        yield _scheme(found["scheme"])
    yield _caller(site, found["caller"], found["proxies"], {*found["forwarded"]})
    yield _host(site, found["host"])
    if len(page) > len(body):
        finding = (
            "pages that hold links are compressed on the way: their length tells strangers what is in them"
        )
        yield wrong(
            "compression", finding, "let the proxy not compress this server's answers (nginx: gzip off)"
        )
    else:
        yield fine("compression", "pages that hold links come as they are")


def _scheme(scheme: str) -> Check:
    """Check that the server knows that phones come over HTTPS."""
    if scheme == "https":
        return fine("https", "cookies go over it alone, and browsers come by it alone from now on")
    return wrong("https", "the server does not know that it is asked over HTTPS", _PROXIES)


def _caller(site: SplitResult, caller: str, proxies: int, forwarded: set[str]) -> Check:
    """Check the address by which the server counts a request with a forged `X-Forwarded-For`."""
    if caller == _NOBODY:
        finding = (
            "whoever calls can say to be anybody: no proxy sets X-Forwarded-For, and the server believes it"
        )
        return wrong("caller", finding, f"{_FOR}; where no proxy is in front, TIENLEN_PROXIES=0")
    if proxies and "x-forwarded-for" not in forwarded:
        return wrong("caller", "all phones count as one: the proxy does not say who calls", _FOR)
    if not proxies and (site.scheme == "https" or forwarded - {"x-forwarded-for"}):
        finding = "all phones count as one: a proxy is in front, and the server does not believe it"
        return wrong("caller", finding, _PROXIES)
    return fine("caller", "each address counts for itself")


def _host(site: SplitResult, host: str) -> Check:
    """Check the host that the server uses for its links and for requests from its own site."""
    usual = {"http": 80, "https": 443}[site.scheme]
    asked = f"{site.hostname}{f':{site.port}' if site.port not in (None, usual) else ''}"
    if host.lower().removesuffix(f":{usual}") == asked:
        return fine("host", f"links lead to {host}")
    finding = f"links lead to {host or 'no host'}, and phones come to {asked}"
    return wrong(
        "host",
        finding,
        "let the proxy pass the name on with its port (nginx: Host and X-Forwarded-Host $http_host)",
    )


def _stream(site: SplitResult, recorder: Recorder) -> Iterator[Check]:
    """Check that a stream begins at once: a proxy that buffers it delays what was recorded."""
    nights = recorder.nights()
    if not nights:
        yield doubtful("stream", "not looked at: there is no night yet", "tienlen demo makes one")
        return
    night = nights[0].id
    began = monotonic()
    with closing(_connect(site, _PATIENCE_WITH_STREAMS)) as connection:
        with recorder.night(night) as snapshot:
            token = snapshot.tokens().watch
        connection.request(
            "GET", f"/api/v1/nights/{night}/live", headers={"Authorization": f"Bearer {token}"}
        )
        try:
            response = connection.getresponse()
            first = response.readline() if response.status == 200 else b""
        except (OSError, HTTPException):
            yield wrong("stream", "is held back on its way", _UNBUFFERED)
            return
    took = monotonic() - began
    if response.status != 200:
        finding = f"a link to the newest night is answered {response.status}"
        yield wrong("stream", finding, "is it this installation that is served there, with its key?")
    elif not first.startswith(b"retry:") or took > _STREAM_SECONDS:
        yield wrong("stream", f"begins after {took:.1f} s", _UNBUFFERED)
    else:
        yield fine("stream", f"begins after {took * 1000:.0f} ms")


def ask(site: SplitResult, path: str, **more: str) -> tuple[int, dict[str, str], bytes]:
    """The status, the headers by lower-case name, and the beginning of the body. `more` headers have _ for -."""
    with closing(_connect(site)) as connection:
        fields = {name.replace("_", "-"): value for name, value in more.items()}
        connection.request("GET", path, headers={"Accept": "application/json"} | fields)
        response: HTTPResponse = connection.getresponse()
        return (
            response.status,
            {name.lower(): value for name, value in response.getheaders()},
            response.read(65536),
        )


def _connect(site: SplitResult, patience: float = _PATIENCE) -> HTTPConnection:
    make = HTTPSConnection if site.scheme == "https" else HTTPConnection
    assert site.hostname is not None
    return make(site.hostname, site.port, timeout=patience)
