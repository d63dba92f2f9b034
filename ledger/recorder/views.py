"""What pages and programs are shown: plain data that JSON can carry, players as tags, cards as texts.

Everything is judged here or below, so that no page judges anything itself.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from itertools import groupby
from typing import Any

from ledger.game.cards import Deck
from ledger.game.combinations import Kind, SuitLock
from ledger.game.errors import Finding
from ledger.game.hands import missing_hands, possible_cards
from ledger.game.moves import Bid, Declare, Move, Pass
from ledger.game.nights import due_header
from ledger.game.notation import tag
from ledger.game.possible import playable
from ledger.game.report import payment_data
from ledger.game.rounds import apply, begin, passes_before
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.data import rules_of
from ledger.game.rulesets.types import Ruleset
from ledger.game.scoring import findings, hands, net, payments, status
from ledger.game.state import NOBODY, Laid, Round
from ledger.recorder.bodies import Terms
from ledger.recorder.requests import ADJUSTMENT, redo_target, undo_target
from ledger.recorder.rounds import Entry, RoundLog, chain, corrections, is_undoable, player
from ledger.recorder.state import NightState, load_round
from ledger.store import EventRow, Head, Link, PaymentRow, Reader, Role, head_code

Data = dict[str, Any]
Say = Callable[[Finding, Mapping[int, str]], str]
"""The sentence for a finding, in the language of whoever reads it; names are by player number."""

LAST_ROWS = 12
"""How many of a round's moves a board carries."""


def board(state: NightState, names: Mapping[str, str], actor: Link, say: Say) -> Data:
    """The night as it stands: see spec of the interface."""
    log = state.current
    running = log is not None and log.round is not None and not log.round.over
    return {
        "id": state.terms.night,
        **head_data(state.head),
        "after": state.after,
        "players": _players(names),
        "ruleset": ruleset_data(state.terms.ruleset),
        "deck": deck_data(state.terms.ruleset.deck),
        "stake": stake_data(state.terms),
        "role": actor.player if actor.role is Role.SEAT else actor.role.value,
        "ended": state.ended,
        "net": dict(state.net),
        "provisional": state.provisional(),
        "posted": log is None or log.settled,
        "undo": not state.ended and undo_target(state) is not None,
        "redo": not state.ended and redo_target(state) is not None,
        "unsettled": state.open_rounds,
        "next": None if running else _next(state),
        "round": _round(log, names, say) if log and log.round else None,
    }


def log_entry(row: EventRow) -> Data:
    """An event as it is stored: its exact text, and the hashes in hexadecimal."""
    return {"seq": row.seq, "id": row.id, "kind": row.kind, "hash": row.hash.hex(), "body": row.body}


def ledger(reader: Reader, state: NightState, *, after_round: int, limit: int | None) -> Data:
    """Payments and running totals of some rounds, and the balances of all."""
    night = state.terms.night
    everything = reader.payments(night)
    rows = (
        reader.payments(night, after_round=after_round, limit_rounds=limit)
        if after_round or limit
        else everything
    )
    notes = _notes(reader, night, [row.seq for row in rows if row.reason == ADJUSTMENT])
    moves = _move_numbers(reader, state, {row.round for row in rows if row.cause})
    return {
        **head_data(state.head),
        "players": _players(reader.names(night)),
        "payments": [_payment_row(row, notes, moves) for row in rows],
        "balances": dict.fromkeys(state.terms.players, 0) | reader.balances(night),
        "totals": _totals(state.terms.players, everything),
    }


def round_page(reader: Reader, state: NightState, log: RoundLog, say: Say) -> Data:
    """One round move by move: the rows, the position after each, and what was taken back."""
    assert log.round is not None
    names = reader.names(state.terms.night)
    rows = _rows(log)
    return {
        **head_data(state.head),
        "players": _players(names),
        "ruleset": ruleset_data(state.terms.ruleset),
        "rounds": state.current.number if state.current else 0,
        **_round(log, names, say),
        "moves": rows,
        "steps": _steps(log, rows),
        "struck": _struck(log),
        "header": {"address": log.header.address, "at": log.header.event.at} if log.header else None,
    }


def ruleset_data(ruleset: Ruleset) -> Data:
    """A ruleset by its preset and what differs from it."""
    try:
        rules = rules_of(ruleset, PRESETS[ruleset.id])
    except (KeyError, ValueError):
        # Agreed on under a preset that has changed since, in ways that a line cannot say.
        rules = []
    return {"id": ruleset.id, "rules": [list(rule) for rule in rules]}


def deck_data(deck: Deck) -> Data:
    """How many packs there are, and whether their backs tell cards apart."""
    return {"packs": deck.packs, "backs": deck.backs}


