"""The health check, public; and the server's setup, only for `tienlen doctor --url`, which sends a pass signed with
the installation's key."""

import json

from flask import Blueprint, Response, current_app, request

from ledger.recorder import Problem, ProblemCode, StoreUnavailable
from ledger.recorder.operations.database_hosts import tell_hosts_of
from ledger.resources import release
from ledger.web.api.calls import answer
from ledger.web.logs import LOG, request_id
from ledger.web.observability.recent import Recent
from ledger.web.preferences import speaker
from ledger.web.problems import answer_store
from ledger.web.recorder import recorder, settings
from ledger.web.security import caller, hold_secrets, spend

blueprint = Blueprint("health", __name__)

_WEIGHT = 4096
"""Padding in bytes, enough for a proxy to compress the answer if it compresses any."""


@blueprint.get("/healthz")
def health() -> Response:
    """200 if the store can be read and written and has the right schema; otherwise its problem, 503, with what the
    hosts of the database do if there are several: numbered, as anyone may ask; the log names them. The status is
    `log-damaged`, not `ok`, while a damaged log of the database is kept: entries can be recorded, and some may be
    missing."""
    try:
        recorder().store.check()
    except StoreUnavailable as error:
        named, numbered = tell_hosts_of(settings().database_url)
        if not named:
            return answer_store(error)
        LOG.error("hosts", extra={"id": request_id(), "says": named})
        return answer_store(error, database=numbered)
    frames = sum(log.frames for log in recorder().store.damaged_logs())
    if not frames:
        return answer({"status": "ok"})
    detail = speaker().gettext(
        "Part of the database's log could not be read (%(frames)s frames): either power failed or a process was"
        " killed while it was written, and nothing acknowledged is lost; or the file is damaged, and what was"
        " recorded last may be missing. `tienlen doctor` says how to get it back."
    )
    return answer({"status": "log-damaged", "frames": frames, "detail": detail % {"frames": frames}})


@blueprint.get("/setup")
def show_setup() -> Response:
    """The server's settings, what it did in the last minutes, and how it sees this request. It is sent like a page
    with links, so that proxies treat it like one."""
    given = request.authorization
    if given is None or given.type != "bearer" or not recorder().is_host_token(given.token or ""):
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
        "recent": current_app.extensions[Recent.__name__].summary(),
        "weight": " " * _WEIGHT,
    }
    page = json.dumps(data).replace("<", "\\u003c")
    return hold_secrets(Response(page, content_type="text/html; charset=utf-8"))
