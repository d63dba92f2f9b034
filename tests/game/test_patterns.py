"""Patterns: whether cards are a block, and the blocks among some cards."""

import pytest

from ledger.game.cards import Card, Cards, Rank
from ledger.game.patterns import (
    FOUR_OF_A_KIND,
    PAIR,
    SINGLE,
    BlockSet,
    Pattern,
    SuitRule,
    find_blocks,
    is_block,
)
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.overlays.edits import beating
from ledger.game.rulesets.southern import CLASSIC
from tests.game.table import DECK, cards

RUN = Pattern(1, 3)


@pytest.mark.parametrize(
    ("pattern", "held", "is_one"),
    [
        (RUN, "3s 4c 5d", True),
        (RUN, "3s 4c 6d", False),
        (RUN, "3s 4c", False),
        (RUN, "Ks As 2s", False),
        (RUN.strict(SuitRule.ONE_SUIT), "3s 4s 5s", True),
        (RUN.strict(SuitRule.ONE_SUIT), "3s 4s 5c", False),
        (RUN.strict(SuitRule.ONE_COLOUR), "3s 4s 5c", True),
        (RUN.strict(SuitRule.ONE_COLOUR), "3s 4s 5d", False),
        (PAIR.strict(SuitRule.PAIRS), "3s 3c", True),
        (PAIR.strict(SuitRule.PAIRS), "2s 2d", False),
        (PAIR.strict(SuitRule.PAIRS_BUT_TWOS), "3s 3d", False),
        (PAIR.strict(SuitRule.PAIRS_BUT_TWOS), "2s 2d", True),
        (Pattern(2, 3, suits=SuitRule.PAIRS), "3s 3c 4d 4h 5s 5c", True),
        (Pattern(2, 3, suits=SuitRule.ONE_COLOUR), "3s 3c 4d 4h 5s 5c", False),
        (Pattern(4, 2, loose=True), "3s 3c 3d 3h 9s 9c 9d 9h", True),
        (Pattern(4, 2), "3s 3c 3d 3h 9s 9c 9d 9h", False),
    ],
)
def test_cards_are_a_block_of_a_pattern_or_not(pattern: Pattern, held: str, is_one: bool) -> None:
    assert is_block(DECK, pattern, cards(held)) is is_one


def test_a_stricter_rule_about_suits_takes_the_place_of_a_laxer_one() -> None:
    suited = RUN.strict(SuitRule.ONE_SUIT)
    assert suited.strict(SuitRule.ONE_COLOUR) is suited
    assert RUN.covers(suited)
    assert not suited.covers(RUN)
    assert suited.shape == RUN


def starting(pattern: Pattern, held: str, rank: Rank | None) -> list[str]:
    """The cards of the blocks with a rank on top."""
    found = (
        one._replace(starts=one.ending(rank)) for one in find_blocks(DECK, pattern, cards(held), Rank.TWO)
    )
    return [" ".join(DECK.write(one.cards(DECK))) for one in found if one.starts]


def test_blocks_end_with_the_rank_that_is_asked_for() -> None:
    held = "3s 4s 5c 6d"
    assert starting(RUN, held, None) == [held]
    assert starting(RUN, held, Rank.FIVE) == ["3s 4s 5c"]
    assert starting(RUN, held, Rank.FOUR) == []
    assert starting(RUN, "Ks As 2c", Rank.TWO) == ["Ks As 2c"]


def test_fours_of_any_ranks_end_with_the_highest_of_them() -> None:
    fours, held = Pattern(4, 2, loose=True), "3s 3c 3d 3h 5s 5c 5d 5h 9s 9c 9d 9h"
    assert starting(fours, held, Rank.FIVE) == ["3s 3c 3d 3h 5s 5c 5d 5h"]
    assert starting(fours, held, Rank.NINE) == [held]
    assert starting(fours, held, Rank.THREE) == starting(fours, held, Rank.SIX) == []


def test_blocks_of_fewer_suits_are_told_apart_from_those_of_their_shape() -> None:
    suited = BlockSet(RUN.strict(SuitRule.ONE_SUIT), ((),), cards("3s 4s 5s 6s"), 0b11)
    assert suited.without_those_of(BlockSet(SINGLE, ((),), DECK.all, 0b11)) == suited
    assert suited.without_those_of(BlockSet(RUN, ((),), DECK.all, 0b10)).starts == 0b01
    needing = BlockSet(RUN, ((),), DECK.all, 0b10, edge=0, needed=cards("5c 5s"))
    assert suited.without_those_of(needing).starts == 0
    assert suited.without_those_of(needing._replace(needed=cards("5c"))).starts == 0b01


def held(text: str) -> Cards:
    return CLASSIC.deck.gather(map(Card.read, text.split()))[0]


def test_a_sequence_that_bombs_makes_nothing_else_playable() -> None:
    bombing = beating(CLASSIC, Pattern(1, 6, suits=SuitRule.ONE_SUIT))
    assert bombing.combinations == CLASSIC.combinations
    assert compiled(bombing).index.read(held("3s 4s 5s 6s 7s 8s")) != compiled(CLASSIC).index.read(
        held("3s 4s 5s 6s 7s 8s")
    )
    assert beating(CLASSIC, FOUR_OF_A_KIND) == CLASSIC
