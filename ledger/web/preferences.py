"""The settings of one phone, kept in cookies: its language, and how pages look and behave. They work with scripts
and without."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from hashlib import sha256
from secrets import token_hex
from typing import Self

from flask import Response, g, request

from ledger.game.errors import Finding
from ledger.language import LANGUAGES, Speaker
from ledger.language import speaker as speaker_of
from ledger.recorder.names import clean
from ledger.web import cookies

COOKIE = "tienlen-phone"
TAG_COOKIE = "tienlen-tag"
NAME_COOKIE = "tienlen-name"
NAME_CHARACTERS = 24
LANGUAGE_COOKIE = "tienlen-language"
SECONDS = 400 * 24 * 3600
"""The longest that browsers keep a cookie."""


@dataclass(frozen=True, slots=True)
class Phone:
    """The switches of a phone; each is off by default."""

    singles: bool = False
    """On a pile of singles, a tap on a card records its play."""
    suits: bool = False
    """Each suit has its own colour."""
    totals: bool = False
    """Totals are hidden until they are tapped."""
    sleeps: bool = False
    """The screen may go dark while a round is recorded."""
    speaks: bool = False
    """Entries are read aloud by speech synthesis."""
    listens: bool = False
    """Dictated or typed words are matched with the plays that are possible."""
    no_hints: bool = False
    """The hints for recording the first cards of a night are hidden."""

    @property
    def set(self) -> list[str]:
        """The names of the switches that are on."""
        return [field.name for field in fields(self) if getattr(self, field.name)]

    @classmethod
    def of(cls, names: Iterable[str]) -> Self:
        """Settings with these switches on; unknown names are ignored."""
        known = {field.name for field in fields(cls)}
        return cls(**dict.fromkeys(known.intersection(names), True))


def phone() -> Phone:
    """The settings of the phone that sent this request."""
    return Phone.of(request.cookies.get(COOKIE, "").split("."))


def remember(response: Response, phone: Phone) -> None:
    """Store a phone's settings in a cookie."""
    cookies.put(response, COOKIE, ".".join(phone.set), SECONDS)


def tag_phone(response: Response) -> None:
    """Give a phone without a tag a random one, in a cookie: its entries are recorded with it."""
    if TAG_COOKIE not in request.cookies:
        cookies.put(response, TAG_COOKIE, token_hex(16), SECONDS)


def sender() -> str | None:
    """The phone that sent this request about a night, as the log records it: a tag that differs in every night, and
    its name. None for programs, and for phones without cookies."""
    night = (request.view_args or {}).get("night")
    secret = request.cookies and request.cookies.get(TAG_COOKIE)
    if not secret or night is None:
        return None
    return f"{sha256(f'{secret} {night}'.encode()).hexdigest()[:8]} {phone_name()}".rstrip()


def different_phones(phones: Iterable[str | None]) -> int:
    """The number of different phones, by their tags: names prove nothing."""
    return len({phone.partition(" ")[0] for phone in phones if phone})


def phone_name() -> str:
    """The name given to the phone that sent this request; empty if it has none."""
    try:
        return phone_name_typed(request.cookies.get(NAME_COOKIE, ""))
    except ValueError:
        return ""


def phone_name_typed(typed: str) -> str:
    """A phone's name, cleaned; empty for none. Raises ValueError for an invalid name."""
    return clean(typed, NAME_CHARACTERS) if typed.strip() else ""


def language() -> str:
    """The language of this request: what the visitor chose, else what the browser asks for."""
    known: str | None = g.get("language")
    if known is None:
        chosen = request.cookies.get(LANGUAGE_COOKIE)
        known = chosen if chosen in LANGUAGES else _asked_for()
        g.language = known
    return known


def speaker() -> Speaker:
    """The translator for the language of this request."""
    return speaker_of(language())


def say_finding(finding: Finding, names: Mapping[int, str]) -> str:
    """A finding as a sentence in the language of this request; names are by player number."""
    return speaker().finding(finding, names)


def _asked_for() -> str:
    """The available language that the browser prefers. `vi-VN` is Vietnamese, even if English is accepted too:
    Werkzeug's `best_match` would choose English."""
    preferred = (tag.partition("-")[0].lower() for tag, quality in request.accept_languages if quality > 0)
    return next((language for language in preferred if language in LANGUAGES), LANGUAGES[0])
