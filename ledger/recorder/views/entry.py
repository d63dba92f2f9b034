"""The entries of a round: the moves that stand, with their verdicts, and those taken back or corrected."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from ledger.game.moves import Bid, Cover, Declare, Move, Pass, Result
from ledger.game.notation import Tag
from ledger.game.patterns import Kind
from ledger.game.round import Round
from ledger.recorder.parts import MOVES
from ledger.recorder.revisions import Entry
from ledger.recorder.round_log import RoundLog
from ledger.store import EventBody


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
    covered: list[str] | None = None
    """The players whose payments the player makes."""
    why: str | None = None
    """Why the player pays for them."""
    contract: str | None = None
    places: list[str] | None = None
    knocked_out: list[str] | None = None
    bombs: list[BombTaken] | None = None
    leader: str | None = None
    seats: list[str] | None = None
    times: int | None = None
    """The factor of the round's payments; None: 1."""
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
    after: str | None = None
    """The address of the move that it was inserted after."""
    reason: str | None = None
    """The reason for striking it, or for the correction that added it."""


def rows_of(log: RoundLog) -> list[EntryRow]:
    """The moves that stand, each with its verdict."""
    round = log.round
    assert round is not None
    rows: list[EntryRow] = []
    for number, (entry, move) in enumerate(zip(log.entries, round.moves, strict=True), start=1):
        if entry.row is None:
            entry.row = _row(number, entry, round, move)
        rows.append(entry.row)
    return rows


def _row(number: int, entry: Entry, round: Round, move: Move) -> EntryRow:
    combination = (
        None
        if isinstance(move, Pass | Declare | Cover | Bid | Result)
        else round.compiled.index.read(move.cards)
    )
    finding = next((one for one in round.findings if one.move == number), None)
    return recorded(
        entry,
        event=entry.event.id,
        # Marked when it was recorded, or irregular since a correction of an earlier move.
        stood=move.stood,
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
                yield numbered[entry.address]
            elif place:
                yield recorded(entry)


def _struck(entry: Entry, by: EventBody) -> EntryRow:
    """The row of an entry that no longer stands: it has an address, but no number."""
    return recorded(entry, struck_by=by.kind, struck_at=by.at, reason=by.content.get("reason"))


def recorded(entry: Entry, **more: Any) -> EntryRow:
    """The row of an entry as recorded, with more attributes, such as those of its verdict."""
    event = entry.event
    shown: dict[str, Any] = {name: value for name, value in entry.data.items() if name in _ENTRY_FIELDS}
    if "bombs" in shown:
        shown["bombs"] = [BombTaken(**bomb) for bomb in shown["bombs"]]
    if event.kind == "correct":
        shown["reason"] = event.content["reason"]
    shown |= {"address": entry.address, "at": event.at, "actor": event.actor, "phone": event.phone}
    return EntryRow(**shown | more)


_ENTRY_FIELDS = {one.name for one in fields(EntryRow)}
