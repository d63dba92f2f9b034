"""A round as pages and programs are shown it: the position, the moves with their verdicts, what was struck, and who
agrees or disputes."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ledger.game.combinations import Kind, SuitLock
from ledger.game.errors import Finding
from ledger.game.hands import missing_hands, possible_cards
from ledger.game.moves import Bid, Declare, Move, Pass, Result
from ledger.game.notation import tag
from ledger.game.payments import Payment, post
from ledger.game.possible import alone, playable
from ledger.game.report import payment_data
from ledger.game.rounds import apply, begin, turns_by_passing
from ledger.game.scoring import hands, payments, status
from ledger.game.state import NOBODY, Laid, Round
from ledger.recorder.agreement import disputes_in
from ledger.recorder.bodies import Logged
from ledger.recorder.correcting import places_posted
from ledger.recorder.events.dispute import agreed, asked_again
from ledger.recorder.parts import MOVES, player
from ledger.recorder.rounds import RoundLog
from ledger.recorder.slots import Entry

Data = dict[str, Any]
Say = Callable[[Finding, Mapping[int, str]], str]
"""The sentence for a finding, in the language of whoever reads it; names are by player number."""

LAST_ROWS = 12
"""How many of a round's moves a board carries."""


def round_data(log: RoundLog, names: Mapping[str, str], say: Say) -> Data:
    """A round as it stands."""
    round = log.round
    assert round is not None
    deck = round.ruleset.deck
    header = round.header
    paid = payments(round)
    seats = header.seats
    totals = post(paid, dict.fromkeys(seats, 0))
    return {
        "number": log.number,
        "opening": header.leader is None,
        "leader": None if header.leader is None else tag(header.leader),
        "stood": header.stood,
        "seats": list(map(tag, seats)),
        "status": status(round),
        "over": round.over,
        "posted": log.settled,
        "void": round.void,
        "by_result": round.result is not None,
        **_position(log, round),
        "waiting": list(map(tag, _waiting(round))),
        "passes": _passes(round),
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
        "alone": list(deck.write(alone(round))),
        "moves": rows_of(log, LAST_ROWS),
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
        "can_settle": round.over and log.open and not missing_hands(round),
        "payments": payments_data(log, paid),
        "net": {tag(player): points for player, points in totals.items()},
        "findings": [_finding(finding, names, say) for finding in log.findings],
    }


def _passes(round: Round) -> dict[str, list[str]]:
    """Who would have to pass before each player's turn; nobody where it does not come, or has come."""
    before = dict(reversed(list(turns_by_passing(round))))  # of two turns of a player, the next one
    return {tag(seat): [tag(one.player) for one in before.get(seat, ())] for seat in round.header.seats}


def payments_data(log: RoundLog, paid: Sequence[Payment]) -> list[Data]:
    """The payments of a round, where each is posted by now, and the last dispute of it."""
    disputes = {one["payment"]: one for one in disputes_in(log.events) if one["payment"]}
    places = [place and f"{place[0]}.{place[1]}" for place in places_posted(log)]
    return [
        payment_data(payment)
        | {"cause": log.address_of(payment.move), "posted": place, "dispute": disputes.get(place)}
        for payment, place in zip(paid, places, strict=True)
    ]


def round_lines(log: RoundLog) -> Data:
    """All moves of a round with what was taken back or corrected beside them, the position after each, and who
    agrees."""
    rows = rows_of(log)
    again = asked_again(log)
    return {
        "moves": rows,
        "steps": _steps(log, rows),
        "lines": list(_lines(log, rows)),
        "header": {"address": log.header.address, "at": log.header.event.at} if log.header else None,
        "agreed": agreed(log.events) or {},
        "asked_again": again.at if again else None,
        "disputes": disputes_in(log.events),
    }


def _lines(log: RoundLog, rows: list[Data]) -> Iterator[Data]:
    """Every version of every entry, in playing order: those that were struck, by what, and the row that stands."""
    numbered = {row["address"]: row for row in rows}
    for slot in log.slots:
        standing = slot.standing
        for place, entry in enumerate(slot.versions):
            if entry.kind not in MOVES | {"round"}:
                continue
            if entry != standing:
                yield _struck(entry, slot.versions[place + 1].event)
            elif entry.address in numbered:
                yield numbered[entry.address] | _said(entry)
            elif place:
                yield _told(entry) | _said(entry)


def _struck(entry: Entry, by: Logged) -> Data:
    """An entry that does not stand any more; its number is gone, its address stays."""
    return _told(entry) | {"struck_by": by.kind, "struck_at": by.at, "reason": by.content.get("reason")}


def _said(entry: Entry) -> Data:
    """Why an entry came in by a correction."""
    if entry.event.kind != "correct":
        return {}
    return {"corrects": entry.data.get("corrects"), "reason": entry.event.content["reason"]}


def _told(entry: Entry) -> Data:
    return {
        "address": entry.address,
        "at": entry.event.at,
        "actor": entry.event.actor,
        "cards": [],
        "sets": [],
        **entry.data,
    }


def _position(log: RoundLog, round: Round) -> Data:
    """What lies on the table after some of a round's moves, and whose move it is."""
    seats = round.header.seats
    return {
        "turn": None if round.turn == NOBODY else tag(round.turn),
        "to": None if round.over else "lead" if round.leading else "answer",
        "pile": [_laid(log, round, laid) for laid in round.pile],
        "left": {tag(player): round.left[player] for player in seats},
        "uncounted": list(map(tag, round.seats_in(round.uncounted))),
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
    return dict(Counter(round.ruleset.deck.write(round.seen)))


def _may_go_forward(round: Round) -> str | None:
    """Who may go on beating the pile alone, once everybody else has passed."""
    winner = round.top_player
    may = round.ruleset.passing.forward and round.pile and not round.over and round.active >> winner & 1
    return tag(winner) if may else None


def _contracts(round: Round) -> Data:
    """What may be bet before the first play, and what has been."""
    offered = [] if round.opened_by or round.over else [offer.name for offer in round.ruleset.contracts]
    return {"offered": offered, "taken": {tag(player): name for player, name in round.bids.items()}}


def rows_of(log: RoundLog, last: int | None = None) -> list[Data]:
    """The moves that stand, each with its verdict: all of them, or the last."""
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
    combination = None if isinstance(move, Pass | Declare | Bid | Result) else round.book.read(move.cards)
    return {
        "address": entry.address,
        "event": entry.event.id,
        "at": entry.event.at,
        "actor": entry.event.actor,
        "cards": [],
        "sets": [],
        "implied": False,
        **entry.data,
        # A move may have been let stand by itself, or by a correction of what came before it.
        "stood": getattr(move, "stood", False),
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


def _finding(finding: Finding, names: Mapping[str, str], say: Say) -> Data:
    return {
        "code": finding.code,
        "clause": finding.clause,
        "move": finding.move,
        "player": None if finding.player is None else tag(finding.player),
        "cards": list(finding.cards),
        "message": say(finding, {player(tag): name for tag, name in names.items()}),
    }
