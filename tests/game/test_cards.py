"""Cards and the deck (`tests/cases/cards.txt`)."""

import pytest

from ledger.game.cards import Card, Deck, Rank, Suit, taken_for
from tests.game.table import ALL_CARDS, DECK, cards
from tests.game.told import told


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


def test_a_set_is_written_low_to_high() -> None:
    assert DECK.write(cards("2s Th 3c 10d 3s")) == ("3s", "3c", "Td", "Th", "2s")


@pytest.mark.parametrize(("card", "expected"), told("cards.txt", "taken for"))
def test_a_card_is_taken_for_those_of_its_rank_and_the_next_of_its_suit(card: str, expected: str) -> None:
    assert " ".join(map(str, taken_for(Card.read(card)))) == expected
