"""What a table has agreed on during the night, as far as it stands."""

from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

from ledger.game.terms import Terms
from ledger.recorder.agreements import AGREE
from ledger.recorder.history import read_events
from ledger.recorder.parts import Part, agreed_before
from ledger.recorder.round_log import RoundLog
from ledger.recorder.rounds import Rounds
from ledger.recorder.state import NightState


@dataclass(frozen=True, slots=True)
class AgreedChange:
    """Terms that hold from a round on."""

    round: int
    """The first round that was begun under them, or will be."""
    before: Terms
    terms: Terms
    all_rounds: bool
    """Whether the worth of a point is also that of the rounds before."""
    at: str
    phone: str | None
    """The phone that recorded it; None if unknown."""


def view_new_terms(state: NightState, rounds: Rounds) -> list[AgreedChange]:
    """What the agreements of a night that stand change, the first round first."""
    events = {event.seq: event for event in read_events(rounds.reader.events_of_kinds(state.night, (AGREE,)))}
    begun = rounds.derived(_begun_under, {event.round for event in events.values()})
    found, seq = list[AgreedChange](), state.agreed_at
    while seq:
        event = events[seq]
        part: Part = event.parts[0]
        earlier = agreed_before(part)
        under = begun[event.round]
        found.append(
            AgreedChange(
                round=event.round + (under is not None and under < seq),
                before=state.agreements.at(earlier).terms,
                terms=state.agreements.at(seq).terms,
                all_rounds=part.get("all_rounds", False),
                at=event.at,
                phone=event.phone,
            )
        )
        seq = earlier
    return [*filter(_changes, _by_round(found[::-1]))]


def _by_round(agreed: list[AgreedChange]) -> list[AgreedChange]:
    """One change for all agreements before the same round, as a replay has it; it is of the time of the last. A
    worth of all rounds that the last one replaced is a change of its own."""
    found = list[AgreedChange]()
    for number, some in groupby(agreed, key=attrgetter("round")):
        together = [*some]
        first, last = together[0], together[-1]
        of_all = next((one.terms.stake for one in reversed(together) if one.all_rounds), None)
        if of_all is not None:
            terms = replace(last.terms, stake=of_all)
            found.append(replace(last, round=number, before=first.before, terms=terms, all_rounds=True))
            first = replace(first, before=terms)
        found.append(replace(last, before=first.before, all_rounds=False))
    return found


def _changes(one: AgreedChange) -> bool:
    """Whether something else holds after it: not if it was agreed on and taken back before the round."""
    return one.terms != one.before


def _begun_under(log: RoundLog) -> int | None:
    """The seq of the agreement that a round was begun under, 0 for the opening; None if it has not begun."""
    return None if log.header is None else log.begun_under
