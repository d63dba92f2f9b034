"""Chosen rules that have no effect, and what they need to have one."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter

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
    needs: tuple[tuple[str, ...], ...] = ()
    """What it needs, each as alternative `rule` lines, paths of fields to be set, or words of `FACTS`; nothing, and
    nothing that overrules it: its preset is so already."""
    overruled_by: tuple[tuple[str, str], ...] = ()
    """What overrules it, each as path and value of a `rule` line, the value empty for a list."""


@lru_cache(maxsize=64)
def idle_in(ruleset: Ruleset) -> tuple[Idle, ...]:
    """The rules by which a table changed its preset that lack what they need to have an effect.

    None if that preset, or one of the house rules, no longer exists.
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
    all they lack."""
    lines, found = _named(chosen), dict[str, str]()
    base = lay_unjudged(PRESETS[ruleset.id], _switches(lines))
    ways_of_fields = ((path, way) for path, way in lines.items() if path in fields_of_lines())
    for idle in (idle for path, way in ways_of_fields for idle in _idle_line(ruleset, base, path, way)):
        if fields_of_lines()[idle.path] is int or idle.overruled_by:
            continue
        paths = [
            next((way for way in ways if way in DECLARED and DECLARED[way].usual), "") for ways in idle.needs
        ]
        if all(paths) and not any(path in lines for path in paths):
            found |= {path: str(DECLARED[path].usual) for path in paths}
    return found


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
    """What a field has no effect without; turned off, it has one where it would have had it otherwise."""
    is_off = attrgetter(path)(ruleset) == attrgetter(path)(PLAIN)
    otherwise = with_field(ruleset, path, write_field(attrgetter(path)(base)))
    if not is_off or any(unmet(otherwise, path)):
        yield from _wanting(ruleset, (path,), path, value)


def _wanting(ruleset: Ruleset, fields: tuple[str, ...], path: str, value: str) -> Iterator[Idle]:
    """The rule as idle, if all the fields that it sets are."""
    if not all(any(unmet(ruleset, field)) for field in fields):
        return
    needs, overruled_by = list[tuple[str, ...]](), list[tuple[str, str]]()
    for ways in dict.fromkeys(_lacking(ruleset, fields[0])):
        others = [way for way in ways if way.partition("=")[0].removesuffix("!") != fields[0]] or ways
        if wanted := tuple(way for way in others if not _rules_out(way)):
            needs.append(wanted)
        else:
            other = others[0].partition("=")[0].removesuffix("!")
            held = attrgetter(other)(ruleset)
            overruled_by.append((other, "" if isinstance(held, tuple) else write_field(held)))
    yield Idle(path, value, tuple(needs), tuple(overruled_by))


def _lacking(ruleset: Ruleset, field: str) -> Iterator[tuple[str, ...]]:
    """The needs of a field that are not met; of one that is set but has no effect, its own instead."""
    for ways in unmet(ruleset, field):
        idle = [way.partition("=")[0] for way in ways if way not in FACTS and is_set(ruleset, way)]
        yield from _lacking(ruleset, idle[0]) if idle else (ways,)


def _rules_out(way: str) -> bool:
    """Whether a need is that something else is not so."""
    path, _, text = way.partition("=")
    return path.endswith("!") or text in ("0", "no", "none")
