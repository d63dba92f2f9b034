"""What cards are worth, against every choice of special sets that share no card."""

from functools import cache
from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from ledger.game.cards import Cards
from ledger.game.rulesets.southern import CLASSIC
from tests.game.table import DECK

TWOS = list(zip(map(DECK.bit, DECK.cards(DECK.rank(12))), (1, 1, 2, 2), strict=True))


def special_sets(cards: Cards) -> list[tuple[Cards, int]]:
    """Every special set among some cards, suit by suit, and its points."""
    suits = [
        [1 << 4 * rank + suit for suit in range(4) if cards >> 4 * rank + suit & 1] for rank in range(13)
    ]
    pairs = [[sum(pair) for pair in combinations(rank, 2)] for rank in suits]
    found = [(card, points) for card, points in TWOS if card & cards]
    found += [(sum(rank), 3) for rank in suits if len(rank) == 4]
    for length, points in ((3, 2), (4, 4)):
        for low in range(13 - length):
            found += [(sum(choice), points) for choice in product(*pairs[low : low + length])]
    return found


@cache
def most(cards: Cards) -> int:
    """The best of leaving the highest card out, and of each set that holds it."""
    if not cards:
        return 0
    highest = 1 << cards.bit_length() - 1
    best = most(cards & ~highest)
    for special, points in special_sets(cards):
        if special & highest:
            best = max(best, points + most(cards & ~special))
    return best


def hands(ranks: range) -> st.SearchStrategy[Cards]:
    """Up to thirteen cards of some ranks."""
    indices = st.integers(4 * ranks.start, 4 * ranks.stop - 1)
    return st.sets(indices, max_size=13).map(lambda some: sum(1 << index for index in some))


@given(st.one_of(hands(range(13)), hands(range(5)), hands(range(4, 9)), hands(range(9, 13)), hands(range(3))))
def test_s_special_the_value_is_the_most_that_any_choice_of_sets_gives(cards: Cards) -> None:
    assert CLASSIC.values.of(cards) == most(cards)


@given(st.one_of(hands(range(13)), hands(range(5)), hands(range(9, 13))))
def test_s_special_the_sets_that_are_chosen_share_no_card_and_make_up_the_value(cards: Cards) -> None:
    chosen = CLASSIC.values.best(cards)
    assert sum(worth.points for worth in chosen) == most(cards)
    assert (
        sum(worth.cards.bit_count() for worth in chosen) == sum(worth.cards for worth in chosen).bit_count()
    )
    assert all((worth.cards, worth.points) in special_sets(cards) for worth in chosen)


@given(hands(range(4)))
def test_s_special_a_set_of_cards_is_special_if_it_is_one_of_all_sets(cards: Cards) -> None:
    assert CLASSIC.values.is_special_set(cards) is any(cards == special for special, _ in special_sets(cards))


@given(hands(range(13)), st.integers(0, 13))
def test_s_show_a_card_could_be_held_in_a_set_if_some_set_of_that_size_holds_it(
    cards: Cards, count: int
) -> None:
    useful = 0
    for special, _ in special_sets(cards):
        if special.bit_count() <= count:
            useful |= special
    assert CLASSIC.values.could_hold(cards, count) == useful
