"""Journals for plain-text accounting, so that programs that know nothing of cards can add up the night.

A player is an account, a point is a commodity. Points won are positive, so the account balances are the night's;
balance assertions at the end make the programs refuse an altered journal.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta

from ledger.game.texts import decomposed
from ledger.recorder.views.ledger import LedgerPayment, LedgerView

_POINT = "DIEM"
"""The name of a point in beancount, which wants capitals for a commodity."""


def hledger(ledger: LedgerView) -> str:
    """A journal that `hledger check --strict` accepts: one transaction per payment, with its address as code."""
    return "\n".join(_hledger(ledger)) + "\n"


def beancount(ledger: LedgerView) -> str:
    """A journal that `bean-check` accepts. Account names are in ASCII; metadata has the players' names."""
    return "\n".join(_beancount(ledger)) + "\n"


def _hledger(ledger: LedgerView) -> Iterator[str]:
    names, day, entered = ledger.names, ledger.date, ledger.entered
    accounts = _accounts(names, lambda name: _line(name).replace(":", "-").replace(";", ","))
    places = {player: f"players:{name}" for player, name in accounts.items()}
    yield f"; Tiến lên {day}, night {ledger.night}, {ledger.code}"
    yield "; A positive balance was won. Every payment is a transaction; its code is its address in the night."
    yield ""
    yield "commodity 1. điểm"
    if stake := ledger.unit.stake:
        yield f"commodity 1000.{'0' * len(f'{stake.amount:f}'.partition('.')[2])} {stake.currency}"
        if ledger.unit.is_point:
            yield f"P {day} điểm {stake.amount:f} {stake.currency}"
    yield ""
    for player, place in places.items():
        # A comma may begin another tag, and hledger refuses a wrong value of a tag that it knows (`type:`).
        yield f"account {place}  ; player:{player}, name:{_line(names[player]).replace(':', '-')}"
    for row in ledger.payments:
        yield ""
        tags = ", ".join(f"{name}:{value}" for name, value in _about(row, entered.get(row.round)))
        yield f"{day} * ({row.address}) {_described(row).replace(';', ',')}  ; {tags}"
        price = _price(ledger, row)
        yield f"    {places[row.payer]}  -{row.points} điểm{price}"
        yield f"    {places[row.payee]}  {row.points} điểm{price}"
    yield ""
    yield f"{day} * the balances of the night  ; head:{ledger.code}"
    for player, place in places.items():
        yield f"    {place}  0 điểm = {ledger.balances[player]} điểm"


def _beancount(ledger: LedgerView) -> Iterator[str]:
    names, day, entered = ledger.names, date.fromisoformat(ledger.date), ledger.entered
    places = {player: f"Assets:Players:{name}" for player, name in _accounts(names, _ascii_account).items()}
    yield f"; Night {ledger.night}, {ledger.code}"
    yield f'option "title" {_quoted(f"Tiến lên {day}")}'
    yield f'option "operating_currency" "{_POINT}"'
    yield ""
    yield f"{day} commodity {_POINT}"
    yield '  name: "điểm"'
    if (stake := ledger.unit.stake) and ledger.unit.is_point:
        yield f"{day} price {_POINT} {stake.amount:f} {stake.currency}"
    for player, place in places.items():
        yield f"{day} open {place} {_POINT}"
        yield f"  player: {_quoted(player)}"
        yield f"  name: {_quoted(names[player])}"
    for row in ledger.payments:
        yield ""
        yield f"{day} * {_quoted(_described(row))}"
        yield f"  address: {_quoted(row.address)}"
        yield from (f"  {name}: {_quoted(value)}" for name, value in _about(row, entered.get(row.round)))
        price = _price(ledger, row)
        yield f"  {places[row.payer]}  -{row.points} {_POINT}{price}"
        yield f"  {places[row.payee]}  {row.points} {_POINT}{price}"
    yield ""
    # A balance assertion holds at the start of its day, so it goes on the next one.
    morning = day + timedelta(days=day < date.max)
    for player, place in places.items():
        yield f"{morning} balance {place}  {ledger.balances[player]} {_POINT}"


def _price(ledger: LedgerView, row: LedgerPayment) -> str:
    """What a point of a payment was worth, where worths differ: its cost in both programs."""
    worth = None if ledger.unit.is_point else ledger.worth_of(row)
    return f" @ {worth.amount:f} {worth.currency}" if worth else ""


def _described(row: LedgerPayment) -> str:
    """What a payment was for, on one line."""
    where = f"round {row.round}" if row.round else "by hand"
    if row.move:
        where += f", move {row.move}"
    taken_back = f", takes back {row.reverses}" if row.reverses else ""
    return _line(f"{where}: {row.note or row.reason}{taken_back}")


def _about(row: LedgerPayment, entered: str | None) -> list[tuple[str, str]]:
    """Further facts of a payment, as (name, value)."""
    fields = ("reason", "clause", "cause", "reverses", "reversed_by")
    by_result = [("entered", "result")] if entered == "result" else []
    return [(name.replace("_", "-"), value) for name in fields if (value := getattr(row, name))] + by_result


def _accounts(names: Mapping[str, str], spell: Callable[[str], str]) -> dict[str, str]:
    """Player -> account name, as `spell` writes the name. If two would be equal, or one empty, all begin with the
    player's tag."""
    spelled = {player: spell(name) for player, name in names.items()}
    if all(spelled.values()) and len(set(spelled.values())) == len(spelled):
        return spelled
    return {player: f"{player.capitalize()}-{name}".rstrip("-") for player, name in spelled.items()}


def _line(text: str) -> str:
    """A text on one line: single spaces, no control characters."""
    return " ".join("".join(c for c in text if c.isspace() or unicodedata.category(c) != "Cc").split())


def _ascii_account(name: str) -> str:
    """A name as part of an account: `Đặng Bình` as `Dang-Binh`, without characters that ASCII lacks."""
    plain = decomposed(name.replace("đ", "d").replace("Đ", "D"), alike=True)
    words = re.findall("[A-Za-z0-9]+", "".join(c for c in plain if not unicodedata.combining(c)))
    return "-".join(word[0].upper() + word[1:] for word in words)


def _quoted(text: str) -> str:
    return '"' + _line(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
