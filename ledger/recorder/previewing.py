"""What an entry would change, told before it is made: verdicts, payments, balances, before and after."""

from collections.abc import Mapping
from typing import Any

from ledger.game.errors import Finding
from ledger.game.report import payment_data
from ledger.game.scoring import payments, status
from ledger.recorder.correcting import corrected
from ledger.recorder.drafts import Draft
from ledger.recorder.parts import player
from ledger.recorder.requests import net_after
from ledger.recorder.rounds import RoundLog
from ledger.recorder.slots import Entry
from ledger.recorder.state import NightState
from ledger.recorder.views.night import head_data
from ledger.recorder.views.round import Say
from ledger.store import payment_data as posted_data

Data = dict[str, Any]


def previewed(state: NightState, kind: str, drafted: Draft, names: Mapping[str, str], say: Say) -> Data:
    """The round before and after a drafted event, what that would post, and every player's total, provisional
    rounds included. `before` and `after` are None where there is no round."""
    before = state.logs.get(drafted.round, RoundLog(drafted.round))
    after = corrected(state, before, kind, list(drafted.parts))
    then = state._replace(logs={**state.logs, drafted.round: after}, net=net_after(state, drafted))
    numbers = {player(tag): name for tag, name in names.items()}
    return {
        **head_data(state.head),
        "round": drafted.round,
        "moves": [
            {"before": _told(was, before, numbers, say), "after": _told(now, after, numbers, say)}
            for was, now in _pairs(before, after)
        ],
        "before": _side(before, numbers, say),
        "after": _side(after, numbers, say),
        "posted": [posted_data(payment) for payment in drafted.payments],
        "balances": {"before": _balances(state), "after": _balances(then)},
    }


def _pairs(before: RoundLog, after: RoundLog) -> list[tuple[Entry | None, Entry | None]]:
    """The places of the record whose words change, or whose verdict does, in playing order."""
    stood = {slot.versions[0].address: slot.standing for slot in before.slots}
    pairs = []
    for slot in after.slots:
        was, now = stood.get(slot.versions[0].address), slot.standing
        if was != now or _ruling(before, was) != _ruling(after, now):
            pairs.append((was, now))
    return pairs


def _told(entry: Entry | None, log: RoundLog, names: Mapping[int, str], say: Say) -> Data | None:
    """An entry as it is recorded, with its number and what the rules say of it; None where none stands."""
    if entry is None:
        return None
    finding = _ruling(log, entry)
    return {
        **entry.data,
        "address": entry.address,
        "move": _number(log, entry),
        "code": finding.code if finding else None,
        "clause": finding.clause if finding else None,
        "message": say(finding, names) if finding else None,
    }


def _number(log: RoundLog, entry: Entry) -> int:
    """The number of a move that stands, 0 for a header."""
    return log.entries.index(entry) + 1 if entry in log.entries else 0


def _ruling(log: RoundLog, entry: Entry | None) -> Finding | None:
    """What is found wrong with an entry as it stands."""
    if entry is None or log.round is None or entry.kind == "void":
        return None
    number = _number(log, entry)
    return next((finding for finding in log.round.findings if finding.move == number), None)


def _side(log: RoundLog, names: Mapping[int, str], say: Say) -> Data | None:
    """A round as it stands: its status, what is paid in it, and what the rules noticed."""
    round = log.round
    if round is None:
        return None
    return {
        "status": status(round),
        "payments": [
            payment_data(payment) | {"cause": log.address_of(payment.move)} for payment in payments(round)
        ],
        "findings": [
            {"code": one.code, "clause": one.clause, "move": one.move, "message": say(one, names)}
            for one in log.findings
        ],
    }


def _balances(state: NightState) -> dict[str, int]:
    """What every player has won, rounds that are not settled included."""
    return {name: points + state.net[name] for name, points in state.provisional().items()}
