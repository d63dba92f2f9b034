"""Agreement and dispute: what seats say of rounds and payments, how a dispute is closed, what was handed over.

None of it records anything about the play, and nothing of it makes a keeper's entry stale.
"""

from collections.abc import Iterable
from typing import Any

from ledger.recorder.bodies import Logged
from ledger.recorder.correcting import posted, read_place, waivers
from ledger.recorder.drafts import Draft, adjustment
from ledger.recorder.problems import Problem, ProblemCode, unreadable
from ledger.recorder.rounds import RoundLog
from ledger.recorder.schemas.night import CORRECTED, WAIVED
from ledger.recorder.state import NightState
from ledger.store import NewPayment

Data = dict[str, Any]


def confirm(state: NightState, content: Data) -> Draft:
    """A player agrees with a settled round."""
    log = state.logs.get(content["round"])
    if log is None or not log.counts or not log.settled:
        raise Problem(ProblemCode.ROUND_NOT_SETTLED, round=content["round"])
    if content["player"] in (agreed(log.events) or ()):
        raise Problem(ProblemCode.ALREADY_CONFIRMED, round=log.number)
    return Draft(log.number, [{"kind": "confirm", "player": content["player"]}])


def agreed(events: Iterable[Logged]) -> dict[str, str] | None:
    """Who agrees with a round as it stands, and since when, from its events; None where nobody is asked: it is not
    settled, or does not count."""
    found: dict[str, str] | None = None
    voided = ""
    """The address of its voiding, once it was settled, while that stands."""
    for event in events:
        match event.kind:
            case "settle":
                found = {}
            case "confirm" if found is not None:
                found[event.parts[0]["player"]] = event.at
            case "correct":
                if found is not None or any(part.get("corrects") == voided for part in event.parts):
                    found, voided = {}, ""
            case "void" if found is not None:
                found, voided = None, f"{event.seq}.0"
    return found


def asked_again(log: RoundLog) -> Logged | None:
    """The last correction of a settled round: whoever agreed before it is asked again."""
    found: Logged | None = None
    settled = False
    for event in log.events:
        settled = settled or event.kind == "settle"
        if settled and event.kind == "correct":
            found = event
    return found


def dispute(state: NightState, content: Data) -> Draft:
    """A player disputes a payment that holds, or a move that stands."""
    log = state.logs.get(content["round"], RoundLog(content["round"]))
    said: Data
    if "payment" in content:
        place = content["payment"]["seq"], content["payment"]["idx"]
        if place not in posted(log):
            raise Problem(ProblemCode.NO_SUCH_ENTRY)
        said = {"payment": f"{place[0]}.{place[1]}"}
    else:
        if content["move"] not in {entry.address for entry in log.entries}:
            raise Problem(ProblemCode.NO_SUCH_ENTRY)
        said = {"move": content["move"]}
    part = {"kind": "dispute", "player": content["player"], **said}
    if any(said.items() <= other.parts[0].items() for other in open_disputes(log)):
        raise Problem(ProblemCode.ALREADY_DISPUTED)
    return Draft(log.number, [part])


def open_disputes(log: RoundLog) -> list[Logged]:
    """The disputes of a round that no decision has closed."""
    closed = decisions(log.events)
    return [event for event in log.events if event.kind == "dispute" and event.seq not in closed]


def decisions(events: Iterable[Logged]) -> dict[int, Logged]:
    """Dispute -> the decision that closed it, by seq."""
    return {event.parts[0]["dispute"]: event for event in events if event.kind == "decide"}


def decide(state: NightState, content: Data) -> Draft:
    """A dispute is closed, with a reason."""
    log, event = _disputed(state, content["dispute"])
    if event.seq in decisions(log.events):
        raise Problem(ProblemCode.ALREADY_DECIDED)
    decision = content["decision"]
    if decision == CORRECTED and not any(
        later.kind in ("correct", "void") and later.seq > event.seq for later in log.events
    ):
        raise Problem(ProblemCode.NOTHING_CORRECTED)
    payments = [_waiver(state, log, event)] if decision == WAIVED else []
    part = {"kind": "decide", "dispute": event.seq, "decision": decision}
    return Draft(log.number, [part], payments=payments)


def paid(state: NightState, content: Data) -> Draft:
    """A settle-up transfer was handed over: it is kept, and moves no point of the game."""
    players_differ(state, content)
    return Draft(0, [{"kind": "paid", **{name: content[name] for name in ("payer", "payee", "points")}}])


def players_differ(state: NightState, content: Data) -> None:
    """A Problem unless payer and payee are two players of the night."""
    for field in ("payer", "payee"):
        if content[field] not in state.players:
            raise unreadable(field, "a player of this night")
    if content["payer"] == content["payee"]:
        raise unreadable("payee", "another player than the payer")


def _disputed(state: NightState, seq: int) -> tuple[RoundLog, Logged]:
    for log in state.logs.values():
        for event in log.events:
            if event.seq == seq and event.kind == "dispute":
                return log, event
    raise Problem(ProblemCode.NO_SUCH_ENTRY)


def _waiver(state: NightState, log: RoundLog, event: Logged) -> NewPayment:
    """An adjustment that takes a disputed payment back: none is taken back twice."""
    if state.ended:
        raise Problem(ProblemCode.NIGHT_ENDED)
    said, holds = event.parts[0].get("payment"), posted(log)
    place = read_place(said) if said else None
    if place not in holds:
        raise Problem(ProblemCode.NO_SUCH_ENTRY)
    if place in waivers(log):
        raise Problem(ProblemCode.ALREADY_DECIDED)
    payment = holds[place]
    return adjustment(payment.payee, payment.payer, payment.points)
