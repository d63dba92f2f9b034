"""The lines between rounds by which a table agrees on new terms, read and written."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from ledger.game.night import NewTerms
from ledger.game.notation.script import Unreadable
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overrides import (
    RuleRefused,
    as_changed,
    with_further_rules,
    with_rules,
)
from ledger.game.terms import WRITTEN, Stake, Terms

AGREED: Final = ("ruleset", "rule", "stake")
"""The words that the lines begin with."""
ALL_ROUNDS: Final = "all"
"""The word after the worth of a point that is also that of the rounds so far."""


def read_new_terms(before: Terms, lines: Mapping[int, tuple[str, str]]) -> NewTerms:
    """The terms by lines that follow each other (line number -> word and rest), where others held before: a preset
    with its rules, or rules in place of those of their names, and the worth of a point. Raises Unreadable."""
    worth, all_rounds = before.stake, False
    preset: Ruleset | None = None
    rules: dict[int, tuple[str, str]] = {}
    for line, (word, rest) in lines.items():
        field, equals, value = rest.partition("=")
        match word:
            case "rule" if equals:
                rules[line] = field.strip(), value.strip()
            case "ruleset" if rest in PRESETS and preset is None and not rules:
                preset = PRESETS[rest]
            case "stake" if worth is before.stake:
                amount, _, last = rest.rpartition(" ")
                all_rounds = last == ALL_ROUNDS
                worth = _worth(line, amount if all_rounds else rest, before.stake)
            case _:
                raise Unreadable(line, "a ruleset, then rules (FIELD=VALUE), and one stake")
    first = next(iter(lines))
    try:
        ruleset = (with_further_rules if preset is None else with_rules)(
            preset or before.ruleset, rules.values()
        )
    except RuleRefused as error:
        raise Unreadable(list(rules)[error.line], f"a house rule ({error})") from None
    terms = replace(before, ruleset=ruleset, stake=worth)
    if all_rounds and before.stake is not None:
        raise Unreadable(first, "a stake without `all` (the rounds so far have a worth)")
    if terms == before:
        raise Unreadable(first, "other terms than those that hold")
    return NewTerms(terms, all_rounds)


def _worth(line: int, text: str, before: Stake | None) -> Stake:
    """The worth of a point, in the currency that the night had before."""
    try:
        stake: Any = WRITTEN["stake"].value(text)
    except ValueError:
        raise Unreadable(line, WRITTEN["stake"].expected) from None
    if before is not None and stake.currency != before.currency:
        raise Unreadable(line, f"an amount in the currency of the night ({before.currency})")
    worth: Stake = stake
    return worth


def new_terms_lines(before: Terms, new: NewTerms) -> Iterator[str]:
    """The lines of new terms where others held before."""
    preset, rules = as_changed(before.ruleset, new.terms.ruleset)
    if preset:
        yield f"ruleset {preset}"
    for path, value in rules:
        yield f"rule {path}={value}"
    if new.terms.stake != before.stake:
        stake = WRITTEN["stake"].write(new.terms.stake)
        yield f"stake {stake} {ALL_ROUNDS}" if new.all_rounds else f"stake {stake}"
