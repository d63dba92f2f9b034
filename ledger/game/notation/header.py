"""The lines of a replay's header for the terms other than the ruleset."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Final, Generic, TypeVar

from ledger.game.night import Stake, Terms

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class TermLine(Generic[_Value]):
    """How one of the terms is written. `word` begins its line, and is also the attribute of `Terms`."""

    word: str
    expected: str
    """What is expected after the word, for an error message."""
    read: Callable[[str], _Value]
    """Parses the rest of a line; ValueError if it is no value."""
    write: Callable[[_Value], str]


def _read_stake(text: str) -> Stake:
    match = re.fullmatch(r"([0-9]{1,12}(?:\.[0-9]{1,4})?)\s+([A-Z]{3})", text)
    if not match or not Decimal(match[1]):
        raise ValueError(text)
    return Stake(Decimal(match[1]), match[2])


def _write_stake(stake: Stake) -> str:
    return f"{stake.amount:f} {stake.currency}"


def _read_date(text: str) -> str:
    return date.fromisoformat(text).isoformat()


_LINES: Final = (
    TermLine("stake", "an amount and a currency (1000 VND)", _read_stake, _write_stake),
    TermLine("date", "a date (2026-11-20)", _read_date, str),
)
TERM_LINES: Final[Mapping[str, TermLine[Any]]] = {line.word: line for line in _LINES}
"""Word -> line, in the order in which they are written."""


def term_lines(terms: Terms) -> Iterator[str]:
    """The header lines of the terms, without the ruleset; terms that are not set have none."""
    for word, line in TERM_LINES.items():
        if value := getattr(terms, word):
            yield f"{word} {line.write(value)}"
