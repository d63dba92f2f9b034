"""Prices that are typed as money where points are meant."""

from dataclasses import dataclass
from decimal import Decimal
from math import gcd

from ledger.game.agreed import MOST
from ledger.game.rulesets.overlays.prices import SHEETS
from ledger.language import currency_typed
from ledger.recorder import Problem, ProblemCode
from ledger.web import forms
from ledger.web.pages.opening.pricing import is_number
from ledger.web.preferences import speaker

_USUAL = 1_000
"""What a point is worth, if nothing is typed and all prices are multiples of it."""


@dataclass(frozen=True, slots=True)
class Money:
    """Typed prices, some of which are amounts of money."""

    sentence: str
    """That points are meant, and how many points one of the prices is."""
    points: dict[str, list[str]]
    """Name of a field -> its values in points; empty if what a point is worth does not divide them."""
    worth: str
    """What a point is worth, as it is typed."""


def typed_as_money(fields: forms.Fields) -> Money | None:
    """The typed prices, if some are no numbers of points but amounts of money; else None."""
    words, currency = speaker(), currency_typed(forms.one(fields, "currency") or "VND")
    prices = {path: some for path, some in fields.items() if is_number(path) and not path.startswith(SHEETS)}
    typed = [value for values in prices.values() for value in values]
    amounts = [amount for value in typed if _is_no_number(value) and (amount := _amount(value, currency))]
    if not amounts:
        return None
    usual = _USUAL if all(amount % _USUAL == 0 for amount in amounts) else gcd(*map(int, amounts))
    worth = _amount(forms.one(fields, "amount"), currency) or Decimal(usual)
    facts = {
        "money": words.money(1, amounts[0], currency),
        "worth": words.money(1, worth, currency),
        "points": words.points(int(amounts[0] / worth)),
    }
    if any(amount % worth or amount / worth > MOST for amount in amounts):
        return Money(
            words.gettext("A price is a number of points, not money as %(money)s is.") % facts, {}, ""
        )
    sentence = words.gettext(
        "A price is a number of points, not money: %(money)s is %(points)s at %(worth)s a point."
    )
    points = {path: [_in_points(value, worth, currency) for value in some] for path, some in prices.items()}
    return Money(sentence % facts, points, f"{worth:f}")


def in_points(fields: forms.Fields) -> forms.Fields:
    """The fields of prices that were typed as money, in points, and what a point is worth."""
    money = typed_as_money(fields)
    return {**money.points, "amount": [money.worth]} if money and money.points else {}


def stake_typed(amount: str, currency: str) -> dict[str, str]:
    """The worth of a point as it was typed. Raises a Problem about `amount` that says how to write it."""
    currency = currency_typed(currency)
    try:
        return {"amount": speaker().amount(amount, currency), "currency": currency}
    except ValueError as error:
        raise Problem(ProblemCode.UNREADABLE, fields={"amount": [str(error)]}) from None


def _is_no_number(value: str) -> bool:
    """Whether a value is no number of points: not written as one, or too great."""
    digits = value.strip().lstrip("+-\N{MINUS SIGN}")
    return bool(digits) and not (digits.isascii() and digits.isdecimal() and int(digits) <= MOST)


def _amount(value: str, currency: str) -> Decimal:
    """The amount of money that was typed, without its sign; 0 if it is none."""
    try:
        return Decimal(speaker().amount(value.strip().lstrip("+-\N{MINUS SIGN}"), currency))
    except ValueError:
        return Decimal(0)


def _in_points(value: str, worth: Decimal, currency: str) -> str:
    """A value in points; unchanged if it is points already."""
    amount, sign = _amount(value, currency), "-" if value.strip()[:1] in ("-", "\N{MINUS SIGN}") else ""
    is_money = amount and not amount % worth and amount / worth >= 1
    return f"{sign}{int(amount / worth)}" if is_money else value
