"""A player pays what others owe at the end of a round (đền)."""

from dataclasses import dataclass

from ledger.game.cards import Deck
from ledger.game.moves import Cover, CoverReason
from ledger.recorder import fields
from ledger.recorder.events.event import requested
from ledger.recorder.events.moves import MoveAtTheEnd
from ledger.recorder.parts import player

_COVERED = {"description": "Whose payments the player makes.", "example": ["p2", "p4"]}
_WHY = {
    "description": "The next player was let out, `warned` of by a last card announced, or not (`let-through`); "
    "or the player ended with the `lowest-card`."
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentsCovered(MoveAtTheEnd):
    """A player pays what others owe at the end of the round (đền), as the table says; hands are not seen."""

    kind = "cover"

    covered: list[str] = requested(fields.players(1, required=True, metadata=_COVERED))
    why: str = requested(fields.OneWord([*CoverReason], required=True, metadata=_WHY))

    def move(self, deck: Deck) -> Cover:
        return Cover(player(self.seat), tuple(map(player, self.covered)), CoverReason(self.why))
