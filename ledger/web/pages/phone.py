"""The installable application of a phone, manifest and service worker, and the phone's settings."""

import json

from flask import Response, make_response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ledger.web import cookies, forms
from ledger.web.pages.shared.blueprint import pages, way_back
from ledger.web.preferences import (
    NAME_COOKIE,
    SECONDS,
    Phone,
    phone_name,
    phone_name_typed,
    remember,
    speaker,
    tag_phone,
)
from ledger.web.reading import render
from ledger.web.request_body import read_form


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """The web app manifest."""
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
        # The second is without rounded corners, for iPhones, which round them and accept no SVG.
        "icons": [
            {"src": url_for("pages.static", filename=f"phone/{name}"), "sizes": sizes, "type": kind}
            for name, sizes, kind in (
                ("icon.svg", "any", "image/svg+xml"),
                ("icon.png", "512x512", "image/png"),
            )
        ],
    }
    return Response(json.dumps(data, ensure_ascii=False), content_type="application/manifest+json")


@pages.get("/sw.js")
def service_worker() -> Response:
    """The service worker, at the root, since its scope is the path below its own address."""
    response = pages.send_static_file("phone/sw.js")
    response.headers["Cache-Control"] = "no-cache"
    return response


@pages.get("/phone")
def this_phone() -> str:
    """The settings of this phone; `?back=` is the page that it came from."""
    return _settings(request.args.get("back", ""), phone_name())


def _settings(back: str, name: str, *, wrong: bool = False) -> str:
    return render("phone/phone.html", came_from=way_back(back), name=name, wrong=wrong)


@pages.post("/phone")
def set_phone() -> AnyResponse:
    """Store the settings, and go back to the page that the phone came from."""
    fields = read_form()
    back, name = forms.one(fields, "back"), forms.one(fields, "name")
    try:
        name = phone_name_typed(name)
    except ValueError:
        return make_response(_settings(back, name, wrong=True), 400)
    response = make_response(redirect(way_back(back), 303))
    remember(response, Phone.of(fields.get("set", ())))
    tag_phone(response)
    if "name" in fields:
        cookies.put(response, NAME_COOKIE, name, SECONDS)
    return response
