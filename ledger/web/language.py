"""Which language a request is answered in: what the visitor chose, else what the browser asks for."""

from flask import g, request

from ledger.language import LANGUAGES, Speaker
from ledger.language import speaker as speaker_of
from ledger.web.security import cookies

COOKIE = "tienlen-language"


def language() -> str:
    """The language of this request."""
    known: str | None = g.get("language")
    if known is None:
        chosen = cookies.sent().get(COOKIE)
        known = chosen if chosen in LANGUAGES else _asked_for()
        g.language = known
    return known


def speaker() -> Speaker:
    """Who speaks the language of this request."""
    return speaker_of(language())


def _asked_for() -> str:
    """The language that the browser prefers, of those there are. `vi-VN` is Vietnamese, also where some English is
    asked for as well: Werkzeug's `best_match` would take the English."""
    preferred = (tag.partition("-")[0].lower() for tag, quality in request.accept_languages if quality > 0)
    return next((language for language in preferred if language in LANGUAGES), LANGUAGES[0])
