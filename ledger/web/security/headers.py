"""The headers of every answer: pages, JSON, errors and static files alike."""

from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask
from markupsafe import Markup

from ledger.resources import part, policy_hash

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

_ALWAYS = tuple(ALWAYS.items())
_UNLESS_SAID = tuple((name.lower(), (name, value)) for name, value in UNLESS_SAID.items())
_SECURE = ("Strict-Transport-Security", HSTS)

_Said = list[tuple[str, str]]


def set_headers(app: Flask) -> None:
    """Send them with whatever the app answers, and give pages the script that they allow. To be called when nothing
    else will be put round the app."""
    app.jinja_env.globals["again"] = Markup(AGAIN)
    inner = app.wsgi_app

    def answered(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        def begin(status: str, said: _Said, *error: Any) -> Any:
            # By now a trusted proxy has been asked how the visitor came.
            return start(status, _whole(said, secure=environ["wsgi.url_scheme"] == "https"), *error)

        return inner(environ, begin)

    app.wsgi_app = answered  # type: ignore[method-assign, assignment]


def _whole(said: _Said, *, secure: bool) -> _Said:
    """What an answer says, and what every answer does: ready-made, since it is the same each time."""
    names = {name.lower() for name, _ in said}
    unsaid = (header for name, header in _UNLESS_SAID if name not in names)
    return [*said, *_ALWAYS, *unsaid, *([_SECURE] if secure else ())]
