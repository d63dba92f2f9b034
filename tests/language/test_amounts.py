"""Money as people type it, in the page's language (`tests/cases/amounts.txt`)."""

import json
from collections.abc import Iterator

import pytest

from ledger.language import speaker
from tests.case_files import lines_below_headings

EXAMPLES = {"VND": r"VND.*5\.000", "USD": r"5,000.*0\.50"}
"""Currency -> what tells how to write an amount in it."""


def read_cases() -> Iterator[tuple[str, str, str, str]]:
    """Language, currency, what is typed, and what is read."""
    for heading, line in lines_below_headings("amounts.txt"):
        language, currency = heading.split()
        typed, meant = line.split(" => ")
        yield language, currency, json.loads(typed) if '"' in typed else typed, meant


CASES = list(read_cases())
REFUSED = [case for case in CASES if case[3] == "refused" or " or " in case[3]]


@pytest.mark.parametrize(
    ("language", "currency", "typed", "meant"), [case for case in CASES if case not in REFUSED]
)
def test_an_amount_is_read_as_people_write_it(language: str, currency: str, typed: str, meant: str) -> None:
    assert speaker(language).amount(typed, currency) == meant


@pytest.mark.parametrize(("language", "currency", "typed", "readings"), REFUSED)
def test_what_is_none_or_could_be_two_is_refused(
    language: str, currency: str, typed: str, readings: str
) -> None:
    less, doubtful, more = readings.partition(" or ")
    why = rf"{typed} {currency} .* {less} \w+ {more}\." if doubtful else EXAMPLES[currency]
    with pytest.raises(ValueError, match=why):
        speaker(language).amount(typed, currency)
    assert not doubtful or speaker(language).amount(less, currency) == less.replace(",", ".")
