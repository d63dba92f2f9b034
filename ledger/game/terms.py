"""What a table agrees on before play. A term is declared once: its value, its line in a replay, and what people may
type; its fields in the log, in files and requests, its input, and its rows in the documents are made from that."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from decimal import Decimal
from typing import Any, Final

from ledger.game.rulesets.model import Ruleset

_TERM: Final = "term"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """How a term is written in a replay: on a line of its own, after its name."""

    example: str
    meaning: str
    """What the example says, in English."""
    pattern: str
    expected: str
    """What is expected after the name, for an error message."""
    read: Callable[[str], object]
    """Parses a text that matches the pattern; ValueError if it is no value."""
    write: Callable[[Any], str] = str
    most_typed: int = 0
    """The most characters that people may type when they open a night; 0: it has no input of its own."""

    def value(self, text: str) -> object:
        """The value that a text says. Raises ValueError."""
        if not re.fullmatch(self.pattern, text):
            raise ValueError(text)
        return self.read(text)


def on_a_line(text: str) -> str:
    """A text without control characters and semicolons: one from an imported log may hold some, which would end the
    line or begin a comment."""
    if text.isprintable() and ";" not in text:
        return text
    held = (" " if char == ";" or unicodedata.category(char) == "Cc" else char for char in text)
    return " ".join("".join(held).split())


def term(default: object, **written: Any) -> Any:
    """A term that is written as the attributes of `Written` say; `default` if it is not agreed on."""
    return field(default=default, metadata={_TERM: Written(**written)})


def typed(most: int, example: str, meaning: str) -> Any:
    """A term that is a text of at most so many characters, typed by whoever opens the night; empty if not given."""
    return term(
        "",
        example=example,
        meaning=meaning,
        pattern=r"\S.*",
        expected=f"a text of 1 to {most} characters, without control characters and semicolons",
        read=lambda text: " ".join(text.split()),
        write=on_a_line,
        most_typed=most,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedTerms:
    """The terms that are texts, typed by people and shown as they are. The interface has them by these names."""


@dataclass(frozen=True, slots=True)
class Stake:
    """What one point is worth, in the currency's own decimals."""

    amount: Decimal
    currency: str


def _read_stake(text: str) -> Stake:
    amount, currency = text.split()
    if not Decimal(amount):
        raise ValueError(text)
    return Stake(Decimal(amount), currency)


@dataclass(frozen=True, slots=True)
class Terms(TypedTerms):
    """What a table agrees on before play, other than who sits there."""

    ruleset: Ruleset
    stake: Stake | None = term(
        None,
        example="1000 VND",
        meaning="the worth of a point",
        pattern=r"[0-9]{1,12}(\.[0-9]{1,4})?\s+[A-Z]{3}",
        expected="an amount and a currency (1000 VND)",
        read=_read_stake,
        write=lambda stake: f"{stake.amount:f} {stake.currency}",
    )
    date: str = term(
        "",
        example="2026-11-20",
        meaning="the day of the night",
        pattern="[0-9]{4}-[0-9]{2}-[0-9]{2}",
        expected="a date (2026-11-20)",
        read=lambda text: date.fromisoformat(text).isoformat(),
    )


WRITTEN: Final[Mapping[str, Written]] = {
    one.name: one.metadata[_TERM] for one in fields(Terms) if _TERM in one.metadata
}
"""Term -> how it is written, in the order of its lines."""
TYPED: Final[Mapping[str, Written]] = {name: term for name, term in WRITTEN.items() if term.most_typed}
"""The same of those that are typed texts."""


def term_lines(terms: Terms) -> Iterator[str]:
    """The header lines of the terms, without the ruleset; terms that are not set have none."""
    for name, written in WRITTEN.items():
        if value := getattr(terms, name):
            yield f"{name} {written.write(value)}"
