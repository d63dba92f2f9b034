"""Combinations that the south does not play, against what a table would say of the cards."""

from dataclasses import replace
from itertools import combinations, product
from random import Random

import pytest

from ledger.game.cards import Card, Cards, Rank, Suit
from ledger.game.combinations import Combination, CombinationIndex
from ledger.game.patterns import FOUR_OF_A_KIND, PAIR, SINGLE, Bomb, Pattern, Target, Trump
from ledger.game.rulesets.southern import CLASSIC
from tests.game.table import DECK, cards

RULES = CLASSIC.combinations
RED = {Suit.DIAMONDS, Suit.HEARTS}


def book(bombs: tuple[Bomb, ...] = (), trumps: tuple[Trump, ...] = (), **changes: object) -> CombinationIndex:
    return CombinationIndex(DECK, replace(RULES, **changes), bombs, trumps)  # type: ignore[arg-type]


def known(book: CombinationIndex, text: str) -> Combination:
    combination = book.read(cards(text))
    assert combination is not None, text
    return combination


def suits(held: Cards) -> list[Suit]:
    return [card.suit for card in DECK.cards(held)]


def every(shape: Pattern) -> list[Cards]:
    """All blocks of some ranks low down: enough for what turns on suits."""
    parts = [
        [sum(some) for some in combinations([1 << 4 * rank + suit for suit in range(4)], shape.width)]
        for rank in range(shape.length)
    ]
    return [sum(some) for some in product(*parts)]


# Fours of a kind of any ranks


FOURS = book(fours=(2, 3))
LOOSE = "3s 3c 3d 3h 9s 9c 9d 9h"


def test_fours_of_any_ranks_are_played_together_where_the_book_says_so() -> None:
    assert known(FOURS, LOOSE).shape == Pattern(4, 2, loose=True)
    assert book().read(cards(LOOSE)) is None
    assert book(fours_consecutive=(2,)).read(cards(LOOSE)) is None


def test_fours_in_a_row_are_consecutive_first_and_loose_where_only_that_is_played() -> None:
    row = "3s 3c 3d 3h 4s 4c 4d 4h"
    assert known(book(fours_consecutive=(2,), fours=(2,)), row).shape == Pattern(4, 2)
    assert known(book(fours=(2,)), row).shape == Pattern(4, 2, loose=True)


def test_fours_of_any_ranks_go_by_their_highest_and_may_hold_2s() -> None:
    twos, aces = known(FOURS, f"{LOOSE[:11]} 2s 2c 2d 2h"), known(FOURS, "Ks Kc Kd Kh As Ac Ad Ah")
    assert twos.beats(aces)
    assert not aces.beats(twos)
    assert not known(FOURS, f"{LOOSE} 2s 2c 2d 2h").beats(aces)


def test_loose_blocks_of_other_widths_are_none() -> None:
    for text in ("3s 5s", "3s 3c 5s 5c", "3s 5s 7s"):
        assert FOURS.read(cards(text)) is None


# Suits


@pytest.mark.parametrize("length", [3, 4])
def test_sequences_of_one_suit_are_all_that_is_read_where_they_must_be(length: int) -> None:
    shape = Pattern(1, length)
    one_suit = book(one_suit=True)
    for held in every(shape):
        assert (one_suit.read(held) is not None) is (len(set(suits(held))) == 1)


def test_a_sequence_of_one_suit_is_known_as_one_anywhere_and_nothing_else_is() -> None:
    for shape in (SINGLE, PAIR, Pattern(1, 3)):
        for held in every(shape):
            combination = book().read(held)
            assert combination is not None
            assert combination.suited is (shape.length > 1 and len(set(suits(held))) == 1)


@pytest.mark.parametrize("shape", [PAIR, Pattern(2, 3)])
def test_each_pair_is_of_one_colour_where_it_must_be(shape: Pattern) -> None:
    one_colour, throughout = book(one_colour=True), book(one_colour=True, one_colour_throughout=True)
    for held in every(shape):
        red = [suit in RED for suit in suits(held)]
        paired = all(low == high for low, high in zip(red[::2], red[1::2], strict=True))
        assert (one_colour.read(held) is not None) is paired
        assert (throughout.read(held) is not None) is (len(set(red)) == 1)


def test_colours_say_nothing_of_singles_triples_and_fours() -> None:
    strict = book(one_colour=True, one_colour_throughout=True)
    for width in (1, 3, 4):
        assert all(strict.read(held) for held in every(Pattern(width)))


