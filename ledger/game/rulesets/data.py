"""A ruleset as plain data, both ways, and what is agreed on over it: house rules (`triple-beats-ace=yes`), a
payment scheme (`scheme=card-count`), and fields (`passing.locks=no`).

The data is what a night keeps of what its table agreed on (whole, never a preset's name alone), and what JSON
can carry: mappings, lists, texts, whole numbers and truth values.

A field at its default is left out of it. A default of a ruleset and of its groups therefore never changes: old
nights that leave the field out would be played by other rules. A new rule is a new field, off by default.
"""

import re
import types
import typing
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum, IntEnum, StrEnum
from functools import cache, lru_cache
from typing import Any, TypeVar, cast

from ledger.game.cards import Card
from ledger.game.rulesets import PRESETS, house_rules, schemes
from ledger.game.rulesets.laying import Contradiction
from ledger.game.rulesets.types import Ruleset

Data = dict[str, Any]
T = TypeVar("T")

MOST = 9_999
"""The greatest number that a ruleset holds, and a `rule` line says."""
_WORD = re.compile("[A-Za-z0-9_.=-]{0,64}")


def to_data(ruleset: Ruleset) -> Data:
    """The ruleset as plain data: whole, but for what is at its default."""
    return cast(Data, _plain(ruleset))


def from_data(data: Data) -> Ruleset:
    """The ruleset that `to_data` wrote; ValueError if it is none.

    A field that the data lacks has its default: `to_data` left it out, or an older version did not know it. Equal
    data are one ruleset, so that nights under the same rules share what their index remembers.
    """
    return _shared(_built(Ruleset, data, "ruleset"))


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
        return schemes.lay(ruleset, text)
    if "." not in path:
        return house_rules.lay(ruleset, path, text)
    group_name, _, field_name = path.partition(".")
    group = getattr(ruleset, group_name, None) if group_name in {f.name for f in fields(ruleset)} else None
    if (
        not is_dataclass(group)
        or isinstance(group, type)
        or field_name not in {f.name for f in fields(group)}
    ):
        raise ValueError(f"no such rule: {path}")
    wanted = _hints(type(group))[field_name]
    changed: Any = replace(group, **{field_name: _from_text(wanted, text, path)})
    return replace(ruleset, **{group_name: changed})


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


@lru_cache(maxsize=64)
def _shared(ruleset: Ruleset) -> Ruleset:
    """Of equal rulesets the one that came first."""
    return ruleset


@cache
def _hints(group: type) -> dict[str, Any]:
    """The types of a group's fields: Python reads them as text each time."""
    return typing.get_type_hints(group)


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


def _plain(value: object) -> object:
    match value:
        case Card():
            return str(value)
        case Enum():
            return value.value if isinstance(value, StrEnum) else value.name.lower()
        case tuple():
            return [_plain(item) for item in value]
        case bool() | int() | str() | None:
            return value
    assert is_dataclass(value)
    held = ((field, getattr(value, field.name)) for field in fields(value))
    return {field.name: _plain(one) for field, one in held if one != field.default}


def _built(wanted: type[T], data: object, place: str) -> T:
    """Plain data as the wanted type; ValueError with the place where it does not fit."""
    return cast(T, _read(wanted, data, place))


def _read(wanted: Any, data: object, place: str) -> object:
    if isinstance(wanted, types.UnionType):
        inner = next(arm for arm in typing.get_args(wanted) if arm is not types.NoneType)
        return None if data is None else _read(inner, data, place)
    if typing.get_origin(wanted) is tuple:
        if not isinstance(data, list):
            raise ValueError(f"{place}: a list is expected")
        item = typing.get_args(wanted)[0]
        return tuple(_read(item, one, f"{place}.{number}") for number, one in enumerate(data))
    if wanted is Card and isinstance(data, str):
        return Card.read(data)
    if wanted in (bool, int, str):
        if type(data) is not wanted:
            raise ValueError(f"{place}: {wanted.__name__} is expected")
        if wanted is int and not 0 <= cast(int, data) <= MOST:
            raise ValueError(f"{place}: a whole number from 0 to {MOST} is expected")
        if wanted is str and not _WORD.fullmatch(cast(str, data)):
            raise ValueError(f"{place}: a word of at most 64 plain letters is expected")
        return data
    if issubclass(wanted, StrEnum):
        return wanted(data)
    if issubclass(wanted, Enum):
        if not isinstance(data, str) or data.upper() not in wanted.__members__:
            raise ValueError(f"{place}: no such {wanted.__name__.lower()}")
        return wanted[data.upper()]
    return _read_group(wanted, data, place)


def _read_group(wanted: Any, data: object, place: str) -> object:
    if not isinstance(data, dict):
        raise ValueError(f"{place}: a mapping is expected")
    hints = _hints(wanted)
    known = {field.name: field for field in fields(wanted)}
    unknown = sorted(set(data) - set(known))
    if unknown:
        raise ValueError(f"{place}: no such field: {', '.join(unknown)}")
    missing = sorted(name for name, field in known.items() if name not in data and field.default is MISSING)
    if missing:
        raise ValueError(f"{place}: missing: {', '.join(missing)}")
    return wanted(**{name: _read(hints[name], value, f"{place}.{name}") for name, value in data.items()})
