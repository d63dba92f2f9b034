"""What a person has set on one phone, kept in cookies: its language, and how its pages look and behave. It works
with scripts and without."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from hashlib import sha256
from secrets import token_hex
from typing import Self

from flask import Response, g, request

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
    """Each is off until it is set."""

    singles: bool = False
    """On a pile of singles, one that is tapped records itself."""
    suits: bool = False
    """Four colours, one a suit."""
    totals: bool = False
    """Totals are hidden until they are asked for."""
    sleeps: bool = False
    """The screen may go dark while a round is recorded."""
    speaks: bool = False
    """What is recorded is said by the phone's own voice."""
    listens: bool = False
    """What is dictated or typed of a play is looked for among what can be played."""
    no_hints: bool = False
    """What is to be tapped is not said any more where the first cards of a night are recorded."""

    @property
    def set(self) -> list[str]:
        """What is set, by name."""
        return [field.name for field in fields(self) if getattr(self, field.name)]

    @classmethod
    def of(cls, names: Iterable[str]) -> Self:
        """With these set; what is none of them says nothing."""
        known = {field.name for field in fields(cls)}
        return cls(**dict.fromkeys(known.intersection(names), True))


def phone() -> Phone:
    """As the phone that asks is set."""
    return Phone.of(request.cookies.get(COOKIE, "").split("."))


def remember(response: Response, phone: Phone) -> None:
    """Let the phone keep its settings."""
    cookies.keep(response, COOKIE, ".".join(phone.set), SECONDS)


def tag_phone(response: Response) -> None:
    """Let a phone that has no tag keep a random one: what it records says that it came from it."""
    if TAG_COOKIE not in request.cookies:
        cookies.keep(response, TAG_COOKIE, token_hex(16), SECONDS)


def sender() -> str | None:
    """The phone that this request about a night comes from, as the log has it: a tag that is another one in every
    night, and what its people call it. None for programs, and where no cookies are kept."""
    secret, night = request.cookies.get(TAG_COOKIE), (request.view_args or {}).get("night")
    if not secret or night is None:
        return None
    return f"{sha256(f'{secret} {night}'.encode()).hexdigest()[:8]} {phone_name()}".rstrip()


def different_phones(phones: Iterable[str | None]) -> int:
    """How many phones some entries came from, by their tags: a name is only what somebody says."""
    return len({phone.partition(" ")[0] for phone in phones if phone})


def phone_name() -> str:
    """What the people of the phone that asks call it; empty while they have said nothing."""
    try:
        return phone_name_typed(request.cookies.get(NAME_COOKIE, ""))
    except ValueError:
        return ""


def phone_name_typed(typed: str) -> str:
    """A phone's name as it is kept; empty for none. Raises ValueError for what can be no name."""
    name = clean(typed) if typed.strip() else ""
    if len(name) > NAME_CHARACTERS:
        raise ValueError(f"longer than {NAME_CHARACTERS} letters")
    return name


def language() -> str:
    """The language of this request: what the visitor chose, else what the browser asks for."""
    known: str | None = g.get("language")
    if known is None:
        chosen = request.cookies.get(LANGUAGE_COOKIE)
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
