"""Edits that house rules make: each function returns the ruleset with one more thing agreed on.

Additions are kept sorted, so that the order of edits does not matter; what is present already stays unchanged.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from ledger.game.patterns import Bomb, Pattern, SpecialSet, Target
from ledger.game.rulesets.model import Late, Ruleset

_Sorted = TypeVar("_Sorted", Pattern, int)
_SMALLEST_BOMB = 4
"""The least number of cards in a bomb."""


class Contradiction(ValueError):
    """A rule that contradicts another one, or a sentence of its preset (by the id of its words)."""

    def __init__(self, name: str, other: str, *, preset: str = "") -> None:
        super().__init__(f"{name} contradicts {other}{', which ' + preset + ' says' if preset else ''}")
        self.names = name, other
        self.preset = preset


def change(ruleset: Ruleset, group: str, **fields: Any) -> Ruleset:
    """Some fields of one group replaced."""
    return replace(ruleset, **{group: replace(getattr(ruleset, group), **fields)})


def agree(ruleset: Ruleset, custom: str, *, instead_of: tuple[str, ...] = ()) -> Ruleset:
    """Add a custom, an agreement outside of play."""
    if custom in ruleset.customs:
        return ruleset
    kept = (other for other in ruleset.customs if other not in instead_of)
    return replace(ruleset, customs=tuple(sorted((*kept, custom))))


def playable(ruleset: Ruleset, shape: Pattern) -> Ruleset:
    """Allow blocks of this shape, of one rank or pairs in sequence; sequences of single cards are allowed
    already."""
    rules = ruleset.combinations
    if shape.is_run:
        return ruleset
    if shape.length == 1:
        return change(ruleset, "combinations", same_rank=with_more(rules.same_rank, shape.width))
    return change(ruleset, "combinations", pair_sequences=with_more(rules.pair_sequences, shape.length))


def beating(ruleset: Ruleset, shape: Pattern, *targets: Target, plain: bool = False) -> Ruleset:
    """Allow a shape, and let it beat these targets too; `plain`: without calling it a bomb."""
    ruleset = playable(ruleset, shape)
    rows = (bomb for bomb in ruleset.bombs if (bomb.shape, bomb.rank, bomb.plain) == (shape, None, plain))
    row = next(rows, None)
    if row is None:
        bombs = (*ruleset.bombs, Bomb(shape, with_targets((), targets), plain=plain))
        return replace(ruleset, bombs=tuple(sorted(bombs, key=_order_of_bombs)))
    more = replace(row, beats=with_targets(row.beats, targets))
    return replace(ruleset, bombs=tuple(more if bomb is row else bomb for bomb in ruleset.bombs))


def sparing(ruleset: Ruleset, spared: Mapping[Pattern | None, tuple[Target, ...]]) -> Ruleset:
    """Take these targets from bombs of a shape (None: of any), where they are listed."""
    bombs = []
    for bomb in ruleset.bombs:
        out = (*spared.get(bomb.shape, ()), *spared.get(None, ()))
        bombs.append(replace(bomb, beats=tuple(target for target in bomb.beats if target not in out)))
    return replace(ruleset, bombs=tuple(bombs))


def late(ruleset: Ruleset, shape: Pattern, *on: Target) -> Ruleset:
    """Let a player who has passed play a shape on these targets."""
    passing = ruleset.passing
    rows = {row.shape: row for row in passing.late_on}
    if shape in passing.late and shape not in rows:
        return ruleset
    row = rows.get(shape, Late(shape, ()))
    rows[shape] = replace(row, on=with_targets(row.on, on))
    late_on = tuple(sorted(rows.values(), key=lambda row: row.shape))
    return change(ruleset, "passing", late=with_more(passing.late, shape), late_on=late_on)


def in_turn(ruleset: Ruleset, shape: Pattern) -> Ruleset:
    """Allow a shape in turn only: neither after a pass nor at any time."""
    passing = ruleset.passing
    return change(
        ruleset,
        "passing",
        late=tuple(one for one in passing.late if one != shape),
        late_on=tuple(row for row in passing.late_on if row.shape != shape),
        any_time=tuple(one for one in passing.any_time if one != shape),
    )


def bomb_shapes(ruleset: Ruleset) -> list[Pattern]:
    """The shapes of the playable bombs, smallest first, without loose ones (fours of a kind of any ranks)."""
    shapes = {bomb.shape for bomb in ruleset.playable_bombs if not bomb.shape.loose}
    return sorted(shapes, key=lambda one: (one.size, one))


def as_played(special: SpecialSet, ruleset: Ruleset) -> Iterator[SpecialSet]:
    """A special set, once for each group of suits in which the ruleset allows it."""
    groups = ruleset.combinations.as_played(special.shape.shape).suits.groups()
    for suits in groups if len(groups) > 1 else (special.suits,):
        yield replace(special, suits=suits)


def with_more(held: tuple[_Sorted, ...], *more: _Sorted) -> tuple[_Sorted, ...]:
    """Shapes, or numbers, with some more, sorted."""
    return held if set(more) <= set(held) else tuple(sorted(set(held).union(more)))


def with_targets(held: tuple[Target, ...], more: Iterable[Target]) -> tuple[Target, ...]:
    """The targets with some more, sorted, without those that others include."""
    missing = {target for target in more if not any(one.includes(_as_beaten(target)) for one in held)}
    if not missing:
        return held
    kept = {target for target in held if not any(one.includes(_as_beaten(target)) for one in missing)}
    return tuple(sorted({*kept, *missing}, key=_order_of_targets))


def _as_beaten(target: Target) -> Target:
    """The same target; a plain one if its cards are too few for a bomb."""
    small = target.shape is not None and target.shape.size < _SMALLEST_BOMB
    return replace(target, plain=target.plain or small)


def _order_of_targets(target: Target) -> tuple[Pattern, int, int, bool]:
    ranks = (-1 if rank is None else rank for rank in (target.rank, target.below))
    return target.shape or Pattern(0), *ranks, target.plain  # type: ignore[return-value]


def _order_of_bombs(bomb: Bomb) -> tuple[Pattern, int, bool]:
    return bomb.shape, -1 if bomb.rank is None else bomb.rank, bomb.plain
