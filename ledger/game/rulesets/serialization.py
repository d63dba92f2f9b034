"""Rulesets as plain data, and their fields as the text of `rule` lines, both ways.

A night stores this data of its whole ruleset, never a preset's name alone. It is what JSON can carry: mappings,
lists, texts, whole numbers and truth values.

A field at its default is left out. Therefore the default of a field must never change: old nights that leave the
field out would be played by other rules. A new rule is a new field, off by default.

The syntax of a line follows from the field's type, as NOTATION.md describes it, so that every field of the model
can be typed. A group is its fields apart by colons, optional ones by name (`4:1@2|2@2:rank=A:plain`).
"""

import re
import types
import typing
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum, StrEnum
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any, cast

from ledger.game.agreed import MOST
from ledger.game.cards import Card, Rank, Suit
from ledger.game.patterns import Combinations, Pattern, SuitRule, Target
from ledger.game.rulesets.model import Deal, Direction, Ending, InstantWins, Opening, Passing, Ruleset
from ledger.game.rulesets.paying import Payments, PlacePayment, PlaceScores
from ledger.game.rulesets.validation import validated

Data = dict[str, Any]

LONGEST = 4_096
"""The most characters of a value in a `rule` line."""
_NONE = "none"
_NOT_AGREED_ON = {"id", "clauses", "house_rules", "scheme", "parent", "open"}
"""Fields that record where a ruleset comes from; no `rule` line sets them."""
_WORD = re.compile("[A-Za-z0-9_.=-]{0,64}")


def to_data(ruleset: Ruleset) -> Data:
    """The whole ruleset as plain data, without fields at their default."""
    return cast(Data, _plain(ruleset))


def from_data(data: Data) -> Ruleset:
    """The inverse of `to_data`; ValueError for data that is no ruleset.

    A missing field has its default: `to_data` left it out, or an older version did not know it. Equal data give
    equal rulesets, so that nights under the same rules share caches.
    """
    return validated(cast(Ruleset, _read(Ruleset, data, "ruleset")))


@cache
def hints(group: type) -> dict[str, Any]:
    """The types of a group's fields; cached, because Python parses them from text each time."""
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


def _read(wanted: Any, data: object, place: str) -> object:
    """Plain data as the wanted type; ValueError with the place where it does not fit."""
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


@cache
def fields_of_lines() -> Mapping[str, Any]:
    """Path (`passing.locks`, `bombs`) -> type of every field that a `rule` line can set."""
    found: dict[str, Any] = {}
    for name, wanted in hints(Ruleset).items():
        if is_dataclass(wanted):
            found |= {f"{name}.{field}": inner for field, inner in hints(cast(type, wanted)).items()}
        elif name not in _NOT_AGREED_ON:
            found[name] = wanted
    return found


def changed_fields(before: Ruleset, after: Ruleset) -> tuple[str, ...]:
    """The paths of the fields in which two rulesets differ."""
    return tuple(path for path in fields_of_lines() if attrgetter(path)(before) != attrgetter(path)(after))


def with_field(ruleset: Ruleset, path: str, text: str) -> Ruleset:
    """The ruleset with one field replaced; ValueError, saying what the field takes, for any other text."""
    wanted, (group, _, field) = fields_of_lines()[path], path.partition(".")
    try:
        if len(text) > LONGEST:
            raise ValueError(path)
        value: Any = read_field(wanted, text)
    except (ValueError, LookupError) as error:
        raise ValueError(f"{path} takes {_expected(wanted)}") from error
    return replace(ruleset, **{group: replace(getattr(ruleset, group), **{field: value}) if field else value})


PLAIN = Ruleset(
    id="",
    clauses="",
    deal=Deal(players=(2, 3, 4), hand=13, packs=1, direction=Direction.ANTICLOCKWISE),
    opening=Opening(after_instant_win=False),
    passing=Passing(locks=True, late=()),
    combinations=Combinations((1, 2, 3, 4), sequence_from=3, pair_sequences=(), top_of_sequences=Rank.ACE),
    bombs=(),
    instant_wins=InstantWins(hands=(), points=0),
    ending=Ending(at_first_out=False, knock_out=False),
    payments=Payments(places=(), left=0, full_hand=0, special_sets=()),
)
"""The plainest game: no bombs, no instant wins, nothing is paid."""


