"""Settling up a night: what was handed over, what is still to be, and the payments behind it."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from uuid import UUID, uuid5

from ledger.game.payments import post
from ledger.game.settlement import Statement, Transfer, fewest_transfers, statement
from ledger.recorder.logged import Logged
from ledger.recorder.state import read_events
from ledger.recorder.views.ledger import LedgerView
from ledger.store import Reader


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
class SettleUpView:
    """The account of a night, what was handed over of it, and the fewest transfers that clear the rest."""

    ledger: LedgerView
    outstanding: dict[str, int]
    """What everyone has won less what they were handed."""
    transfers: list[Offer]
    handed_over: list[HandedOver]
    """In order; what was given back is no line of its own. Of several alike the last one has come back."""
    recorded: list[str]
    """The ids of the events that recorded what was handed over."""
    statements: dict[str, Statement[str]]
    """How each player came to a balance, by dealings whose places are those of the ledger's payments."""
    open_disputes: int
    """How many disputes wait for a decision."""


def view_settle_up(reader: Reader, ledger: LedgerView, open_disputes: int) -> SettleUpView:
    """The settle-up of a night; `ledger` is all of it, `open_disputes` how many disputes wait for a decision."""
    handed = [
        (event, Transfer[str](event.content["payer"], event.content["payee"], event.content["points"]))
        for event in read_events(reader.events_of_kinds(ledger.night, ("paid",)))
    ]
    outstanding = post((_back(transfer) for _, transfer in handed), ledger.balances)
    transfers = fewest_transfers(outstanding)
    last = handed[-1][0].seq if handed else 0
    players = list(ledger.names)
    return SettleUpView(
        ledger=ledger,
        outstanding=outstanding,
        transfers=[_offer(ledger.night, last, transfer) for transfer in transfers],
        handed_over=_in_pairs(ledger.night, last, handed),
        recorded=[event.id for event, _ in handed],
        statements={player: statement(player, ledger.payments, transfers, players) for player in players},
        open_disputes=open_disputes,
    )


def _in_pairs(night: str, last: int, handed: Iterable[tuple[Logged, Transfer[str]]]) -> list[HandedOver]:
    lines: list[HandedOver] = []
    standing: dict[Transfer[str], list[int]] = defaultdict(list)
    for event, transfer in handed:
        back = _back(transfer)
        if standing[back]:
            place = standing[back].pop()
            lines[place] = replace(lines[place], given_back=event.at)
        else:
            standing[transfer].append(len(lines))
            lines.append(HandedOver(*transfer, event.at, None, _offer(night, last, back)))
    return lines


def _back(transfer: Transfer[str]) -> Transfer[str]:
    """The same transfer the other way round."""
    return Transfer(transfer.payee, transfer.payer, transfer.points)


def _offer(night: str, last: int, transfer: Transfer[str]) -> Offer:
    name = f"paid {last} {transfer.payer} {transfer.payee} {transfer.points}"
    return Offer(str(uuid5(UUID(night), name)), *transfer)
