"""What a table has agreed on during the night, as far as it stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ledger.game.terms import Terms
from ledger.recorder.agreements import AGREE
from ledger.recorder.history import read_events
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
    """The agreements of a night that stand, the first one first."""
    events = {event.seq: event for event in read_events(rounds.reader.events_of_kinds(state.night, (AGREE,)))}
    begun = rounds.facts(_begun_under, {event.round for event in events.values()})
    found, seq = list[AgreedChange](), state.agreed_at
    while seq:
        event = events[seq]
        part: Mapping[str, Any] = event.parts[0]
        earlier = part.get("agreed", 0)
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
    return found[::-1]


def _begun_under(log: RoundLog) -> int | None:
    """The seq of the agreement that a round was begun under, 0 for the opening; None if it has not begun."""
    return None if log.header is None else log.header.data.get("agreed", 0)
