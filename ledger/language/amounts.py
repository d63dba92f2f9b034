"""An amount of money as people type it: in groups of three figures, with the decimals of its currency."""

import re
from decimal import Decimal

from babel.numbers import format_decimal, get_currency_precision, get_group_symbol, list_currencies

from ledger.language.voice import Voice

CURRENCIES = tuple(sorted(list_currencies()))
"""The ISO 4217 codes of all currencies that there are, or were."""
_PLAIN = re.compile(r"(?P<figures>\d+)([.,](?P<decimals>\d{1,4}))?", re.ASCII)
_GROUPED = re.compile(
    r"(?P<figures>[1-9]\d{0,2}(?P<mark>[., ])\d{3}((?P=mark)\d{3})*)((?!(?P=mark))[.,](?P<decimals>\d{1,2}))?",
    re.ASCII,
)
_OF_THOUSANDS = re.compile(r"\d{1,6}([.,]\d{1,2})?", re.ASCII)
_SIGNS = {"đ": "VND", "₫": "VND", "vnđ": "VND", "đồng": "VND", "€": "EUR"}
"""What people write for a currency, in small letters, where it can only be that one."""
_TWO_GROUPS = 6
"""The most figures that are in two groups of three."""


def currency_typed(typed: str) -> str:
    """The code of a currency that was typed as people write it, `đ` or `vnd`; what is none, in capitals."""
    return _SIGNS.get(typed.lower(), typed.upper())


def amount_typed(voice: Voice, typed: str, currency: str) -> str:
    """What was typed as a plain number: `5.000` dong, `5k`, `5 nghìn` and `5.000đ` are `5000`, `0,50` euros `0.50`.

    Raises ValueError, with a sentence that says how to write it, for what is no amount of the currency or could be
    read in two ways: three figures behind a mark are thousands where the currency has no decimals or the language
    writes thousands so.
    """
    text, thousands = _taken_apart(typed, currency)
    whole = not get_currency_precision(currency)
    if thousands and _OF_THOUSANDS.fullmatch(text):
        return f"{Decimal(text.replace(',', '.')) * 1000:.0f}"
    found = None if thousands else _GROUPED.fullmatch(text) or _PLAIN.fullmatch(text)
    if found is None or (whole and found["decimals"]):
        raise ValueError(_how_to_write(voice, currency, whole=whole))
    figures, decimals = re.sub("[., ]", "", found["figures"]), found["decimals"]
    mark = found.groupdict().get("mark")
    once = mark in (".", ",") and not decimals and len(figures) <= _TWO_GROUPS
    if once and not whole and mark != get_group_symbol(voice.language):
        less = format_decimal(Decimal(figures) / 1000, locale=voice.language)
        raise ValueError(voice.say("amount two ways", typed=f"{text} {currency}", less=less, more=figures))
    return f"{figures}.{decimals}" if decimals else figures


def _taken_apart(typed: str, currency: str) -> tuple[str, bool]:
    """What was typed without the currency's sign and the word for thousands, and whether that was there."""
    text = " ".join(typed.split())
    signs = "|".join(map(re.escape, (currency, *(sign for sign, code in _SIGNS.items() if code == currency))))
    found = re.fullmatch(rf"(?P<number>.*\d) ?(?P<thousands>k|nghìn|ngàn)? ?({signs})?", text, re.IGNORECASE)
    return (found["number"], bool(found["thousands"])) if found else (text, False)


def _how_to_write(voice: Voice, currency: str, *, whole: bool) -> str:
    thousands = format_decimal(5000, locale=voice.language)
    if whole:
        return voice.say("amount whole", currency=currency, example=thousands)
    half = format_decimal(Decimal("0.5"), "0.00", locale=voice.language)
    return voice.say("amount", example=thousands, decimals=half)
