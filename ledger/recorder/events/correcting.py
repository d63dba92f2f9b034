"""Corrections: entries replaced, struck or inserted, and rounds voided.

Nothing is edited: the corrected entry stays in the log, every later move is kept and judged again, and if the round
was settled, the difference in payments is posted.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from ledger.game.errors import Clause, Code, Refused, Verdict
from ledger.game.moves import Move
from ledger.game.night import judge_header
from ledger.game.payments import Payment
from ledger.recorder.agreements import AGREE
from ledger.recorder.drafts import Draft, as_posted, not_over, settlement
from ledger.recorder.events.event import Event
from ledger.recorder.events.moves import MoveEvent
from ledger.recorder.events.round import RoundBegun
from ledger.recorder.parts import MOVES, Part, agreed_before, header_part, move_part, read_header
from ledger.recorder.problems import Problem, ProblemCode, refused, unreadable
from ledger.recorder.revisions import RevisionChain, chains_of, standing_moves
from ledger.recorder.round_log import RoundLog, unrecorded
from ledger.recorder.state import NightState, counting_before
from ledger.store import EventBody, NewPayment, Place, read_place


class Change(NamedTuple):
    """One change of a correction: the entry that replaces the one at an address, or is inserted beside it."""

    address: str
    entry: Event | None
    """None strikes the entry at the address."""
    put: Literal["before", "after"] | None = None
    """Where the entry is inserted; None: it replaces the one at the address."""


def correct(state: NightState, changes: Iterable[Change]) -> Draft:
    """Draft several changes to the entries of one round, all or none."""
    changes = tuple(changes)
    log = log_of(state, changes)
    parts = parts_of(state, log, changes)
    after = corrected(state, log, "correct", parts)
    return Draft(log.number, parts, _difference(after) if log.settled else ())


def void(state: NightState, number: int, reason: str) -> Draft:
    """Draft the voiding of a round: its posted payments are reversed."""
    log = state.logs.get(number)
    if log is None or log.round is None:
        raise Problem(ProblemCode.NO_SUCH_ENTRY)
    if log.round.void is not None:
        raise Problem(ProblemCode.ROUND_VOID, round=log.number)
    parts: list[Part] = [{"kind": "void", "reason": reason}]
    after = corrected(state, log, "void", parts)
    return Draft(log.number, parts, _difference(after))


def corrected(state: NightState, log: RoundLog, kind: str, parts: list[Part]) -> RoundLog:
    """The log after an event with these parts; Problem if the rules refuse it.

    If a later move becomes impossible, the Problem has its address and number as `blocked`.
    """
    event = unrecorded(state.head.seq + 1, log.number, kind, parts)
    previous = counting_before(state.logs, log.number)
    try:
        after = RoundLog.fold(state.agreements, log.number, (*log.events, event), previous)
    except Refused as error:
        raise _impossible(log, event, error) from None
    if after.round is None:
        if standing_moves(after.chains):
            raise Problem(ProblemCode.HEADER_HAS_MOVES, round=log.number)
    else:
        _only_what_stood(after, event)
        current = state.current
        if after.stands and (log.settled or (current is not None and log.number < current.number)):
            _still_ended(after)
    return after


def posted(log: RoundLog) -> dict[Place, NewPayment]:
    """The payments of a round in force: not reversed, and not reversals."""
    return {place: payment for place, payment in _in_force(log) if payment.round == log.number}


def waivers(log: RoundLog) -> dict[Place, tuple[Place, NewPayment]]:
    """Payment of a round -> the adjustment by which a decision took it back, if in force."""
    disputes = {event.seq: event.parts[0] for event in log.events if event.kind == "dispute"}
    decisions = {event.seq: event.parts[0] for event in log.events if event.kind == "decide"}
    return {
        read_place(disputes[decisions[place[0]]["dispute"]]["payment"]): (place, payment)
        for place, payment in _in_force(log)
        if place[0] in decisions
    }


def _in_force(log: RoundLog) -> Iterable[tuple[Place, NewPayment]]:
    """All payments in force that events of a round posted, adjustments included."""
    found: dict[Place, NewPayment] = {}
    for event in log.events:
        for idx, payment in enumerate(event.payments):
            if payment.reverses is not None:
                found.pop(payment.reverses, None)
            else:
                found[event.seq, idx] = payment
    return found.items()


def places_posted(log: RoundLog, paid: Iterable[Payment]) -> list[Place | None]:
    """Where each of the payments of a round as it stands is posted; None if it is not."""
    identity = _identity_in(log)
    places: dict[tuple[Any, ...], list[Place]] = {}
    for place, payment in posted(log).items():
        places.setdefault(identity(payment), []).append(place)
    found = (places.get(identity(payment)) for payment in as_posted(log, paid))
    return [some.pop(0) if some else None for some in found]


def log_of(state: NightState, changes: Iterable[Change]) -> RoundLog:
    """The round whose entries are to be changed; Problem if no round has them all."""
    wanted = [change.address for change in changes]
    for log in state.logs.values():
        if log.round is not None and log.chain_at(wanted[0]) is not None:
            if any(log.chain_at(address) is None for address in wanted):
                raise Problem(ProblemCode.NO_SUCH_ENTRY)
            return log
    raise Problem(ProblemCode.NO_SUCH_ENTRY)


def parts_of(state: NightState, log: RoundLog, changes: Iterable[Change]) -> list[Part]:
    """The parts of an event that makes these changes, not judged yet."""
    parts: list[Part] = []
    targets: set[str] = set()
    for change in changes:
        chain = log.chain_at(change.address)
        assert chain is not None
        if change.put:
            parts.append(_inserted_part(log, chain, change.entry, change.put))
            continue
        last = chain.last.address
        standing = chain.standing.address if chain.standing else last
        if change.address not in (last, standing) or last in targets:
            raise Problem(ProblemCode.ALREADY_CORRECTED)
        targets.add(last)
        parts.append(_replacement(state, log, chain, change.entry) | {"corrects": last})
    return parts


def _inserted_part(
    log: RoundLog, chain: RevisionChain, entry: Event | None, put: Literal["before", "after"]
) -> Part:
    """Insert a forgotten move before or after another."""
    if chain.versions[0].kind not in MOVES or not isinstance(entry, MoveEvent):
        raise unreadable("changes", "a move before a move")
    address, part = chain.versions[0].address, _move_part(log, entry)
    return part | {"before": address} if put == "before" else part | {"after": address}


def _replacement(state: NightState, log: RoundLog, chain: RevisionChain, entry: Event | None) -> Part:
    first = chain.versions[0].kind
    if first == AGREE:
        raise unreadable("changes", "a move or a round's beginning")
    if entry is None:
        if chain.standing is None:
            raise Problem(ProblemCode.ALREADY_CORRECTED)
        if first == "round":
            _nothing_follows(log)
        return {"kind": "strike"}
    if first == "round" and isinstance(entry, RoundBegun):
        if chain.standing is None:
            # The round has been begun again since.
            raise Problem(ProblemCode.ALREADY_CORRECTED)
        return _header_part(state, log, entry)
    if first in MOVES and isinstance(entry, MoveEvent):
        return _move_part(log, entry)
    raise unreadable("changes", "a move for a move, a beginning for a beginning")


def _nothing_follows(log: RoundLog) -> None:
    """Problem if the round has moves or is void: its beginning cannot be struck then."""
    assert log.round is not None
    if log.entries:
        raise Problem(ProblemCode.HEADER_HAS_MOVES, round=log.number)
    if log.round.void is not None:
        raise Problem(ProblemCode.ROUND_VOID, round=log.number)


def _move_part(log: RoundLog, entry: MoveEvent) -> Part:
    assert log.round is not None
    ruleset = log.round.ruleset
    deck = ruleset.deck
    move: Move = entry.move(deck)
    if twice := getattr(move, "twice", 0):
        card = deck.write(twice)[0]
        raise refused(ruleset.refusal(Code.CARD_TWICE, Clause.SEEN, player=move.player, card=card))
    return move_part(move, deck)


def _header_part(state: NightState, log: RoundLog, entry: RoundBegun) -> Part:
    """A corrected header, judged as if the round began now; seats that it does not name stay the same."""
    assert log.header is not None
    assert log.round is not None
    stands = read_header(log.header.data)
    header = entry.header(stands.seats, stands.times)
    before_it = counting_before(state.logs, log.number)
    previous = before_it.round if before_it else None
    wrong = judge_header(log.round.ruleset, len(state.players), header, previous)
    if wrong and (wrong.verdict is Verdict.IMPOSSIBLE or not header.stood):
        raise refused(wrong)
    began = log.header.data
    return header_part(header._replace(stood=wrong is not None), began["open"], agreed_before(began))


def _impossible(log: RoundLog, event: EventBody, error: Refused) -> Problem:
    """The Problem for a change that is refused, or that makes a later move impossible."""
    standing = standing_moves(chains_of((*log.events, event)))
    entry = None if error.index is None else standing[error.index]
    if entry is None or entry.event is event:
        return refused(error.refusal)
    return Problem(
        ProblemCode.REFUSED,
        refusal=error.refusal,
        blocked={"address": entry.address, "move": error.number},
    )


def _only_what_stood(log: RoundLog, event: EventBody) -> None:
    """Refuse a corrected move that is against the rules, unless it is marked as having stood."""
    assert log.round is not None
    for finding in log.round.findings:
        entry = log.entries[finding.move - 1] if finding.move else None
        if entry and entry.event is event and not entry.data.get("stood") and finding.facts is not None:
            raise refused(finding.facts)


def _still_ended(log: RoundLog) -> None:
    """Refuse a correction after which a settled or earlier round goes on, or a settled one lacks a hand."""
    assert log.round is not None
    if log.settled:
        settlement(log)
    elif not log.round.over:
        raise Refused(not_over(log.round))


def _difference(log: RoundLog) -> list[NewPayment]:
    """The payments to post so that those in force match the log: reversals, then new payments.

    If a reversed payment was waived, its waiver is reversed too, at the end: else it would be paid back twice.
    """
    wanted, waived = settlement(log) if log.settled else [], waivers(log)
    identity = _identity_in(log)
    missing = Counter(map(identity, wanted))
    reversals, paid_back = [], []
    for place, payment in posted(log).items():
        key = identity(payment)
        if missing[key]:
            missing[key] -= 1
            continue
        reversals.append(_reversal(payment, place))
        if place in waived:
            at, waiver = waived[place]
            paid_back.append(_reversal(waiver, at))
    fresh = []
    for new in wanted:
        key = identity(new)
        if missing[key]:
            missing[key] -= 1
            fresh.append(new)
    return [*reversals, *fresh, *paid_back]


def _identity_in(log: RoundLog) -> Callable[[NewPayment], tuple[Any, ...]]:
    """A key that is equal for equal payments of a round: payer, payee, points, reason, clause, and the place of the
    causing move in the record. A correction changes a move's address, but not its place."""
    places = {entry.address: place for place, chain in enumerate(log.chains) for entry in chain.versions}

    def identity(payment: NewPayment) -> tuple[Any, ...]:
        row = payment.payer, payment.payee, payment.points, payment.reason, payment.clause
        return *row, None if payment.cause is None else places.get(payment.cause)

    return identity


def _reversal(payment: NewPayment, place: Place) -> NewPayment:
    return replace(payment, payer=payment.payee, payee=payment.payer, reverses=place)
