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
from ledger.recorder.exports.tables import as_cell
from ledger.recorder.views.settle_up import SettleUpView
from ledger.recorder.views.worth import in_money

_NO_CURRENCY = "XXX"


@dataclass(frozen=True, slots=True)
class _Bill:
    """An expense or reimbursement: what was won and lost together."""

    what: str
    net: Mapping[str, int]
    """Player -> amount in the account's unit; positive for those who have paid."""
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
        what = [as_cell(bill.what), category, _decimals(account, cost), _currency(account)]
        table.writerow([ledger.date, *what, *_row(account, bill.net)])
    table.writerow([])
    owed = _row(account, account.outstanding)
    table.writerow([ledger.date, "Total balance", " ", " ", _currency(account), *owed])
    return text.getvalue()


def ihatemoney(account: SettleUpView, voice: Voice) -> str:
    """A JSON list of bills, as IHateMoney imports and exports it; each is paid by one member for one other."""
    ledger = account.ledger
    bills = [
        {
            "what": bill.what,
            "bill_type": "Reimbursement" if bill.handed_over else "Expense",
            "amount": float(_money(account, one.points)),
            "currency": _currency(account),
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
        worth = ledger.worths.of(by.round, by.seq)
        net = {player: account.unit.count(points, worth) for player, points in line.net.items()}
        yield _Bill(f"{': '.join([*about, *filter(None, [by.reason])])} #{by.seq}", net, False)
    for carried in account.carried:
        if not carried.taken_back:
            owing, owed = (carried.payer, carried.payee)[:: 1 if carried.owed_here else -1]
            net = post([Transfer(owing, owed, carried.points)], nobody)
            yield _Bill(voice.say("bill carried", day=carried.date or "?"), net, False)
    for handed in account.handed_over:
        if not handed.given_back:
            net = post([Transfer(handed.payee, handed.payer, handed.points)], nobody)
            yield _Bill(f"{names[handed.payer]} → {names[handed.payee]}", net, True)


def _row(account: SettleUpView, net: Mapping[str, int]) -> list[str]:
    return [_decimals(account, net[player]) for player in account.ledger.names]


def _decimals(account: SettleUpView, count: int) -> str:
    """An amount of the account's unit with two decimals, or as many as its worth has."""
    places = len(f"{account.unit.stake.amount:f}".partition(".")[2]) if account.unit.stake else 0
    return f"{_money(account, count):.{max(2, places)}f}"


def _money(account: SettleUpView, count: int) -> Decimal:
    return in_money(account.unit.stake, count) if account.unit.stake else Decimal(count)


def _currency(account: SettleUpView) -> str:
    return account.unit.currency or _NO_CURRENCY
