"""Tables for spreadsheets: CSV (RFC 4180) with a byte-order mark, without which spreadsheets garble names.

A voice words columns and reasons in its language. Without a voice they have their codes, for programs.
"""

import csv
from collections.abc import Iterable, Sequence
from decimal import Decimal
from io import StringIO

from ledger.game.terms import Stake
from ledger.recorder.exports.share import Voice
from ledger.recorder.views.ledger import LedgerView
from ledger.recorder.views.season import Season
from ledger.recorder.views.worth import in_money

_MARK = "\ufeff"
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
_Cell = str | int | Decimal | None

PAYMENTS = (
    *("address", "round", "move", "payer", "payer_name", "payee", "payee_name", "points"),
    *("money", "currency", "reason", "clause", "cause", "reverses", "reversed_by", "entered", "note"),
)
"""The columns of `payments`: players by tag and name, addresses as `#12.2`, which spreadsheets do not read as a
number."""


def payments(ledger: LedgerView, voice: Voice | None = None) -> str:
    """Every payment in the order of posting; round 0 has the adjustments."""
    names, entered = ledger.names, ledger.entered
    return _table(
        _columns(PAYMENTS, voice),
        (
            [
                f"#{row.address}",
                row.round,
                row.move,
                *(row.payer, names[row.payer], row.payee, names[row.payee]),
                row.points,
                *_money(ledger.worth_of(row), row.points),
                *(voice.reason(about) if voice else about for about in (row.reason, row.clause)),
                *(address and f"#{address}" for address in (row.cause, row.reverses, row.reversed_by)),
                _entered(entered.get(row.round), voice),
                row.note,
            ]
            for row in ledger.payments
        ),
    )


def totals(ledger: LedgerView, voice: Voice | None = None) -> str:
    """A row for each settled round, correction and adjustment (round 0): every player's total after it, then every
    player's points in it, then how the round was recorded."""
    names, entered = ledger.names, ledger.entered
    first, last = _columns(("round", "entered"), voice)
    return _table(
        [first, *names.values(), *(f"{name} +/−" for name in names.values()), last],
        (
            [
                line.round,
                *(points[player] for points in (line.total, line.net) for player in names),
                _entered(entered.get(line.round), voice),
            ]
            for line in ledger.totals
        ),
    )


SEASON = (
    *("date", "night", "name", "points", "money", "currency"),
    *("rounds", "firsts", "instant_wins", "knocked_out"),
    *("bombs_made", "bombs_made_points", "bombs_suffered", "bombs_suffered_points", "twos", "twos_points"),
)
"""The columns of `season_table`: a member's results in one night."""


def season_table(season: Season, voice: Voice | None = None) -> str:
    """A row for each night and each member who took part, the oldest night first."""
    return _table(
        _columns(SEASON, voice),
        (
            [
                *(night.date, night.night, season.members.names[member], points),
                night.money.get(member),
                night.currency,
                *(person.rounds, person.firsts, person.instant_wins, person.knocked_out),
                *person.bombs_made,
                *person.bombs_suffered,
                *person.twos,
            ]
            for night in season.nights
            for (member, points), person in zip(night.net.items(), night.people.values(), strict=True)
        ),
    )


def _columns(names: Iterable[str], voice: Voice | None) -> list[str]:
    return [voice.say(f"csv {name}") if voice else name for name in names]


def _entered(how: str | None, voice: Voice | None) -> str | None:
    return voice.say(f"entered {how}") if how and voice else how


def _money(stake: Stake | None, points: int) -> tuple[str | None, str | None]:
    """The worth of some points and its currency."""
    return (f"{in_money(stake, points):f}", stake.currency) if stake else (None, None)


def _table(head: Iterable[str], rows: Iterable[Sequence[_Cell]]) -> str:
    text = StringIO()
    text.write(_MARK)
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow([as_cell(name) for name in head])
    table.writerows([as_cell(value) for value in row] for row in rows)
    return text.getvalue()


def as_cell(value: _Cell) -> _Cell:
    """A cell that no spreadsheet evaluates: a text that begins like a formula gets an apostrophe before it."""
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA):
        return f"'{value}"
    return value
