"""Styles and scripts go out compressed: a page weighs little, also on a slow network.

Pages do not: a stranger can put a name into one, and the length of both together would tell its secrets.
"""

from functools import lru_cache
from gzip import compress

from flask import Flask, Response, request

_ENDPOINTS = frozenset({"pages.static", "pages.service_worker"})


def set_compression(app: Flask) -> None:
    """Compress them for whoever takes it."""
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if request.endpoint not in _ENDPOINTS:
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code == 200 and request.accept_encodings["gzip"]:
        response.direct_passthrough = False
        response.set_data(_compressed(response.get_data()))
        response.content_encoding = "gzip"
        etag, _ = response.get_etag()
        if etag is not None:
            response.set_etag(etag, weak=True)
    return response


@lru_cache(maxsize=64)
def _compressed(content: bytes) -> bytes:
    return compress(content, mtime=0)
