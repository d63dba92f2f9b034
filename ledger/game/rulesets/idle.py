"""Chosen rules that have no effect, and what they need to have one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter

from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import DECLARED, Ruleset
from ledger.game.rulesets.needs import FACTS, is_set, unmet
from ledger.game.rulesets.overlays import prices, schemes
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES, find, lay_all
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
    lines, preset = {_named(path): value for path, value in chosen}, PRESETS[ruleset.id]
    switches = {name: choice for name, choice in lines.items() if name in HOUSE_RULES}
    base = lay_all(preset, (f"{name}={choice}" for name, choice in switches.items()))
    for path, value in lines.items():
        if path == schemes.RULE:
            if schemes.cannot_matter(preset, value):
                yield Idle(path, value)
        elif path in switches:
            yield from _idle_switch(ruleset, preset, switches, path)
        elif path in fields_of_lines():
            if value != write_field(attrgetter(path)(base)):
                yield from _idle_field(ruleset, base, path, value)
        else:
            yield from _wanting(ruleset, prices.fields_of(ruleset, path), path, value)


def _named(path: str) -> str:
    """The name of a chosen rule, which may be a house rule's number."""
    is_switch = "." not in path and path not in fields_of_lines() and path != schemes.RULE
    return find(path).name if is_switch else path


def usual_numbers(ruleset: Ruleset, chosen: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Path -> the usual number of each field without which some of the chosen ways would have no effect, if that is
    all they lack."""
    lines, found = [*chosen], dict[str, str]()
    for idle in idle_of(ruleset, lines):
        if fields_of_lines().get(idle.path, int) is int or idle.overruled_by:
            continue
        paths = [
            next((way for way in ways if way in DECLARED and DECLARED[way].usual), "") for ways in idle.needs
        ]
        if all(paths) and not any(path in dict(lines) for path in paths):
            found |= {path: str(DECLARED[path].usual) for path in paths}
    return found


def _idle_switch(ruleset: Ruleset, preset: Ruleset, switches: dict[str, str], name: str) -> Iterator[Idle]:
    with_all, without = (
        lay_all(preset, (f"{one}={choice}" for one, choice in switches.items() if one not in left_out))
        for left_out in ((), (name,))
    )
    changed = changed_fields(without, with_all)
    if not changed:
        yield Idle(name, switches[name])
    else:
        yield from _wanting(ruleset, changed, name, switches[name])


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
