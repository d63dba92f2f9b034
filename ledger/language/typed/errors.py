"""Why a line of a typed night is not understood."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ledger.language.dictation import Fits


class Missing(StrEnum):
    """What a line lacks to be understood."""

    NAMES = "names"
    """The names of the players."""
    LINE = "line"
    """A player, or another beginning of a line."""
    MOVE = "move"
    """What a player did."""
    SUITS = "suits"
    """The suits of a play."""
    ROUND = "round"
    """The number of the round that comes next."""
    PLACES = "places"
    """Players in their order, each once."""
    CARDS = "cards"
    """The cards that a bomb took, or that a player was left with."""


@dataclass(eq=False)
class NotUnderstood(Exception):
    """A line that is not understood: its number, what it lacks, and what was understood of it."""

    line: int
    missing: Missing
    names: Sequence[str] = ()
    """The players so far."""
    understood: str = ""
    """The name of the player, if one was found; or the number of the round that comes next."""
    fits: Fits | None = None
    """The plays that are meant, if only their suits are missing."""
    cards: str = ""
    """The cards of one of these."""
