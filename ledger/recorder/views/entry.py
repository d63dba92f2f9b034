"""The entries of a round: the moves that stand, with their verdicts, and those taken back or corrected."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace

from ledger.game.errors import Finding
from ledger.game.moves import Bid, Declare, Move, Pass, Result
from ledger.game.notation import Tag
from ledger.game.patterns import Kind
from ledger.game.round import Round
from ledger.recorder.logged import Logged
from ledger.recorder.parts import MOVES, Content
from ledger.recorder.revisions import Entry
from ledger.recorder.round_log import RoundLog


@dataclass(frozen=True, slots=True)
class BombTaken:
    """A bomb in a round that was entered as a result."""

    seat: Tag
    beat: Tag
    captured: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRow:
    """An entry of a round with its verdict, or one that was taken back, struck or corrected."""

    address: str
    at: str
    actor: str
    kind: str
    phone: str | None = None
    """The phone that sent it: its tag in this night and its name; None if unknown."""
    event: str = ""
    """The id of its event; empty if the entry does not stand."""
    player: Tag | None = None
    """None for a round's beginning."""
    cards: list[str] = field(default_factory=list)
    sets: list[list[str]] = field(default_factory=list)
    implied: bool = False
    """Whether a pass was inferred, not entered."""
    stood: bool = False
    """Whether it is against the rules, now or when recorded, and stands."""
    forward: bool | None = None
    locks: bool | None = None
    contract: str | None = None
    places: list[str] | None = None
    knocked_out: list[str] | None = None
    bombs: list[BombTaken] | None = None
    leader: str | None = None
    seats: list[str] | None = None
    combination: Kind | None = None
    move: int | None = None
    """Its number in the round; None if it does not stand."""
    code: str | None = None
    clause: str | None = None
    """The clause that it was against, if it stood against the rules."""
    struck_by: str | None = None
    struck_at: str | None = None
    """The kind and time of the event that took it back."""
    corrects: str | None = None
    """The address of the entry that it replaced."""
    before: str | None = None
    """The address of the move that it was inserted before."""
    reason: str | None = None
    """The reason for striking it, or for the correction that added it."""


def rows_of(log: RoundLog, last: int | None = None) -> list[EntryRow]:
    """The moves that stand, each with its verdict: all, or the `last` so many."""
    round = log.round
    assert round is not None
    stood = {finding.move: finding for finding in round.findings}
    numbered = list(enumerate(zip(log.entries, round.moves, strict=True), start=1))
    return [
        _row(number, entry, round, move, stood.get(number))
        for number, (entry, move) in numbered[-last if last else 0 :]
    ]


def _row(number: int, entry: Entry, round: Round, move: Move, finding: Finding | None) -> EntryRow:
    combination = (
        None if isinstance(move, Pass | Declare | Bid | Result) else round.rules.index.read(move.cards)
    )
    return replace(
        recorded(entry),
        event=entry.event.id,
        # Marked when it was recorded, or irregular since a correction of an earlier move.
        stood=getattr(move, "stood", False),
        combination=Kind.of(combination.shape) if combination else None,
        move=number,
        code=finding.code if finding else None,
        clause=finding.clause if finding else None,
    )


def all_versions(log: RoundLog, rows: list[EntryRow]) -> Iterator[EntryRow]:
    """Every version of every entry, in playing order; struck ones with their cause, standing ones from `rows`."""
    numbered = {row.address: row for row in rows}
    for chain in log.chains:
        standing = chain.standing
        for place, entry in enumerate(chain.versions):
            if entry.kind not in MOVES | {"round"}:
                continue
            if entry != standing:
                yield _struck(entry, chain.versions[place + 1].event)
            elif entry.address in numbered:
                yield _with_reason(numbered[entry.address], entry)
            elif place:
                yield _with_reason(recorded(entry), entry)


def _struck(entry: Entry, by: Logged) -> EntryRow:
    """The row of an entry that no longer stands: it has an address, but no number."""
    reason = by.content.get("reason")
    return replace(recorded(entry), struck_by=by.kind, struck_at=by.at, reason=reason)


def _with_reason(row: EntryRow, entry: Entry) -> EntryRow:
    """A row, with the reason of the correction if one added it."""
    if entry.event.kind != "correct":
        return row
    return replace(row, corrects=entry.data.get("corrects"), reason=entry.event.content["reason"])


def recorded(entry: Entry) -> EntryRow:
    """The row of an entry as recorded, without a verdict."""
    shown: Content = {name: value for name, value in entry.data.items() if name in _ENTRY_FIELDS}
    if "bombs" in shown:
        shown = {**shown, "bombs": [BombTaken(**bomb) for bomb in shown["bombs"]]}
    event = entry.event
    return EntryRow(address=entry.address, at=event.at, actor=event.actor, phone=event.phone, **shown)


_ENTRY_FIELDS = {one.name for one in fields(EntryRow)} - {"address", "at", "actor", "phone"}
