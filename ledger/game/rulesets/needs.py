"""What the fields of a ruleset need to have an effect, by their declarations."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Final

from ledger.game.agreed import Need
from ledger.game.blocks import find_blocks
from ledger.game.cards import bits, union
from ledger.game.patterns import Kind, Pattern, Target
from ledger.game.rulesets.model import DECLARED, Ruleset
from ledger.game.rulesets.serialization import PLAIN, fields_of_lines, read_field, write_field
from ledger.game.special_sets import Appraiser


def unmet(ruleset: Ruleset, path: str) -> Iterator[tuple[Need, ...]]:
    """The needs of a field that a ruleset does not meet, each as alternatives: the field has no effect then.

    >>> from ledger.game.rulesets import PRESETS
    >>> [[str(need) for need in ways] for ways in unmet(PRESETS["southern-classic"], "payments.unplayed")]
    [['payments.card']]
    """
    return _unmet(ruleset, path, frozenset((path,)))


@lru_cache(maxsize=64)
def bombs_earn(ruleset: Ruleset) -> bool:
    """Whether a bomb can earn anything.

    >>> from ledger.game.rulesets import PRESETS
    >>> bombs_earn(PRESETS["southern-classic"])
    True
    """
    return not any(unmet(ruleset, "payments.chain"))


def _unmet(ruleset: Ruleset, path: str, asked: frozenset[str]) -> Iterator[tuple[Need, ...]]:
    for ways in DECLARED[path].needs if path in DECLARED else ():
        if not any(_is_met(ruleset, need, asked) for need in ways):
            yield ways


def _is_met(ruleset: Ruleset, need: Need, asked: frozenset[str]) -> bool:
    """Whether a need is met. A field that is needed, or a value of it, must have an effect itself; one whose needs
    are `asked` for already counts as set."""
    if need.name in FACTS:
        return FACTS[need.name](ruleset)
    if need.value is None and need.name in asked:
        return True
    value = attrgetter(need.name)(ruleset)
    idle = value and need.name not in asked and any(_unmet(ruleset, need.name, asked | {need.name}))
    return is_set(ruleset, need) and (need.but or not idle)


def is_set(ruleset: Ruleset, need: Need) -> bool:
    """Whether the field of a need is set, or has its value.

    >>> from ledger.game.rulesets import PRESETS
    >>> [is_set(PRESETS["southern-classic"], Need.read(f"payments.{need}")) for need in ("card", "chain!=counting")]
    [False, True]
    """
    value = attrgetter(need.name)(ruleset)
    return bool(value) if need.value is None else (write_field(value) == need.value) is not need.but


def _played(ruleset: Ruleset) -> set[Pattern]:
    """Every shape that may be played."""
    return set(ruleset.combinations.shapes())


def _one_over_another(ruleset: Ruleset) -> bool:
    """Whether some bomb beats a bomb of another shape."""
    bombs = ruleset.playable_bombs
    return any(
        low.shape != high.shape
        and (
            (low.alike and high.alike)
            or any(not one.plain and _overlap(one, Target(low.shape, low.rank)) for one in high.beats)
        )
        for low in bombs
        for high in bombs
    )


def _overlap(one: Target, other: Target) -> bool:
    """Whether some block may be both targets."""
    shapes = (one.shape and one.shape.shape, other.shape and other.shape.shape)
    return (None in shapes or shapes[0] == shapes[1]) and (
        None in (one.rank, other.rank) or one.rank == other.rank
    )


def _spares(ruleset: Ruleset) -> bool:
    """Whether the targets that are spared take something from the intruders."""
    opening, played = ruleset.opening, _played(ruleset)
    beaten = [Target(shape) for shape in opening.intruders if shape.shape in played]
    beaten += [target for bomb in ruleset.bombs if bomb.shape in opening.intruders for target in bomb.beats]
    return any(_overlap(one, spared) for one in beaten for spared in opening.intruders_spare)


def _is_first(ruleset: Ruleset) -> bool:
    """Whether a round could begin with one of the forbidden kinds, were they not forbidden."""
    opening = ruleset.opening
    first = set(map(Kind.of, _played(ruleset)))
    if opening.every_round and opening.kinds:
        first &= set(opening.kinds)
    return not first.isdisjoint(opening.forbidden)


def _is_late_on_some(ruleset: Ruleset) -> bool:
    """Whether a row of targets leaves out something that its shape beats, and could be played on late."""
    passing = ruleset.passing
    return any(
        not any(spared.includes(beaten) for spared in row.on)
        for row in passing.late_on
        if row.shape in passing.late
        for beaten in (
            Target(row.shape),
            *(target for bomb in ruleset.bombs if bomb.shape == row.shape for target in bomb.beats),
        )
    )


def _is_worth_more_in_parts(ruleset: Ruleset) -> bool:
    """Whether some special set may be worth more, captured, than it is as a whole."""
    paid, combinations, deck = ruleset.payments, ruleset.combinations, ruleset.deck
    sets = paid.captured or paid.special_sets
    parts, whole = (Appraiser(deck, combinations, sets, whole=whole) for whole in (False, True))
    for special in sets:
        shape = special.shape.strict(combinations.pairs_of(special.shape))
        stock = deck.suits(special.suits) if special.suits else deck.all
        for block in find_blocks(deck, shape, stock, combinations.highest(shape), rank=special.target.rank):
            held = [tuple(bits(stock))[-shape.width :] for stock in block.stocks[-shape.length :]]
            cards = union(card for rank in held for card in rank)
            if parts.total(cards) != whole.total(cards):
                return True
    return False


def _can_play(shapes: Iterable[Pattern], ruleset: Ruleset) -> bool:
    return not {shape.shape for shape in shapes}.isdisjoint(_played(ruleset))


FACTS: Final[Mapping[str, Callable[[Ruleset], bool]]] = {
    "bomb": lambda ruleset: bool(ruleset.playable_bombs),
    "bomb-over-bomb": _one_over_another,
    "forbidden-first": _is_first,
    "free-play": lambda ruleset: _can_play(ruleset.passing.any_time, ruleset),
    "intruder": lambda ruleset: _can_play(ruleset.opening.intruders, ruleset),
    "late-play": lambda ruleset: _can_play({*ruleset.passing.late} - {*ruleset.passing.any_time}, ruleset),
    "paid-hand": lambda ruleset: any(
        ruleset.instant_wins.points if win.points is None else win.points
        for win in ruleset.instant_wins.hands
    ),
    "late-on-some": _is_late_on_some,
    "other-hands": lambda ruleset: any(
        ruleset.deal.packs * 52 // players != ruleset.deal.hand for players in ruleset.deal.players
    ),
    "worth-more-in-parts": _is_worth_more_in_parts,
    "pair": lambda ruleset: any(shape.width == 2 for shape in _played(ruleset)),
    "seated-sheet": lambda ruleset: any(
        len(sheet.points) in ruleset.deal.players for sheet in ruleset.payments.sheets
    ),
    "spared": _spares,
    "two-players": lambda ruleset: 2 in ruleset.deal.players,
    "undealt": lambda ruleset: not all(map(ruleset.deals_all, ruleset.deal.players)),
    "unpriced-hand": lambda ruleset: any(win.points is None for win in ruleset.instant_wins.hands),
}
"""What some fields need, other than a field or a value: its words are those of `need WORD`."""


def require_something(need: Need) -> None:
    """Raise an AttributeError, LookupError or ValueError if a need is no fact, no field and no value of one.

    >>> require_something(Need.read("payments.chain=counting"))
    >>> require_something(Need.read("payments.chains"))
    Traceback (most recent call last):
    AttributeError: 'Payments' object has no attribute 'chains'
    """
    if need.value is not None:
        read_field(fields_of_lines()[need.name], need.value)
    elif need.name not in FACTS:
        attrgetter(need.name)(PLAIN)


for _need in (need for about in DECLARED.values() for ways in about.needs for need in ways):
    require_something(_need)
