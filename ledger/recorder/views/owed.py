"""What is owed in a night after the transfers paid and the debts carried over: the fewest transfers that clear it,
and the part of it that is owed because a round was corrected after money had changed hands."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final, Generic, NamedTuple, TypeVar
from uuid import UUID, uuid5

from ledger.game.payments import post
from ledger.game.settlement import Transfer, fewest_transfers
from ledger.game.terms import Stake
from ledger.recorder.history import read_events
from ledger.recorder.terms import STAKE
from ledger.recorder.views.worth import Unit, Worths, counted, in_money, unit_of
from ledger.store import EventBody, Reader

Player = TypeVar("Player")
Other = TypeVar("Other")

_CHANGING: Final = ("correct", "void", "decide")
"""Kinds of events that change what a settled round has posted."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A transfer that can be paid now."""

    id: str
    """The id for the event that records it, derived from the transfers before it, so that two phones that record
    it at the same time record it once."""
    payer: str
    payee: str
    points: int
    worth: Stake | None = None
    """What one is worth, if it is no point; the event that records it says so."""


@dataclass(frozen=True, slots=True)
class LateDebt(Generic[Player]):
    """What is still owed because a round was corrected after money had changed hands."""

    round: int
    kind: str
    """That of the last event that changed the round's payments: `correct`, `void`, or `decide` for a waiver."""
    at: str
    """When that was recorded."""
    carried: bool
    """Whether no money was handed over before, but debts were carried to another night."""
    payer: Player
    payee: Player
    points: int

    def among(self, people: Mapping[Player, Other | None]) -> "LateDebt[Other] | None":
        """The same between people who are named otherwise; None if one of them is not among `people`."""
        payer, payee = people.get(self.payer), people.get(self.payee)
        if payer is None or payee is None:
            return None
        return LateDebt(self.round, self.kind, self.at, self.carried, payer, payee, self.points)


class Paid(NamedTuple):
    """An event that records a transfer, or a debt carried over."""

    id: str
    seq: int
    at: str
    transfer: Transfer[str]
    """As recorded: in points, or in what the event says that one is worth."""
    stated: Stake | None
    """What one of the transfer is worth, where the event says it; None: a point."""
    to: str | None
    since: str | None
    """The nights that it was carried to and from; one or both are None."""
    worth: Stake | None = None
    """What one of the transfer is worth in its `Account`; None: nothing."""

    @property
    def other(self) -> str | None:
        """The other night of a debt carried over; None for a transfer."""
        return self.to or self.since


class Account(NamedTuple):
    """What a night came to, in its unit, and what was paid of it."""

    balances: Mapping[str, int]
    """Player -> balance before anything was paid."""
    paid: Sequence[Paid]
    """The transfers, in order."""
    worths: Worths
    unit: Unit

    @classmethod
    def of(cls, balances: Mapping[str, int], paid: Sequence[Paid], worths: Worths, unit: Unit) -> "Account":
        """An account from balances in a unit, and transfers as `read_paid` has them. Where one was of another
        worth, or a point is now, the unit is one in which all can be counted."""
        paid = _valued(paid, worths)
        common = unit_of({unit.stake, worths.now, *map(attrgetter("worth"), paid)})
        if common.is_point and not unit.is_point:
            common = unit
        if common.stake != unit.stake:
            balances = {player: common.count(count, unit.stake) for player, count in balances.items()}
        return cls(balances, paid, worths, common)

    def in_unit(self, one: Paid) -> Transfer[str]:
        """A transfer in the unit."""
        return counted(self.unit, one.transfer, one.worth)

    def posted(self, event: EventBody) -> Iterator[Transfer[str]]:
        """The payments that an event posted, in the unit."""
        worth = self.worths.of(event.round, event.seq)
        for one in event.payments:
            yield counted(self.unit, Transfer(one.payer, one.payee, one.points), worth)


@dataclass(frozen=True, slots=True)
class Owed:
    """What is owed in a night, in its unit."""

    unit: Unit
    outstanding: dict[str, int]
    """Player -> balance after the transfers paid and the debts carried over."""
    transfers: list[Offer]
    differences: list[LateDebt[str]]
    """The round corrected last stands last. They say where a part of what is outstanding comes from; `transfers`
    clear all of it, on shorter ways if there are any."""


def read_owed(reader: Reader, accounts: Mapping[str, Account]) -> dict[str, Owed]:
    """Night -> what is owed in it, for some nights."""
    outstanding = {
        night: post([back(account.in_unit(one)) for one in account.paid], account.balances)
        for night, account in accounts.items()
    }
    moved = {
        night: accounts[night]
        for night, left in outstanding.items()
        if accounts[night].paid and any(left.values())
    }
    found = _differences(reader, moved) if moved else {}
    return {
        night: Owed(
            accounts[night].unit,
            left,
            [offer(night, accounts[night], transfer) for transfer in fewest_transfers(left)],
            found.get(night, []),
        )
        for night, left in outstanding.items()
    }


def read_paid(reader: Reader, nights: Iterable[str]) -> dict[str, list[Paid]]:
    """Night -> its events that record transfers and debts carried over, in order."""
    return {
        night: [_paid(event) for event in read_events(rows)]
        for night, rows in reader.events_of_kinds_of_nights(nights, ("paid",)).items()
    }


def _paid(event: EventBody) -> Paid:
    content = event.content
    return Paid(
        event.id,
        event.seq,
        event.at,
        Transfer(content["payer"], content["payee"], content["points"]),
        STAKE.load(content["worth"]) if "worth" in content else None,
        content.get("carried_to"),
        content.get("carried_from"),
    )


