"""A round in brief: who won it, and its greatest payment; and a search for rounds and payments."""

from dataclasses import dataclass

from ledger.game.payments import Payment, Reason
from ledger.game.round import Round
from ledger.game.scoring import payments
from ledger.game.statistics import HEADINGS, Heading


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A round in brief; only the seats of one that still runs or does not count."""

    seats: tuple[int, ...]
    winners: tuple[int, ...] = ()
    """The player who came first, or those whose instant wins are paid."""
    instant_win: bool = False
    payments: tuple[Payment, ...] = ()

    @property
    def biggest(self) -> int | None:
        """The index of the payment of most points, the first of several; None if nothing is paid."""
        points = [payment.points for payment in self.payments]
        return points.index(max(points)) if points else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A search among rounds and payments; None matches anything."""

    player: int | None = None
    """A player who sits in the round; with other criteria, the payer or payee of the payment."""
    heading: Heading | None = None
    bomber: int | None = None
    """The player whose bomb was paid for."""
    bombed: int | None = None
    """The player who paid for a bomb."""

    def finds(self, story: Story) -> bool:
        """Whether a round, or a payment of it, is found."""
        return bool(self.payments(story)) if self._of_payments else self.player in (None, *story.seats)

    def payments(self, story: Story) -> list[int]:
        """The indexes of the payments found in a round; empty if only rounds are searched."""
        if not self._of_payments:
            return []
        return [index for index, payment in enumerate(story.payments) if self._wants(payment)]

    @property
    def _of_payments(self) -> bool:
        return (self.heading, self.bomber, self.bombed) != (None, None, None)

    def _wants(self, payment: Payment) -> bool:
        bombs = payment.reason is Reason.BOMB_BONUS
        return (
            self.player in (None, payment.payer, payment.payee)
            and self.heading in (None, HEADINGS[payment.reason])
            and (self.bomber is None or (bombs and self.bomber == payment.payee))
            and (self.bombed is None or (bombs and self.bombed == payment.payer))
        )


def story(round: Round) -> Story:
    """A round in brief."""
    if round.winner is None:
        return Story(seats=round.header.seats)
    claimants = tuple(player for player, _ in round.winning_claims)
    return Story(
        seats=round.header.seats,
        winners=claimants or (round.winner,),
        instant_win=bool(claimants),
        payments=tuple(payments(round)),
    )
