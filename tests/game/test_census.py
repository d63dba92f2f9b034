"""Numbers of combinations, and of pairs of which one beats the other, compared with arithmetic."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import comb, prod

import pytest

from ledger.game.cards import Card
from ledger.game.combinations import Combination
from ledger.game.patterns import Pattern
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.southern import CLASSIC
from tests.game.table import DECK, RANKS
from tests.soaking import further

BOOK = compiled(CLASSIC).index

IN_A_ROW: dict[str, tuple[str, dict[int, Sequence[int]], str]] = {
    "southern-classic": ("A", {2: (3, 4)}, "A"),
    "thirteen": ("A", {2: (3, 4, 5, 6)}, "A"),
    "core": ("2", {2: (3, 4, 5, 6)}, "2"),
    "viet-cong": ("A", {2: (3, 4, 5, 6), 4: (2, 3)}, "2"),
    "core-double": ("2", {2: range(3, 11)}, "2"),
}
"""Preset -> the top rank of sequences; width -> lengths of its other blocks; and their top rank."""


def counted(preset: str, size: int) -> Counter[tuple[int, int]]:
    """Width and length of the combinations of `size` cards -> their number over all choices of suits."""
    ruleset = PRESETS[preset]
    most = ruleset.deck.rank_bits
    found: Counter[tuple[int, int]] = Counter()
    for counts in patterns(size, most, 13):
        combination = compiled(ruleset).index.read(lay_out(ruleset, counts))
        if combination is not None:
            shape = combination.shape
            found[shape.width, shape.length] += prod(comb(most, count) for count in counts)
    return found


def blocks(preset: str, width: int, length: int, *, top: str = "2") -> int:
    """The number of blocks with `width` cards in each of `length` ranks, up to a top rank, by arithmetic."""
    places = RANKS.index(top) + 1 - length + 1
    choices: int = comb(PRESETS[preset].deck.rank_bits, width) ** length
    return max(places, 0) * choices


def patterns(size: int, most: int, ranks: int) -> Iterator[tuple[int, ...]]:
    if not ranks:
        if not size:
            yield ()
        return
    for count in range(min(most, size) + 1):
        yield from ((count, *rest) for rest in patterns(size - count, most, ranks - 1))


def lay_out(ruleset: Ruleset, counts: tuple[int, ...]) -> int:
    return sum(((1 << count) - 1) << ruleset.deck.rank_bits * rank for rank, count in enumerate(counts))


SIZES = [
    (preset, size)
    for size in range(1, 9)
    for preset in IN_A_ROW
    if size <= (6 if preset == "core-double" else 8)
]


@pytest.mark.parametrize("of", further(SIZES, "eight cards", plain=sum(size < 8 for _, size in SIZES)))
def test_s_combo_combinations_are_as_many_as_arithmetic_says(of: tuple[str, int]) -> None:
    preset, size = of
    top, rows, top_of_rows = IN_A_ROW[preset]
    expected = Counter({(size, 1): blocks(preset, size, 1)} if size <= 4 else {})
    expected |= {(1, size): blocks(preset, 1, size, top=top)} if size >= 3 else {}
    expected |= {
        (width, length): blocks(preset, width, length, top=top_of_rows)
        for width, lengths in rows.items()
        for length in lengths
        if width * length == size
    }
    assert counted(preset, size) == expected


@pytest.mark.parametrize("length", [9, 10, 11, 12, 13])
def test_s_combo_every_long_sequence_is_counted(length: int) -> None:
    held = (" ".join(rank + "s" for rank in ranks) for ranks in combinations(RANKS, length))
    found = sum(BOOK.read(DECK.gather(map(Card.read, text.split()))[0]) is not None for text in held)
    assert found == max(13 - length, 0)


def every(
    shape: Pattern, suits: int = 4, pairings: tuple[int, ...] = (3, 5, 9, 6, 10, 12)
) -> list[Combination]:
    """Every combination of a shape, built rank by rank from suits; pairs only of the given pairings."""
    choices = {1: tuple(1 << suit for suit in range(suits)), 2: pairings, 3: (7, 11, 13, 14), 4: (15,)}
    highest = 12 if shape.length == 1 else 11
    built = []
    for low in range(highest - shape.length + 2):
        for parts in product(choices[shape.width], repeat=shape.length):
            combination = BOOK.read(sum(part << 4 * (low + index) for index, part in enumerate(parts)))
            assert combination is not None
            built.append(combination)
    return built


@pytest.mark.parametrize(
    ("shape", "same_top"),
    [
        # For each top card, the number of combinations with it: pairs have a club, a diamond or a heart on top.
        (Pattern(1), [1] * 52),
        (Pattern(2), [1, 2, 3] * 13),
        (Pattern(3), [1, 3] * 13),
        (Pattern(4), [1] * 13),
        (Pattern(1, 3), [4**2] * 4 * 10),
        (Pattern(2, 3), [1 * 36, 2 * 36, 3 * 36] * 10),
    ],
)
def test_s_compare_of_a_kind_one_beats_the_other_unless_their_tops_are_one(
    shape: Pattern, same_top: list[int]
) -> None:
    some = every(shape)
    assert len(some) == sum(same_top)
    wins = sum(one.beats(other) for one in some for other in some)
    assert wins == comb(len(some), 2) - sum(comb(n, 2) for n in same_top)


def test_s_bomb_across_kinds_only_bombs_beat_and_as_often_as_counted() -> None:
    # For longer shapes a part is enough: suits do not matter to what beats what here.
    kinds = {shape: every(shape) for shape in (Pattern(1), Pattern(2), Pattern(3), Pattern(4))}
    kinds |= {Pattern(1, length): every(Pattern(1, length), suits=1) for length in range(3, 13)}
    kinds |= {Pattern(2, length): every(Pattern(2, length), pairings=(3, 12)) for length in (3, 4)}
    three, four = 10 * 2**3, 9 * 2**4
    assert (len(kinds[Pattern(2, 3)]), len(kinds[Pattern(2, 4)])) == (three, four)
    expected = {
        (Pattern(2, 3), Pattern(1)): three * 4,
        (Pattern(4), Pattern(1)): 13 * 4,
        (Pattern(4), Pattern(2)): 13 * comb(4, 2),
        (Pattern(4), Pattern(2, 3)): 13 * three,
        (Pattern(2, 4), Pattern(1)): four * 4,
        (Pattern(2, 4), Pattern(2)): four * comb(4, 2),
        (Pattern(2, 4), Pattern(2, 3)): four * three,
        (Pattern(2, 4), Pattern(4)): four * 13,
    }
    wins = {
        (mine, theirs): sum(one.beats(other) for one in kinds[mine] for other in kinds[theirs])
        for mine, theirs in product(kinds, repeat=2)
        if mine != theirs
    }
    assert {pair: count for pair, count in wins.items() if count} == expected