def _valued(paid: Iterable[Paid], worths: Worths) -> list[Paid]:
    """Transfers with what one of each is worth: what the event says; or else what the debt was that it carries back
    as it came; or else what a point was worth then."""
    valued = []
    carried: dict[tuple[Transfer[str], str | None], list[Stake | None]] = defaultdict(list)
    for one in paid:
        worth = one.stated or worths.of(0, one.seq)
        if one.other and not one.stated:
            if waiting := carried[back(one.transfer), one.other]:
                worth = waiting.pop()
            else:
                carried[one.transfer, one.other].append(worth)
        valued.append(one._replace(worth=worth))
    return valued


def in_pairs(paid: Iterable[Paid]) -> list[tuple[Paid, str | None]]:
    """Each transfer of an account, and when it came back: one of as much the other way round, for the same other
    night, cancels the last."""
    lines: list[tuple[Paid, str | None]] = []
    standing: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for one in paid:
        payer, payee, points = one.transfer
        much = (None, points) if one.worth is None else (one.worth.currency, in_money(one.worth, points))
        if waiting := standing[payee, payer, much, one.other]:
            place = waiting.pop()
            lines[place] = (lines[place][0], one.at)
        else:
            standing[payer, payee, much, one.other].append(len(lines))
            lines.append((one, None))
    return lines


def back(transfer: Transfer[str]) -> Transfer[str]:
    """The transfer in the other direction."""
    return Transfer(transfer.payee, transfer.payer, transfer.points)


def offer(night: str, account: Account, transfer: Transfer[str]) -> Offer:
    """The offer of a transfer, in the unit of an account, after those that were paid."""
    last = account.paid[-1].seq if account.paid else 0
    worth = None if account.unit.is_point else account.unit.stake
    return Offer(offer_id(night, last, transfer), *transfer, worth)


def offer_id(night: str, last: int, transfer: Transfer[str]) -> str:
    """The id of an offer, `last` being the seq of the last event before it that recorded a transfer; 0 for none."""
    return str(uuid5(UUID(night), f"paid {last} {transfer.payer} {transfer.payee} {transfer.points}"))


def _differences(reader: Reader, accounts: Mapping[str, Account]) -> dict[str, list[LateDebt[str]]]:
    """Night -> the differences that are still owed in it, for those of some nights that have changed a round after
    money was handed over."""
    standing = {
        night: {one.seq: one for one, came_back in in_pairs(account.paid) if came_back is None}
        for night, account in accounts.items()
    }
    handed = {
        night: first
        for night, moved in standing.items()
        if (first := min((seq for seq, one in moved.items() if not one.since), default=None)) is not None
    }
    changes = reader.events_of_kinds_of_nights(handed, _CHANGING)
    late = [
        night
        for night, first in handed.items()
        if any(row.payment_count and row.seq > first for row in changes[night])
    ]
    events = reader.events_of_kinds_of_nights(late, ("paid", "settle", "adjust", *_CHANGING))
    return {
        night: list(_still_owed(read_events(events[night]), standing[night], accounts[night]))
        for night in late
    }


def _still_owed(
    events: Iterable[EventBody], standing: Mapping[int, Paid], account: Account
) -> Iterator[LateDebt[str]]:
    """The differences that are still owed after all events of a night that post payments or record transfers, of
    which those of `standing` are transfers that were not paid back.

    A round that changed more than once owes the sum of its changes. Whoever pays owes no more than is outstanding
    for them afterwards, and whoever is paid is owed no more: what was corrected first is paid first. Once nothing
    is outstanding, no difference is left.
    """
    settled: dict[int, int] = {}  # round -> the seq of the entry that settled it first
    found: dict[int, list[LateDebt[str]]] = {}
    handed, carried = 0, 0
    outstanding: dict[str, int] = {}
    for event in events:
        one, posted = standing.get(event.seq), [*account.posted(event)]
        returned = [back(account.in_unit(one))] if one is not None else []
        outstanding = post([*posted, *returned], dict.fromkeys(event.net, 0) | outstanding)
        if one is not None and not one.since:
            handed, carried = (handed, event.seq) if one.to else (event.seq, carried)
            found = _after(account.in_unit(one), found, outstanding)
        elif event.round and (event.kind == "settle" or event.payments):
            first = settled.setdefault(event.round, event.seq)
            if first < max(handed, carried):
                net = post([*found.pop(event.round, ()), *posted])
                about = (event.round, event.kind, event.at, handed < first)
                found[event.round] = [LateDebt(*about, *transfer) for transfer in fewest_transfers(net)]
        if not any(outstanding.values()):
            found.clear()
    for differences in found.values():
        yield from differences


def _after(
    paid: Transfer[str], found: dict[int, list[LateDebt[str]]], outstanding: Mapping[str, int]
) -> dict[int, list[LateDebt[str]]]:
    """The differences that are still owed after a transfer was paid, which left so much outstanding."""
    owes, is_owed = max(0, -outstanding[paid.payer]), max(0, outstanding[paid.payee])
    left: dict[int, list[LateDebt[str]]] = {}
    for round, differences in reversed(found.items()):
        for one in reversed(differences):
            pays, gets = one.payer == paid.payer, one.payee == paid.payee
            points = min(one.points, owes if pays else one.points, is_owed if gets else one.points)
            owes, is_owed = owes - points * pays, is_owed - points * gets
            if points:
                left.setdefault(round, []).insert(0, replace(one, points=points))
    return dict(reversed(left.items()))
