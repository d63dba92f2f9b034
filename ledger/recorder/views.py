"""What pages and programs are shown of a night: plain data that JSON can carry, players as tags, cards as texts.

Everything is judged here or below, so that no page judges anything itself.
"""

from collections.abc import Mapping
from typing import Any

from ledger.game.cards import Deck
from ledger.game.nights import due_header, seats_after
from ledger.game.notation import tag
from ledger.game.rounds import begin
from ledger.game.state import Header
from ledger.recorder.bodies import Terms
from ledger.recorder.events.undo import redo_target, undo_target
from ledger.recorder.round_views import LAST_ROWS, Say, round_data, round_lines
from ledger.recorder.rounds import RoundLog
from ledger.recorder.state import NightState
from ledger.store import EventRow, Head, Link, Reader, Role, head_code

Data = dict[str, Any]

__all__ = [
    "LAST_ROWS",
    "Say",
    "board",
    "deck_data",
    "frame",
    "fresh_round",
    "head_data",
    "log_entry",
    "round_page",
    "ruleset_data",
]


def board(state: NightState, names: Mapping[str, str], actor: Link, say: Say) -> Data:
    """The night as it stands: see spec of the interface."""
    log = state.current
    running = log is not None and log.counts and log.round is not None and not log.round.over
    return {
        **frame(state, names, actor),
        "ruleset": ruleset_data(state.terms),
        "deck": deck_data(state.terms.ruleset.deck),
        "posted": log is None or not log.open,
        "undo": not state.ended and undo_target(state) is not None,
        "redo": not state.ended and redo_target(state) is not None,
        "unsettled": state.open_rounds,
        "next": None if running else _next(state),
        "round": round_data(log, names, say) if log and log.round else None,
    }


def frame(state: NightState, names: Mapping[str, str], actor: Link) -> Data:
    """What every page of a night needs of it, whatever else it shows."""
    return {
        "id": state.terms.night,
        **head_data(state.head),
        "after": state.after,
        "players": players_data(names),
        "stake": stake_data(state.terms),
        "role": actor.player if actor.role is Role.SEAT else actor.role.value,
        "ended": state.ended,
        "net": dict(state.net),
        "provisional": state.provisional(),
    }


def log_entry(row: EventRow) -> Data:
    """An event as it is stored: its exact text, and the hashes in hexadecimal."""
    return {"seq": row.seq, "id": row.id, "kind": row.kind, "hash": row.hash.hex(), "body": row.body}


def round_page(reader: Reader, state: NightState, log: RoundLog, say: Say) -> Data:
    """One round move by move: the rows, the position after each, and what was taken back and corrected."""
    assert log.round is not None
    names = reader.names(state.terms.night)
    return {
        **head_data(state.head),
        "players": players_data(names),
        "ruleset": ruleset_data(state.terms),
        "rounds": state.current.number if state.current else 0,
        **round_data(log, names, say),
        **round_lines(log),
    }


def fresh_round(state: NightState, names: Mapping[str, str], say: Say) -> Data:
    """The round that would come next, before anything is played in it: whoever sat in the last one sits, and nobody
    knows yet who begins."""
    ruleset = state.terms.ruleset
    seats = _sitting(state)[: max(ruleset.deal.players)]
    return round_data(RoundLog(state.newest + 1, round=begin(ruleset, Header(seats))), names, say)


def ruleset_data(terms: Terms) -> Data:
    """A ruleset by its preset and what differs from it."""
    return {"id": terms.ruleset.id, "rules": [list(rule) for rule in terms.rules]}


def deck_data(deck: Deck) -> Data:
    """How many packs there are, and whether their backs tell cards apart."""
    return {"packs": deck.packs, "backs": deck.backs}


def stake_data(terms: Terms) -> Data | None:
    """What a point is worth, as texts."""
    return {"amount": f"{terms.stake.amount:f}", "currency": terms.stake.currency} if terms.stake else None


def head_data(head: Head) -> Data:
    """Where the chain has come to, and its code for people to compare."""
    return {"seq": head.seq, "hash": head.hash.hex(), "code": head_code(head.seq, head.hash)}


def players_data(names: Mapping[str, str]) -> list[Data]:
    """The players of a night and what they are called."""
    return [{"player": player, "name": name} for player, name in names.items()]


def _next(state: NightState) -> Data | None:
    if state.ended:
        return None
    seats = _sitting(state)
    due = due_header(state.terms.ruleset, seats, state.previous)
    return {
        "opening": due.leader is None,
        "leader": None if due.leader is None else tag(due.leader),
        "seats": list(map(tag, seats)),
    }


def _sitting(state: NightState) -> tuple[int, ...]:
    """Who sits in the next round if nobody says otherwise, in playing order; everyone in the first."""
    previous = state.previous
    return seats_after(previous) if previous else tuple(range(len(state.players)))
