"""A night as one JSON document: settle-up, house rules, and the report of its replay."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from ledger.game.night import Night
from ledger.game.report import Words, as_data, report_night
from ledger.recorder.terms import TermsSchema
from ledger.recorder.views.settle_up import SettleUpView

_TERMS = TermsSchema()


def document(account: SettleUpView, rules: Sequence[tuple[str, str]], night: Night, words: Words) -> str:
    """The text of the document. A payment has its `address` in the night; `entered` is `moves` or `result`, how its
    round was recorded."""
    ledger = account.ledger
    entered = ledger.entered
    data = {
        "night": ledger.night,
        "date": ledger.date,
        **dict.fromkeys(_TERMS.fields),
        **_TERMS.dump(night.terms),
        **{name: getattr(ledger, name) for name in ("seq", "hash", "code")},
        "players": list(ledger.names.values()),
        "payments": [
            asdict(row) | {"address": row.address, "entered": entered.get(row.round)}
            for row in ledger.payments
        ],
        "totals": [asdict(line) | {"entered": entered.get(line.round)} for line in ledger.totals],
        "counted": ledger.counted,
        "balances": ledger.balances,
        "handed_over": [
            {name: getattr(one, name) for name in ("payer", "payee", "points", "at", "given_back")}
            for one in account.handed_over
        ],
        "carried": [asdict(one) for one in account.carried],
        "transfers": [
            {name: getattr(one, name) for name in ("payer", "payee", "points")} for one in account.transfers
        ],
        "differences": [asdict(one) for one in account.differences],
        "rules": rules,
        **as_data(report_night(night, words)),
    }
    return json.dumps(as_data(data), ensure_ascii=False, indent=1) + "\n"
