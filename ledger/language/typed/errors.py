"""Why a line of a typed night is not understood."""

from collections.abc import Sequence
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


class NotUnderstood(Exception):
    """A line that is not understood: its number, what it lacks, and what was understood of it."""

    def __init__(
        self,
        line: int,
        missing: Missing,
        names: Sequence[str] = (),
        understood: str = "",
        fits: Fits | None = None,
        cards: str = "",
    ) -> None:
        super().__init__(f"line {line}: {missing}")
        self.line = line
        self.missing = missing
        self.names = names
        """The players so far."""
        self.understood = understood
        """The name of the player, if one was found; or the number of the round that comes next."""
        self.fits = fits
        """The plays that are meant, if only their suits are missing."""
        self.cards = cards
        """The cards of one of these."""
