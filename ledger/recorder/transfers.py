"""Nights in and out: as a replay (`.tln`), and as the exact log."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID, uuid4, uuid5

from ledger.game.customs import Note
from ledger.game.moves import Move
from ledger.game.night import Adjustment, Joined, Night
from ledger.game.notation import note_line, tag, write
from ledger.game.report import adjustment_data
from ledger.game.round import Round
from ledger.game.scoring import Status, status
from ledger.recorder.drafts import EventRequest
from ledger.recorder.parts import Data, move_part
from ledger.recorder.recording import Recorder
from ledger.recorder.state import is_recording


@dataclass(frozen=True, slots=True)
class Imported:
    """A night that has been carried in. `unsettled` are rounds whose payments could not be posted yet."""

    night: str
    events: int
    unsettled: tuple[int, ...]


def export_tln(recorder: Recorder, night: str, *, with_payments: bool = False) -> str:
    """The canonical text of a night; Problem (not found) if there is none."""
    with recorder.night(night) as seen:
        whole = seen.whole()
    return write(whole, with_payments=with_payments)


def import_tln(recorder: Recorder, night: Night) -> Imported:
    """Record a night that was read from a replay: every move through the rules, in one transaction.

    Rounds that can be settled are settled. The night gets a new id.
    """
    id = str(uuid4())
    later = {entry.player for entry in night.entries if isinstance(entry, Joined)}
    state = recorder.open_recorded(
        id,
        _requests(id, night),
        ruleset=night.ruleset,
        players=[name for player, name in enumerate(night.names) if player not in later],
        stake=night.stake,
        date=night.date,
    )
    return Imported(id, state.head.seq, tuple(state.open_rounds))


def _requests(id: str, night: Night) -> Iterator[EventRequest]:
    after = id
    for number, (kind, content) in enumerate(_contents(night)):
        recording = is_recording(kind)
        request = EventRequest(str(uuid5(UUID(id), str(number))), after if recording else None, kind, content)
        yield request
        after = request.id if recording else after


def _contents(night: Night) -> Iterator[tuple[str, Data]]:
    number = 0
    for entry in night.entries:
        if isinstance(entry, Adjustment):
            yield "adjust", adjustment_data(entry)
            continue
        if isinstance(entry, Note):
            yield "note", {"note": note_line(entry, night.ruleset.deck).removeprefix("note ")}
            continue
        if isinstance(entry, Joined):
            yield "join", {"name": night.names[entry.player]}
            continue
        number += 1
        yield "round", _header(entry)
        for move in entry.moves:
            yield _move(move, entry)
        if entry.void is not None:
            yield "void", {"round": number, "reason": entry.void}
        if status(entry) in (Status.SETTLED, Status.INSTANT_WIN):
            yield "settle", {}


def _header(round: Round) -> Data:
    header = round.header
    leader: Data = {"opening": True} if header.leader is None else {"leader": tag(header.leader)}
    return leader | {"seats": list(map(tag, header.seats))} | ({"stood": True} if header.stood else {})


def _move(move: Move, round: Round) -> tuple[str, Data]:
    part = move_part(move, round.ruleset.deck)
    kind = part.pop("kind")
    part.pop("implied", None)
    if not part.get("stood"):
        part.pop("stood", None)
    player = part.pop("player")
    return kind, part if kind == "result" else {"seat": player, **part}
