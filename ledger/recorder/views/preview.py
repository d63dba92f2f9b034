"""Previews of an event before it is recorded: verdicts, payments and balances, before and after."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ledger.game.errors import Finding
from ledger.game.notation import Tag
from ledger.game.report import FindingReport, payment_columns
from ledger.game.scoring import payments, status
from ledger.recorder.drafts import Draft
from ledger.recorder.events.correcting import corrected
from ledger.recorder.events.index import net_after
from ledger.recorder.parts import player
from ledger.recorder.revisions import Entry
from ledger.recorder.round_log import RoundLog
from ledger.recorder.state import NightState
from ledger.recorder.views import attributes
from ledger.recorder.views.night import ChainHead, view_head
from ledger.recorder.views.round import ProvisionalPayment, Say


@dataclass(frozen=True, slots=True)
class RuledEntry:
    """An entry, recorded or planned, with its verdict."""

    part: Mapping[str, Any]
    """The entry as a part of an event, in the log's form."""
    kind: str
    address: str
    move: int
    """Its number in the round; 0 for the round's beginning."""
    code: str | None
    clause: str | None
    message: str | None


@dataclass(frozen=True, slots=True)
class ChangedEntry:
    """The entry at one place of the record before and after the event; None if there is none."""

    before: RuledEntry | None
    after: RuledEntry | None


@dataclass(frozen=True, slots=True)
class RoundSide:
    """A round before or after the event: its status, payments and findings."""

    status: str
    payments: list[ProvisionalPayment]
    findings: list[FindingReport]


@dataclass(frozen=True, slots=True)
class PlannedPayment:
    """A payment that would be posted."""

    payer: Tag
    payee: Tag
    points: int
    reason: str
    clause: str
    round: int
    cause: str | None
    reverses: str | None
    """The address of the payment that it takes back."""


@dataclass(frozen=True, slots=True)
class BalanceChange:
    """Player -> points won, unsettled rounds included, before and after the event."""

    before: dict[str, int]
    after: dict[str, int]

    @property
    def differences(self) -> dict[str, int]:
        """Player -> points by which the event changes them, of those whose points it changes."""
        changed = {name: points - self.before[name] for name, points in self.after.items()}
        return {name: points for name, points in changed.items() if points}


@dataclass(frozen=True, kw_only=True)
class Preview(ChainHead):
    """What an event would change in the night. Nothing was recorded."""

    round: int
    moves: list[ChangedEntry]
    """The places of the record whose entry or verdict changes, in playing order."""
    before: RoundSide | None
    after: RoundSide | None
    """None if the event belongs to no round, or the round has no header."""
    posted: list[PlannedPayment]
    balances: BalanceChange


def view_preview(state: NightState, kind: str, drafted: Draft, names: Mapping[str, str], say: Say) -> Preview:
    """Preview a drafted event."""
    before = state.logs.get(drafted.round, RoundLog(drafted.round))
    after = corrected(state, before, kind, list(drafted.parts))
    then = state._replace(logs={**state.logs, drafted.round: after}, net=net_after(state, drafted))
    numbers = {player(one): name for one, name in names.items()}
    return Preview(
        **attributes(view_head(state.head)),
        round=drafted.round,
        moves=[
            ChangedEntry(_ruled(was, before, numbers, say), _ruled(now, after, numbers, say))
            for was, now in _pairs(before, after)
        ],
        before=_side(before, numbers, say),
        after=_side(after, numbers, say),
        posted=[
            PlannedPayment(
                **attributes(one)
                | {"reverses": f"{one.reverses[0]}.{one.reverses[1]}" if one.reverses else None}
            )
            for one in drafted.payments
        ],
        balances=BalanceChange(_balances(state), _balances(then)),
    )


def _pairs(before: RoundLog, after: RoundLog) -> list[tuple[Entry | None, Entry | None]]:
    """The entries (before, after) at places whose entry or verdict changes, in playing order."""
    stood = {chain.versions[0].address: chain.standing for chain in before.chains}
    pairs = []
    for chain in after.chains:
        was, now = stood.get(chain.versions[0].address), chain.standing
        if was != now or _ruling(before, was) != _ruling(after, now):
            pairs.append((was, now))
    return pairs


def _ruled(entry: Entry | None, log: RoundLog, names: Mapping[int, str], say: Say) -> RuledEntry | None:
    """An entry with its number and its verdict by the rules; None if none stands."""
    if entry is None:
        return None
    finding = _ruling(log, entry)
    return RuledEntry(
        part=entry.data,
        kind=entry.kind,
        address=entry.address,
        move=_number(log, entry),
        code=finding.code if finding else None,
        clause=finding.clause if finding else None,
        message=say(finding, names) if finding else None,
    )


def _number(log: RoundLog, entry: Entry) -> int:
    """The number of a move that stands, 0 for a header."""
    return log.entries.index(entry) + 1 if entry in log.entries else 0


def _ruling(log: RoundLog, entry: Entry | None) -> Finding | None:
    """The finding about an entry that stands, if there is one."""
    if entry is None or log.round is None or entry.kind == "void":
        return None
    number = _number(log, entry)
    return next((finding for finding in log.round.findings if finding.move == number), None)


def _side(log: RoundLog, names: Mapping[int, str], say: Say) -> RoundSide | None:
    round = log.round
    if round is None:
        return None
    return RoundSide(
        status=status(round),
        payments=[
            ProvisionalPayment(**payment_columns(one), cause=log.address_of(one.move))
            for one in payments(round)
        ],
        findings=[FindingReport(one.code, one.clause, one.move, say(one, names)) for one in log.findings],
    )


def _balances(state: NightState) -> dict[str, int]:
    """Player -> points won, unsettled rounds included."""
    return {name: points + state.net[name] for name, points in state.provisional().items()}
