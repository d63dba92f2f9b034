"""A night for the group's chat, as a short message and as a picture, with the code of its head as evidence."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import filterfalse
from operator import attrgetter
from typing import Protocol

from ledger.game.payments import Postable
from ledger.game.report import Words
from ledger.game.terms import Stake
from ledger.recorder.views.ledger import LedgerView
from ledger.recorder.views.settle_up import SettleUpView


class Voice(Protocol):
    """Words exports in a language."""

    @property
    def words(self) -> Words: ...

    def say(self, key: str, **facts: object) -> str: ...

    def reason(self, reason: str) -> str: ...

    def day(self, day: date) -> str: ...

    def signed(self, number: int) -> str: ...

    def points(self, count: int) -> str: ...

    def money(self, points: int, amount: str, currency: str, *, signed: bool = False) -> str: ...


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A player's row in the standings."""

    place: int
    """Players with equal points share a place."""
    name: str
    points: str
    worth: str
    """The points in money; empty without a stake."""
    side: str
    """won, lost or even."""


@dataclass(frozen=True, slots=True)
class Handing:
    """A transfer, by names."""

    payer: str
    payee: str
    worth: str
    """In money, or in points without a stake."""


@dataclass(frozen=True, slots=True)
class Shared:
    """The texts in the message and the picture of a night."""

    head: list[str]
    """One line or two: date and rounds, then the stake."""
    rows: list[RankedPlayer]
    """By points won, the most first; equal ones in seat order."""
    handed: list[Handing]
    """Transfers paid, and not paid back."""
    due: list[Handing]
    """Transfers still to be paid."""
    brought: list[Handing]
    """Debts carried here from earlier nights."""
    left: list[Handing]
    """Debts carried from here to later nights."""
    code: str
    file: str
    """The name of the picture's file."""


def share(account: SettleUpView, voice: Voice) -> Shared:
    """The texts of a night for the chat; without amounts of money if it has no stake."""
    ledger = account.ledger
    names = ledger.names
    carried = list(filterfalse(attrgetter("taken_back"), account.carried))

    def handings(transfers: Iterable[Postable[str]]) -> list[Handing]:
        return [
            Handing(names[one.payer], names[one.payee], _worth(account.unit.stake, one.points, voice))
            for one in transfers
        ]

    return Shared(
        head=_head(ledger, voice),
        rows=[
            RankedPlayer(
                place=1 + sum(other > won for other in ledger.money.values()),
                name=names[player],
                points=voice.signed(ledger.balances[player]),
                worth=_worth(ledger.unit.stake, won, voice, signed=True) if ledger.unit.stake else "",
                side="won" if won > 0 else "lost" if won else "even",
            )
            for player, won in sorted(ledger.money.items(), key=lambda balance: -balance[1])
        ],
        handed=handings(filterfalse(attrgetter("given_back"), account.handed_over)),
        due=handings(account.transfers),
        brought=handings(filter(attrgetter("owed_here"), carried)),
        left=handings(filterfalse(attrgetter("owed_here"), carried)),
        code=ledger.code,
        file=f"tienlen-{ledger.date}.png",
    )


def share_text(account: SettleUpView, voice: Voice, address: str = "") -> str:
    """The message: a few lines, with the night's `address` if one is given."""
    shared = share(account, voice)
    lines = [" · ".join(shared.head), *_aligned(shared.rows)]
    for key, transfers in (
        ("share brought", shared.brought),
        ("share left", shared.left),
        ("share handed over", shared.handed),
        ("share transfers", shared.due),
    ):
        if transfers:
            listed = " · ".join(f"{each.payer} → {each.payee} {each.worth}" for each in transfers)
            lines.append(voice.say(key, transfers=listed))
    if account.open_disputes:
        lines.append(voice.say("share disputes", count=account.open_disputes))
    return "\n".join([*lines, shared.code, *([address] if address else [])])


def _head(ledger: LedgerView, voice: Voice) -> list[str]:
    head = [voice.say("share head", day=voice.day(date.fromisoformat(ledger.date)), count=ledger.counted)]
    stakes = [one for one in dict.fromkeys([*ledger.worths.of_rounds.values(), ledger.worths.now]) if one]
    if not stakes:
        return head
    if ledger.unit.is_point:
        stakes = stakes[:1]
    return [*head, voice.say("share stake", money=" → ".join(_worth(one, 1, voice) for one in stakes))]


def _aligned(rows: list[RankedPlayer]) -> list[str]:
    """A line for each player, in columns for a fixed-width font."""
    columns = [
        [f"{row.place}." for row in rows],
        [row.name for row in rows],
        [row.points for row in rows],
        [row.worth and f"({row.worth})" for row in rows],
    ]
    number, name, point, worth = (max(map(_width, column)) for column in columns)
    return [
        f"{place:>{number}} {who}{' ' * (name - _width(who))}  {points:>{point}}  {money:>{worth}}".rstrip()
        for place, who, points, money in zip(*columns, strict=True)
    ]


def _worth(stake: Stake | None, points: int, voice: Voice, *, signed: bool = False) -> str:
    """Some points in money, or as points where they are worth nothing; `đ` as people type it: `90.000 đ`."""
    if not stake:
        return voice.points(points)
    return voice.money(points, f"{stake.amount:f}", stake.currency, signed=signed).replace("\xa0₫", " đ")


def _width(text: str) -> int:
    """The width of a text in fixed-width columns: marks and joiners 0, wide letters and emoji 2."""
    return sum(
        0
        if unicodedata.category(letter) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(letter) in "WF"
        else 1
        for letter in text
    )
