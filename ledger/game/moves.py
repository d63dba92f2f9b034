"""Moves: what the record keeps of a round, one value for each thing that a player did."""

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from ledger.game.cards import Cards, union


@dataclass(frozen=True, slots=True)
class Play:
    """Cards laid on the pile. `stood`: against the rules, but the table let it stand."""

    kind: ClassVar = "play"
    player: int
    cards: Cards
    stood: bool = False
    twice: Cards = 0
    """Cards that the entry names more often than the deck holds them; such a move is always refused."""
    forward: bool = False
    """Laid on one's own pile after everybody else has passed (clause FORWARD)."""
    locks: bool | None = None
    """Whether its player said to lock the pile to one suit, or to unlock it (clause SUIT-LOCK); None: neither."""


@dataclass(frozen=True, slots=True)
class Pass:
    """The player lets the turn go by."""

    kind: ClassVar = "pass"
    player: int
    stood: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """An instant win, with all the cards that the player was dealt."""

    kind: ClassVar = "claim"
    player: int
    cards: Cards
    stood: bool = False
    twice: Cards = 0


@dataclass(frozen=True, slots=True)
class Show:
    """The cards that a player still holds when the round has ended."""

    kind: ClassVar = "show"
    stood: ClassVar = False
    player: int
    cards: Cards
    twice: Cards = 0


@dataclass(frozen=True, slots=True)
class Declare:
    """The special sets that a player still holds, said but not shown; no sets at all: holds none."""

    kind: ClassVar = "declare"
    stood: ClassVar = False
    player: int
    sets: tuple[Cards, ...]
    twice: Cards = 0

    @property
    def cards(self) -> Cards:
        """All cards of all sets."""
        return union(self.sets)


@dataclass(frozen=True, slots=True)
class Bid:
    """A contract that a player takes before the play, by its name."""

    kind: ClassVar = "contract"
    stood: ClassVar = False
    player: int
    contract: str


@dataclass(frozen=True, slots=True)
class Bombed:
    """What a player's bomb took, and from whom, in a round that was not recorded move by move."""

    player: int
    beaten: int
    """Whose play it beat, and who pays for all that was taken."""
    captured: Cards
    twice: Cards = 0


@dataclass(frozen=True, slots=True)
class Result:
    """How a round came out of which nobody recorded all moves. Hands follow, shown or declared.

    `places` is the finishing order, those first whom the record shows out. Where a round is played until one player
    is left, that one is listed last; where it ends as the first goes out, the others may be listed or left out.
    `bombs` are those that were paid beside those that were recorded: each is a pile of its own. Where bombs are
    counted, those among the cards that one took lay below it.
    """

    kind: ClassVar = "result"
    stood: ClassVar = False
    places: tuple[int, ...]
    never_played: tuple[int, ...] = ()
    """Who had played nothing."""
    bombs: tuple[Bombed, ...] = ()

    @property
    def player(self) -> int:
        """Who came in first: the result stands in the winner's name. -1 where it names nobody."""
        return self.places[0] if self.places else -1

    @property
    def cards(self) -> Cards:
        """All cards that bombs took."""
        return union(bomb.captured for bomb in self.bombs)

    @property
    def twice(self) -> Cards:
        """Cards that it names more often than the deck holds them."""
        named = again = 0
        for bomb in self.bombs:
            again |= bomb.twice | named & bomb.captured
            named |= bomb.captured
        return again


Move: TypeAlias = Play | Pass | Claim | Show | Declare | Bid | Result
MayStand = (Play, Pass, Claim)
"""Moves that can be irregular, and marked as having stood."""
