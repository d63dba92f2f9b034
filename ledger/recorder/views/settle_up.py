"""Settling up a night: transfers already paid, those still to be paid, and the payments behind them."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from ledger.game.payments import Postable
from ledger.game.settlement import Statement, Transfer, statement
from ledger.recorder.terms import read_night
from ledger.recorder.views.ledger import LedgerView
from ledger.recorder.views.owed import (
    Account,
    LateDebt,
    Offer,
    back,
    in_pairs,
    offer,
    read_owed,
    read_paid,
)
from ledger.recorder.views.worth import Unit, counted
from ledger.store import EntryUnreadable, Night, Reader


@dataclass(frozen=True, slots=True)
class HandedOver:
    """A transfer that was paid."""

    payer: str
    payee: str
    points: int
    at: str
    given_back: str | None
    """When it was paid back; None if it was not."""
    back: Offer
    """The transfer that pays it back."""


@dataclass(frozen=True, slots=True)
class CarriedOver:
    """A debt of `payer` to `payee` that was moved from an earlier night to a later one."""

    id: str
    """The id of the event that records it."""
    payer: str
    payee: str
    points: int
    at: str
    night: str
    """The other night."""
    date: str
    """The date of the other night; empty if that is unreadable or not in this installation."""
    owed_here: bool
    """Whether this night is the later one."""
    taken_back: str | None
    """When it was carried back; None if it was not."""


@dataclass(frozen=True, slots=True)
class SettleUpView:
    """The ledger of a night, the transfers already paid, and the fewest transfers that clear the rest."""

    ledger: LedgerView
    unit: Unit
    """What is counted in the numbers below: a point, or a sum of money if points were worth different ones."""
    outstanding: dict[str, int]
    """Player -> balance after the transfers paid and the debts carried over."""
    transfers: list[Offer]
    differences: list[LateDebt[str]]
    """What is owed because a round was corrected after money had changed hands; `transfers` clear it with the
    rest."""
    handed_over: list[HandedOver]
    """In order. A transfer paid back has no line of its own: it marks the last equal one."""
    carried: list[CarriedOver]
    """In order. A debt carried back has no line of its own."""
    recorded: list[str]
    """The ids of all events that recorded transfers, in order."""
    statements: dict[str, Statement[str]]
    """Player -> how their balance adds up; the places in it are those of the ledger's payments."""
    open_disputes: int
    """How many disputes are not decided."""

    @property
    def money_moved(self) -> bool:
        """Whether money was handed over, or a debt carried to or from another night, and stays there."""
        given_back = map(attrgetter("given_back"), self.handed_over)
        taken_back = map(attrgetter("taken_back"), self.carried)
        return not (all(given_back) and all(taken_back))


def view_settle_up(reader: Reader, ledger: LedgerView, open_disputes: int) -> SettleUpView:
    """The settle-up of a night, from its whole ledger and the number of undecided disputes."""
    night, players = ledger.night, list(ledger.names)
    moved = read_paid(reader, [night])
    account = Account.of(ledger.money, moved[night], ledger.worths, ledger.unit)
    owed = read_owed(reader, {night: account})[night]
    transfers = [Transfer(one.payer, one.payee, one.points) for one in owed.transfers]
    payments: Sequence[Postable[str]] = ledger.payments
    if not owed.unit.is_point:
        payments = [
            counted(owed.unit, Transfer(one.payer, one.payee, one.points), ledger.worth_of(one))
            for one in ledger.payments
        ]
    return SettleUpView(
        ledger=ledger,
        unit=owed.unit,
        outstanding=owed.outstanding,
        transfers=owed.transfers,
        differences=owed.differences,
        handed_over=_handed_over(night, account),
        carried=_carried(reader, account),
        recorded=[one.id for one in account.paid],
        statements={player: statement(player, payments, transfers, players) for player in players},
        open_disputes=open_disputes,
    )


def _handed_over(night: str, account: Account) -> list[HandedOver]:
    """Without those of points that count nothing beside money."""
    handed = [one for one in account.paid if one.other is None]
    lines = [(account.in_unit(one), one.at, came_back) for one, came_back in in_pairs(handed)]
    return [
        HandedOver(*transfer, at, came_back, offer(night, account, back(transfer)))
        for transfer, at, came_back in lines
        if transfer.points
    ]


def _carried(reader: Reader, account: Account) -> list[CarriedOver]:
    lines = [(one, one.other, came_back) for one, came_back in in_pairs(account.paid) if one.other]
    others = reader.nights_of([other for _, other, _ in lines]) if lines else {}
    found = []
    for one, other, came_back in lines:
        transfer = account.in_unit(one)
        payer, payee, points = back(transfer) if one.since else transfer
        day, owed_here = _day(others.get(other)), bool(one.since)
        found.append(CarriedOver(one.id, payer, payee, points, one.at, other, day, owed_here, came_back))
    return found


def _day(row: Night | None) -> str:
    try:
        return read_night(row).terms.date if row else ""
    except EntryUnreadable:
        return ""
