"""A night as one JSON document: settle-up, house rules, and the report of its replay."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from ledger.game.night import Night
from ledger.game.report import Words, as_data, report_night
from ledger.game.terms import Stake
from ledger.recorder.terms import STAKE, TermsSchema
from ledger.recorder.views.settle_up import SettleUpView

_TERMS = TermsSchema()


def _worth(stake: Stake | None) -> object:
    return stake and STAKE.dump(stake)


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
            asdict(row)
            | {"address": row.address, "entered": entered.get(row.round)}
            | ({"worth": _worth(ledger.worth_of(row))} if not account.unit.is_point else {})
            for row in ledger.payments
        ],
        "totals": [asdict(line) | {"entered": entered.get(line.round)} for line in ledger.totals],
        "counted": ledger.counted,
        "balances": ledger.balances,
        **(
            {"unit": _worth(account.unit.stake), "outstanding": account.outstanding}
            if not account.unit.is_point
            else {}
        ),
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
    # Everything that is owed is counted in `unit`, where points were worth different sums.
    return json.dumps(as_data(data), ensure_ascii=False, indent=1) + "\n"