@pytest.mark.parametrize("shape", [SINGLE, PAIR, Pattern(3), Pattern(1, 3)])
def test_what_follows_suit_has_the_suits_of_what_it_beats(shape: Pattern) -> None:
    following = book(follow_suits=True)
    chance = Random(3)
    low = chance.sample(found := every(shape), min(len(found), 20))
    # The same blocks, one rank higher, of all suits.
    for lower, higher in product(low, low):
        one, other = following.read(higher << 4), following.read(lower)
        assert one is not None
        assert other is not None
        assert one.beats(other) is (set(suits(higher)) == set(suits(lower)))
        assert following.suits_to_follow(other) == frozenset(suits(lower))


def test_2s_and_bombs_need_not_follow_suit() -> None:
    following = book(follow_suits=True, bombs=(Bomb(FOUR_OF_A_KIND, (Target(SINGLE, Rank.TWO),)),))
    assert known(following, "2h").beats(known(following, "2s"))
    assert following.suits_to_follow(known(following, "2s")) is None
    assert following.suits_to_follow(known(following, "3s 3c 3d 3h")) is None
    assert known(following, "4s 4c 4d 4h").beats(known(following, "3s 3c 3d 3h"))
    assert known(book(follow_suits=True, one_colour=True), "2s 2h").shape == PAIR


# Trumps and bombs


THREES = (
    Trump(Card(Rank.THREE, Suit.DIAMONDS), (Target(plain=True),)),
    Trump(Card(Rank.THREE, Suit.HEARTS), (Target(plain=True),)),
)
QUAD = Bomb(FOUR_OF_A_KIND, (Target(SINGLE, Rank.TWO),))


def test_a_trump_beats_what_it_names_and_lower_trumps_and_nothing_beats_it() -> None:
    trumped = book((QUAD,), THREES)
    low, high = known(trumped, "3d"), known(trumped, "3h")
    assert high.beats(low)
    assert not low.beats(high)
    for text in ("3s", "Ah", "2h", "2s 2h", "3s 4s 5s", "As Ac Ad"):
        assert low.beats(known(trumped, text))
        assert not known(trumped, text).beats(low)
    quad = known(trumped, "9s 9c 9d 9h")
    assert not high.beats(quad)
    assert not quad.beats(low)


def test_a_trump_is_one_alone_only() -> None:
    trumped = book((QUAD,), THREES)
    assert [trumped.is_trump(known(trumped, text)) for text in ("3d", "3h", "3s", "3d 3h", "3d 4d 5d")] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert not known(trumped, "3d 3h").beats(known(trumped, "3s 3c 3d"))


def test_the_trumps_over_a_top_are_those_that_beat_it() -> None:
    trumped = book((QUAD,), THREES)
    over = [trumped.trumps_over(known(trumped, text)) for text in ("2h", "3d", "3h", "9s 9c 9d 9h")]
    assert over == [cards("3d 3h"), cards("3h"), 0, 0]


def test_bombs_that_are_alike_compare_by_the_highest_card_whatever_their_shapes() -> None:
    pairs = Bomb(Pattern(2, 3), (Target(SINGLE, Rank.TWO),), alike=True)
    alike = book((replace(QUAD, alike=True), pairs))
    assert known(alike, "7s 7c 8s 8c 9s 9c").beats(known(alike, "8s 8c 8d 8h"))
    assert known(alike, "9s 9c 9d 9h").beats(known(alike, "7s 7c 8s 8c 9s 9c"))
    assert not known(alike, "3s 3c 3d 3h").beats(known(alike, "7s 7c 8s 8c 9s 9c"))
    assert [reply.shape for reply in alike.replies(known(alike, "8s 8c 8d 8h")) if reply.higher] == [
        FOUR_OF_A_KIND,
        Pattern(2, 3),
    ]
    assert [reply.shape for reply in alike.replies(known(alike, "8s")) if reply.higher] == [SINGLE]


def test_a_target_below_a_rank_is_not_that_rank() -> None:
    below = book((Bomb(PAIR, (Target(SINGLE, below=Rank.TWO),), rank=Rank.TWO, plain=True),))
    assert known(below, "2s 2c").beats(known(below, "Ah"))
    assert not known(below, "2s 2c").beats(known(below, "2h"))
    assert not known(below, "As Ac").beats(known(below, "Kh"))
    assert not known(below, "2s 2c").bomb
