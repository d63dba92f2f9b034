"""Changes to a ruleset, as `rule` lines: house rules (`triple-beats-ace=yes`), a payment scheme
(`scheme=card-count`), fields (`passing.locks=no`, `payments.card=2`), and prices (`price.red-two=6`)."""

from collections.abc import Iterable
from operator import attrgetter

from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overlays import house_rules, prices, schemes
from ledger.game.rulesets.overlays.edits import Contradiction, change
from ledger.game.rulesets.serialization import fields_of_lines, with_field, write_field
from ledger.game.rulesets.validation import Unplayable, validated

_VALUES = ("payments.special_sets", "payments.captured")
_COUNTED = (*_VALUES, "bombs", "payments.chain", "deal.")
"""What may bring, like prices, more special sets, bombs or cards of a hand than can be valued in a few steps."""


class RuleRefused(ValueError):
    """Rules that no table can play by: the index of the wrong line, from 0, and the reason."""

    def __init__(self, line: int, why: ValueError) -> None:
        super().__init__(str(why))
        self.line = line
        self.why = why


def with_rules(preset: Ruleset, lines: Iterable[tuple[str, str]]) -> Ruleset:
    """Apply several `rule` lines to a preset; their order does not matter.

    House rules are applied first, then the scheme, which pays for the bombs under them, then fields, then prices.
    Raises RuleRefused for the first line that is no rule, has no valid value, is repeated, or contradicts another;
    else, if no table can play by the result, for the last line concerned.

    >>> own_rules(with_rules(PRESETS["southern-classic"], [("payments.card", "2"), ("scheme", "card-count")]))
    [('scheme', 'card-count'), ('payments.card', '2')]
    """
    pairs, wrong, names = list(lines), list[RuleRefused](), set[str]()
    ordered = sorted(enumerate(pairs), key=lambda one: _order(one[1][0]))
    chosen = house_rules.laid_over(preset)
    for line, (path, text) in ordered:
        if _layer(path) == 0:
            try:
                _name_once(house_rules.find(path).name, names)
                chosen = house_rules.with_choice(preset.id, chosen, path, text)
            except ValueError as why:
                wrong.append(RuleRefused(line, why))
    ruleset = house_rules.lay_unjudged(preset, chosen) if chosen else preset
    for line, (path, text) in ordered:
        if _layer(path) > 0:
            try:
                _name_once(path, names)
                ruleset = _with_rule(ruleset, path, text)
            except ValueError as why:
                wrong.append(RuleRefused(line, why))
    if wrong:
        raise min(wrong, key=lambda refused: refused.line)
    try:
        _require_playable(ruleset, names)
    except (Unplayable, Contradiction) as why:
        about = why.about if isinstance(why, Unplayable) else why.names
        named = (line for line, (path, _) in enumerate(pairs) if path.startswith(about))
        raise RuleRefused(max(named, default=len(pairs) - 1), why) from None
    return ruleset


def with_further_rules(ruleset: Ruleset, lines: Iterable[tuple[str, str]]) -> Ruleset:
    """Apply `rule` lines to rules that a table has agreed on before: each takes the place of the one of its name,
    and a field that of the prices in it.

    Raises RuleRefused with the index among these lines.
    """
    further = list(lines)
    if not further:
        return ruleset
    if ruleset.id not in PRESETS:
        raise RuleRefused(0, ValueError(f"a preset that is no longer there: {ruleset.id}"))
    names = {_name_of(path) for path, _ in further}
    unpriced = _priced_as(PRESETS[ruleset.id], ruleset, [path for path in prices.PRICED if path in names])
    kept = [line for line in own_rules(unpriced) if line[0] not in names]
    try:
        return with_rules(PRESETS[ruleset.id], [*kept, *further])
    except RuleRefused as error:
        raise RuleRefused(max(error.line - len(kept), 0), error.why) from None


def further_rules(before: Ruleset, ruleset: Ruleset) -> list[tuple[str, str]] | None:
    """The `rule` lines by which `with_further_rules` leads from one ruleset to another; None if it cannot, because
    the preset is another, or a rule was taken back."""
    had, has = dict(own_rules(before)), dict(own_rules(ruleset))
    if ruleset.id != before.id or had.keys() - has.keys():
        return None
    return [line for line in has.items() if had.get(line[0]) != line[1]]


