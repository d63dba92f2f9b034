"""The people of a night: joining, correcting names, revoking links; and the tokens of its links.

The chain holds a commitment in place of each name, with one salt per player, so that a repeated request gives the
same commitment. Name and salt are stored outside the chain, where both can be erased.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from secrets import token_bytes
from typing import Any, ClassVar

from marshmallow import ValidationError, validates_schema

from ledger.game.cards import Deck
from ledger.game.notation import MOST_PLAYERS, by_tag, can_join, tag
from ledger.recorder import fields
from ledger.recorder.drafts import Draft, EventRequest
from ledger.recorder.events.event import Event, IndependentSchema, requested
from ledger.recorder.names import confusable
from ledger.recorder.parts import Part
from ledger.recorder.problems import Problem, ProblemCode, unreadable
from ledger.recorder.state import NightState
from ledger.recorder.terms import Opening
from ledger.store import (
    REVOKING,
    SALT_BYTES,
    EventBody,
    Link,
    Person,
    Reader,
    Role,
    Writer,
    commitment,
    make_token,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerJoined(Event):
    """A player joins the night and gets the next tag."""

    kind = "join"
    base = IndependentSchema
    in_replays = True
    gives_links = True

    name: str = requested(fields.name(required=True))
    """In the log, a commitment to it."""

    def draft(self, state: NightState) -> Draft:
        if len(state.players) >= MOST_PLAYERS:
            raise Problem(ProblemCode.TOO_MANY_PLAYERS, most=MOST_PLAYERS)
        return Draft(0, [{"kind": "join", "player": tag(len(state.players)), "name": self.name}])


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRenamed(Event):
    """A player's name is corrected."""

    kind = "rename"
    base = IndependentSchema
    after_the_end = True

    player: str = requested(fields.Player(required=True))
    name: str = requested(fields.name(required=True))
    """In the log, a commitment to it."""

    def draft(self, state: NightState) -> Draft:
        if self.player not in state.players:
            raise unreadable("player", "a player of this night")
        return Draft(0, [{"kind": "rename", "player": self.player, "name": self.name}])


class RoleOrSeat(IndependentSchema):
    """Requires a player for the link of a seat alone."""

    openapi: ClassVar = {
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
    """A link is revoked: that of a role, or of a player's seat."""

    kind = REVOKING
    base = RoleOrSeat
    gives_links = True
    after_the_end = True

    role: str = requested(fields.RoleWord(required=True, metadata={"example": Role.WATCH.value}))
    player: str | None = requested(
        fields.Player(metadata={"description": "Whose seat's link; for the role `seat` alone."}), None
    )

    def draft(self, state: NightState) -> Draft:
        of_seat = self.role == Role.SEAT
        if of_seat != (self.player is not None) or (of_seat and self.player not in state.players):
            raise unreadable("player", "a player of this night")
        part: Part = {"kind": "revoke", "role": self.role}
        return Draft(0, [part | {"player": self.player} if self.player else part])


MOST_REVOCATIONS = 100
"""In one night: every request reads all of them, and a token counts revocations up to 65,535 only."""

NAMING = frozenset({PlayerJoined.kind, PlayerRenamed.kind})
"""The kinds of events whose content holds a name."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A request with a commitment in place of its name, and the name to be stored outside the chain."""

    request: EventRequest
    person: Person | None = None


def new_people(night: str, names: Sequence[str]) -> list[Person]:
    """The players of a new night, each with a new salt."""
    return [
        Person(night=night, player=tag(number), name=name, salt=token_bytes(SALT_BYTES))
        for number, name in enumerate(names)
    ]


def commitments(people: Iterable[Person]) -> dict[str, str]:
    """Player -> the commitment to their name."""
    return {person.player: _commitment(person) for person in people}


def require_revocable(reader: Reader, night: str, kind: str) -> None:
    """Raise Problem if an event of this kind would be one revocation too many."""
    if kind != LinkRevoked.kind:
        return
    head = reader.night_head(night)
    if head is not None and head.generations.total() >= MOST_REVOCATIONS:
        raise Problem(ProblemCode.TOO_MANY_REVOCATIONS)


def seal(night: str, named: Callable[[], Iterable[Person]], request: EventRequest, deck: Deck) -> Sealed:
    """Replace the name in a request, if it has one, with a commitment.

    Problem if the name looks like that of another of the `named` players, or if a replay would read it as a move.
    """
    content = request.content
    if request.kind not in NAMING:
        return Sealed(request)
    people = {person.player: person for person in named()}
    player = tag(len(people)) if request.kind == PlayerJoined.kind else content["player"]
    name: str = content["name"]
    others = (person.name for person in people.values() if person.name and person.player != player)
    if confusable(name, player, others):
        raise Problem(ProblemCode.NAME_TAKEN, name=name)
    if not can_join(name, deck):
        raise unreadable("name", "a name that is no move")
    known = people.get(player)
    salt = (known.salt if known else None) or token_bytes(SALT_BYTES)
    person = Person(night=night, player=player, name=name, salt=salt)
    return Sealed(replace(request, content={**content, "name": _commitment(person)}), person)


def as_opened(reader: Reader, opening: Opening, names: Sequence[str]) -> tuple[str | None, ...]:
    """The commitments that the names of a repeated opening lead to. An erased name cannot be compared: it counts as
    equal."""
    salts = {person.player: person.salt for person in reader.people(opening.night)}
    return tuple(
        _commitment_under(salts.get(player), name) or opening.players.get(player)
        for player, name in by_tag(names).items()
    )


def as_recorded(reader: Reader, night: str, event: EventBody, request: EventRequest) -> EventRequest:
    """A repeated request with a commitment in place of its name, by the salt of the recorded event's player."""
    content = request.content
    if event.kind not in NAMING or "name" not in content:
        return request
    salts = {person.player: person.salt for person in reader.people(night)}
    name = _commitment_under(salts.get(event.parts[0]["player"]), content["name"])
    return replace(request, content={**content, "name": name})


def store_name(writer: Writer, person: Person | None, kind: str) -> None:
    """Store the name that an event of this kind commits to, outside the chain."""
    if person is not None:
        (writer.add_person if kind == PlayerJoined.kind else writer.rename_person)(person)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of the links of a night, or the URLs made from them."""

    keeper: str
    watch: str
    seats: dict[str, str]

    def of(self, link: Link) -> str:
        """The current token for the role or seat of a link."""
        if link.player:
            return self.seats[link.player]
        return self.keeper if link.role is Role.KEEPER else self.watch


def tokens(key: bytes, reader: Reader, night: str) -> Tokens:
    """The tokens of a night's current links: the keeper's, the watchers' and each player's."""
    head = reader.night_head(night)
    assert head is not None, "a night that is there"

    def token(role: Role, player: str | None = None) -> str:
        return make_token(key, Link(night, role, player, head.generations[role, player]))

    seats = {player: token(Role.SEAT, player) for player in map(tag, range(len(head.names)))}
    return Tokens(token(Role.KEEPER), token(Role.WATCH), seats)


def _commitment_under(salt: bytes | None, name: str) -> str | None:
    """The commitment to a name under its player's salt; None if the name was erased."""
    return commitment(salt, name) if salt else None


def _commitment(person: Person) -> str:
    assert person.salt is not None
    assert person.name is not None
    return commitment(person.salt, person.name)
