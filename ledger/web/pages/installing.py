"""What makes the pages an application on a phone: a manifest, and a service worker that keeps what was seen."""

import json

from flask import Response, url_for

from ledger.web.pages.blueprint import pages
from ledger.web.preferences import speaker


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """How a phone shows the application among its others."""
    words = speaker()
    data = {
        "id": "/",
        "name": words.gettext("Tiến lên ledger"),
        "lang": words.language,
        "start_url": url_for("pages.open_table"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#f5f2ea",
        "theme_color": "#f5f2ea",
        "icons": [
            {"src": url_for("pages.static", filename="icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            # The same to the edge, for phones that cut their corners themselves and draw no SVG: iPhones.
            {"src": url_for("pages.static", filename="icon.png"), "sizes": "512x512", "type": "image/png"},
        ],
    }
    return Response(json.dumps(data, ensure_ascii=False), content_type="application/manifest+json")


@pages.get("/sw.js")
def service_worker() -> Response:
    """The service worker, at the root: it serves the pages below its own address."""
    response = pages.send_static_file("sw.js")
    response.headers["Cache-Control"] = "no-cache"
    return response
