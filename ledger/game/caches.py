"""A cache with a bound."""

from collections.abc import Callable, Hashable
from typing import TypeVar

Question = TypeVar("Question", bound=Hashable)
Answer = TypeVar("Answer")


class BoundedCache(dict[Question, Answer]):
    """Answers of a function, computed on first use; the oldest is dropped when there are `LIMIT` of them.

    The function must be pure, so that callers can share the cache.
    """

    LIMIT = 16_000

    def __init__(self, compute: Callable[[Question], Answer]) -> None:
        super().__init__()
        self.compute = compute

    def __missing__(self, question: Question) -> Answer:
        answer = self.compute(question)
        if len(self) >= self.LIMIT:
            del self[next(iter(self))]
        self[question] = answer
        return answer
