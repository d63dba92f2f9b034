"""The findings of the doctor: what was checked, whether it is well, and how to fix it."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """The outcome of a check."""

    FINE = "fine"
    DOUBTFUL = "doubtful"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Check:
    """`found` is the finding, `mend` how to fix it if it needs fixing."""

    name: str
    state: State
    found: str
    mend: str = ""


def fine(name: str, found: str) -> Check:
    """A check that found nothing wrong."""
    return Check(name, State.FINE, found)


def doubtful(name: str, found: str, mend: str) -> Check:
    """A check that found something that may be intended, and how to fix it if not."""
    return Check(name, State.DOUBTFUL, found, mend)


def wrong(name: str, found: str, mend: str) -> Check:
    """A check that found something wrong, and how to fix it."""
    return Check(name, State.WRONG, found, mend)
