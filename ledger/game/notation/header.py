"""The lines of a replay's header that say what a table agreed on beside its ruleset."""

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
    """How one of the terms is written. `word` begins its line, and is the attribute of `Terms` too."""

    word: str
    expected: str
    """What is expected behind the word, for whoever wrote something else."""
    read: Callable[[str], _Value]
    """The value that the rest of a line says; ValueError if it says none."""
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
"""Every such line, in the order in which they are written."""


def term_lines(terms: Terms) -> Iterator[str]:
    """The lines that say some terms, but for the ruleset; none for what is not said."""
    for word, line in TERM_LINES.items():
        if value := getattr(terms, word):
            yield f"{word} {line.write(value)}"
