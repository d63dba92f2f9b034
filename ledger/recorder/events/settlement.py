"""A round's payments are posted."""

from dataclasses import dataclass

from ledger.recorder.drafts import Draft, settlement
from ledger.recorder.events.event import Event, EventSchema
from ledger.recorder.events.moves import unsettled_round
from ledger.recorder.schemas import fields
from ledger.recorder.state import NightState


class SettleSchema(EventSchema):
    """A round's payments are posted."""

    kind = fields.Kind("settle")
    round = fields.round_number(metadata={"description": "Left out: the last round."})


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSettled(Event):
    """The payments of a round that is over are posted."""

    kind = "settle"
    schema = SettleSchema()
    changes_rounds = True
    posts = True

    round: int | None = None
    """None: the newest."""

    def draft(self, state: NightState) -> Draft:
        log, _ = unsettled_round(state, self.round)
        return Draft(log.number, payments=settlement(log))
