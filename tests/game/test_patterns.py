"""Patterns: whether cards are a block, the blocks among some cards, and the names of combinations;
`tests/cases/rounds/combinations.txt` covers what beats what."""

import pytest

from ledger.game.blocks import find_blocks, is_block
from ledger.game.caches import BoundedCache
from ledger.game.cards import BLACK, Rank, Suit, union
from ledger.game.combinations import CombinationIndex
from ledger.game.patterns import (
    FOUR_OF_A_KIND,
    Kind,
    Pattern,
    SuitRule,
    Target,
)
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.overlays.edits import beating
from ledger.game.rulesets.serialization import read_field
from ledger.game.rulesets.southern import CLASSIC
from ledger.game.special_sets import Appraiser
from tests.case_files import told
from tests.game.table import DECK, cards

RUN = Pattern(1, 3)


@pytest.mark.parametrize(("pattern", "held"), told("cards.txt", "a block of a pattern"))
def test_cards_are_a_block_of_a_pattern(pattern: str, held: str) -> None:
    assert is_block(DECK, read_field(Pattern, pattern), cards(held))


@pytest.mark.parametrize(("pattern", "held"), told("cards.txt", "no block of a pattern"))
def test_cards_are_no_block_of_a_pattern(pattern: str, held: str) -> None:
    assert not is_block(DECK, read_field(Pattern, pattern), cards(held))


def test_a_stricter_rule_about_suits_takes_the_place_of_a_laxer_one() -> None:
    suited = RUN.strict(SuitRule.ONE_SUIT)
    assert suited.strict(SuitRule.ONE_COLOUR) is suited
    assert RUN.covers(suited)
    assert not suited.covers(RUN)
    assert suited.shape == RUN


@pytest.mark.parametrize(("pattern", "held", "expected"), told("cards.txt", "blocks"))
def test_blocks_end_with_the_rank_that_is_asked_for(pattern: str, held: str, expected: str) -> None:
    target = read_field(Target, pattern)
    found = [*find_blocks(DECK, target.shape, cards(held), Rank.TWO, rank=target.rank)]
    assert all(target.rank in (None, block.top) for block in found)
    assert " ".join(DECK.write(union(block.cards for block in found))) == expected


@pytest.mark.parametrize("pattern", ["1x3", "1x3/one-suit", "1x3/one-colour", "2x2", "2x2/pairs", "3", "4+2"])
def test_what_is_left_of_a_block_is_what_is_asked_for(pattern: str) -> None:
    """With some cards, of some suits, or beside those of another block."""
    shape, stock = read_field(Pattern, pattern), cards("3s 3c 3d 3h 4s 4c 4d 4h 5s 5c 5d 5h 7s 7c 7d 7h")
    plain = {block.top: block for block in find_blocks(DECK, shape.shape, stock)}
    for block in find_blocks(DECK, shape, stock):
        sets = {*block.each(DECK)}
        assert sets == {one for one in sets if is_block(DECK, shape, one)}
        for needed in (cards("3h"), cards("4s 4d"), cards("5c"), cards("As")):
            held = block.holding(DECK, needed)
            assert {*held.each(DECK)} == {one for one in sets if one & needed} if held else True
            assert held or not any(one & needed for one in sets)
            if shape.loose:
                continue
            wider = plain[block.top].holding(DECK, needed)
            left_over = block.without(DECK, wider) if wider else block
            left = {one for one in sets if not wider or not one & needed}
            assert ({*left_over.each(DECK)} if left_over else set()) == left
        for suits in ((Suit.SPADES,), (Suit.SPADES, Suit.HEARTS), BLACK, tuple(Suit)):
            kept = block.keeping(DECK, suits)
            assert ({*kept.each(DECK)} if kept else set()) == {
                one for one in sets if not one & ~DECK.suits(suits)
            }
        assert shape.loose or block.without(DECK, plain[block.top]) is None


def test_a_sequence_that_bombs_makes_nothing_else_playable() -> None:
    bombing, run = beating(CLASSIC, Pattern(1, 6, suits=SuitRule.ONE_SUIT)), cards("3s 4s 5s 6s 7s 8s")
    assert bombing.combinations == CLASSIC.combinations
    assert compiled(bombing).index.read(run) != compiled(CLASSIC).index.read(run)
    assert beating(CLASSIC, FOUR_OF_A_KIND) == CLASSIC


@pytest.mark.parametrize(("shape", "kind"), told("cards.txt", "kinds"))
def test_every_shape_has_a_name(shape: str, kind: str) -> None:
    assert Kind.of(read_field(Pattern, shape)) == kind


def test_an_index_answers_the_same_when_its_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["3s", "3s 3c", "3s 4s", "3s 4s 5s", "3s"]
    index, forgetful = (CombinationIndex(CLASSIC.deck, CLASSIC.combinations, CLASSIC.bombs) for _ in range(2))
    expected = [index.read(cards(text)) for text in texts]
    monkeypatch.setattr(BoundedCache, "LIMIT", 2)
    assert [forgetful.read(cards(text)) for text in texts] == expected
    assert expected[0] == expected[-1] is not None


def test_s_special_values_are_the_same_when_their_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoundedCache, "LIMIT", 2)
    values = Appraiser(CLASSIC.deck, CLASSIC.combinations, CLASSIC.payments.special_sets)
    assert [values.total(cards(text)) for text in ("2s 3s", "2d 3c", "2h 3d", "2s 3s")] == [1, 2, 2, 1]
