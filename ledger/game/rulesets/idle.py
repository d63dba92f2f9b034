"""Chosen rules that have no effect, and what they need to have one."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter

from ledger.game.agreed import Need
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import DECLARED, Ruleset
from ledger.game.rulesets.needs import FACTS, is_set, unmet
from ledger.game.rulesets.overlays import prices, schemes
from ledger.game.rulesets.overlays.house_rules import (
    HOUSE_RULES,
    NO,
    HouseRule,
    find,
    lay_unjudged,
    without_each,
)
from ledger.game.rulesets.overrides import own_rules
from ledger.game.rulesets.serialization import (
    PLAIN,
    changed_fields,
    fields_of_lines,
    with_field,
    write_field,
)


@dataclass(frozen=True, slots=True)
class Idle:
    """A chosen rule that has no effect."""

    path: str
    value: str
    needs: tuple[tuple[Need, ...], ...] = ()
    """What it lacks, each as alternatives. If it lacks nothing, and is not overruled, its preset is so already."""
    overruled_by: tuple[tuple[str, str], ...] = ()
    """What overrules it, each as path and value of a `rule` line, the value empty for a list."""


@lru_cache(maxsize=64)
def idle_in(ruleset: Ruleset) -> tuple[Idle, ...]:
    """The rules by which a table changed its preset that lack what they need to have an effect.

    None if that preset, or one of the house rules, no longer exists.

    >>> from ledger.game.rulesets.overrides import with_rules
    >>> [idle] = idle_in(with_rules(PRESETS["southern-classic"], [("payments.unplayed", "5")]))
    >>> idle.path, [str(need) for ways in idle.needs for need in ways]
    ('payments.unplayed', ['payments.card'])
    """
    rules = own_rules(ruleset)
    found = idle_of(ruleset, rules) if rules else ()
    return tuple(idle for idle in found if idle.needs or idle.overruled_by)


def idle_of(ruleset: Ruleset, chosen: Iterable[tuple[str, str]]) -> Iterator[Idle]:
    """Those of the chosen rules that have no effect in a ruleset that they make of its preset."""
    lines, preset = _named(chosen), PRESETS[ruleset.id]
    switches = _switches(lines)
    base, others = lay_unjudged(preset, switches), dict(without_each(preset, switches))
    for path, value in lines.items():
        if path not in HOUSE_RULES:
            yield from _idle_line(ruleset, base, path, value)
        elif changed := changed_fields(others.get(HOUSE_RULES[path], base), base):
            yield from _wanting(ruleset, changed, path, value)
        else:
            yield Idle(path, value)


def usual_numbers(ruleset: Ruleset, chosen: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Path -> the usual number of each field without which some of the chosen ways would have no effect, if that is
    all they lack.

    >>> from ledger.game.rulesets.overrides import with_rules
    >>> counting = [("payments.chain", "counting")]
    >>> usual_numbers(with_rules(PRESETS["southern-classic"], counting), counting)
    {'payments.chop_unit': '1'}
    """
    lines, found = _named(chosen), dict[str, str]()
    base = lay_unjudged(PRESETS[ruleset.id], _switches(lines))
    ways_of_fields = ((path, way) for path, way in lines.items() if path in fields_of_lines())
    for idle in (idle for path, way in ways_of_fields for idle in _idle_line(ruleset, base, path, way)):
        if fields_of_lines()[idle.path] is int or idle.overruled_by:
            continue
        paths = [
            next((need.name for need in ways if need.value is None and _usual(need.name)), "")
            for ways in idle.needs
        ]
        if all(paths) and not any(path in lines for path in paths):
            found |= {path: str(_usual(path)) for path in paths}
    return found


def _usual(path: str) -> int:
    """The number that tables usually agree on; 0 if there is none."""
    return DECLARED[path].usual if path in DECLARED else 0


def _named(chosen: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The chosen rules by name: a house rule may be given by its number."""
    return {
        path if "." in path or path in fields_of_lines() or path == schemes.RULE else find(path).name: value
        for path, value in chosen
    }


def _switches(lines: Mapping[str, str]) -> dict[HouseRule, str]:
    """The house rules among some rules, without those that are left alone."""
    return {
        HOUSE_RULES[name]: choice for name, choice in lines.items() if name in HOUSE_RULES and choice != NO
    }


def _idle_line(ruleset: Ruleset, base: Ruleset, path: str, value: str) -> Iterator[Idle]:
    """A chosen rule other than a house rule, if it has no effect; `base` is the preset under the house rules."""
    if path == schemes.RULE:
        if schemes.cannot_matter(PRESETS[ruleset.id], value):
            yield Idle(path, value)
    elif path in fields_of_lines():
        if value != write_field(attrgetter(path)(base)):
            yield from _idle_field(ruleset, base, path, value)
    else:
        yield from _wanting(ruleset, prices.fields_of(ruleset, path), path, value)


def _idle_field(ruleset: Ruleset, base: Ruleset, path: str, value: str) -> Iterator[Idle]:
    """A field, if it has no effect; turned off, it has one if it would have one as `base` has it."""
    is_off = attrgetter(path)(ruleset) == attrgetter(path)(PLAIN)
    otherwise = with_field(ruleset, path, write_field(attrgetter(path)(base)))
    if not is_off or any(unmet(otherwise, path)):
        yield from _wanting(ruleset, (path,), path, value)


def _wanting(ruleset: Ruleset, fields: tuple[str, ...], path: str, value: str) -> Iterator[Idle]:
    """The rule as idle, if all the fields that it sets are."""
    if not all(any(unmet(ruleset, field)) for field in fields):
        return
    needs, overruled_by = list[tuple[Need, ...]](), list[tuple[str, str]]()
    for ways in dict.fromkeys(_lacking(ruleset, fields[0])):
        others = [need for need in ways if need.name != fields[0]] or ways
        if wanted := tuple(need for need in others if not need.is_absence):
            needs.append(wanted)
        else:
            held = attrgetter(others[0].name)(ruleset)
            overruled_by.append((others[0].name, "" if isinstance(held, tuple) else write_field(held)))
    yield Idle(path, value, tuple(needs), tuple(overruled_by))


def _lacking(ruleset: Ruleset, field: str) -> Iterator[tuple[Need, ...]]:
    """The needs of a field that are not met; if one is a field that is set but has no effect, the needs of that."""
    for ways in unmet(ruleset, field):
        idle = [need.name for need in ways if need.name not in FACTS and is_set(ruleset, need)]
        yield from _lacking(ruleset, idle[0]) if idle else (ways,)
