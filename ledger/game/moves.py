"""Moves: the entries of a round, one value for each action of a player."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, TypeAlias

from ledger.game.cards import Cards, shown, union

NOBODY: Final = -1
"""No player, where a player's number is expected: nobody is to act, has the pile, or is named."""


@dataclass(frozen=True, slots=True)
class Play:
    """Cards played on the pile. `stood`: against the rules, but the table let it stand."""

    __repr__ = shown
    kind: ClassVar = "play"
    player: int
    cards: Cards
    stood: bool = False
    twice: Cards = 0
    """Cards that the entry names more often than the deck holds them; such a move is always refused."""
    forward: bool = False
    """Played on the player's own pile after all others have passed (clause FORWARD)."""
    locks: bool | None = None
    """True if the player locked the pile to one suit, False if unlocked (clause SUIT-LOCK), None if neither."""


@dataclass(frozen=True, slots=True)
class Pass:
    """The player gives up the turn."""

    kind: ClassVar = "pass"
    player: int
    stood: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of an instant win, with all the cards that the player was dealt."""

    __repr__ = shown
    kind: ClassVar = "claim"
    player: int
    cards: Cards
    stood: bool = False
    twice: Cards = 0


@dataclass(frozen=True, slots=True)
class Show:
    """The cards that a player still holds when the round has ended."""

    __repr__ = shown
    kind: ClassVar = "show"
    stood: ClassVar = False
    player: int
    cards: Cards
    twice: Cards = 0


@dataclass(frozen=True, slots=True)
class Declare:
    """The special sets that a player still holds, named but not shown; an empty tuple means none."""

    __repr__ = shown
    kind: ClassVar = "declare"
    stood: ClassVar = False
    player: int
    sets: tuple[Cards, ...]
    twice: Cards = 0

    @property
    def cards(self) -> Cards:
        """All cards of all sets."""
        return union(self.sets)


class CoverReason(StrEnum):
    """Why a player pays what others owe."""

    WARNED = "warned"
    """The next player had announced a last card, and was let out."""
    LET_THROUGH = "let-through"
    """The next player was let out: the cards in hand could have beaten the last play."""
    LOWEST_CARD = "lowest-card"
    """The player ended with the lowest card."""


@dataclass(frozen=True, slots=True)
class Cover:
    """A player pays, at the end of the round, what the covered players owe (clause COVER).

    The table declares it when the round has ended, since nobody has seen the hands.
    """

    kind: ClassVar = "cover"
    stood: ClassVar = False
    cards: ClassVar[Cards] = 0
    twice: ClassVar[Cards] = 0
    player: int
    covered: tuple[int, ...]
    why: CoverReason


@dataclass(frozen=True, slots=True)
class Bid:
    """A contract that a player takes before play begins."""

    kind: ClassVar = "contract"
    stood: ClassVar = False
    player: int
    contract: str


@dataclass(frozen=True, slots=True)
class Bombed:
    """The cards that a bomb captured, in a round that was not recorded move by move."""

    __repr__ = shown
    player: int
    beaten: int
    """The player whose play it beat, and who pays for everything captured."""
    captured: Cards
    twice: Cards = 0


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a round whose moves were not all recorded. Hands follow, shown or declared.

    `places` is the finishing order; it begins with the players who are out by the recorded moves. If play goes on
    until one player is left, that one is last; if it ends when the first goes out, the others are optional. `bombs`
    are paid in addition to the recorded ones, each as a pile of its own. Where bombs are counted, those among the
    cards that a bomb captured lay below it.
    """

    kind: ClassVar = "result"
    stood: ClassVar = False
    places: tuple[int, ...]
    never_played: tuple[int, ...] = ()
    """The players who had played nothing."""
    bombs: tuple[Bombed, ...] = ()

    @property
    def player(self) -> int:
        """The winner, in whose name the result is recorded; NOBODY if it names none."""
        return self.places[0] if self.places else NOBODY

    @property
    def cards(self) -> Cards:
        """All cards that its bombs captured."""
        return union(bomb.captured for bomb in self.bombs)

    @property
    def twice(self) -> Cards:
        """Cards that it names more often than the deck holds them."""
        named = again = 0
        for bomb in self.bombs:
            again |= bomb.twice | named & bomb.captured
            named |= bomb.captured
        return again


Move: TypeAlias = Play | Pass | Claim | Show | Declare | Cover | Bid | Result
MayStand = (Play, Pass, Claim)
"""Moves that can be irregular, and be marked as having stood."""
