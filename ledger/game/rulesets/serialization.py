"""A ruleset as plain data, both ways.

The data is what a night keeps of what its table agreed on (whole, never a preset's name alone), and what JSON
can carry: mappings, lists, texts, whole numbers and truth values.

A field at its default is left out of it. A default of a ruleset and of its groups therefore never changes: old
nights that leave the field out would be played by other rules. A new rule is a new field, off by default.
"""

import re
import types
import typing
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum, StrEnum
from functools import cache
from typing import Any, TypeVar, cast

from ledger.game.cards import Card
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.validation import validated

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
    data are equal rulesets, so that nights under the same rules share what is known of them.
    """
    return validated(_built(Ruleset, data, "ruleset"))


@cache
def hints(group: type) -> dict[str, Any]:
    """The types of a group's fields: Python reads them as text each time."""
    return typing.get_type_hints(group)


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
    wants = hints(wanted)
    known = {field.name: field for field in fields(wanted)}
    unknown = sorted(set(data) - set(known))
    if unknown:
        raise ValueError(f"{place}: no such field: {', '.join(unknown)}")
    missing = sorted(name for name, field in known.items() if name not in data and field.default is MISSING)
    if missing:
        raise ValueError(f"{place}: missing: {', '.join(missing)}")
    return wanted(**{name: _read(wants[name], value, f"{place}.{name}") for name, value in data.items()})
