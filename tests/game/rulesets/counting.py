"""How many combinations of so many cards a preset reads, and what arithmetic says."""

from collections import Counter
from collections.abc import Iterator
from math import comb, prod

from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import Ruleset


def counted(preset: str, size: int) -> Counter[tuple[int, int]]:
    """Width and length of every combination of so many cards, each as often as suits can make it."""
    ruleset = PRESETS[preset]
    most = ruleset.deck.rank_bits
    found: Counter[tuple[int, int]] = Counter()
    for counts in _patterns(size, most, 13):
        combination = compiled(ruleset).index.read(_lay_out(ruleset, counts))
        if combination is not None:
            shape = combination.shape
            found[shape.width, shape.length] += prod(comb(most, count) for count in counts)
    return found


def _patterns(size: int, most: int, ranks: int) -> Iterator[tuple[int, ...]]:
    if not ranks:
        if not size:
            yield ()
        return
    for count in range(min(most, size) + 1):
        yield from ((count, *rest) for rest in _patterns(size - count, most, ranks - 1))


def _lay_out(ruleset: Ruleset, counts: tuple[int, ...]) -> int:
    return sum(((1 << count) - 1) << ruleset.deck.rank_bits * rank for rank, count in enumerate(counts))
