"""The people of a night: who joins, whose name is corrected, whose link is revoked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from marshmallow import ValidationError, validates_schema

from ledger.game.notation import MOST_PLAYERS, tag
from ledger.recorder import fields
from ledger.recorder.drafts import Draft
from ledger.recorder.events.event import Event, IndependentSchema
from ledger.recorder.parts import Part
from ledger.recorder.problems import Problem, ProblemCode, unreadable
from ledger.recorder.state import NightState
from ledger.store import Role


class JoinSchema(IndependentSchema):
    """Somebody comes to the table; the answer has the new link."""

    kind = fields.Kind("join")
    name = fields.name(required=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerJoined(Event):
    """Somebody comes to the table, after those who are there."""

    kind = "join"
    schema = JoinSchema()

    name: str
    """In the log a commitment to it."""

    def draft(self, state: NightState) -> Draft:
        if len(state.players) >= MOST_PLAYERS:
            raise Problem(ProblemCode.TOO_MANY_PLAYERS, most=MOST_PLAYERS)
        return Draft(0, [{"kind": "join", "player": tag(len(state.players)), "name": self.name}])


class RenameSchema(IndependentSchema):
    """A player's name is corrected."""

    kind = fields.Kind("rename")
    player = fields.Player(required=True)
    name = fields.name(required=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRenamed(Event):
    """A player's name is corrected."""

    kind = "rename"
    schema = RenameSchema()
    after_the_end = True

    player: str
    name: str
    """In the log a commitment to it."""

    def draft(self, state: NightState) -> Draft:
        if self.player not in state.players:
            raise unreadable("player", "a player of this night")
        return Draft(0, [{"kind": "rename", "player": self.player, "name": self.name}])


class RevokeSchema(IndependentSchema):
    """A link opens nothing any more; the answer has the one in its place."""

    kind = fields.Kind("revoke")
    role = fields.RoleWord(required=True, metadata={"example": Role.WATCH.value})
    player = fields.Player(metadata={"description": "Whose seat's link; for the role `seat` alone."})
    told: ClassVar = {
        "if": {"properties": {"role": {"enum": [Role.SEAT.value]}}},
        "then": {"required": ["player"]},
        "else": {"not": {"required": ["player"]}},
    }

    @validates_schema
    def seats_have_players(self, data: Mapping[str, object], **kwargs: Any) -> None:
        if (data["role"] == Role.SEAT) != ("player" in data):
            raise ValidationError("a player, for a seat's link alone", "player")


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRevoked(Event):
    """A link opens nothing any more: a role's, or a player's seat's."""

    kind = "revoke"
    schema = RevokeSchema()
    after_the_end = True

    role: str
    player: str | None = None

    def draft(self, state: NightState) -> Draft:
        of_seat = self.role == Role.SEAT
        if of_seat != (self.player is not None) or (of_seat and self.player not in state.players):
            raise unreadable("player", "a player of this night")
        part: Part = {"kind": "revoke", "role": self.role}
        return Draft(0, [part | {"player": self.player} if self.player else part])