def stake_data(terms: Terms) -> Data | None:
    """What a point is worth, as texts."""
    return {"amount": f"{terms.stake.amount:f}", "currency": terms.stake.currency} if terms.stake else None


def head_data(head: Head) -> Data:
    """Where the chain has come to, and its code for people to compare."""
    return {"seq": head.seq, "hash": head.hash.hex(), "code": head_code(head.seq, head.hash)}


def _players(names: Mapping[str, str]) -> list[Data]:
    return [{"player": player, "name": name} for player, name in names.items()]


def _next(state: NightState) -> Data | None:
    if state.ended:
        return None
    previous = state.current_round
    everyone = tuple(range(len(state.terms.players)))
    seats = previous.header.seats if previous else everyone
    due = due_header(state.terms.ruleset, seats, previous)
    return {
        "opening": due.leader is None,
        "leader": None if due.leader is None else tag(due.leader),
        "seats": list(map(tag, seats)),
    }


def _round(log: RoundLog, names: Mapping[str, str], say: Say) -> Data:
    round = log.round
    assert round is not None
    deck = round.ruleset.deck
    header = round.header
    paid = payments(round)
    seats = header.seats
    totals = dict.fromkeys(seats, 0) | net(paid)
    return {
        "number": log.number,
        "opening": header.leader is None,
        "leader": None if header.leader is None else tag(header.leader),
        "stood": header.stood,
        "seats": list(map(tag, seats)),
        "status": status(round),
        "over": round.over,
        "posted": log.settled,
        **_position(log, round),
        "waiting": list(map(tag, _waiting(round))),
        "passes": {
            tag(player): [tag(skipped.player) for skipped in passes_before(round, player)] for player in seats
        },
        "seen": _seen(round),
        "seen_counts": _seen_counts(round),
        "to_draw": round.to_draw if round.draws else None,
        "forward": _may_go_forward(round),
        "contracts": _contracts(round),
        "suit_lock": {
            "optional": round.ruleset.combinations.suit_lock is SuitLock.OPTIONAL,
            "locked": round.suit_locked,
        },
        "playable": {tag(player): list(deck.write(playable(round, player))) for player in seats},
        "moves": _rows(log, LAST_ROWS),
        "hands": {
            tag(player): {"source": hand.source, "cards": list(deck.write(hand.cards))}
            for player, hand in hands(round).items()
        },
        "needed": {
            tag(player): {
                "left": round.left[player],
                "cards": list(deck.write(possible_cards(round, player))),
            }
            for player in missing_hands(round)
        },
        "can_settle": round.over and not log.settled and not missing_hands(round),
        "payments": [payment_data(payment) | {"cause": log.address_of(payment.move)} for payment in paid],
        "net": {tag(player): points for player, points in totals.items()},
        "findings": [_finding(finding, names, say) for finding in findings(round)],
    }


def _position(log: RoundLog, round: Round) -> Data:
    """What lies on the table after some of a round's moves, and whose move it is."""
    seats = round.header.seats
    return {
        "turn": None if round.turn == NOBODY else tag(round.turn),
        "to": None if round.over else "lead" if round.leading else "answer",
        "pile": [_laid(log, round, laid) for laid in round.pile],
        "left": {tag(player): round.left[player] for player in seats},
        "locked": [tag(player) for player in seats if not round.over and round.locked(player)],
        "places": [] if round.claims else list(map(tag, round.places)),
        "knocked_out": list(map(tag, round.seats_in(round.knocked))),
    }


def _laid(log: RoundLog, round: Round, laid: Laid) -> Data:
    return {
        "move": laid.move,
        "address": log.address_of(laid.move),
        "player": tag(laid.player),
        "cards": list(round.ruleset.deck.write(laid.cards)),
        "combination": Kind.of(laid.combination.shape) if laid.combination else None,
    }


def _waiting(round: Round) -> list[int]:
    """Who may still come in on this pile without being skipped, from the turn on."""
    if round.over:
        return []
    if round.turn == NOBODY:
        return list(round.header.seats)
    if round.leading:
        return [round.turn]
    order = [round.turn]
    while (following := round.following[order[-1]]) != round.turn:
        order.append(following)
    return [player for player in order if round.free >> player & 1 and player != round.top_player]


def _seen(round: Round) -> dict[str, int]:
    """Card -> the move that showed it."""
    write = round.ruleset.deck.write
    return {
        card: number
        for number, move in enumerate(round.moves, start=1)
        if not isinstance(move, Pass | Declare | Bid)
        for card in write(move.cards)
    }


def _seen_counts(round: Round) -> dict[str, int]:
    """Card -> how many of it have been seen: with two packs there may be another."""
    return dict(Counter(map(str, round.ruleset.deck.cards(round.seen))))


