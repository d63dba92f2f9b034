"""What a keeper asks to be recorded, and what the rules make of it.

`draft` judges a request against the state of a night and answers what would be appended. It writes nothing, so
that a preview, the recorder and the audit ask the same question.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ledger.game.errors import Refused
from ledger.game.moves import Move, Pass, Play
from ledger.game.nights import begin_round, no_round, require_round, seats_after
from ledger.game.notation import read_note
from ledger.game.rounds import MOST_ENTRIES, implied_passes, replay, too_many_entries
from ledger.game.state import Header, Round
from ledger.recorder import people
from ledger.recorder.agreeing import confirm, decide, dispute, paid, players_differ
from ledger.recorder.correcting import correct, void
from ledger.recorder.drafts import Draft, adjustment, settlement
from ledger.recorder.moves import move_of
from ledger.recorder.parts import MOVES_AT_THE_END, header_part, move_part, player
from ledger.recorder.problems import Problem, ProblemCode, refused, unreadable
from ledger.recorder.rounds import OF_ENTRIES, RoundLog
from ledger.recorder.slots import seq_of
from ledger.recorder.state import NightState, is_recording
from ledger.recorder.taking_back import redo, undo

Data = dict[str, Any]


def draft(state: NightState, kind: str, content: Data) -> Draft:
    """What recording this would append; Problem if the rules, or the state of the night, refuse it."""
    if state.ended and is_recording(kind) and kind != "reopen":
        raise Problem(ProblemCode.NIGHT_ENDED)
    try:
        drafted = KINDS[kind](state, content)
        if kind in OF_ENTRIES and kind != "void":
            _require_space(state, drafted)
        return drafted
    except Refused as error:
        raise refused(error.refusal) from None


def _require_space(state: NightState, drafted: Draft) -> None:
    """Refused where a round would have more entries than one may have; it can always be voided."""
    log = state.logs.get(drafted.round)
    if log and log.round and log.recorded + len(drafted.parts) > MOST_ENTRIES:
        raise Refused(too_many_entries(log.round, log.round.header.seats[0]))


def moved(
    round: Round, kind: str, content: Data, fold: Callable[[Round, Iterable[Move]], Round] = replay
) -> tuple[list[Data], Round]:
    """The parts that a move of a request comes to, and the round with it. Raises Refused, Problem."""
    deck = round.ruleset.deck
    move = move_of(kind, content, deck)
    passes: tuple[Pass, ...] = ()
    said = None
    if isinstance(move, Play):
        said = content.get("passed")
        passes = implied_passes(round, move) if said is None else tuple(Pass(player(seat)) for seat in said)
    after = fold(round, (*passes, move))
    parts = [move_part(skipped, deck, implied=said is None) for skipped in passes] if passes else []
    # A move that the rules allow loses its mark; of cards that are shown, the words are kept.
    parts.append(move_part(move if kind in MOVES_AT_THE_END else after.moves[-1], deck))
    return parts, after


def net_after(state: NightState, drafted: Draft) -> Mapping[str, int]:
    """The net of every player after a draft's payments; who joins has none yet."""
    joined = people.joined(drafted.parts)
    if not joined and not drafted.payments:
        return state.net
    net = {**state.net, **dict.fromkeys(joined, 0)}
    for payment in drafted.payments:
        net[payment.payer] -= payment.points
        net[payment.payee] += payment.points
    return net


def entry_asked(kind: str, content: Data) -> int | None:
    """The seq of an earlier event that a request is about, where that tells which round it means."""
    if kind == "correct":
        first = content["changes"][0]
        return seq_of(first.get("target") or first["before"])
    if kind == "decide":
        seq: int = content["dispute"]
        return seq
    return None


def _round(state: NightState, content: Data) -> Draft:
    current, previous = state.current, state.previous
    everyone = tuple(range(len(state.players)))
    seats = content.get("seats")
    header = Header(
        seats=tuple(map(player, seats)) if seats else seats_after(previous) if previous else everyone,
        leader=player(content["leader"]) if content.get("leader") else None,
        stood=content.get("stood", False),
    )
    number = current.number + 1 if current else 1
    require_round(state.terms.ruleset, number)
    round = begin_round(state.terms.ruleset, len(everyone), header, previous)
    return Draft(number, [header_part(round.header, state.open_rounds)])


def _move(kind: str) -> Callable[[NightState, Data], Draft]:
    """Recording a move of this kind."""

    def recorded(state: NightState, content: Data) -> Draft:
        log, round = (_unsettled if kind in MOVES_AT_THE_END else _running)(state, content)
        parts, after = moved(round, kind, content)
        return Draft(log.number, parts, leads_to=after)

    return recorded


def _settle(state: NightState, content: Data) -> Draft:
    log, _ = _unsettled(state, content)
    return Draft(log.number, payments=settlement(log))


def _adjust(state: NightState, content: Data) -> Draft:
    players_differ(state, content)
    payment = adjustment(content["payer"], content["payee"], content["points"])
    return Draft(0, payments=[payment])


def _note(state: NightState, content: Data) -> Draft:
    def known(word: str) -> int:
        if word not in state.players:
            raise ValueError(word)
        return player(word)

    try:
        read_note(content["note"].split(), known, state.terms.ruleset.deck)
    except ValueError:
        raise unreadable("note", "a note such as kneels p2 until-first") from None
    return Draft(0)


def _join(state: NightState, content: Data) -> Draft:
    if state.ended:
        raise Problem(ProblemCode.NIGHT_ENDED)
    return Draft(0, [people.join(state.players, content)])


def _rename(state: NightState, content: Data) -> Draft:
    return Draft(0, [people.rename(state.players, content)])


def _revoke(state: NightState, content: Data) -> Draft:
    return Draft(0, [people.revoke(state.players, content)])


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
    "play": _move("play"),
    "pass": _move("pass"),
    "claim": _move("claim"),
    "contract": _move("contract"),
    "result": _move("result"),
    "show": _move("show"),
    "declare": _move("declare"),
    "settle": _settle,
    "undo": undo,
    "redo": redo,
    "correct": correct,
    "void": void,
    "adjust": _adjust,
    "note": _note,
    "confirm": confirm,
    "dispute": dispute,
    "decide": decide,
    "paid": paid,
    "join": _join,
    "rename": _rename,
    "revoke": _revoke,
    "end": _end,
    "reopen": _reopen,
}
"""Every kind of event that can be recorded."""


def _running(state: NightState, content: Data) -> tuple[RoundLog, Round]:
    """The newest round; a round that was settled takes nothing more, whatever the rules say."""
    log = state.current
    if log is None or log.round is None or log.round.void is not None:
        raise Refused(no_round(state.terms.ruleset, player(content.get("seat", "p1"))))
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
    if log.round.void is not None:
        raise Problem(ProblemCode.ROUND_VOID, round=number)
    return log, log.round
