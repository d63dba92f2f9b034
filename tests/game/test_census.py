"""The engine counted against arithmetic: how many combinations there are, and how often one beats another."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from math import comb, prod

import pytest

from ledger.game.combinations import Combination
from ledger.game.patterns import Pattern
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.southern import CLASSIC
from tests.game.table import DECK

pytestmark = pytest.mark.slow

BOOK = compiled(CLASSIC).index

CENSUS = {
    Pattern(1): 52,
    Pattern(2): 13 * comb(4, 2),
    Pattern(3): 13 * comb(4, 3),
    Pattern(4): 13,
    **{Pattern(1, length): (13 - length) * 4**length for length in range(3, 13)},
    Pattern(2, 3): 10 * comb(4, 2) ** 3,
    Pattern(2, 4): 9 * comb(4, 2) ** 4,
}


def test_s_combo_every_set_of_up_to_four_cards_is_counted() -> None:
    counted: Counter[Pattern] = Counter()
    for size in range(1, 5):
        for indices in combinations(range(52), size):
            if combination := BOOK._classify(sum(1 << index for index in indices)):
                counted[combination.shape] += 1
    assert counted == {shape: count for shape, count in CENSUS.items() if shape.size <= 4}


@pytest.mark.parametrize("size", [5, 6, 7, 8])
def test_s_combo_every_larger_hand_pattern_is_counted(size: int) -> None:
    counted: Counter[Pattern] = Counter()
    for counts in patterns(size):
        if combination := BOOK._classify(lay_out(counts)):
            counted[combination.shape] += prod(comb(4, count) for count in counts)
    assert counted == {shape: count for shape, count in CENSUS.items() if shape.size == size}


@pytest.mark.parametrize("length", [9, 10, 11, 12, 13])
def test_s_combo_every_long_sequence_is_counted(length: int) -> None:
    found = 0
    for ranks in combinations(range(13), length):
        counts = [int(rank in ranks) for rank in range(13)]
        found += 4**length if BOOK._classify(lay_out(counts)) else 0
    assert found == CENSUS.get(Pattern(1, length), 0)


def patterns(size: int, ranks: int = 13) -> Iterator[tuple[int, ...]]:
    """Every way in which so many cards can lie over the ranks, at most four on each."""
    if not ranks:
        if not size:
            yield ()
        return
    for count in range(min(4, size) + 1):
        yield from ((count, *rest) for rest in patterns(size - count, ranks - 1))


def lay_out(counts: tuple[int, ...] | list[int]) -> int:
    """Some cards of each rank: from the lowest suit where the rank is even, from the highest where it is odd."""
    return sum(((1 << n) - 1) << (4 * rank + (4 - n) * (rank % 2)) for rank, n in enumerate(counts))


def every(
    shape: Pattern, suits: int = 4, pairings: tuple[int, ...] = (3, 5, 9, 6, 10, 12)
) -> list[Combination]:
    """Every combination of a shape, built rank by rank from suits; pairs only of the pairings named."""
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
        # How many share each top card: the pairs of a rank whose top is its club, diamond, heart, and so on.
        (Pattern(1), [1] * 52),
        (Pattern(2), [1, 2, 3] * 13),
        (Pattern(3), [1, 3] * 13),
        (Pattern(4), [1] * 13),
        (Pattern(1, 3), [4**2] * 4 * 10),
        (Pattern(2, 3), [1 * 36, 2 * 36, 3 * 36] * 10),
    ],
)
def test_s_compare_of_two_of_a_kind_one_beats_the_other_unless_they_share_their_top(
    shape: Pattern, same_top: list[int]
) -> None:
    some = every(shape)
    assert len(some) == CENSUS[shape] == sum(same_top)
    wins = sum(one.beats(other) for one in some for other in some)
    assert wins == comb(len(some), 2) - sum(comb(n, 2) for n in same_top)


def test_s_bomb_across_kinds_only_bombs_beat_and_as_often_as_counted() -> None:
    # Of the longer shapes a part is enough: what beats what does not turn on suits here.
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
    counted = {
        (mine, theirs): sum(one.beats(other) for one in kinds[mine] for other in kinds[theirs])
        for mine, theirs in product(kinds, repeat=2)
        if mine != theirs
    }
    assert {pair: wins for pair, wins in counted.items() if wins} == expected


def test_s_rank_no_two_cards_of_the_deck_are_equal() -> None:
    assert len(set(DECK.cards(DECK.all))) == 52
