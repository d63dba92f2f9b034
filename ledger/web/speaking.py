"""Which language a request is answered in: what the visitor chose, else what the browser asks for."""

from flask import g, request

from ledger.language import LANGUAGES, Speaker, negotiate
from ledger.language import speaker as speaker_of

COOKIE = "tienlen-language"


def language() -> str:
    """The language of this request."""
    if "language" not in g:
        chosen = request.cookies.get(COOKIE)
        g.language = chosen if chosen in LANGUAGES else negotiate(request.headers.get("Accept-Language"))
    return str(g.language)


def speaker() -> Speaker:
    """Who speaks the language of this request."""
    return speaker_of(language())
