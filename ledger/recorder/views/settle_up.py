"""Settling up a night: what was handed over, what is still to be, and the payments behind it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID, uuid5

from ledger.game.payments import post
from ledger.game.settlement import Statement, Transfer, fewest_transfers, statement
from ledger.recorder.state import read_events
from ledger.recorder.terms import read_night
from ledger.recorder.views.ledger import LedgerView
from ledger.store import EntryUnreadable, Reader


@dataclass(frozen=True, slots=True)
class Offer:
    """A transfer that can be handed over now."""

    id: str
    """The id of the event that records it. It follows from what was handed over before, so that two phones that
    record it at once record it once."""
    payer: str
    payee: str
    points: int


@dataclass(frozen=True, slots=True)
class HandedOver:
    """A transfer that was handed over."""

    payer: str
    payee: str
    points: int
    at: str
    given_back: str | None
    """When it went the same way back; None where it has not."""
    back: Offer
    """What gives it back."""


@dataclass(frozen=True, slots=True)
class CarriedOver:
    """What `payer` owes `payee` from an earlier night and owes in a later one instead."""

    id: str
    """The id of the event that records it."""
    payer: str
    payee: str
    points: int
    at: str
    night: str
    """The other night."""
    date: str
    """Its day; empty where it is not in this installation."""
    owed_here: bool
    """Whether this is the later one."""
    taken_back: str | None
    """When it was carried back; None where it was not."""


@dataclass(frozen=True, slots=True)
class SettleUpView:
    """The account of a night, what was handed over of it, and the fewest transfers that clear the rest."""

    ledger: LedgerView
    outstanding: dict[str, int]
    """What everyone has won less what they were handed, and with what was carried over."""
    transfers: list[Offer]
    handed_over: list[HandedOver]
    """In order; what was given back is no line of its own. Of several alike the last one has come back."""
    carried: list[CarriedOver]
    """In order; what was carried back is no line of its own."""
    recorded: list[str]
    """The ids of the events that recorded what was handed over."""
    statements: dict[str, Statement[str]]
    """How each player came to a balance, by dealings whose places are those of the ledger's payments."""
    open_disputes: int
    """How many disputes wait for a decision."""


class _Paid(NamedTuple):
    """An event that records what was handed over, or carried over."""

    id: str
    seq: int
    at: str
    transfer: Transfer[str]
    to: str | None
    since: str | None
    """The night that it was carried to, or from."""

    @property
    def other(self) -> str | None:
        """The other night of what was carried over; None of what was handed over."""
        return self.to or self.since


def view_settle_up(reader: Reader, ledger: LedgerView, open_disputes: int) -> SettleUpView:
    """The settle-up of a night; `ledger` is all of it, `open_disputes` how many disputes wait for a decision."""
    night, paid = ledger.night, _paid(reader, ledger.night)
    outstanding = _outstanding(paid, ledger.balances)
    transfers = fewest_transfers(outstanding)
    players = list(ledger.names)
    return SettleUpView(
        ledger=ledger,
        outstanding=outstanding,
        transfers=_offers(night, paid, transfers),
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
    return _offers(night, paid, fewest_transfers(_outstanding(paid, balances)))


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
    """Each transfer, and when the same came back, between the same nights: the latest that stood does."""
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
    """The same transfer the other way round."""
    return Transfer(transfer.payee, transfer.payer, transfer.points)


def _offers(night: str, paid: Sequence[_Paid], transfers: Iterable[Transfer[str]]) -> list[Offer]:
    return [_offer(night, paid, transfer) for transfer in transfers]


def _offer(night: str, paid: Sequence[_Paid], transfer: Transfer[str]) -> Offer:
    last = paid[-1].seq if paid else 0
    name = f"paid {last} {transfer.payer} {transfer.payee} {transfer.points}"
    return Offer(str(uuid5(UUID(night), name)), *transfer)
