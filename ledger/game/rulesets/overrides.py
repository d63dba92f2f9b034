"""What is agreed on over a ruleset, as `rule` lines: house rules (`triple-beats-ace=yes`), a payment scheme
(`scheme=card-count`), and fields (`passing.locks=no`)."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from enum import IntEnum, StrEnum
from typing import Any

from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overlays import house_rules, schemes
from ledger.game.rulesets.overlays.edits import Contradiction
from ledger.game.rulesets.serialization import MOST, hints
from ledger.game.rulesets.validation import validated


def with_rules(preset: Ruleset, lines: Iterable[tuple[str, str]]) -> Ruleset:
    """The preset with several `rule` lines over it, in whatever order these came; ValueError as of `with_rule`.

    House rules are laid first, then the scheme, which pays for what is a bomb under them, then fields.
    Contradiction if runs of one suit are paid for and there are two packs: cards could be taken apart in too many
    ways.
    """
    ruleset = preset
    said: set[str] = set()
    for path, text in sorted(lines, key=lambda line: _layer(line[0])):
        name = path if "." in path or path == schemes.RULE else house_rules.find(path).name
        if name in said:
            raise ValueError(f"{name} is said twice")
        said.add(name)
        ruleset = with_rule(ruleset, path, text)
    if ruleset.deal.packs > 1 and ruleset.payments.for_runs_of_one_suit:
        raise Contradiction(schemes.RULE, "deal.packs")
    return ruleset


def with_rule(ruleset: Ruleset, path: str, text: str) -> Ruleset:
    """The ruleset with one field replaced, or one house rule or scheme laid over it, as a `rule` line says it.

    ValueError if there is no such rule, or if it contradicts another. Only fields that hold a truth value, a whole
    number or a word can be said in one line.
    """
    if path == schemes.RULE:
        return validated(schemes.lay(ruleset, text))
    if "." not in path:
        return validated(house_rules.lay(ruleset, path, text))
    group_name, _, field_name = path.partition(".")
    group = getattr(ruleset, group_name, None) if group_name in {f.name for f in fields(ruleset)} else None
    if (
        not is_dataclass(group)
        or isinstance(group, type)
        or field_name not in {f.name for f in fields(group)}
    ):
        raise ValueError(f"no such rule: {path}")
    wanted = hints(type(group))[field_name]
    changed: Any = replace(group, **{field_name: _from_text(wanted, text, path)})
    return validated(replace(ruleset, **{group_name: changed}))


def rules_of(ruleset: Ruleset, preset: Ruleset) -> list[tuple[str, str]]:
    """The `rule` lines that make this ruleset of the preset, but for `unsaid_rules`: its scheme, its house rules,
    then fields, in order."""
    lines = _laid(ruleset)
    said = ((path, _to_text(value)) for path, value in _differences(ruleset, _as_laid(ruleset, preset)))
    return lines + [(path, text) for path, text in said if text is not None]


def own_rules(ruleset: Ruleset) -> list[tuple[str, str]]:
    """The `rule` lines over the preset that a ruleset is called after; none where that preset, or one of the
    ruleset's house rules, is not there any more."""
    try:
        return rules_of(ruleset, PRESETS[ruleset.id])
    except (KeyError, ValueError):
        return []


def unsaid_rules(ruleset: Ruleset, preset: Ruleset) -> list[str]:
    """The fields that differ from the preset in what no `rule` line can say: those of a night that agreed on the
    preset, or on a house rule, as it was before a change of the program."""
    different = _differences(ruleset, _as_laid(ruleset, preset))
    return [path for path, value in different if _to_text(value) is None]


def _laid(ruleset: Ruleset) -> list[tuple[str, str]]:
    """The lines of a ruleset's scheme and of its house rules."""
    scheme = [(schemes.RULE, ruleset.scheme)] if ruleset.scheme else []
    return scheme + [(rule.name, choice) for rule, choice in house_rules.laid_over(ruleset).items()]


def _as_laid(ruleset: Ruleset, preset: Ruleset) -> Ruleset:
    """The preset with the house rules and the scheme of a ruleset, whether they would have a place there now or
    not."""
    laid = house_rules.lay_unjudged(preset, house_rules.laid_over(ruleset))
    return schemes.lay(laid, ruleset.scheme) if ruleset.scheme else laid


def _differences(ruleset: Ruleset, preset: Ruleset) -> Iterator[tuple[str, object]]:
    """Every field that is not the preset's. Which of them its source leaves open is no rule."""
    for group_field in fields(ruleset):
        group, base = getattr(ruleset, group_field.name), getattr(preset, group_field.name)
        if group == base or group_field.name == "open":
            continue
        if not is_dataclass(group):
            yield group_field.name, group
            continue
        for field in fields(group):
            value = getattr(group, field.name)
            if value != getattr(base, field.name):
                yield f"{group_field.name}.{field.name}", value


def _layer(path: str) -> int:
    """Which rules are laid over which."""
    return 2 if "." in path else path == schemes.RULE


def _to_text(value: object) -> str | None:
    """The value of a field as a `rule` line says it; None where it cannot."""
    match value:
        case bool():
            return "yes" if value else "no"
        case StrEnum() | int() if not isinstance(value, IntEnum):
            return str(value)
        case _:
            return None


def _from_text(wanted: Any, text: str, path: str) -> object:
    if wanted is bool:
        if text not in ("yes", "no"):
            raise ValueError(f"{path} takes yes or no")
        return text == "yes"
    if wanted is int:
        if not text.isascii() or not text.isdigit() or len(text) > len(str(MOST)):
            raise ValueError(f"{path} takes a whole number")
        return int(text)
    if isinstance(wanted, type) and issubclass(wanted, StrEnum):
        if text not in tuple(wanted):
            raise ValueError(f"{path} takes {', '.join(wanted)}")
        return wanted(text)
    raise ValueError(f"{path} cannot be said in one line")
