"""Cards of one pack and of two, where each exists twice, with different backs or as twins (`cards.txt`)."""

from collections import Counter
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.game.cards import Card, Cards, Deck, Rank, Suit, bits, taken_for
from ledger.game.deals import read_deal
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.southern import CLASSIC
from ledger.game.special_sets import Appraiser
from tests.case_files import told
from tests.game.table import ALL_CARDS, DECK, cards


def test_s_rank_orders_cards_by_rank_and_then_by_suit() -> None:
    in_order = sorted(Card(rank, suit) for suit in Suit for rank in Rank)
    assert [str(card) for card in in_order] == list(ALL_CARDS)


def test_s_rank_the_three_of_spades_is_lowest_and_the_two_of_hearts_highest() -> None:
    assert (ALL_CARDS[0], ALL_CARDS[-1]) == ("3s", "2h")
    assert DECK.bit(Card.read("3s")) == 1
    assert DECK.bit(Card.read("2h")).bit_length() == DECK.all.bit_length()


@pytest.mark.parametrize("text", ALL_CARDS)
def test_s_rank_a_card_is_written_as_it_is_read(text: str) -> None:
    card = Card.read(text)
    assert str(card) == text
    assert DECK.card(DECK.bit(card).bit_length() - 1) == card
    assert DECK.write(DECK.bit(card)) == (text,)


@pytest.mark.parametrize(("text", "card"), told("cards.txt", "read as a card"))
def test_a_card_is_also_read_in_other_spellings(text: str, card: str) -> None:
    assert str(Card.read(text)) == card
    assert Card.read(card) == Card.read(text)


@pytest.mark.parametrize("text", told("cards.txt", "no card"))
def test_what_is_no_card_is_not_read_as_one(text: tuple[str]) -> None:
    with pytest.raises(ValueError, match="not a card"):
        Card.read(*text)


def test_s_deal_a_pack_has_52_cards_and_two_packs_have_each_of_them_twice() -> None:
    assert DECK.all.bit_count() == 52
    double = Deck(2)
    assert double.all.bit_count() == 104
    assert [str(double.card(index)) for index in range(104)] == [card for card in ALL_CARDS for _ in range(2)]
    assert double.rank(Rank.TWO).bit_count() == 8


def test_a_deal_prints_the_cards_of_its_hands() -> None:
    dealt = read_deal("p1 3s 3c\np2 4s 4c", CLASSIC)
    assert "hands={0: <3s 3c of one pack>, 1: <4s 4c of one pack>}, pile=(<3d of one pack>, " in repr(dealt)


def test_a_set_is_written_low_to_high() -> None:
    assert DECK.write(cards("2s Th 3c 10d 3s")) == ("3s", "3c", "Td", "Th", "2s")


@pytest.mark.parametrize(("card", "expected"), told("cards.txt", "taken for"))
def test_a_card_is_taken_for_those_of_its_rank_and_the_next_of_its_suit(card: str, expected: str) -> None:
    assert " ".join(map(str, taken_for(Card.read(card)))) == expected


# Two packs

TWINS, BACKS = Deck(2), Deck(2, backs=True)
SETS = st.sets(st.integers(0, 103), max_size=12).map(lambda some: sum(1 << index for index in some))


def gathered(deck: Deck, text: str) -> Cards:
    return deck.read(tuple(text.split()))[0]


def test_cards_are_told_apart_by_their_backs_or_not_at_all() -> None:
    assert [Deck().has_twins, TWINS.has_twins, BACKS.has_twins] == [False, True, False]
    assert len(set(TWINS.cards(TWINS.all))) == 52
    assert len(set(BACKS.cards(BACKS.all))) == 104


def test_the_second_pack_is_marked_where_backs_matter() -> None:
    assert BACKS.write(BACKS.all) == tuple(card + mark for card in ALL_CARDS for mark in ("", "'"))
    assert TWINS.write(TWINS.all) == tuple(card for card in ALL_CARDS for _ in range(2))


def test_a_mark_behind_a_card_names_the_second_packs() -> None:
    card = Card.read("10h'")
    assert card.back == 1
    assert BACKS.card(BACKS.bit(card).bit_length() - 1) == card


@pytest.mark.parametrize("deck", [Deck(), Deck(1, backs=True), TWINS])
def test_there_is_no_second_pack_where_backs_do_not_matter(deck: Deck) -> None:
    with pytest.raises(ValueError, match="no such pack: 3s'"):
        deck.bit(Card.read("3s'"))