def preset_over(
    parent: Ruleset, id: str, lines: str, *, clauses: str = "", open: tuple[str, ...] | None = None
) -> Ruleset:
    """A preset derived from another, with its differences as `rule` lines.

    `;` begins a comment; a line that ends in a comma continues on the next. `clauses` is the prefix of its clauses'
    ids, `open` what its source leaves open; both are the parent's by default.
    """
    still_open = parent.open if open is None else open
    ruleset = replace(parent, id=id, clauses=clauses or parent.clauses, parent=parent.id, open=still_open)
    stripped = "\n".join(line.partition(";")[0].strip() for line in lines.splitlines())
    for line in stripped.replace(",\n", ",").split():
        path, _, text = line.partition("=")
        ruleset = with_field(ruleset, path, text)
    return validated(ruleset)


def write_field(value: object, apart: str = ",") -> str:
    """A value as it stands in a `rule` line; `apart` separates several values.

    >>> write_field(Target(Pattern(2, 3), below=Rank.TWO))
    '2x3<2'
    """
    match value:
        case bool():
            return "yes" if value else "no"
        case Rank():
            return value.letter
        case Pattern():
            length = "" if value.length == 1 else f"{'+' if value.loose else 'x'}{value.length}"
            return f"{value.width}{length}{_SUITS_SAID[value.suits]}"
        case Target():
            marked = ("@", value.rank), ("<", value.below)
            ranks = "".join(f"{mark}{rank.letter}" for mark, rank in marked if rank is not None)
            shape = "any" if value.shape is None else write_field(value.shape)
            return f"{shape}{ranks}{'/plain' if value.plain else ''}"
        case PlaceScores():
            return "/".join(map(str, value.points))
        case (PlacePayment(), *_):
            return ",".join(_places_text(cast("Sequence[PlacePayment]", value)))
        case (Suit(), *_):
            return "".join(suit.letter for suit in cast("tuple[Suit, ...]", value))
        case tuple():
            return apart.join(write_field(one, "|") for one in value) or _NONE
        case _ if is_dataclass(value) and not isinstance(value, Card):
            return ":".join(_parts(value))
    return str(_plain(value))


def _parts(group: Any) -> Iterator[str]:
    for field in fields(group):
        value = getattr(group, field.name)
        if field.default is MISSING:
            yield write_field(value, "|")
        elif value != field.default:
            yield field.name if value is True else f"{field.name}={write_field(value, '|')}"


def read_field(wanted: Any, text: str, apart: str = ",") -> Any:
    """Parse a value of a field's type from a `rule` line; ValueError or LookupError if it is none."""
    if isinstance(wanted, types.UnionType):
        wanted = typing.get_args(wanted)[0]
    if typing.get_origin(wanted) is tuple:
        if text == _NONE:
            return ()
        item = typing.get_args(wanted)[0]
        items = list(text) if item is Suit else text.split(apart)
        if item is PlacePayment:
            rows = tuple(row for one in items for row in _places(one))
            if len({(row.players, row.payer, row.payee) for row in rows}) < len(rows):
                raise ValueError(text)
            return rows
        return tuple(read_field(item, one, "|") for one in items)
    if wanted is Pattern or wanted is Target:
        return _target(text) if wanted is Target else _pattern(text)
    if wanted is PlaceScores:
        return PlaceScores(tuple(read_field(int, one) for one in text.split("/")))
    if wanted in _LETTERS:
        return _LETTERS[wanted][text]
    if wanted is bool:
        return {"yes": True, "no": False}[text]
    if is_dataclass(wanted) and wanted is not Card:
        return _group(wanted, text)
    return _read(wanted, _number(text) if wanted is int else text, text)


