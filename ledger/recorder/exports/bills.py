"""Exports for programs that split a group's expenses: the winners have paid for the losers.

Each settled round is an expense, and so is each debt carried over from another night; a transfer that was paid is a
reimbursement. Together they add up to what is still owed. Without a stake the amounts are points, in no currency.
"""

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from io import StringIO

from ledger.game.payments import post
from ledger.game.settlement import Transfer, fewest_transfers
from ledger.recorder.exports.share import Voice
from ledger.recorder.exports.tables import as_cell, in_money
from ledger.recorder.views.ledger import LedgerView
from ledger.recorder.views.settle_up import SettleUpView

_NO_CURRENCY = "XXX"


@dataclass(frozen=True, slots=True)
class _Bill:
    """An expense or reimbursement: points won and lost together."""

    what: str
    net: Mapping[str, int]
    """Player -> points; positive for those who have paid."""
    handed_over: bool


def splitwise(account: SettleUpView, voice: Voice) -> str:
    """A CSV table in the form that Splitwise exports: a row for each expense, a column for each member's share, and
    a last row with what is still owed. Its readers expect two decimals, and no byte-order mark."""
    ledger = account.ledger
    text = StringIO()
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow(
        ["Date", "Description", "Category", "Cost", "Currency", *map(as_cell, ledger.names.values())]
    )
    table.writerow([])
    for bill in _bills(account, voice):
        cost = sum(points for points in bill.net.values() if points > 0)
        category = "Payment" if bill.handed_over else "Games"
        what = [as_cell(bill.what), category, _decimals(ledger, cost), _currency(ledger)]
        table.writerow([ledger.date, *what, *_row(ledger, bill.net)])
    table.writerow([])
    owed = _row(ledger, account.outstanding)
    table.writerow([ledger.date, "Total balance", " ", " ", _currency(ledger), *owed])
    return text.getvalue()


def ihatemoney(account: SettleUpView, voice: Voice) -> str:
    """A JSON list of bills, as IHateMoney imports and exports it; each is paid by one member for one other."""
    ledger = account.ledger
    bills = [
        {
            "what": bill.what,
            "bill_type": "Reimbursement" if bill.handed_over else "Expense",
            "amount": float(_money(ledger, one.points)),
            "currency": _currency(ledger),
            "date": ledger.date,
            "payer_name": ledger.names[one.payee],
            "payer_weight": 1,
            "owers": [ledger.names[one.payer]],
        }
        for bill in _bills(account, voice)
        for one in fewest_transfers(bill.net)
    ]
    return json.dumps(bills, ensure_ascii=False, indent=1) + "\n"


def _bills(account: SettleUpView, voice: Voice) -> Iterator[_Bill]:
    """Bills in order of posting, then debts carried over and transfers paid. A bill's text ends with its seq, so
    that a program that skips duplicates skips no other bill."""
    ledger = account.ledger
    names, nobody = ledger.names, dict.fromkeys(ledger.names, 0)
    for line in ledger.totals:
        by = line.posted_by
        about = [voice.say("bill round", number=line.round)] if line.round else []
        yield _Bill(f"{': '.join([*about, *filter(None, [by.reason])])} #{by.seq}", line.net, False)
    for carried in account.carried:
        if not carried.taken_back:
            owing, owed = (carried.payer, carried.payee)[:: 1 if carried.owed_here else -1]
            net = post([Transfer(owing, owed, carried.points)], nobody)
            yield _Bill(voice.say("bill carried", day=carried.date or "?"), net, False)
    for handed in account.handed_over:
        if not handed.given_back:
            net = post([Transfer(handed.payee, handed.payer, handed.points)], nobody)
            yield _Bill(f"{names[handed.payer]} → {names[handed.payee]}", net, True)


def _row(ledger: LedgerView, net: Mapping[str, int]) -> list[str]:
    return [_decimals(ledger, net[player]) for player in ledger.names]


def _decimals(ledger: LedgerView, points: int) -> str:
    """An amount with two decimals, or as many as the stake has."""
    places = len(ledger.stake.amount.partition(".")[2]) if ledger.stake else 0
    return f"{_money(ledger, points):.{max(2, places)}f}"


def _money(ledger: LedgerView, points: int) -> Decimal:
    return in_money(ledger.stake.amount, points) if ledger.stake else Decimal(points)


def _currency(ledger: LedgerView) -> str:
    return ledger.stake.currency if ledger.stake else _NO_CURRENCY
