"""What was worked out once, for whoever asks again."""

from collections.abc import Callable, Hashable
from typing import TypeVar

Question = TypeVar("Question", bound=Hashable)
Answer = TypeVar("Answer")


class Memory(dict[Question, Answer]):
    """What a function answers to questions: it is asked what is not there yet.

    The memory is bounded. Shared by whoever shares the function, which depends on nothing but the question.
    """

    MOST = 100_000

    def __init__(self, work_out: Callable[[Question], Answer]) -> None:
        super().__init__()
        self.work_out = work_out

    def __missing__(self, question: Question) -> Answer:
        answer = self.work_out(question)
        if len(self) >= self.MOST:
            self.clear()
        self[question] = answer
        return answer
