"""How many combinations of so many cards a preset reads, and what arithmetic says."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import comb, prod

from ledger.game.cards import Card
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


def blocks(preset: str, width: int, length: int, *, top: str = "2") -> int:
    """Of so many cards each of so many ranks in a row, up to a top: how many there are, worked out by hand."""
    places = "3456789TJQKA2".index(top) + 1 - length + 1
    choices: int = comb(PRESETS[preset].deck.rank_bits, width) ** length
    return max(places, 0) * choices


def beats_between(preset: str, plays: tuple[str, ...]) -> dict[str, list[str]]:
    """Of some plays, which others each one beats; those that beat nothing are left out."""
    deck, book = PRESETS[preset].deck, compiled(PRESETS[preset]).index
    read = {}
    for text in plays:
        combination = book.read(deck.gather(map(Card.read, text.split()))[0])
        assert combination is not None, text
        read[text] = combination
    found: dict[str, list[str]] = {}
    for one, other in product(plays, repeat=2):
        if read[one].beats(read[other]):
            found.setdefault(one, []).append(other)
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
