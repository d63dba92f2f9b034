"""Every kind of event that can be recorded, and the judging of a request for one.

`draft` judges a request on the state of a night and returns what would be appended. It writes nothing, so preview,
recorder and audit all use it.
"""

from collections.abc import Mapping
from typing import Final

from ledger.game.errors import Refused
from ledger.game.fold import MOST_ENTRIES, too_many_entries
from ledger.game.payments import post
from ledger.recorder.drafts import Draft, EventRequest
from ledger.recorder.events import (
    agreement,
    correction,
    cover,
    dispute,
    ending,
    money,
    moves,
    note,
    people,
    round,
)
from ledger.recorder.events.event import REGISTERED, Event
from ledger.recorder.problems import Problem, ProblemCode, refused
from ledger.recorder.round_log import OF_ENTRIES, entries_of
from ledger.recorder.state import NightState
from ledger.store import EventBody

FAMILIES: Final = (round, agreement, moves, cover, correction, money, note, dispute, people, ending)
"""The modules of `events/` with kinds of events, which register when they are imported."""

KINDS: Final[Mapping[str, type[Event]]] = {
    kind: event
    for family in FAMILIES
    for kind, event in REGISTERED.items()
    if event.__module__ == family.__name__
}
"""Every kind of event."""


def draft(state: NightState, asked: EventRequest | EventBody) -> Draft:
    """Draft what recording a request would append; Problem if the rules or the state of the night refuse it."""
    kind, event = asked.kind, KINDS[asked.kind].read(asked.content)
    if state.ended and not event.after_the_end:
        raise Problem(ProblemCode.NIGHT_ENDED)
    try:
        drafted = event.draft(state)
        if kind in OF_ENTRIES and kind != "void":
            _require_space(state, drafted, entries_of(kind, drafted.parts))
        return drafted
    except Refused as error:
        raise refused(error.refusal) from None


def _require_space(state: NightState, drafted: Draft, entries: int) -> None:
    """Raise Refused if the draft takes a round over the most entries allowed. A round can always be voided."""
    log = state.logs.get(drafted.round)
    if log and log.round and log.recorded + entries > MOST_ENTRIES:
        raise Refused(too_many_entries(log.round, log.round.header.seats[0]))


def net_after(state: NightState, drafted: Draft) -> Mapping[str, int]:
    """Every player's net after a draft's payments; a player who joins starts at 0."""
    joined = [part["player"] for part in drafted.parts if part["kind"] == "join"]
    if not joined and not drafted.payments:
        return state.net
    return post(drafted.payments, {**state.net, **dict.fromkeys(joined, 0)})
