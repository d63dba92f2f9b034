"""A night's account at one head, as plain data: what every export is written from."""

from dataclasses import asdict
from typing import Any

from ledger.game.night import Night
from ledger.game.report import Words, night_data
from ledger.recorder.bodies import Terms
from ledger.recorder.snapshot import NightSnapshot
from ledger.recorder.views.night import view_stake

Data = dict[str, Any]


def account_of(night: NightSnapshot) -> Data:
    """The account of a night as it stands."""
    return account_data(night.terms, night.settle_up())


def account_data(terms: Terms, ledger: Data) -> Data:
    """Who paid whom for what, running totals, balances, what of them was handed over, and the transfers that
    settle the rest.

    A payment that was taken back stays, and so does the one that takes it back: `reverses` of the one and
    `reversed_by` of the other say so. `entered` tells rounds that were recorded move by move from those that were
    entered as their result. `counted`: how many rounds were settled and count.
    """
    rounds = ledger["rounds"]
    entered = {round["number"]: "result" if round["result"] else "moves" for round in rounds}
    return {
        "night": terms.night,
        "date": terms.date,
        "stake": asdict(stake) if (stake := view_stake(terms)) else None,
        **{name: ledger[name] for name in ("seq", "hash", "code")},
        "players": [player["name"] for player in ledger["players"]],
        "payments": [
            row | {"address": f"{row['seq']}.{row['idx']}", "entered": entered.get(row["round"])}
            for row in ledger["payments"]
        ],
        "totals": [line | {"entered": entered.get(line["round"])} for line in ledger["totals"]],
        "counted": sum(round["settled"] and round["void"] is None for round in rounds),
        "balances": ledger["balances"],
        "handed_over": [_picked(each, "at", "given_back") for each in ledger["handed_over"]],
        "transfers": [_picked(each) for each in ledger["transfers"]],
    }


def _picked(transfer: Data, *beside: str) -> Data:
    return {name: transfer[name] for name in ("payer", "payee", "points", *beside)}


def whole_night(account: Data, terms: Terms, night: Night, words: Words) -> Data:
    """The account, the house rules that were agreed on, and the night as scoring its replay prints it."""
    return account | {"rules": list(map(list, terms.rules))} | night_data(night, words)
