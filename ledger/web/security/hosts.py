"""The host that a request names: one that cannot be a name counts as none.

Werkzeug knows that of most; with some it fails before anything of ours is asked, or with the page of the error.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask

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
