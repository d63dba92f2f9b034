"""Settling up a night: what was handed over, what is still to be, and the payments behind it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID, uuid5

from ledger.game.settlement import Statement, Transfer, fewest_transfers, statement

Data = dict[str, Any]
_Paid = Transfer[str]


def settle_up(account: Data, night: str, handed: list[Data]) -> Data:
    """The account of a night, what was handed over of it, and the fewest transfers that clear the rest.

    `outstanding` is what everyone has won less what they were handed; `statements` say how each came to it.
    Whatever can be handed over now carries the id of the event that records it.
    """
    players = [player["player"] for player in account["players"]]
    outstanding = outstanding_after(account["balances"], handed)
    transfers = fewest_transfers(outstanding)
    last = handed[-1]["seq"] if handed else 0
    paid = [_Paid(row["payer"], row["payee"], row["points"]) for row in account["payments"]]
    statements = [statement(player, paid, transfers, players) for player in players]
    return account | {
        "outstanding": outstanding,
        "transfers": [_offer(night, last, transfer) for transfer in transfers],
        "handed_over": [
            one | {"back": _offer(night, last, _Paid(one["payee"], one["payer"], one["points"]))}
            for one in in_pairs(handed)
        ],
        "recorded": [one["id"] for one in handed],
        "statements": {
            one.player: _statement(one, account["payments"]) | {"outstanding": outstanding[one.player]}
            for one in statements
        },
    }


def outstanding_after(balances: Mapping[str, int], handed: Iterable[Data]) -> dict[str, int]:
    """What every player is still owed, or below zero owes, after what was handed over."""
    outstanding = dict(balances)
    for one in handed:
        outstanding[one["payer"]] += one["points"]
        outstanding[one["payee"]] -= one["points"]
    return outstanding


def in_pairs(handed: Iterable[Data]) -> list[Data]:
    """What was handed over, in order; what went the same way back is no line of its own, but says when.

    Of several alike the last one has come back.
    """
    lines: list[Data] = []
    standing: dict[tuple[str, str, int], list[Data]] = defaultdict(list)
    for one in handed:
        there = standing[one["payee"], one["payer"], one["points"]]
        if there:
            there.pop()["given_back"] = one["at"]
            continue
        lines.append(one | {"given_back": None})
        standing[one["payer"], one["payee"], one["points"]].append(lines[-1])
    return lines


def _offer(night: str, last: int, transfer: _Paid) -> Data:
    """A transfer with the id of the event that would record it: it follows from what was handed over before, so
    that two phones that record it at once record it once."""
    name = f"paid {last} {transfer.payer} {transfer.payee} {transfer.points}"
    return {"id": str(uuid5(UUID(night), name)), **transfer._asdict()}


def _statement(one: Statement[str], payments: list[Data]) -> Data:
    return {
        "balance": one.balance,
        "dealings": [
            {
                "other": dealing.other,
                "net": dealing.net,
                "payments": [payments[place] for place in dealing.places],
            }
            for dealing in one.dealings
        ],
    }
