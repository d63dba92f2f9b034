"""The form of a table's prices: a number for each price, on top of the chosen rules."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import EnumMeta

from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.model import DECLARED
from ledger.game.rulesets.needs import unmet
from ledger.game.rulesets.overlays.prices import (
    FULL_HAND,
    LEFT,
    PLACES,
    PREFIX,
    PRICED,
    SHEETS,
    WINS,
    lay,
    prices_of,
)
from ledger.game.rulesets.overrides import field_lines
from ledger.game.rulesets.serialization import fields_of_lines
from ledger.recorder import Problem
from ledger.recorder.agreements import agreed_ruleset
from ledger.web.chosen_rules import TableRules
from ledger.web.preferences import speaker

_CHAIN = "payments.chain"
_PAID = {
    path: fields_of_lines()[path] for path in DECLARED if path.startswith(("payments.", "instant_wins."))
}
"""The fields of rules about payments, each with its type."""
_NUMBERS = tuple(path for path, wanted in _PAID.items() if wanted is int and path not in PRICED)
"""Those that are one number each and are not in `PRICED`."""
_CHOICES = {
    path: ("yes", "no") if wanted is bool else tuple(wanted)
    for path, wanted in _PAID.items()
    if wanted is bool or isinstance(wanted, EnumMeta)
}
"""Those that have a few values, with these values."""


@dataclass(frozen=True, slots=True)
class Price:
    """One price of the form."""

    path: str
    """Its name in a `rule` line and in the form."""
    title: str
    typed: str
    agreed: str
    """The value if nothing is typed."""
    is_wrong: bool

    @property
    def by_place(self) -> list[tuple[str, str]]:
        """The typed and the agreed value for each place."""
        agreed = self.agreed.split("/")
        typed = self.typed.split("/") if self.typed else []
        return list(zip([*typed, *[""] * len(agreed)], agreed, strict=False))


@dataclass(frozen=True, slots=True)
class PaymentRule:
    """A rule of payment that is one of a few ways."""

    title: str
    agreed: str
    """The way if nothing is chosen."""
    ways: list[tuple[str, str, bool]]
    """The `rule` line of each way, its words, and whether it is chosen."""

    @property
    def chosen(self) -> bool:
        """Whether one of the ways is chosen."""
        return any(chosen for _, _, chosen in self.ways)


@dataclass(frozen=True, slots=True)
class Prices:
    """All prices of the form, in its sections."""

    sets: list[tuple[Price, Price]]
    """The prices of each special set: if bombed (also the default if left in a hand), and if left in a hand."""
    apart: bool
    """Whether any of them has another price if left in a hand."""
    places: list[Price]
    sheets: list[Price]
    """What places score on a separate sheet."""
    numbers: list[Price]
    """Other prices of one number each that are not 0."""
    unpaid: list[Price]
    """Other prices that the rules leave at 0."""
    wins: list[Price]
    chain: PaymentRule
    """The payment of bombs on bombs."""
    rules: list[PaymentRule]
    """The other rules of payment."""
    any_typed: bool


def is_price(path: str) -> bool:
    """Whether a `rule` line belongs to the form of prices."""
    return path.startswith(PREFIX) or path in _NUMBERS or path in _CHOICES


def prices(rules: TableRules, refused: Collection[str]) -> Prices:
    """The prices of some rules; those in `refused` are marked as wrong."""
    base, ways = (_without(rules, left_out) for left_out in (is_price, is_number))
    held, by_table, words = prices_of(base) | dict(field_lines(base)), rules.by_name, speaker()
    priced = lay(ways, FULL_HAND, "1")  # it may be typed, and others need it
    agreed = {path: text for path, text in held.items() if _matters(path, priced)}
    paths = [*dict.fromkeys((*agreed, *filter(is_price, by_table)))]

    def price(path: str) -> Price:
        return Price(path, words.field(path), by_table.get(path, ""), agreed.get(path, "0"), path in refused)

    def within(*groups: str) -> list[Price]:
        return [price(path) for path in paths if path.startswith(groups)]

    sets = [one for one in within(PREFIX) if not one.path.startswith((PLACES, SHEETS, WINS, FULL_HAND))]
    names = dict.fromkeys(one.path.removesuffix(LEFT) for one in sets)
    pairs = [(price(path), price(path + LEFT)) for path in names]
    numbers = within(FULL_HAND, *_NUMBERS)
    paid = [one for one in numbers if one.typed or one.agreed != "0" or one.path == FULL_HAND]
    return Prices(
        sets=pairs,
        apart=any(left.typed or left.agreed != bombed.agreed for bombed, left in pairs),
        places=within(PLACES),
        sheets=within(SHEETS),
        numbers=paid,
        unpaid=[one for one in numbers if one not in paid],
        wins=within(WINS),
        chain=_payment_rule(_CHAIN, held, by_table),
        rules=[_payment_rule(path, held, by_table) for path in _CHOICES if path != _CHAIN],
        any_typed=any(map(is_price, by_table)),
    )


def _payment_rule(path: str, held: Mapping[str, str], by_table: Mapping[str, str]) -> PaymentRule:
    words = speaker()
    ways = [(f"{path}={way}", words.rule_value(way), way == by_table.get(path)) for way in _CHOICES[path]]
    return PaymentRule(words.field(path), words.rule_value(held[path]), ways)


def is_number(path: str) -> bool:
    """Whether a `rule` line belongs to the form of prices and is one that is typed."""
    return is_price(path) and path not in _CHOICES


def _without(rules: TableRules, left_out: Callable[[str], bool]) -> Ruleset:
    """The ruleset without some of its rules; the preset alone if the other rules are refused."""
    others = {path: text for path, text in rules.by_name.items() if not left_out(path)}
    try:
        return agreed_ruleset(rules.ruleset, others)
    except Problem:
        return PRESETS[rules.ruleset]


def _matters(path: str, ruleset: Ruleset) -> bool:
    """Whether a price has an effect under a ruleset."""
    field = "payments.places" if path.startswith(PLACES) else path
    return is_number(path) and not any(unmet(ruleset, field))