@pytest.mark.parametrize("deck", [Deck(), TWINS, BACKS])
def test_ranks_and_suits_each_part_the_deck(deck: Deck) -> None:
    for parts, each in (
        ([deck.rank(rank) for rank in Rank], 4),
        ([deck.suits((suit,)) for suit in Suit], 13),
    ):
        assert [part.bit_count() for part in parts] == [each * deck.packs] * len(parts)
        assert sum(parts) == deck.all
    assert {card.suit for card in deck.cards(deck.suits((Suit.CLUBS,)))} == {Suit.CLUBS}


@pytest.mark.parametrize(("deck", "text", "held", "again"), told("cards.txt", "named twice"))
def test_a_card_is_named_as_often_as_it_is_held(deck: str, text: str, held: str, again: str) -> None:
    named = {"one pack": Deck(), "twins": TWINS, "backs": BACKS}[deck]
    found, twice = named.read(tuple(text.split()))
    assert (" ".join(named.write(found)), " ".join(named.write(twice))) == (held, again)


@pytest.mark.parametrize(("deck", "second_is_higher"), [(TWINS, False), (BACKS, True)])
def test_the_second_card_is_higher_where_its_back_matters(deck: Deck, second_is_higher: bool) -> None:
    for index in range(0, 104, 2):
        assert (deck.order(index + 1) > deck.order(index)) is second_is_higher
        assert deck.order(index) > deck.order(index - 1) or not index


def test_one_pack_orders_cards_by_their_places() -> None:
    assert [Deck().order(index) for index in range(52)] == list(range(52))


@given(SETS, SETS)
def test_of_twins_those_are_meant_that_have_not_been_seen(cards: Cards, seen_cards: Cards) -> None:
    meant = TWINS.unseen_twins(cards, seen_cards)
    assert TWINS.write(meant) == TWINS.write(cards)
    for low in range(0, 104, 2):
        pair = 0b11 << low
        both = (cards & pair).bit_count() + (seen_cards & pair).bit_count()
        assert (meant & seen_cards & pair).bit_count() == max(both - 2, 0)


@given(SETS)
def test_a_twin_is_the_other_card_of_the_same_name(cards: Cards) -> None:
    for bit in bits(cards):
        assert TWINS.twin(bit) != bit == TWINS.twin(TWINS.twin(bit))
        assert TWINS.write(TWINS.twin(bit)) == TWINS.write(bit)


@given(SETS)
def test_what_is_written_is_read_as_the_same_names(cards: Cards) -> None:
    for deck in (TWINS, BACKS):
        found, again = deck.gather(map(Card.read, deck.write(cards)))
        assert (deck.write(found), again) == (deck.write(cards), 0)
    assert BACKS.gather(map(Card.read, BACKS.write(cards)))[0] == cards


def test_which_of_two_twins_is_meant_changes_nothing_of_what_they_are() -> None:
    book = compiled(PRESETS["core-double"]).index
    for text in ("3s", "3s 3c", "3s 4c 5d"):
        cards = gathered(TWINS, text)
        others = sum(map(TWINS.twin, bits(cards)))
        one, other = book.read(cards), book.read(others)
        assert one is not None
        assert other is not None
        assert (one.own_class, one.top) == (other.own_class, other.top)
        assert not one.beats(other)


@pytest.mark.parametrize(("text", "points"), told("cards.txt", "points of special sets in two packs"))
def test_special_sets_may_hold_the_same_card_twice(text: str, points: str) -> None:
    classic = PRESETS["southern-classic"]
    values = Appraiser(TWINS, classic.combinations, classic.payments.special_sets)
    assert values.total(gathered(TWINS, text)) == int(points)


@pytest.mark.parametrize("deck", [BACKS, TWINS], ids=["backs", "twins"])
def test_pairs_of_two_packs_are_counted_one_by_one(deck: Deck) -> None:
    book = compiled(PRESETS["double-deck" if deck.backs else "core-double"]).index
    pairs = [1 << high | 1 << low for high in range(104) for low in range(high)]
    found = [one for one in map(book.read, pairs) if one is not None]
    assert len(found) == 13 * comb(8, 2)
    tops = Counter(one.top for one in found)
    # The number of pairs with each card on top: one for each lower card of its rank; twins are counted together.
    each = list(range(8)) if deck.backs else [0, 1, 0, 5, 0, 9, 0, 13]
    assert [tops[index] for index in range(104)] == each * 13
