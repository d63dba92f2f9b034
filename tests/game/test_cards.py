"""Cards and the deck."""

import pytest

from ledger.game.cards import Card, Deck, Rank, Suit, taken_for
from tests.game.table import ALL_CARDS, DECK, cards


def test_s_rank_orders_cards_by_rank_and_then_by_suit() -> None:
    assert [str(card) for card in sorted(Card(rank, suit) for suit in Suit for rank in Rank)] == list(
        ALL_CARDS
    )


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


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("10h", "Th"),
        ("tH", "Th"),
        ("qS", "Qs"),
        ("a♠", "As"),
        ("2♥", "2h"),
        ("3♣\ufe0f", "3c"),
        ("10♦\ufe0e", "Td"),
    ],
)
def test_a_card_is_also_read_in_other_spellings(text: str, card: str) -> None:
    assert str(Card.read(text)) == card


NO_CARDS = [
    "",
    "s",
    "3",
    "1s",
    "11s",
    "0s",
    "3x",
    "3ss",
    "33s",
    "s3",
    "♠3",
    "3♤",
    "3s\ufe0f\ufe0f",
    " 3s",
    "3s\n",
]
NOT_IN_ASCII = ["3\u017f", "\u212as", "³s", "３s"]
"""Non-ASCII characters that fold to s, K or 3."""


@pytest.mark.parametrize("text", [*NO_CARDS, *NOT_IN_ASCII])
def test_what_is_no_card_is_not_read_as_one(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Card.read(text)


def test_s_deal_a_pack_has_52_cards_and_two_packs_have_each_of_them_twice() -> None:
    assert DECK.all.bit_count() == 52
    double = Deck(2)
    assert double.all.bit_count() == 104
    assert [str(double.card(index)) for index in range(104)] == [card for card in ALL_CARDS for _ in range(2)]
    assert double.rank(Rank.TWO).bit_count() == 8


def test_a_card_named_twice_is_told_apart() -> None:
    named = [Card.read(text) for text in ("3s", "4c", "3s")]
    assert DECK.gather(named) == (cards("3s 4c"), cards("3s"))


def test_a_set_is_written_low_to_high() -> None:
    assert DECK.write(cards("2s Th 3c 10d 3s")) == ("3s", "3c", "Td", "Th", "2s")


@pytest.mark.parametrize(
    ("card", "expected"),
    [("3s", "3c 3d 3h 4s"), ("9d", "9s 9c 9h 8d Td"), ("2h", "2s 2c 2d Ah"), ("Kc'", "Ks' Kd' Kh' Qc' Ac'")],
)
def test_a_card_is_taken_for_those_of_its_rank_and_the_next_of_its_suit(card: str, expected: str) -> None:
    assert " ".join(map(str, taken_for(Card.read(card)))) == expected