def as_changed(before: Ruleset, ruleset: Ruleset) -> tuple[str | None, list[tuple[str, str]]]:
    """What leads from one ruleset to another: further `rule` lines, or else its preset and all its lines."""
    further = further_rules(before, ruleset)
    return (ruleset.id, own_rules(ruleset)) if further is None else (None, further)


def _name_of(path: str) -> str:
    """The name of a rule as `own_rules` writes it; a house rule may be given by its number."""
    try:
        return house_rules.find(path).name if _layer(path) == 0 else path
    except ValueError:
        return path


def _name_once(name: str, names: set[str]) -> None:
    """Add the name of a rule to those that were given; ValueError if it is one of them."""
    if name in names:
        raise ValueError(f"{name} is said twice")
    names.add(name)


def _require_playable(ruleset: Ruleset, names: set[str]) -> None:
    """Raise Unplayable if no table can play by a ruleset changed by rules of these names; Contradiction if runs of
    one suit are paid for and there are two packs, whose cards divide into sets in too many ways."""
    validated(ruleset)
    if ruleset.deal.packs > 1 and ruleset.payments.for_runs_of_one_suit:
        raise Contradiction(schemes.RULE, "deal.packs")
    for path in _VALUES:
        sets = attrgetter(path)(ruleset)
        if len({(one.target, one.suits) for one in sets}) < len(sets):
            raise Unplayable(f"{path} is said twice", path)
    counted = any(name.startswith((*_COUNTED, prices.PREFIX)) for name in names)
    if counted and not compiled(ruleset).can_be_counted:
        raise Unplayable("special sets that are soon counted", *_COUNTED, prices.PREFIX)


def _layer(path: str) -> int:
    """The order of application: house rules 0, the scheme 1, fields and prices 2."""
    return 2 if "." in path or path in fields_of_lines() else path == schemes.RULE


def _order(path: str) -> tuple[int, bool, tuple[bool, str]]:
    """The sort key of a rule: its layer; within it, prices last and by name, all else as given."""
    priced = path.startswith(prices.PREFIX)
    return _layer(path), priced, prices.order(path) if priced else (False, "")


def _with_rule(ruleset: Ruleset, path: str, text: str) -> Ruleset:
    if path == schemes.RULE:
        return schemes.lay(ruleset, text)
    if path.startswith(prices.PREFIX):
        return prices.lay(ruleset, path, text)
    if path in fields_of_lines():
        return with_field(ruleset, path, text)
    raise ValueError(f"no such rule: {path}")


def rules_of(ruleset: Ruleset, preset: Ruleset) -> list[tuple[str, str]]:
    """The `rule` lines that turn the preset into this ruleset: its scheme, house rules, fields, and prices."""
    applied = house_rules.laid_over(ruleset)
    base = house_rules.lay_unjudged(preset, applied)
    base = schemes.lay(base, ruleset.scheme) if ruleset.scheme else base
    both = zip(field_lines(ruleset), field_lines(base), strict=True)
    changed = [line for line, other in both if line != other]
    others = [line for line in changed if line[0] not in prices.PRICED]
    priced = (
        prices.lines_between(_priced_as(base, ruleset, prices.PRICED), ruleset) if others != changed else []
    )
    return [
        *([(schemes.RULE, ruleset.scheme)] if ruleset.scheme else []),
        *((rule.name, choice) for rule, choice in applied.items()),
        *(changed if priced is None else (*others, *priced)),
    ]


def _priced_as(base: Ruleset, ruleset: Ruleset, fields: Iterable[str]) -> Ruleset:
    """`ruleset` with the prices that `base` has in some fields."""
    for path in fields:
        group, _, field = path.partition(".")
        ruleset = change(ruleset, group, **{field: attrgetter(path)(base)})
    return ruleset


def field_lines(ruleset: Ruleset) -> list[tuple[str, str]]:
    """Every field of a ruleset, as path and value of its `rule` line."""
    return [(path, write_field(attrgetter(path)(ruleset))) for path in fields_of_lines()]


def own_rules(ruleset: Ruleset) -> list[tuple[str, str]]:
    """The `rule` lines that turn a ruleset's preset into it; empty if that preset, or one of the house rules, no
    longer exists."""
    try:
        return rules_of(ruleset, PRESETS[ruleset.id])
    except (KeyError, ValueError):
        return []
