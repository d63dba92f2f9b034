"""What a person has set on one phone, kept in a cookie: it works with scripts and without."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Self

from flask import Response

from ledger.web.security import cookies

COOKIE = "tienlen-phone"
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

    @classmethod
    def of(cls, names: Iterable[str]) -> Self:
        """With these set; what is none of them says nothing."""
        known = {field.name for field in fields(cls)}
        return cls(**dict.fromkeys(known.intersection(names), True))


def phone() -> Phone:
    """As the phone that asks is set."""
    return Phone.of(cookies.sent().get(COOKIE, "").split("."))


def remember(response: Response, phone: Phone) -> None:
    """Let the phone keep its settings."""
    names = [field.name for field in fields(Phone) if getattr(phone, field.name)]
    cookies.keep(response, COOKIE, ".".join(names), SECONDS)
