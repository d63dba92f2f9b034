"""Rulesets made up of random `rule` lines over random presets, valid ones only.

They reach what no preset, house rule or scheme sets: most defects were in fields that only a typed line sets.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, fields
from enum import Enum
from itertools import count
from random import Random
from types import UnionType
from typing import Any, get_args, get_origin

from ledger.game.cards import Card, Rank, Suit
from ledger.game.patterns import Pattern, SuitRule, Target
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.overlays.schemes import RULE, SCHEMES
from ledger.game.rulesets.overrides import with_rules
from ledger.game.rulesets.paying import PlacePayment, PlaceScores
from ledger.game.rulesets.serialization import fields_of_lines, hints, write_field

PLAYING = ("opening.", "passing.", "combinations.", "ending.", "bombs", "trumps")
"""Prefixes of the fields that decide what may be played."""
PAYING = ("payments.", "ending.", "contracts")
"""Prefixes of the fields that decide what is paid."""
WINNING = ("bombs", "combinations.", "instant_wins.hands")
"""Prefixes of the fields that decide which hands win at once."""

_OUT_OF_TURN = ("opening.intruders", "passing.late", "passing.any_time")

_SMALL = [Pattern(1), Pattern(2), Pattern(3), Pattern(1, 3), Pattern(2, 2)]
_LARGE = [
    Pattern(4),
    Pattern(1, 4),
    Pattern(1, 5),
    Pattern(2, 3),
    Pattern(2, 4),
    Pattern(3, 2),
    Pattern(4, 2, loose=True),
]


def rulesets(seed: str, prefixes: Iterable[str], *lines: tuple[str, str]) -> Iterator[tuple[str, Ruleset]]:
    """Endless random rulesets, each with its preset and lines as its name; `lines` are laid over all of them.

    Of the fields that let players come in out of turn, one is among them where `prefixes` has such.
    """
    paths = [path for path in fields_of_lines() if path.startswith(tuple(prefixes))]
    out_of_turn = [path for path in _OUT_OF_TURN if path in paths]
    for number in count():
        chance = Random(f"{seed} {number}")
        preset = PRESETS[chance.choice([*PRESETS])]
        chosen = [*lines]
        some = chance.sample(paths, min(len(paths), chance.randint(2, 9)))
        if "payments." in prefixes and chance.random() < 0.5:
            chosen.append((RULE, chance.choice([*SCHEMES])))
        for path in (*out_of_turn[number % 3 :][:1], *some):
            if path not in dict(chosen):
                chosen.append((path, write_field(_value(chance, fields_of_lines()[path]))))
        try:
            ruleset = with_rules(preset, chosen)
        except ValueError:
            continue  # Some of the lines do not go together.
        yield " ".join((preset.id, *(f"{path}={value}" for path, value in chosen))), ruleset


def _value(chance: Random, wanted: Any) -> Any:
    """A random value of a field's type."""
    if isinstance(wanted, UnionType):
        return _value(chance, get_args(wanted)[0]) if chance.random() < 0.4 else None
    if get_origin(wanted) is tuple:
        some = [_value(chance, get_args(wanted)[0]) for _ in range(chance.choice((0, 1, 1, 2, 3)))]
        return tuple(dict.fromkeys(some))
    if wanted in _VALUES:
        return _VALUES[wanted](chance)
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return chance.choice([*wanted])
    return wanted(
        **{
            field.name: _value(chance, hints(wanted)[field.name])
            for field in fields(wanted)
            if field.default is MISSING or chance.random() < 0.3
        }
    )


def _pattern(chance: Random) -> Pattern:
    suits = chance.choice([*SuitRule]) if chance.random() < 0.2 else SuitRule.ANY
    return chance.choice(_SMALL if chance.random() < 0.7 else _LARGE).strict(suits)


def _target(chance: Random) -> Target:
    """Of one shape or any; with a rank, not a bomb, or below a rank now and then."""
    shape = _pattern(chance) if chance.random() < 0.9 else None
    rank = chance.choice((Rank.TWO, Rank.ACE, Rank.SIX)) if chance.random() < 0.4 else None
    below = Rank.TWO if chance.random() < 0.1 else None
    return Target(shape, rank, plain=chance.random() < 0.1, below=below)


_VALUES: dict[Any, Callable[[Random], Any]] = {
    bool: lambda chance: chance.random() < 0.5,
    int: lambda chance: chance.choice((0, 1, 2, 3, 4, 6)),
    str: lambda chance: chance.choice(("one", "two", "three")),
    Card: lambda chance: Card(chance.choice([*Rank]), chance.choice([*Suit])),
    Rank: lambda chance: chance.choice((Rank.TWO, Rank.ACE, Rank.KING)),
    Pattern: _pattern,
    Target: _target,
    PlacePayment: lambda chance: PlacePayment(
        (players := chance.randint(2, 4)),
        (payer := chance.randint(2, players)),
        chance.randint(1, payer - 1),
        3,
    ),
    PlaceScores: lambda chance: PlaceScores(tuple(range(chance.randint(2, 4), 0, -1))),
}
"""Type -> a function that makes a random value of it."""
