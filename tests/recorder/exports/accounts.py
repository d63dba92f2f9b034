"""Accounts of nights made by hand: what the exports are written from, with any names and payments."""

from collections.abc import Sequence
from typing import Any

Data = dict[str, Any]

ODD_NAMES = (
    "Đặng Bình",
    "Dang Binh",  # in ASCII the same as the one before
    "=1+1",
    "@Tú",
    '"Chị" Hai',
    "An;Bình",
    "Ba: Tư",
    "👨‍👩‍👧",
    "李小龙",
    "(Năm) *",
    "-Sáu",
    "p1",
    "An, type:z",  # hledger knows that tag of an account
)


def row(payer: str, payee: str, points: int, **about: Any) -> Data:
    fields = {
        "round": 1,
        "move": 6,
        "cause": "3.2",
        "reason": "placement",
        "clause": "S-PLACE",
        "note": None,
        "entered": "moves",
    }
    return (
        {"payer": payer, "payee": payee, "points": points, "reverses": None, "reversed_by": None}
        | fields
        | about
    )


def account(names: Sequence[str], rows: Sequence[Data], **about: Any) -> Data:
    """An account as a night's would be: each payment is an entry of its own, from 4.0 on."""
    players = [f"p{number}" for number in range(1, len(names) + 1)]
    balances = dict.fromkeys(players, 0)
    totals = []
    for each in rows:
        balances[each["payer"]] -= each["points"]
        balances[each["payee"]] += each["points"]
        net = {
            player: each["points"] * ((player == each["payee"]) - (player == each["payer"]))
            for player in players
        }
        totals.append(
            {name: each[name] for name in ("round", "entered")} | {"net": net, "total": dict(balances)}
        )
    return {
        "night": "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11",
        "date": "2026-11-20",
        "stake": None,
        "seq": 412,
        "hash": "3c" * 32,
        "code": "#412 · 7K3Q-9FZD-MW2H-XA4T",
        "players": list(names),
        "payments": [
            each | {"seq": seq, "idx": 0, "address": f"{seq}.0"} for seq, each in enumerate(rows, start=4)
        ],
        "totals": totals,
        "balances": balances,
        "handed_over": [],
        "transfers": [],
    } | about


TAKEN_BACK = account(
    ("Ba", "Tú", "Mẹ"),
    [
        row("p2", "p1", 4, reason="bomb-bonus", clause="S-CHOP", reversed_by="6.0"),
        row("p3", "p1", 2),
        row("p1", "p2", 4, reason="bomb-bonus", clause="S-CHOP", reverses="4.0"),
        row(
            "p3",
            "p2",
            7,
            round=0,
            move=None,
            cause=None,
            reason="adjustment",
            clause="adjustment",
            note="tiền; xe",
            entered=None,
        ),
    ],
    stake={"amount": "5000", "currency": "VND"},
)
"""Ba +2, Tú +7, Mẹ −9: the 4 points of Tú went there and back."""
