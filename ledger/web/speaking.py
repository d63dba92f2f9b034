"""Which language a request is answered in: what the visitor chose, else what the browser asks for."""

from flask import g, request

from ledger.language import LANGUAGES, Speaker, negotiate
from ledger.language import speaker as speaker_of
from ledger.web import cookies

COOKIE = "tienlen-language"


def language() -> str:
    """The language of this request."""
    known: str | None = g.get("language")
    if known is None:
        chosen = cookies.sent().get(COOKIE)
        known = chosen if chosen in LANGUAGES else negotiate(request.headers.get("Accept-Language"))
        g.language = known
    return known


def speaker() -> Speaker:
    """Who speaks the language of this request."""
    return speaker_of(language())
