"""Settling up a night: transfers already paid, those still to be paid, and the payments behind them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID, uuid5

from ledger.game.payments import post
from ledger.game.settlement import Statement, Transfer, fewest_transfers, statement
from ledger.recorder.history import read_events
from ledger.recorder.terms import read_night
from ledger.recorder.views.ledger import LedgerView
from ledger.store import EntryUnreadable, Reader


@dataclass(frozen=True, slots=True)
class Offer:
    """A transfer that can be paid now."""

    id: str
    """The id for the event that records it, derived from the transfers before it, so that two phones that record
    it at the same time record it once."""
    payer: str
    payee: str
    points: int


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
    outstanding: dict[str, int]
    """Player -> balance after the transfers paid and the debts carried over."""
    transfers: list[Offer]
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


class _Paid(NamedTuple):
    """An event that records a transfer, or a debt carried over."""

    id: str
    seq: int
    at: str
    transfer: Transfer[str]
    to: str | None
    since: str | None
    """The nights that it was carried to and from; one or both are None."""

    @property
    def other(self) -> str | None:
        """The other night of a debt carried over; None for a transfer."""
        return self.to or self.since


def view_settle_up(reader: Reader, ledger: LedgerView, open_disputes: int) -> SettleUpView:
    """The settle-up of a night, from its whole ledger and the number of undecided disputes."""
    night, paid = ledger.night, _paid(reader, ledger.night)
    outstanding = _outstanding(paid, ledger.balances)
    transfers = fewest_transfers(outstanding)
    players = list(ledger.names)
    return SettleUpView(
        ledger=ledger,
        outstanding=outstanding,
        transfers=[_offer(night, paid, transfer) for transfer in transfers],
        handed_over=_handed_over(night, paid),
        carried=_carried(reader, paid),
        recorded=[one.id for one in paid],
        statements={player: statement(player, ledger.payments, transfers, players) for player in players},
        open_disputes=open_disputes,
    )


def standing_offers(reader: Reader, night: str) -> list[Offer]:
    """The fewest transfers that clear what is still owed in a night."""
    paid = _paid(reader, night)
    balances = dict.fromkeys(reader.names(night), 0) | reader.balances(night)
    return [_offer(night, paid, transfer) for transfer in fewest_transfers(_outstanding(paid, balances))]


def _paid(reader: Reader, night: str) -> list[_Paid]:
    return [
        _Paid(
            event.id,
            event.seq,
            event.at,
            Transfer(content["payer"], content["payee"], content["points"]),
            content.get("carried_to"),
            content.get("carried_from"),
        )
        for event in read_events(reader.events_of_kinds(night, ("paid",)))
        for content in [event.content]
    ]


def _outstanding(paid: Iterable[_Paid], balances: Mapping[str, int]) -> dict[str, int]:
    return post((_back(one.transfer) for one in paid), balances)


def _handed_over(night: str, paid: Sequence[_Paid]) -> list[HandedOver]:
    handed = [one for one in paid if one.other is None]
    return [
        HandedOver(*one.transfer, one.at, back, _offer(night, paid, _back(one.transfer)))
        for one, back in _in_pairs(handed)
    ]


def _carried(reader: Reader, paid: Sequence[_Paid]) -> list[CarriedOver]:
    found = []
    for one, back in _in_pairs(paid):
        if other := one.other:
            payer, payee, points = _back(one.transfer) if one.since else one.transfer
            day, owed_here = _day(reader, other), bool(one.since)
            found.append(CarriedOver(one.id, payer, payee, points, one.at, other, day, owed_here, back))
    return found


def _day(reader: Reader, night: str) -> str:
    row = reader.night(night)
    try:
        return read_night(row).terms.date if row else ""
    except EntryUnreadable:
        return ""


def _in_pairs(paid: Iterable[_Paid]) -> list[tuple[_Paid, str | None]]:
    """Each transfer, and when it came back: one the other way round, for the same other night, cancels the last."""
    lines: list[tuple[_Paid, str | None]] = []
    standing: dict[tuple[Transfer[str], str | None], list[int]] = defaultdict(list)
    for one in paid:
        if waiting := standing[_back(one.transfer), one.other]:
            place = waiting.pop()
            lines[place] = (lines[place][0], one.at)
        else:
            standing[one.transfer, one.other].append(len(lines))
            lines.append((one, None))
    return lines


def _back(transfer: Transfer[str]) -> Transfer[str]:
    """The transfer in the other direction."""
    return Transfer(transfer.payee, transfer.payer, transfer.points)


def _offer(night: str, paid: Sequence[_Paid], transfer: Transfer[str]) -> Offer:
    last = paid[-1].seq if paid else 0
    name = f"paid {last} {transfer.payer} {transfer.payee} {transfer.points}"
    return Offer(str(uuid5(UUID(night), name)), *transfer)
