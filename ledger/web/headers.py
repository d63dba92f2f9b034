"""The headers of every answer: pages, JSON, errors and static files alike."""

from flask import Flask, Response, request

CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "style-src 'self'",
        "script-src 'self'",
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
    # secret: only the page of a link, whose address is the secret, asks for more.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Where an answer says nothing else."""
HSTS = "max-age=31536000"


def set_headers(app: Flask) -> None:
    """Send them with whatever the app answers."""
    app.after_request(_add)


def _add(response: Response) -> Response:
    headers = response.headers
    headers.update(ALWAYS)
    for name, value in UNLESS_SAID.items():
        headers.setdefault(name, value)
    if request.is_secure:
        headers["Strict-Transport-Security"] = HSTS
    return response