def _may_go_forward(round: Round) -> str | None:
    """Who may go on beating the pile alone, once everybody else has passed."""
    winner = round.top_player
    may = round.ruleset.passing.forward and round.pile and not round.over and round.active >> winner & 1
    return tag(winner) if may else None


def _contracts(round: Round) -> Data:
    """What may be bet before the first play, and what has been."""
    offered = [] if round.opened_by or round.over else [offer.name for offer in round.ruleset.contracts]
    return {"offered": offered, "taken": {tag(player): name for player, name in round.bids.items()}}


def _rows(log: RoundLog, last: int | None = None) -> list[Data]:
    round = log.round
    assert round is not None
    stood = {finding.move: finding for finding in round.findings}
    numbered = list(enumerate(zip(log.entries, round.moves, strict=True), start=1))
    return [
        _row(entry, round, move) | _verdict(number, stood.get(number))
        for number, (entry, move) in numbered[-last if last else 0 :]
    ]


def _verdict(number: int, finding: Finding | None) -> Data:
    return {
        "move": number,
        "code": finding.code if finding else None,
        "clause": finding.clause if finding else None,
    }


def _row(entry: Entry, round: Round, move: Move) -> Data:
    combination = None if isinstance(move, Pass | Declare | Bid) else round.book.read(move.cards)
    return {
        "address": entry.address,
        "event": entry.event.id,
        "at": entry.event.at,
        "actor": entry.event.actor,
        "cards": [],
        "sets": [],
        "stood": False,
        "implied": False,
        **entry.data,
        "combination": Kind.of(combination.shape) if combination else None,
    }


def _steps(log: RoundLog, rows: list[Data]) -> list[Data]:
    round = log.round
    assert round is not None
    position = begin(round.ruleset, round.header)
    steps = []
    for row, move in zip(rows, round.moves, strict=True):
        position = apply(position, move)
        steps.append({"move": row["move"], "row": row, **_position(log, position)})
    return steps


def _struck(log: RoundLog) -> list[Data]:
    """Moves that were taken back, and by what; their numbers are gone, their addresses stay."""
    assert log.round is not None
    taken_back = corrections(log.events)
    by_seq = {event.seq: event for event in log.events}
    struck = []
    for event in log.events:
        last, standing = chain(event.seq, taken_back)
        if not is_undoable(event) or standing:
            continue
        undo = by_seq[last]
        for part, data in enumerate(event.parts):
            entry = Entry(event, part)
            struck.append(
                {
                    "address": entry.address,
                    "at": event.at,
                    "actor": event.actor,
                    "cards": [],
                    "sets": [],
                    **data,
                    "struck_by": undo.kind,
                    "struck_at": undo.at,
                }
            )
    return struck


def _finding(finding: Finding, names: Mapping[str, str], say: Say) -> Data:
    return {
        "code": finding.code,
        "clause": finding.clause,
        "move": finding.move,
        "player": None if finding.player is None else tag(finding.player),
        "cards": list(finding.cards),
        "message": say(finding, {player(tag): name for tag, name in names.items()}),
    }


def _move_numbers(reader: Reader, state: NightState, rounds: set[int]) -> dict[str, int]:
    """Address -> the number that a move has in its round now."""
    logs = [state.logs.get(number) or load_round(reader, state.terms, number) for number in rounds]
    return {entry.address: number for log in logs for number, entry in enumerate(log.entries, start=1)}


def _payment_row(row: PaymentRow, notes: Mapping[int, str], moves: Mapping[str, int]) -> Data:
    data = {field.name: getattr(row, field.name) for field in fields(row)}
    reverses = (data.pop("reverses_seq"), data.pop("reverses_idx"))
    return {
        **data,
        "reverses": None if reverses[0] is None else f"{reverses[0]}.{reverses[1]}",
        "move": moves.get(row.cause) if row.cause else None,
        "note": notes.get(row.seq) if row.reason == ADJUSTMENT else None,
    }


def _notes(reader: Reader, night: str, seqs: list[int]) -> dict[int, str]:
    """What was said of adjustments: their reasons, by seq."""
    notes = {}
    for seq in seqs:
        for row in reader.events(night, after=seq - 1, limit=1):
            notes[seq] = json.loads(row.body)["content"]["reason"]
    return notes


def _totals(players: tuple[str, ...], rows: Iterable[PaymentRow]) -> list[Data]:
    """What each settled round and each adjustment (round 0) brought each player, and the running total after it,
    in the order in which they were posted."""
    total = dict.fromkeys(players, 0)
    totals = []
    for (_, number), some in groupby(rows, key=lambda row: (row.seq, row.round)):
        brought = dict.fromkeys(players, 0)
        for row in some:
            brought[row.payer] -= row.points
            brought[row.payee] += row.points
        total = {player: total[player] + brought[player] for player in players}
        totals.append({"round": number, "net": brought, "total": total})
    return totals
