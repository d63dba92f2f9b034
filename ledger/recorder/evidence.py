"""Why payments were made and others were not, when each was posted, and what was said and done about it since.

A payment that a correction has reversed is explained by the round as it stood when the payment was posted.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any, Protocol

from ledger.game.cards import Deck
from ledger.game.errors import Finding
from ledger.game.explaining import Unpaid, explain, explained_data
from ledger.game.payments import Payment
from ledger.game.scoring import payments
from ledger.recorder import accounts
from ledger.recorder.agreement import night_disputes
from ledger.recorder.bodies import Logged, read_event
from ledger.recorder.correcting import places_posted, posted
from ledger.recorder.outlines import move_numbers, outline
from ledger.recorder.parts import player
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.rounds import RoundLog
from ledger.recorder.slots import seq_of
from ledger.recorder.state import NightState, in_sight
from ledger.recorder.views.entry import EntryRow, rows_of
from ledger.recorder.views.night import head_data
from ledger.recorder.views.round_page import RoundPage, view_round_page
from ledger.store import Payment as PostedPayment
from ledger.store import Reader

Data = dict[str, Any]

ROWS_AROUND = 3
"""How many lines of a round are shown before and after a disputed one."""


class Words(Protocol):
    """Whoever words what is told. Names are by player number."""

    def finding(self, finding: Finding, names: Mapping[int, str]) -> str: ...

    def explanation(self, payment: Payment, deck: Deck) -> str: ...

    def unpaid(self, unpaid: Unpaid, deck: Deck, names: Mapping[int, str]) -> str: ...


@dataclass(frozen=True, kw_only=True)
class RoundExplained(RoundPage):
    """A round with the reasons of its payments."""

    why: list[Data]
    """The sum of each payment, in their order."""
    why_not: list[Data]
    """What brought no payment, and why."""


def why(reader: Reader, state: NightState, log: RoundLog, words: Words) -> RoundExplained:
    """One round as its page has it; beside each payment its sum (`why`), and whatever brought none (`why_not`)."""
    assert log.round is not None
    page = view_round_page(reader, state, log, words.finding)
    deck, explained = log.round.ruleset.deck, explain(log.round)
    data = explained_data(log.round, explained)
    names = {player(one.player): one.name for one in page.players}
    return RoundExplained(
        **{one.name: getattr(page, one.name) for one in fields(page)},
        why=[
            told | {"said": words.explanation(one, deck)}
            for told, one in zip(data["why"], explained.why, strict=True)
        ],
        why_not=[
            told | {"said": words.unpaid(one, deck, names)}
            for told, one in zip(data["why_not"], explained.why_not, strict=True)
        ],
    )


def payment(reader: Reader, state: NightState, place: str, words: Words) -> Data:
    """A posted payment: the ledger's row of it, why it was made and by which moves, and what became of it.

    `why` is None for one by hand, for a reversal, and where the rules of now would not make it any more; `waives`
    is the dispute by whose decision it was made, if it was.
    """
    night = state.terms.night
    rows, disputes = reader.payments(night), night_disputes(reader, night)
    row = next((row for row in rows if accounts.place_of(row) == place), None)
    if row is None:
        raise Problem(ProblemCode.NOT_FOUND)
    log = in_sight(reader, state, row.round).logs[row.round]
    moves = move_numbers([outline(log.number, log.events, log.slots)])
    event = _event(reader, state, row.seq)
    (told,) = accounts.payment_rows(
        [row], payments=rows, moves=moves, posting={row.seq: event}, disputes=disputes
    )
    return {
        **head_data(state.head),
        "payment": told,
        "posted": _posting(event),
        "reversal": _reversal(reader, state, rows, told),
        "why": None if told["reverses"] else _explained(state, log, (row.seq, row.idx), words),
        "disputes": [one for one in disputes if one["payment"] == place],
        "waives": next(
            (one for one in disputes if one["decision"] and one["decision"]["seq"] == row.seq), None
        ),
    }


def dispute(reader: Reader, state: NightState, seq: int, words: Words) -> Data:
    """A dispute and which of the night's it is, from 1; what it is about, the lines of the round around it, and
    whether a correction came since."""
    disputes = night_disputes(reader, state.terms.night)
    one = next((one for one in disputes if one["seq"] == seq), None)
    if one is None:
        raise Problem(ProblemCode.NOT_FOUND)
    log = in_sight(reader, state, one["round"]).logs[one["round"]]
    about = payment(reader, state, one["payment"], words) if one["payment"] else None
    round = view_round_page(reader, state, log, words.finding) if log.round is not None else None
    target = _standing_for(log, about["payment"]["cause"]) if about else one["move"]
    return {
        **head_data(state.head),
        "dispute": one,
        "number": disputes.index(one) + 1,
        "about": about,
        "target": target,
        "round": round,
        "around": _around(round.lines, target) if round else [],
        "corrected": any(event.kind in ("correct", "void") and event.seq > seq for event in log.events),
    }


def _explained(state: NightState, log: RoundLog, place: tuple[int, int], words: Words) -> Data | None:
    """The sum of a payment, and the moves that led to it with the numbers that they have now or what
    struck them."""
    then = log if place in posted(log) else _as_posted(state, log, place[0])
    if then.round is None or place not in (places := places_posted(then)):
        return None
    one = payments(then.round)[places.index(place)]
    now, struck = _numbers(log), _struck(log)
    rows = rows_of(then)
    return {
        "said": words.explanation(one, then.round.ruleset.deck),
        "clauses": list(one.clauses),
        "moves": [
            replace(row, move=now.get(row.address), struck_by=struck.get(row.address))
            for row in (rows[number - 1] for number in one.moves)
        ],
    }


def _standing_for(log: RoundLog, cause: str | None) -> str | None:
    """The address of the move that stands where the cause of a payment was recorded; its own, where none does."""
    slot = log.slot(cause) if cause else None
    return slot.standing.address if slot and slot.standing else cause


def _numbers(log: RoundLog) -> dict[str, int]:
    """The number that each move of a round has now, by its address."""
    return {entry.address: number for number, entry in enumerate(log.entries, start=1)}


def _struck(log: RoundLog) -> dict[str, str]:
    """The kind of entry by which each move that does not stand was struck, by its address."""
    return {
        entry.address: by.event.kind
        for slot in log.slots
        for entry, by in pairwise(slot.versions)
        if entry != slot.standing
    }


def _as_posted(state: NightState, log: RoundLog, seq: int) -> RoundLog:
    """The round as it stood after one of its events."""
    events = tuple(event for event in log.events if event.seq <= seq)
    return RoundLog.fold(state.terms.ruleset, log.number, events, None)


def _event(reader: Reader, state: NightState, seq: int) -> Logged:
    (row,) = reader.events(state.terms.night, after=seq - 1, limit=1)
    return read_event(row)


def _posting(event: Logged) -> Data:
    """The entry that posted something: what it was, whose and when, and its reason if it has one."""
    return accounts.posted_by(event) | {"actor": event.actor}


def _reversal(reader: Reader, state: NightState, rows: Iterable[PostedPayment], told: Data) -> Data | None:
    """The entry that took a payment back, and what it posted for the same round instead."""
    place = told["reversed_by"]
    if place is None:
        return None
    event = _event(reader, state, seq_of(place))
    instead = [
        row for row in rows if (row.seq, row.round, row.reverses_seq) == (event.seq, told["round"], None)
    ]
    return _posting(event) | {"place": place, "instead": list(map(accounts.posted_data, instead))}


def _around(lines: list[EntryRow], target: str | None) -> list[EntryRow]:
    """The lines of a round before and after an entry."""
    at = next((at for at, line in enumerate(lines) if line.address == target), None)
    return [] if at is None else lines[max(at - ROWS_AROUND, 0) : at + ROWS_AROUND + 1]
