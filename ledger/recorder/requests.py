"""What a keeper asks to be recorded, and what the rules make of it.

`draft` judges a request against the state of a night and answers what would be appended. It writes nothing, so
that a preview, the recorder and the audit ask the same question.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.game.cards import Card, Cards, Deck
from ledger.game.errors import Clause, Code, Refusal, Refused, Verdict
from ledger.game.hands import missing_hands
from ledger.game.moves import Bid, Claim, Declare, Move, Pass, Play, Show
from ledger.game.nights import begin_round, no_round
from ledger.game.notation import read_note, tag
from ledger.game.rounds import apply, implied_passes, replay
from ledger.game.scoring import payments
from ledger.game.state import Header, Round
from ledger.recorder.problems import Problem, ProblemCode, refused, unreadable
from ledger.recorder.rounds import (
    RoundLog,
    chain,
    corrections,
    header_part,
    is_undoable,
    move_part,
    player,
)
from ledger.recorder.state import NightState
from ledger.store import NewCorrection, NewPayment

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class EventRequest:
    """One event as a client asks for it. `id` and `after` are UUIDs; `content` holds the kind's own fields,
    of the right types; what they say is judged here."""

    id: str
    after: str | None
    kind: str
    content: Data
    at: str | None = None
    """The client's own time, kept and never relied on."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What an event would hold. `round` is the round that it belongs to, 0 for none."""

    round: int
    parts: Sequence[Data] = ()
    payments: Sequence[NewPayment] = ()
    corrections: Sequence[NewCorrection] = ()


def draft(state: NightState, kind: str, content: Data) -> Draft:
    """What recording this would append; Problem if the rules, or the state of the night, refuse it."""
    if state.ended and kind != "reopen":
        raise Problem(ProblemCode.NIGHT_ENDED)
    try:
        return KINDS[kind](state, content)
    except Refused as error:
        raise refused(error.refusal) from None


def _round(state: NightState, content: Data) -> Draft:
    current = state.current
    previous = current.round if current else None
    everyone = tuple(range(len(state.terms.players)))
    seats = content.get("seats")
    header = Header(
        seats=tuple(map(player, seats)) if seats else previous.header.seats if previous else everyone,
        leader=player(content["leader"]) if content.get("leader") else None,
        stood=content.get("stood", False),
    )
    round = begin_round(state.terms.ruleset, len(everyone), header, previous)
    number = current.number + 1 if current else 1
    return Draft(number, [header_part(round.header, state.open_rounds)])


def _play(state: NightState, content: Data) -> Draft:
    log, round = _running(state, content)
    deck = round.ruleset.deck
    cards, twice = _cards(deck, "cards", content["cards"])
    move = Play(
        player(content["seat"]),
        cards,
        content.get("stood", False),
        twice,
        forward=content.get("forward", False),
        locks=content.get("locks"),
    )
    said = content.get("passed")
    passes = tuple(Pass(player(seat)) for seat in said) if said else implied_passes(round, move)
    after = replay(round, (*passes, move))
    parts = [move_part(skipped, deck, implied=not said) for skipped in passes]
    return Draft(log.number, [*parts, move_part(after.moves[-1], deck)])


def _pass(state: NightState, content: Data) -> Draft:
    return _move(state, content, Pass(player(content["seat"]), content.get("stood", False)))


def _claim(state: NightState, content: Data) -> Draft:
    cards, twice = _cards(state.terms.ruleset.deck, "cards", content["cards"])
    return _move(state, content, Claim(player(content["seat"]), cards, content.get("stood", False), twice))


def _contract(state: NightState, content: Data) -> Draft:
    return _move(state, content, Bid(player(content["seat"]), content["contract"]))


def _move(state: NightState, content: Data, move: Move) -> Draft:
    log, round = _running(state, content)
    return Draft(log.number, [move_part(apply(round, move).moves[-1], round.ruleset.deck)])


def _show(state: NightState, content: Data) -> Draft:
    cards, twice = _cards(state.terms.ruleset.deck, "cards", content["cards"])
    return _at_the_end(state, content, Show(player(content["seat"]), cards, twice))


def _declare(state: NightState, content: Data) -> Draft:
    together = again = 0
    sets = []
    for texts in content["sets"]:
        cards, twice = _cards(state.terms.ruleset.deck, "sets", texts)
        again |= twice | together & cards
        together |= cards
        sets.append(cards)
    return _at_the_end(state, content, Declare(player(content["seat"]), tuple(sets), again))


def _at_the_end(state: NightState, content: Data, move: Show | Declare) -> Draft:
    log, round = _unsettled(state, content)
    apply(round, move)
    return Draft(log.number, [move_part(move, round.ruleset.deck)])


def _settle(state: NightState, content: Data) -> Draft:
    log, round = _unsettled(state, content)
    if not round.over:
        raise Refused(_refusal(round, Code.ROUND_NOT_OVER, Clause.END))
    if missing := missing_hands(round):
        raise Refused(_refusal(round, Code.HANDS_MISSING, Clause.SHOW, expected=tuple(missing)))
    return Draft(log.number, payments=settlement(log))


def settlement(log: RoundLog) -> list[NewPayment]:
    """The payments of a round as they are posted, each with the address of the move that caused it."""
    assert log.round is not None
    return [
        NewPayment(
            payer=tag(payment.payer),
            payee=tag(payment.payee),
            points=payment.points,
            reason=payment.reason,
            clause=payment.clause,
            round=log.number,
            cause=log.address_of(payment.move),
        )
        for payment in payments(log.round)
    ]