def _group(wanted: Any, text: str) -> object:
    needed = [field.name for field in fields(wanted) if field.default is MISSING]
    parts = text.split(":")
    given = dict(zip(needed, parts[: len(needed)], strict=True))
    for part in parts[len(needed) :]:
        name, _, value = part.partition("=")
        if name in given:
            raise ValueError(part)
        given[name] = value or "yes"
    wants = hints(wanted)
    return wanted(**{name: read_field(wants[name], value, "|") for name, value in given.items()})


def _number(text: str) -> int:
    if not re.fullmatch("-?[0-9]{1,4}", text):
        raise ValueError(text)
    return int(text)


_LETTERS: Mapping[Any, Mapping[str, Rank | Suit]] = {
    Rank: {one.letter: one for one in Rank},
    Suit: {one.letter: one for one in Suit},
}
_SUITS_SAID = {suits: f"/{suits.name.lower().replace('_', '-')}" if suits else "" for suits in SuitRule}
_PATTERN = re.compile(f"([1-9])(?:([x+])([1-9][0-9]?))?({'|'.join(_SUITS_SAID.values())})")
_TARGET = re.compile(r"([^@<]+?)(?:@(.))?(?:<(.))?(/plain)?")


def _pattern(text: str) -> Pattern:
    found = _PATTERN.fullmatch(text)
    if found is None:
        raise ValueError(text)
    suits = next(suits for suits, word in _SUITS_SAID.items() if word == found[4])
    return Pattern(int(found[1]), int(found[3] or 1), found[2] == "+", suits)


def _target(text: str) -> Target:
    found = _TARGET.fullmatch(text)
    if found is None:
        raise ValueError(text)
    shape = None if found[1] == "any" else _pattern(found[1])
    rank, below = (cast("Rank | None", word and read_field(Rank, word, "")) for word in found.group(2, 3))
    return Target(shape, rank, bool(found[4]), below)


def _places(text: str) -> Sequence[PlacePayment]:
    """Payments from the net points of each place: the last place pays first, to the best place that is not paid in
    full yet. A payment that does not fit this is written as a group of fields."""
    if "/" not in text:
        return [cast(PlacePayment, _group(PlacePayment, text))]
    left = list(map(_number, text.split("/")))
    rows, players = [], len(left)
    for payer in range(players, 1, -1):
        for payee in range(1, payer):
            points = min(-left[payer - 1], left[payee - 1])
            if points > 0:
                left[payer - 1] += points
                left[payee - 1] -= points
                rows.append(PlacePayment(players, payer, payee, points))
    if any(left):
        raise ValueError(text)
    return rows


def _places_text(rows: Sequence[PlacePayment]) -> Iterator[str]:
    for players, some in groupby(rows, key=lambda row: row.players):
        paid = list(some)
        text = net_of_places(paid, players)
        try:
            is_places = _places(text) == paid
        except ValueError:
            is_places = False
        yield from [text] if is_places else map(":".join, map(_parts, paid))


def net_of_places(rows: Iterable[PlacePayment], players: int) -> str:
    """The net points of each place under these payments, first place first: `3/1/-1/-3`."""
    comes_to = Counter[int]()
    for row in rows:
        comes_to[row.payer] -= row.points
        comes_to[row.payee] += row.points
    return "/".join(str(comes_to[place]) for place in range(1, players + 1))


def _expected(wanted: Any) -> str:
    if typing.get_origin(wanted) is tuple:
        return f"{_expected(typing.get_args(wanted)[0])}, several apart by commas, or {_NONE}"
    if wanted in _EXPECTED:
        return _EXPECTED[wanted]
    if issubclass(wanted, StrEnum):
        return ", ".join(wanted)
    return ":".join(field.name if field.default is MISSING else f"{field.name}=" for field in fields(wanted))


_EXPECTED: Mapping[Any, str] = {
    bool: "yes or no",
    int: "a whole number",
    str: "a word",
    Rank: "a rank (A)",
    Pattern: "a pattern (2x3)",
    Target: "a target (1@2)",
    PlacePayment: "what each place comes to (3/1/-1/-3)",
    PlaceScores: "what each place scores (4/3/2/1)",
}
