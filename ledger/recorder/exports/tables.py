"""Tables for spreadsheets: CSV as RFC 4180 has it, with a byte-order mark, or names lose their marks there."""

import csv
from collections.abc import Iterable, Sequence
from decimal import Context, Decimal
from io import StringIO

from ledger.game.notation import by_tag
from ledger.recorder.exports.accounts import Data

_MARK = "\ufeff"
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
_EXACT = Context(prec=1_000)

PAYMENTS = (
    *("address", "round", "move", "payer", "payer_name", "payee", "payee_name", "points"),
    *("money", "currency", "reason", "clause", "cause", "reverses", "reversed_by", "entered", "note"),
)
"""The columns of the payments: players by tag and by name, addresses as `#12.2`, which no spreadsheet takes for a
number."""


def payments(account: Data) -> str:
    """Every payment in the order in which it was posted; round 0 is what was paid by hand."""
    names, stake = by_tag(account["players"]), account["stake"] or {"amount": None, "currency": None}
    return _table(
        PAYMENTS,
        (
            [
                f"#{row['address']}",
                row["round"],
                row["move"],
                *(row["payer"], names[row["payer"]], row["payee"], names[row["payee"]]),
                row["points"],
                stake["amount"] and f"{_EXACT.multiply(Decimal(stake['amount']), row['points']):f}",
                *(stake["currency"], row["reason"], row["clause"]),
                *(row[address] and f"#{row[address]}" for address in ("cause", "reverses", "reversed_by")),
                row["entered"],
                row["note"],
            ]
            for row in account["payments"]
        ),
    )


def totals(account: Data) -> str:
    """After each settled round and each payment by hand (round 0) what everyone had come to; then, in columns of
    their own, what it brought them, and how the round was entered."""
    names = by_tag(account["players"])
    return _table(
        ["round", *names.values(), *(f"{name} +/−" for name in names.values()), "entered"],
        (
            [
                line["round"],
                *(line[which][player] for which in ("total", "net") for player in names),
                line["entered"],
            ]
            for line in account["totals"]
        ),
    )


def _table(head: Iterable[str], rows: Iterable[Sequence[str | int | None]]) -> str:
    text = StringIO()
    text.write(_MARK)
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow([_cell(name) for name in head])
    table.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: str | int | None) -> str | int | None:
    """A cell that no spreadsheet takes for a formula: a text that begins like one gets an apostrophe before it."""
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA):
        return f"'{value}"
    return value
