"""What was worked out of some cards once, for whoever asks again."""

from collections.abc import Callable
from typing import TypeVar

from ledger.game.cards import Cards

Answer = TypeVar("Answer")


class Memory(dict[Cards, Answer]):
    """Sets of cards, and what a function answers of them: it is asked of what is not there yet.

    The memory is bounded. Shared by whoever shares the function, which depends on nothing but the cards.
    """

    MOST = 100_000

    def __init__(self, work_out: Callable[[Cards], Answer]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, cards: Cards) -> Answer:
        answer = self._work_out(cards)
        if len(self) >= self.MOST:
            self.clear()
        self[cards] = answer
        return answer
