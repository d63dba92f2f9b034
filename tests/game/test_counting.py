"""Moves that may be wrong if a player holds another number of cards than recorded."""

import pytest

from ledger.game.counting import suspects
from tests.game.table import after

STORY = """
    round 1 lead p1 p1 p2 p3
    p1 3s / p2 4s / p3 - / p1 5s / p2 - / p1 6s 6c / p2 7s 7c / p3 - / p1 - / p2 8s / p3 9s / p1 - / p2 Ts
""".replace(" / ", "\n")
"""p2 has played five cards, p3 one; p3 passed on a single and on a pair, p1 on a pair and on a single."""


@pytest.mark.parametrize(
    ("player", "held", "expected"),
    [
        *[(0, 9, []), (0, 8, [12]), (0, 7, [9]), (2, 11, [3]), (2, 10, [8]), (2, 8, [])],
        *[(1, 9, [13, 10, 2]), (1, 10, [7]), (1, 12, [])],
    ],
)
def test_the_moves_that_may_be_wrong_are_those_of_as_many_cards_as_are_off(
    player: int, held: int, expected: list[int]
) -> None:
    round = after(STORY, players=3)
    assert [*round.cards_left] == [9, 8, 12]
    assert suspects(round, player, held) == expected
