"""The value of cards, compared with every choice of disjoint special sets."""

from collections.abc import Iterator
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from ledger.game.cards import Cards, Deck, union
from ledger.game.rulesets import Ruleset
from ledger.game.rulesets.compiled import MOST_STEPS, compiled, dense
from ledger.game.rulesets.southern import CLASSIC
from tests import soaking
from tests.case_files import of_each
from tests.game.rulesets.agreed import paying_tables, worth_twice
from tests.game.rulesets.positions import read
from tests.game.rulesets.reading import is_special, worth
from tests.game.rulesets.test_rows import lists


def hands(chance: Random, deck: Deck, count: int) -> Iterator[Cards]:
    """Random hands of up to 13 cards, with two packs up to 20, from few or many ranks."""
    size = deck.rank_bits
    for _ in range(count):
        ranks = chance.choice((3, 4, 5, 6, 8, 13))
        low = chance.randrange(14 - ranks)
        pool = range(low * size, (low + ranks) * size)
        most = 20 if size > 4 and ranks > 4 and chance.random() < 0.3 else 13
        yield union(1 << card for card in chance.sample(pool, chance.randint(1, min(most, len(pool)))))


@of_each(paying_tables)
def test_s_special_the_value_is_the_most_that_any_choice_of_sets_gives(ruleset: Ruleset) -> None:
    compare(ruleset, 6)


@of_each(worth_twice)
def test_s_special_a_card_that_several_sets_name_is_worth_the_most_of_them(ruleset: Ruleset) -> None:
    compare(ruleset, 60)


@of_each(paying_tables)
def test_s_special_the_value_is_the_most_in_many_hands(ruleset: Ruleset) -> None:
    compare(ruleset, 100 if soaking.asked else 15)


def compare(ruleset: Ruleset, count: int) -> None:
    """Compare values with brute force, and check that their sets are disjoint and listed."""
    for values, sets, whole in lists(ruleset):
        brute = worth(ruleset, sets, whole=whole)
        for cards in hands(Random(f"{ruleset.id} {sets} {count}"), ruleset.deck, count):
            chosen, written = values.breakdown(cards), ruleset.deck.write(cards)
            assert values.total(cards) == brute(cards) == sum(one.points for one in chosen), written
            assert values.is_special_set(cards) is any(is_special(ruleset, one, cards) for one in sets), (
                written
            )
            together = union(one.cards for one in chosen)
            assert together.bit_count() == sum(one.cards.bit_count() for one in chosen)
            assert not together & ~cards
            assert chosen == values.breakdown(cards)
            for one in chosen:
                assert one.points in {each.points for each in sets if is_special(ruleset, each, one.cards)}
                assert values.breakdown(one.cards) == (one,) or not whole


@of_each(paying_tables)
def test_s_special_few_steps_are_taken_whatever_the_cards(ruleset: Ruleset) -> None:
    """Regression: for very many cards it took minutes, or not all choices were compared."""
    most = max(map(ruleset.deal.most_held, ruleset.deal.players)), compiled(ruleset).most_captured
    for values, sets, _ in lists(ruleset):
        deck, chance = values.deck, Random(f"{ruleset.id} {sets}")
        size, count = deck.rank_bits, most[values is compiled(ruleset).capture_values]
        some = [*dense(deck, count)][:: 1 if soaking.asked else 2]
        for ranks in (5, 7, 9, 13) if soaking.asked else (7,):
            low = chance.randrange(14 - ranks)
            pool = range(low * size, (low + ranks) * size)
            some += [union(1 << card for card in chance.sample(pool, min(count, len(pool))))]
        for cards in some:
            assert values.steps(cards, 4 * MOST_STEPS) <= 4 * MOST_STEPS, ruleset.deck.write(cards)
            assert values.total(cards) == sum(one.points for one in values.breakdown(cards))


@given(st.sets(st.integers(0, 51), max_size=13), st.integers(0, 13))
def test_s_show_a_card_could_be_held_in_a_set_if_some_set_of_that_size_holds_it(
    held: set[int], count: int
) -> None:
    cards = union(1 << place for place in held)
    useful = union(
        block
        for special in CLASSIC.payments.special_sets
        for block in read(CLASSIC).parts(cards, special.shape)
        if is_special(CLASSIC, special, block) and block.bit_count() <= count
    )
    assert compiled(CLASSIC).hand_values.could_hold(cards, count) == useful
