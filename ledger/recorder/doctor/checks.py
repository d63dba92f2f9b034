"""What a doctor says: one thing that was looked at, how it is, and how it is mended."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How something is."""

    FINE = "fine"
    DOUBTFUL = "doubtful"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Check:
    """`found` says what was seen; `mend` what to do about it, where there is something to do."""

    name: str
    state: State
    found: str
    mend: str = ""


def fine(name: str, found: str) -> Check:
    return Check(name, State.FINE, found)


def doubtful(name: str, found: str, mend: str) -> Check:
    return Check(name, State.DOUBTFUL, found, mend)


def wrong(name: str, found: str, mend: str) -> Check:
    return Check(name, State.WRONG, found, mend)
