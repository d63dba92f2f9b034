"""What cards are worth, against every choice of special sets that share no card."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.game.cards import RED, Cards, bits, union
from ledger.game.choosing import STATES
from ledger.game.patterns import SpecialSet
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overlays.schemes import SCHEMES
from ledger.game.rulesets.overrides import with_rules
from ledger.game.rulesets.southern import CLASSIC
from ledger.game.special_sets import Appraiser

Special = tuple[SpecialSet, ...]


def blocks(special: SpecialSet, ruleset: Ruleset, cards: Cards) -> Iterator[Cards]:
    """Every set of this sort among some cards that goes up to the rank of the highest of them."""
    deck, shape, rules = ruleset.deck, special.shape, ruleset.combinations
    top = (cards.bit_length() - 1) // deck.rank_bits
    highest = rules.top_of_sequences if shape.width == 1 else rules.top_of_pair_sequences
    if special.target.rank not in (None, top) or top < shape.length - 1:
        return
    if special.target.rank is None and shape.length > 1 and top > highest:
        return
    if special.suits:
        cards &= deck.suits(special.suits)
    choices = []
    for rank in range(top - shape.length + 1, top + 1):
        some = map(union, combinations(bits(cards & deck.rank(rank)), shape.width))
        choices.append(
            [one for one in some if shape.width != 2 or not rules.one_colour or one_colour(ruleset, one)]
        )
    yield from map(union, product(*choices))


def one_colour(ruleset: Ruleset, cards: Cards) -> bool:
    return len({card.suit in RED for card in ruleset.deck.cards(cards)}) == 1


def worth(ruleset: Ruleset, sets: Special, *, whole: bool = False) -> Callable[[Cards], int]:
    """What cards are worth: the best of leaving the highest card alone, and of each set that holds it."""
    singles = [special for special in sets if special.shape.size == 1]
    larger = [special for special in sets if special.shape.size > 1 and not special.shape.loose]

    @cache
    def most(cards: Cards) -> int:
        if not cards:
            return 0
        highest = 1 << cards.bit_length() - 1
        (card,) = ruleset.deck.cards(highest)
        best = most(cards & ~highest) + sum(
            one.points
            for one in singles
            if one.target.rank in (None, card.rank) and (not one.suits or card.suit in one.suits)
        )
        for special in larger:
            for block in blocks(special, ruleset, cards):
                if block & highest:
                    best = max(best, special.points + most(cards & ~block))
        return best

    def of(cards: Cards) -> int:
        as_one = [one.points for one in sets if one.shape.size > 1 and whole and is_one(one, cards)]
        return max(as_one) if as_one else most(cards)

    def is_one(special: SpecialSet, cards: Cards) -> bool:
        if not special.shape.loose:
            return cards in blocks(special, ruleset, cards)
        held = [count for rank in range(13) if (count := (cards & ruleset.deck.rank(rank)).bit_count())]
        return held == [special.shape.width] * special.shape.length

    return of


def tables() -> dict[str, tuple[Ruleset, Appraiser, Special, bool]]:
    """Whatever cards are worth in a hand and to a bomb: every preset and scheme, one pack and two."""
    found: dict[object, tuple[str, tuple[Ruleset, Appraiser, Special, bool]]] = {}
    for preset, scheme, packs, more in product(
        PRESETS,
        ("", *SCHEMES),
        (1, 2),
        ("", "pairs-of-one-colour", "sequences-of-one-suit", "twos-top-sequences", "payments.card"),
    ):
        if more and preset not in ("southern-classic", "pro-play", "northern", "akita"):
            continue
        said = {"scheme": scheme, "deal.packs": str(packs), more: "4" if "." in more else "yes"}
        try:
            ruleset = with_rules(PRESETS[preset], [rule for rule in said.items() if all(rule)])
        except ValueError:
            continue
        paid = ruleset.payments
        for values, sets, whole in (
            (compiled(ruleset).hand_values, paid.special_sets, False),
            (compiled(ruleset).capture_values, paid.captured or paid.special_sets, paid.captured_whole),
        ):
            if sets:
                key = ruleset.deck, ruleset.combinations, sets, whole
                name = f"{preset} {scheme} {packs} {more} {'bombs' if whole else ''}"
                found.setdefault(key, (name, (ruleset, values, sets, whole)))
    return dict(found.values())


TABLES = tables()


def hands(chance: Random, ruleset: Ruleset, count: int) -> Iterator[Cards]:
    """Up to thirteen cards, of two packs up to twenty, all of a few ranks or of many."""
    size = ruleset.deck.rank_bits
    for _ in range(count):
        ranks = chance.choice((3, 4, 5, 6, 8, 13))
        low = chance.randrange(14 - ranks)
        pool = range(low * size, (low + ranks) * size)
        most = 20 if size > 4 and ranks > 4 and chance.random() < 0.3 else 13
        yield union(1 << card for card in chance.sample(pool, chance.randint(1, min(most, len(pool)))))


@pytest.mark.parametrize("name", TABLES)
def test_s_special_the_value_is_the_most_that_any_choice_of_sets_gives(name: str) -> None:
    compare(name, 6)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_s_special_the_value_is_the_most_in_many_hands(name: str) -> None:
    compare(name, 200)


def compare(name: str, count: int) -> None:
    """The value, and the sets that make it up: they share no card, and each is one of all sets."""
    ruleset, values, sets, whole = TABLES[name]
    brute = worth(ruleset, sets, whole=whole)
    for cards in hands(Random(f"{name} {count}"), ruleset, count):
        chosen = values.breakdown(cards)
        assert values.total(cards) == brute(cards) == sum(one.points for one in chosen), ruleset.deck.write(
            cards
        )
        together = union(one.cards for one in chosen)
        assert together.bit_count() == sum(one.cards.bit_count() for one in chosen)
        assert not together & ~cards
        assert chosen == values.breakdown(cards)
        for one in chosen:
            assert values.is_special_set(one.cards)
            assert values.breakdown(one.cards) == (one,) or not whole


@pytest.mark.parametrize("name", TABLES)
def test_s_special_few_states_are_followed_whatever_the_cards(name: str) -> None:
    """Of all cards there are they were so many that it took minutes, or that not all were looked at."""
    ruleset, values, _, _ = TABLES[name]
    deck, chance = values.deck, Random(name)
    size, most = deck.rank_bits, [deck.all, deck.all & ~1]
    for ranks in (5, 7, 9, 13):
        low = chance.randrange(14 - ranks)
        pool = range(low * size, (low + ranks) * size)
        most += [
            union(1 << card for card in chance.sample(pool, len(pool) * part // 8)) for part in (5, 6, 7, 7)
        ]
    for cards in most:
        assert values.choosing.followed(cards) <= STATES, ruleset.deck.write(cards)
        assert values.total(cards) == sum(one.points for one in values.breakdown(cards))


TWOS = list(zip(map(CLASSIC.deck.bit, CLASSIC.deck.cards(CLASSIC.deck.rank(12))), (1, 1, 2, 2), strict=True))


def special_sets(cards: Cards) -> list[tuple[Cards, int]]:
    """Every special set of southern-classic among some cards, suit by suit, and its points."""
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


def some(ranks: range) -> st.SearchStrategy[Cards]:
    """Up to thirteen cards of some ranks."""
    indices = st.integers(4 * ranks.start, 4 * ranks.stop - 1)
    return st.sets(indices, max_size=13).map(lambda some: sum(1 << index for index in some))


@given(st.one_of(some(range(13)), some(range(5)), some(range(9, 13))))
def test_s_special_the_sets_that_are_chosen_are_southern_ones(cards: Cards) -> None:
    assert all(
        (worth.cards, worth.points) in special_sets(cards)
        for worth in compiled(CLASSIC).hand_values.breakdown(cards)
    )


@given(some(range(4)))
def test_s_special_a_set_of_cards_is_special_if_it_is_one_of_all_sets(cards: Cards) -> None:
    assert compiled(CLASSIC).hand_values.is_special_set(cards) is any(
        cards == special for special, _ in special_sets(cards)
    )


@given(some(range(13)), st.integers(0, 13))
def test_s_show_a_card_could_be_held_in_a_set_if_some_set_of_that_size_holds_it(
    cards: Cards, count: int
) -> None:
    useful = 0
    for special, _ in special_sets(cards):
        if special.bit_count() <= count:
            useful |= special
    assert compiled(CLASSIC).hand_values.could_hold(cards, count) == useful
