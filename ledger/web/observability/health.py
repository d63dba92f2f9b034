"""Whether this process can do its work."""

from flask import Blueprint, Response

from ledger.web.api.blueprint import answer
from ledger.web.recorder import recorder

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def health() -> Response:
    """200 when the store can be read and written and conforms; the store's own problem, 503, when not."""
    recorder().check()
    return answer({"status": "ok"})
