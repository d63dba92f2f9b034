"""Whether this process can do its work, for whoever asks. How the server is set up, and how a request has reached
it, for `tienlen doctor --url` alone, which comes with a pass under the installation's key."""

import json

from flask import Blueprint, Response, request

from ledger.recorder import Problem, ProblemCode
from ledger.resources import release
from ledger.web.api.calls import answer
from ledger.web.recorder import recorder, settings
from ledger.web.security import caller, hold_secrets, spend

blueprint = Blueprint("health", __name__)

_WEIGHT = 4096
"""More bytes than a proxy takes for too few to compress."""


@blueprint.get("/healthz")
def health() -> Response:
    """200 when the store can be read and written and conforms; the store's own problem, 503, when not."""
    recorder().store.check()
    return answer({"status": "ok"})


@blueprint.get("/setup")
def show_setup() -> Response:
    """What the server runs with, and what it takes the request for. It is sent as a page that holds links, so that
    what is done with those on the way is done with it."""
    given = request.authorization
    if given is None or given.type != "bearer" or not recorder().is_host_pass(given.token or ""):
        spend("wrong-token")
        raise Problem(ProblemCode.NOT_FOUND)
    data = {
        "version": release(),
        "proxies": settings().proxies,
        "hosts": settings().hosts,
        "caller": caller(),
        "host": request.host,
        "scheme": request.scheme,
        "forwarded": sorted(name.lower() for name, _ in request.headers if name.startswith("X-Forwarded-")),
        "weight": " " * _WEIGHT,
    }
    page = json.dumps(data).replace("<", "\\u003c")
    return hold_secrets(Response(page, content_type="text/html; charset=utf-8"))
