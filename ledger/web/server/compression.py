"""Pages, pictures, styles and scripts go out compressed: they weigh little, also on a slow network.

A page that holds links does not, nor does data for programs: a stranger can put a name into it, and the length of
both together would tell them.
"""

import re
from functools import lru_cache
from gzip import compress

from flask import Flask, Response, request

_FILES = frozenset({"pages.static", "pages.service_worker"})
_NOT_AT_ALL = 0
"""The bytes as they are, in the form of what is compressed."""
_LEVEL = 6
"""A page is compressed once for each that looks at it: of a large one five sixths less in half a millisecond."""
_COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/)[\s\S])*\*/)[ \t]*\n", re.MULTILINE)
"""One that has lines of its own. No text of a script has a line that looks like one."""
_OF_FILES = ("Accept-Ranges", "Content-Disposition", "Expires", "Last-Modified")
"""What a file's answer would say beside its digest, and nobody asks for."""


def set_compression(app: Flask) -> None:
    """Compress them for whoever takes it."""
    app.after_request(_compress)


def hold_secrets(response: Response) -> Response:
    """Let nobody on the way compress or keep a page. Not every proxy minds `no-transform` (nginx does not), so the
    page goes out as if it were compressed: what is, is left as it is."""
    response.headers["Cache-Control"] = "no-store, no-transform"
    return response


def _compress(response: Response) -> Response:
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
