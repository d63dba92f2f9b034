"""The entries of a round: the moves that stand, each with its verdict, and what was taken back or corrected."""

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
    """A bomb of a round that was entered as its result."""

    seat: Tag
    beat: Tag
    captured: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRow:
    """An entry of a round as it was recorded, with its verdict; or one that was taken back, struck or corrected."""

    address: str
    at: str
    actor: str
    kind: str
    phone: str | None = None
    """The phone that it came from, by its tag in this night and its name; None where it says none."""
    event: str = ""
    """The id of its event; a line of what does not stand has none."""
    player: Tag | None = None
    """None for a round's beginning."""
    cards: list[str] = field(default_factory=list)
    sets: list[list[str]] = field(default_factory=list)
    implied: bool = False
    """Whether a pass was inferred, and not said."""
    stood: bool = False
    """Whether it was against the rules, or is now, and stands."""
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
    """Its number in the round; None where it does not stand."""
    code: str | None = None
    clause: str | None = None
    """What it was against, where it stood against the rules."""
    struck_by: str | None = None
    struck_at: str | None = None
    """The kind of entry by which it was taken back, and when."""
    corrects: str | None = None
    """The address of the entry that it was put in the place of."""
    before: str | None = None
    """The address of the entry that it was put in front of."""
    reason: str | None = None
    """Why it was struck, or came in by a correction."""


def rows_of(log: RoundLog, last: int | None = None) -> list[EntryRow]:
    """The moves that stand, each with its verdict: all of them, or the last."""
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
        # A move may have been let stand by itself, or by a correction of what came before it.
        stood=getattr(move, "stood", False),
        combination=Kind.of(combination.shape) if combination else None,
        move=number,
        code=finding.code if finding else None,
        clause=finding.clause if finding else None,
    )


def all_versions(log: RoundLog, rows: list[EntryRow]) -> Iterator[EntryRow]:
    """Every version of every entry, in playing order: those that were struck, by what, and the row that stands."""
    numbered = {row.address: row for row in rows}
    for chain in log.chains:
        standing = chain.standing
        for place, entry in enumerate(chain.versions):
            if entry.kind not in MOVES | {"round"}:
                continue
            if entry != standing:
                yield _struck(entry, chain.versions[place + 1].event)
            elif entry.address in numbered:
                yield _put_in(numbered[entry.address], entry)
            elif place:
                yield _put_in(recorded(entry), entry)


def _struck(entry: Entry, by: Logged) -> EntryRow:
    """An entry that does not stand any more; its number is gone, its address stays."""
    reason = by.content.get("reason")
    return replace(recorded(entry), struck_by=by.kind, struck_at=by.at, reason=reason)


def _put_in(row: EntryRow, entry: Entry) -> EntryRow:
    """A row with the reason why it came in, where a correction put it in."""
    if entry.event.kind != "correct":
        return row
    return replace(row, corrects=entry.data.get("corrects"), reason=entry.event.content["reason"])


def recorded(entry: Entry) -> EntryRow:
    """An entry as it was recorded, without a verdict."""
    shown: Content = {name: value for name, value in entry.data.items() if name in _ENTRY_FIELDS}
    if "bombs" in shown:
        shown = {**shown, "bombs": [BombTaken(**bomb) for bomb in shown["bombs"]]}
    event = entry.event
    return EntryRow(address=entry.address, at=event.at, actor=event.actor, phone=event.phone, **shown)


_ENTRY_FIELDS = {one.name for one in fields(EntryRow)} - {"address", "at", "actor", "phone"}
