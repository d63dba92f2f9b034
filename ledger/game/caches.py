"""A cache with a bound."""

from collections.abc import Callable, Hashable
from typing import TypeVar

Question = TypeVar("Question", bound=Hashable)
Answer = TypeVar("Answer")


class BoundedCache(dict[Question, Answer]):
    """The answers of a function, each computed when it is asked for first; emptied when there are `LIMIT` of them.

    The function must depend on nothing but the question: whoever shares it may share the cache.
    """

    LIMIT = 100_000

    def __init__(self, compute: Callable[[Question], Answer]) -> None:
        super().__init__()
        self.compute = compute

    def __missing__(self, question: Question) -> Answer:
        answer = self.compute(question)
        if len(self) >= self.LIMIT:
            self.clear()
        self[question] = answer
        return answer
