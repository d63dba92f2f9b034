"""Handmade accounts of nights for exports, with any names and payments."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from ledger.game.payments import post
from ledger.game.terms import Stake
from ledger.recorder.views.ledger import LedgerPayment, LedgerView, PostedBy, RunningTotal
from ledger.recorder.views.night import NamedPlayer, StakeInUse
from ledger.recorder.views.outline import RoundLine
from ledger.recorder.views.worth import Unit, Worths

ODD_NAMES = (
    "Đặng Bình",
    "Dang Binh",  # the same as the one before in ASCII
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
    "An, type:z",  # a tag of accounts in hledger
)


def row(payer: str, payee: str, points: int, **about: Any) -> LedgerPayment:
    """A payment of round 1."""
    place: dict[str, Any] = {"seq": 0, "idx": 0, "round": 1, "move": 6, "cause": "3.2"}
    reason: dict[str, Any] = {"reason": "placement", "clause": "S-PLACE", "note": None}
    fate: dict[str, Any] = {"reverses": None, "reversed_by": None, "dispute": None}
    posted_by = PostedBy(7, "settle", "2026-11-20T20:15:07Z", None, 1)
    fields = {**place, **reason, **fate, "posted_by": posted_by, **about}
    return LedgerPayment(payer=payer, payee=payee, points=points, **fields)


def account(
    names: Sequence[str], rows: Sequence[LedgerPayment], stake: StakeInUse | None = None, settled: int = 1
) -> LedgerView:
    """The account of a night with `settled` rounds; each payment is an entry of its own, from 4.0 on."""
    players = [NamedPlayer(f"p{number}", name) for number, name in enumerate(names, start=1)]
    payments = [replace(each, seq=seq) for seq, each in enumerate(rows, start=4)]
    nothing = {player.player: 0 for player in players}
    worth = Stake(Decimal(stake.amount), stake.currency) if stake else None
    return LedgerView(
        night="018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11",
        date="2026-11-20",
        stake=stake,
        seq=412,
        hash="3c" * 32,
        code="#412 · 7K3Q-9FZD-MW2H-XA4T",
        players=players,
        payments=payments,
        totals=[
            RunningTotal(one.round, post([one], nothing), post(payments[:number], nothing), one.posted_by)
            for number, one in enumerate(payments, start=1)
        ],
        balances=post(payments, nothing),
        won=None,
        money=post(payments, nothing),
        worths=Worths(worth),
        unit=Unit(worth),
        rounds=[RoundLine(number, False, None, True, [], None) for number in range(1, settled + 1)],
    )


BY_HAND = {"reason": "adjustment", "clause": "adjustment"}
TAKEN_BACK = account(
    ("Ba", "Tú", "Mẹ"),
    [
        row("p2", "p1", 4, reason="bomb-bonus", clause="S-CHOP", reversed_by="6.0"),
        row("p3", "p1", 2),
        row("p1", "p2", 4, reason="bomb-bonus", clause="S-CHOP", reverses="4.0"),
        row("p3", "p2", 7, round=0, move=None, cause=None, **BY_HAND, note="tiền; xe"),
    ],
    stake=StakeInUse("5000", "VND"),
)
"""Ba +2, Tú +7, Mẹ −9: Tú's payment of 4 points was reversed."""
