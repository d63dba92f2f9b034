"""Beginning a round, and posting its payments."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from marshmallow import ValidationError, validates_schema
from marshmallow.validate import Equal

from ledger.game.night import begin_round, require_round, seats_after
from ledger.game.round import MOST_TIMES, Header
from ledger.recorder import fields
from ledger.recorder.drafts import Draft, settlement
from ledger.recorder.events.event import Event, EventSchema, requested
from ledger.recorder.events.moves import unsettled_round
from ledger.recorder.fields import one_of_both
from ledger.recorder.parts import header_part, player
from ledger.recorder.state import NightState


class OpeningOrLeader(EventSchema):
    """Requires that the lowest card opens, or that a player leads."""

    openapi: ClassVar = one_of_both("opening", "leader")

    @validates_schema
    def one_way_to_begin(self, data: Mapping[str, object], **kwargs: Any) -> None:
        if ("opening" in data) == ("leader" in data):
            raise ValidationError("either `opening: true` or `leader`", "leader")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegun(Event):
    """A round begins: with the lowest card if `opening`, otherwise with the lead of `leader`."""

    kind = "round"
    base = OpeningOrLeader
    is_entry = True
    in_replays = True

    stood: bool = requested(fields.stood_field(), False)
    opening: bool = requested(
        fields.Truth(validate=Equal(True, error="true, or `leader` instead"), metadata={"enum": [True]}),
        False,
    )
    leader: str | None = requested(fields.Player(), None)
    seats: list[str] | None = requested(
        fields.players(metadata={"description": "Who sits in, in playing order."}), None
    )
    """None: those of the round before, or all."""
    times: int | None = requested(
        fields.Whole(
            1,
            MOST_TIMES,
            metadata={
                "description": "How many times its payments count; left out: once, or in a correction as before."
            },
        ),
        None,
    )

    def header(self, seats: tuple[int, ...], times: int = 1) -> Header:
        """The round's header; `seats` are the players in it, and `times` its factor, if the request names none."""
        return Header(
            seats=tuple(map(player, self.seats)) if self.seats else seats,
            leader=player(self.leader) if self.leader else None,
            stood=self.stood,
            times=self.times or times,
        )

    def draft(self, state: NightState) -> Draft:
        current, previous = state.current, state.previous
        everyone = tuple(range(len(state.players)))
        number = current.number + 1 if current else 1
        require_round(state.terms.ruleset, number)
        header = self.header(seats_after(previous) if previous else everyone)
        round = begin_round(state.terms.ruleset, len(everyone), header, previous)
        return Draft(number, [header_part(round.header, state.open_rounds, state.agreed_at)])


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSettled(Event):
    """The payments of a round that is over are posted."""

    kind = "settle"
    changes_rounds = True
    posts = True

    round: int | None = requested(
        fields.round_number(metadata={"description": "Left out: the last round."}), None
    )

    def draft(self, state: NightState) -> Draft:
        log, _ = unsettled_round(state, self.round)
        return Draft(log.number, payments=settlement(log))
