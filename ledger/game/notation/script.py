"""A night as written: what each line of a replay says, judged by nobody yet."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, TypeAlias, TypeVar

from ledger.game.customs import Note
from ledger.game.errors import Refusal
from ledger.game.moves import Move
from ledger.game.night import Adjustment, Joined, Stake
from ledger.game.payments import Reason
from ledger.game.rulesets.model import Ruleset

_Value = TypeVar("_Value")

Paid: TypeAlias = tuple[int, int, int, Reason]
"""What an `=` line says: payer, payee, points, reason."""


class Unreadable(Exception):
    """Text that is no replay: the line, from 1, and what was expected there."""

    def __init__(self, line: int, expected: str) -> None:
        super().__init__(f"line {line}: expected {expected}")
        self.line = line
        self.expected = expected


class ScriptRefused(Exception):
    """A script that can be read but whose moves the rules refuse: the line, round and move (0: the header)."""

    def __init__(self, line: int, round: int, move: int, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.line = line
        self.round = round
        self.move = move
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A round whose `=` lines are not its payments."""

    line: int
    round: int
    missing: tuple[Paid, ...]
    """Payments of the round that no line states."""
    unexpected: tuple[Paid, ...]
    """Lines that no payment of the round bears out."""


@dataclass(slots=True)
class RoundScript:
    """One round as written. `opening` is None where the header leaves the leader to the rules."""

    line: int
    opening: bool | None
    leader: int | None
    seats: tuple[int, ...]
    stood: bool
    moves: list[Move] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    """The line of each move."""
    paid: list[Paid] | None = None
    """What its `=` lines state; None where it has none."""
    paid_line: int = 0
    void: str | None = None
    """Why the round does not count; None: it does."""


ScriptEntry: TypeAlias = RoundScript | Adjustment | Note | Joined


@dataclass(slots=True)
class Script:
    """A night as written."""

    ruleset: Ruleset
    names: list[str]
    stake: Stake | None = None
    date: str | None = None
    entries: list[ScriptEntry] = field(default_factory=list)

    @property
    def starters(self) -> int:
        """How many players there were before anybody joined."""
        return len(self.names) - sum(isinstance(entry, Joined) for entry in self.entries)

    @property
    def rounds(self) -> list[RoundScript]:
        return [entry for entry in self.entries if isinstance(entry, RoundScript)]


Tag: TypeAlias = Annotated[str, ("pattern", "^p([1-9]|1[0-2])$")]
"""How a player is written: `p1`."""


def tag(player: int) -> str:
    """How a player is written: `p1` is player 0."""
    return f"p{player + 1}"


def by_tag(values: Iterable[_Value]) -> dict[str, _Value]:
    """What there is of each player, p1 first, by how the player is written."""
    return {tag(player): value for player, value in enumerate(values)}
