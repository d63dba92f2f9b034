"""The end of a night, and its reopening."""

from dataclasses import dataclass

from ledger.recorder import fields
from ledger.recorder.drafts import Draft
from ledger.recorder.events.event import Event, requested
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.state import NightState


@dataclass(frozen=True, slots=True, kw_only=True)
class NightEnded(Event):
    """Closes the night for recording; Problem while a round is not settled."""

    kind = "end"

    def apply(self, state: NightState) -> NightState:
        return state._replace(ended=True)

    def draft(self, state: NightState) -> Draft:
        if state.open_rounds:
            raise Problem(ProblemCode.UNSETTLED_ROUND, rounds=state.open_rounds)
        return Draft(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class NightReopened(Event):
    """Reopens a night that has ended."""

    kind = "reopen"
    after_the_end = True

    reason: str = requested(fields.reason())

    def apply(self, state: NightState) -> NightState:
        return state._replace(ended=False)

    def draft(self, state: NightState) -> Draft:
        if not state.ended:
            raise Problem(ProblemCode.NIGHT_NOT_ENDED)
        return Draft(0)