def _undo(state: NightState, content: Data) -> Draft:
    target = undo_target(state)
    if target is None:
        raise Problem(ProblemCode.NOTHING_TO_UNDO)
    return _take_back("undo", *target)


def _redo(state: NightState, content: Data) -> Draft:
    target = redo_target(state)
    if target is None:
        raise Problem(ProblemCode.NOTHING_TO_REDO)
    return _take_back("redo", *target)


def _take_back(kind: str, round: int, seq: int, parts: int) -> Draft:
    return Draft(
        round,
        [{"kind": kind, "corrects": f"{seq}.{part}"} for part in range(parts)],
        corrections=[NewCorrection(part, seq, part) for part in range(parts)],
    )


def undo_target(state: NightState) -> tuple[int, int, int] | None:
    """What an undo would take back: the round, the event (or its last redo), and how many parts it has."""
    log = state.current
    if log is None or log.settled:
        return None
    taken_back = corrections(log.events)
    for event in reversed(log.events):
        if is_undoable(event):
            seq, standing = chain(event.seq, taken_back)
            if standing:
                # A header below an undone one stays: the round before it is not in sight any more.
                lost = event.kind == "round" and log.number < state.newest
                return None if lost else (log.number, seq, len(event.parts))
    return None


def redo_target(state: NightState) -> tuple[int, int, int] | None:
    """What a redo would take back: the last undo that stands, unless something new was recorded since."""
    recent = [log for number, log in state.logs.items() if number >= state.newest - 1]
    events = sorted(
        (event for log in recent for event in log.events), key=lambda event: event.seq, reverse=True
    )
    taken_back = {target: by for log in recent for target, by in corrections(log.events).items()}
    for event in events:
        if event.kind == "undo" and event.seq not in taken_back:
            return event.round, event.seq, len(event.parts)
        if is_undoable(event) or event.kind == "settle":
            return None
    return None


def _adjust(state: NightState, content: Data) -> Draft:
    for field in ("payer", "payee"):
        if content[field] not in state.terms.players:
            raise unreadable(field, "a player of this night")
    if content["payer"] == content["payee"]:
        raise unreadable("payee", "another player than the payer")
    payment = NewPayment(
        payer=content["payer"],
        payee=content["payee"],
        points=content["points"],
        reason=ADJUSTMENT,
        clause=ADJUSTMENT,
        round=0,
    )
    return Draft(0, payments=[payment])


def _note(state: NightState, content: Data) -> Draft:
    def known(word: str) -> int:
        if word not in state.terms.players:
            raise ValueError(word)
        return player(word)

    try:
        read_note(content["note"].split(), known, state.terms.ruleset.deck)
    except ValueError:
        raise unreadable("note", "a note such as kneels p2 until-first") from None
    return Draft(0)


ADJUSTMENT = "adjustment"
"""The reason of a payment by hand; it rests on no clause but its own words."""


def _end(state: NightState, content: Data) -> Draft:
    if state.open_rounds:
        raise Problem(ProblemCode.UNSETTLED_ROUND, rounds=state.open_rounds)
    return Draft(0)


def _reopen(state: NightState, content: Data) -> Draft:
    if not state.ended:
        raise Problem(ProblemCode.NIGHT_NOT_ENDED)
    return Draft(0)


KINDS: Mapping[str, Callable[[NightState, Data], Draft]] = {
    "round": _round,
    "play": _play,
    "pass": _pass,
    "claim": _claim,
    "contract": _contract,
    "show": _show,
    "declare": _declare,
    "settle": _settle,
    "undo": _undo,
    "redo": _redo,
    "adjust": _adjust,
    "note": _note,
    "end": _end,
    "reopen": _reopen,
}
"""Every kind of event that can be recorded."""


def _running(state: NightState, content: Data) -> tuple[RoundLog, Round]:
    """The newest round; a round that was settled takes nothing more, whatever the rules say."""
    log = state.current
    if log is None or log.round is None:
        raise Refused(no_round(state.terms.ruleset, player(content["seat"])))
    if log.settled:
        raise Problem(ProblemCode.ROUND_SETTLED, round=log.number)
    return log, log.round


def _unsettled(state: NightState, content: Data) -> tuple[RoundLog, Round]:
    """The round that the request names, or the newest."""
    current = state.current
    number = content.get("round") or (current.number if current else 0)
    log = state.logs.get(number)
    if current is None or number > current.number or (log is not None and log.round is None):
        raise Refused(no_round(state.terms.ruleset, player(content.get("seat", "p1"))))
    if log is None or log.round is None or log.settled:
        raise Problem(ProblemCode.ROUND_SETTLED, round=number)
    return log, log.round


def _cards(deck: Deck, field: str, texts: Sequence[str]) -> tuple[Cards, Cards]:
    try:
        return deck.gather(map(Card.read, texts))
    except ValueError:
        raise unreadable(field, "cards such as 3s or Qh") from None


def _refusal(round: Round, code: Code, clause: Clause, expected: tuple[int, ...] = ()) -> Refusal:
    return Refusal(
        code=code, verdict=Verdict.IMPOSSIBLE, clause=round.ruleset.clause(clause), expected=expected
    )
