"""What the interface takes: the only gate for input. One schema for each kind of event."""

from collections.abc import Mapping
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, post_load, validates_schema
from marshmallow.fields import Dict, Field, List, Nested
from marshmallow.validate import Equal, Length

from ledger.game.notation import MOST_PLAYERS
from ledger.recorder import CORRECTABLE, DECISIONS, Role
from ledger.web import fields
from ledger.web.texts import REASON_CHARACTERS

Data = dict[str, Any]

MOST_RULES = 64
MOST_CHANGES = 64
CHANGES = f"a list of 1 to {MOST_CHANGES} changes"
NAMES = f"2 to {MOST_PLAYERS} names"
SETS = f"a list of 0 to {fields.MOST_CARDS} sets of cards"
MISSING = "missing"
"""What is said of a field that must be there."""


class Request(Schema):
    """What every request keeps to: no field that it does not know."""

    class Meta:
        unknown = RAISE

    error_messages = {"unknown": "no such field", "type": "a JSON object"}  # noqa: RUF012

    def on_bind_field(self, field_name: str, field_obj: Field[Any]) -> None:
        field_obj.error_messages |= {
            "required": MISSING,
            "null": field_obj.error_messages.get("invalid", "not null"),
        }


class Stake(Request):
    """What one point is worth, in the currency's own decimals."""

    amount = fields.Amount(required=True)
    currency = fields.Currency(required=True)


class NewNight(Request):
    """A night to be opened. The client makes its id, so that a repeated request opens one night."""

    id = fields.Uuid(required=True)
    ruleset = fields.Word(required=True)
    rules = Dict(
        fields.Word(),
        fields.Word(),
        validate=Length(max=MOST_RULES, error=f"a house rule ({MOST_RULES} at the most)"),
        error_messages={"invalid": "a JSON object"},
        load_default=dict,
        metadata={
            "description": "House rules, a payment scheme and fields: RULE -> VALUE.",
            "example": {"passing.locks": "no"},
        },
    )
    players = List(
        fields.name(),
        required=True,
        validate=Length(2, MOST_PLAYERS, error=NAMES),
        error_messages={"invalid": NAMES},
        metadata={"example": ["An", "Bình", "Chi", "Dũng"]},
    )
    stake = Nested(Stake, load_default=None, allow_none=True)

    @validates_schema
    def names_differ(self, data: Data, **kwargs: Any) -> None:
        names = data["players"]
        if len(set(names)) != len(names):
            raise ValidationError("names that differ", "players")


class Beside(Request):
    """What every event carries beside the fields of its kind. What records nothing of the play is never stale."""

    id = fields.Uuid(required=True)
    after = fields.Uuid(metadata={"description": "Not needed, and not judged."})
    at = fields.Time(metadata={"description": "When it was entered, by the client's clock."})


class Event(Beside):
    """What every event about the play carries."""

    after = fields.Uuid(
        required=True,
        metadata={"description": "The id of the last recording event seen; for the first, the night's."},
    )


class Stood(Event):
    stood = fields.Truth(metadata={"description": "It was against the rules, and the table let it stand."})


class Round(Stood):
    """A round begins: the lowest card opens, or a player leads."""

    kind = fields.Kind("round")
    opening = fields.Truth(validate=Equal(True, error="true, or `leader` instead"))
    leader = fields.Player()
    seats = fields.players(metadata={"description": "Who sits in, in playing order."})

    @validates_schema
    def one_way_to_begin(self, data: Data, **kwargs: Any) -> None:
        if ("opening" in data) == ("leader" in data):
            raise ValidationError("either `opening: true` or `leader`", "leader")


class Play(Stood):
    """Cards laid on the pile. The players skipped in between pass."""

    kind = fields.Kind("play")
    seat = fields.Player(required=True)
    cards = fields.cards(required=True)
    passed = fields.players(1, metadata={"description": "Who passed before it, said outright."})
    forward = fields.Truth(metadata={"description": "It goes on beating the player's own pile."})
    locks = fields.Truth(metadata={"description": "Said to lock the pile to one suit, or to unlock it."})


class Pass(Stood):
    """A player passes."""

    kind = fields.Kind("pass")
    seat = fields.Player(required=True)


class Claim(Stood):
    """An instant win, with all the cards that the player was dealt."""

    kind = fields.Kind("claim")
    seat = fields.Player(required=True)
    cards = fields.cards(required=True)


class Contract(Event):
    """A bet on one's own first place, taken before the play."""

    kind = fields.Kind("contract")
    seat = fields.Player(required=True)
    contract = fields.Word(required=True)


class BombResult(Request):
    """What a bomb took, and from whom."""

    seat = fields.Player(required=True)
    beat = fields.Player(required=True, metadata={"description": "Whose play it beat, and who pays."})
    captured = fields.cards(required=True)


class Result(Event):
    """How a round came out that nobody recorded move by move."""

    kind = fields.Kind("result")
    places = fields.players(1, required=True, metadata={"description": "The finishing order."})
    knocked_out = fields.players(0, metadata={"description": "Who had played nothing."})
    bombs = List(
        Nested(BombResult),
        validate=Length(max=fields.MOST_CARDS, error=SETS),
        error_messages={"invalid": SETS},
    )


class _Hand(Event):
    seat = fields.Player(required=True)
    round = fields.Whole(1, fields.MOST_POINTS, metadata={"description": "Left out: the last round."})


class Show(_Hand):
    """The cards that a player still holds when the round has ended."""

    kind = fields.Kind("show")
    cards = fields.cards(required=True)


class Declare(_Hand):
    """The special sets that a player still holds; none at all: an empty list."""

    kind = fields.Kind("declare")
    sets = List(
        fields.cards(),
        required=True,
        validate=Length(max=fields.MOST_CARDS, error=SETS),
        error_messages={"invalid": SETS},
        metadata={"example": [["2h"], ["9s", "9c", "9d", "9h"]]},
    )


class Settle(Event):
    """A round's payments are posted."""

    kind = fields.Kind("settle")
    round = fields.Whole(1, fields.MOST_POINTS, metadata={"description": "Left out: the last round."})


class Undo(Event):
    """The last recording event of the running round is taken back."""

    kind = fields.Kind("undo")


class Redo(Event):
    """The last undo is taken back."""

    kind = fields.Kind("redo")


class Change(Request):
    """One change of a correction: a move (or a round's beginning) replaced or struck, or a forgotten move put in
    before another."""

    target = fields.Address(metadata={"description": "The entry that is replaced, or struck."})
    before = fields.Address(metadata={"description": "The move that a forgotten one comes before."})
    with_ = Dict(
        data_key="with",
        attribute="with",
        required=True,
        allow_none=True,
        error_messages={"invalid": "an entry as it was, or null"},
        metadata={
            "description": "The entry as it was: the fields of its kind, no id, no after. null: there was none.",
            "example": {"kind": "play", "seat": "p2", "cards": ["7d", "7h"]},
        },
    )

    @validates_schema
    def one_place(self, data: Data, **kwargs: Any) -> None:
        if ("target" in data) == ("before" in data):
            raise ValidationError("either `target` or `before`", "target")
        if "before" in data and data["with"] is None:
            raise ValidationError("an entry as it was", "with")

    @post_load
    def as_it_was(self, data: Data, **kwargs: Any) -> Data:
        """The entry read by the schema of its kind."""
        return data if data["with"] is None else data | {"with": _entry(data["with"])}


class Correct(Event):
    """Entries of one round put right, all of them or none."""

    kind = fields.Kind("correct")
    changes = List(
        Nested(Change),
        required=True,
        validate=Length(1, MOST_CHANGES, error=CHANGES),
        error_messages={"invalid": CHANGES},
        metadata={"example": [{"target": "12.2", "with": {"kind": "play", "seat": "p2", "cards": ["7d"]}}]},
    )
    reason = fields.reason()


class Void(Event):
    """A round does not count: a misdeal, or abandoned."""

    kind = fields.Kind("void")
    round = fields.Whole(1, fields.MOST_POINTS, required=True)
    reason = fields.reason()


class Adjust(Event):
    """A payment by hand."""

    kind = fields.Kind("adjust")
    payer = fields.Player(required=True)
    payee = fields.Player(required=True)
    points = fields.Whole(1, fields.MOST_POINTS, required=True)
    reason = fields.reason()

    @validates_schema
    def points_change_hands(self, data: Data, **kwargs: Any) -> None:
        if data["payer"] == data["payee"]:
            raise ValidationError("another player than the payer", "payee")


class Note(Event):
    """Something that is agreed on beside the play, as the replay notation says it."""

    kind = fields.Kind("note")
    note = fields.TypedText(REASON_CHARACTERS, "kneels p2 until-first", required=True)


class PaymentPlace(Request):
    """A posted payment, as the ledger names it."""

    seq = fields.Whole(1, fields.MOST_POINTS, required=True)
    idx = fields.Whole(0, fields.MOST_POINTS, required=True)


class Confirm(Beside):
    """A seat agrees with a settled round."""

    kind = fields.Kind("confirm")
    round = fields.Whole(1, fields.MOST_POINTS, required=True)


class Dispute(Beside):
    """A seat disputes a payment or a move."""

    kind = fields.Kind("dispute")
    round = fields.Whole(
        0, fields.MOST_POINTS, required=True, metadata={"description": "0: a payment by hand."}
    )
    payment = Nested(PaymentPlace)
    move = fields.Address()
    reason = fields.reason()

    @validates_schema
    def one_thing(self, data: Data, **kwargs: Any) -> None:
        if ("payment" in data) == ("move" in data):
            raise ValidationError("either `payment` or `move`", "payment")


class Decide(Beside):
    """A dispute is closed."""

    kind = fields.Kind("decide")
    dispute = fields.Whole(
        1, fields.MOST_POINTS, required=True, metadata={"description": "The seq of the dispute."}
    )
    decision = fields.OneWord(DECISIONS, required=True)
    reason = fields.reason()


class Paid(Beside):
    """A transfer of the settle-up was handed over."""

    kind = fields.Kind("paid")
    payer = fields.Player(required=True)
    payee = fields.Player(required=True)
    points = fields.Whole(1, fields.MOST_POINTS, required=True)


class Join(Beside):
    """Somebody comes to the table; the answer has the new link."""

    kind = fields.Kind("join")
    name = fields.name(required=True)


class Rename(Beside):
    """A player's name is corrected."""

    kind = fields.Kind("rename")
    player = fields.Player(required=True)
    name = fields.name(required=True)


class Revoke(Beside):
    """A link opens nothing any more; the answer has the one in its place."""

    kind = fields.Kind("revoke")
    role = fields.RoleWord(required=True)
    player = fields.Player(metadata={"description": "Whose seat's link; for the role `seat` alone."})

    @validates_schema
    def seats_have_players(self, data: Data, **kwargs: Any) -> None:
        if (data["role"] == Role.SEAT) != ("player" in data):
            raise ValidationError("a player, for a seat's link alone", "player")


class End(Event):
    """The night is closed for recording."""

    kind = fields.Kind("end")


class Reopen(Event):
    """The night goes on after all."""

    kind = fields.Kind("reopen")
    reason = fields.reason()


EVENTS: Mapping[str, Beside] = {
    "round": Round(),
    "play": Play(),
    "pass": Pass(),
    "claim": Claim(),
    "contract": Contract(),
    "result": Result(),
    "show": Show(),
    "declare": Declare(),
    "settle": Settle(),
    "undo": Undo(),
    "redo": Redo(),
    "correct": Correct(),
    "void": Void(),
    "adjust": Adjust(),
    "note": Note(),
    "confirm": Confirm(),
    "dispute": Dispute(),
    "decide": Decide(),
    "paid": Paid(),
    "join": Join(),
    "rename": Rename(),
    "revoke": Revoke(),
    "end": End(),
    "reopen": Reopen(),
}
"""What each kind of event that can be recorded is read by."""

_CORRECTABLE = {kind: type(EVENTS[kind])(exclude=("id", "at", "after")) for kind in CORRECTABLE}
"""What an entry is read by that a correction puts in the place of another."""


def _entry(said: Data) -> Data:
    """An entry inside of a correction; a ValidationError about `with` if it is none."""
    kind = said.get("kind")
    schema = _CORRECTABLE.get(kind) if isinstance(kind, str) else None
    if schema is None:
        raise ValidationError(f"a kind of entry ({', '.join(_CORRECTABLE)})", "with")
    try:
        entry: Data = schema.load(said)
    except ValidationError as error:
        raise ValidationError({"with": error.messages}) from None
    return entry


class Recording(Request):
    """How an event is recorded."""

    preview = fields.QueryTruth(
        load_default=False,
        metadata={"description": "Nothing is recorded: answered is what it would change."},
    )


class Scoring(Request):
    """How a text is scored."""

    under = fields.Word(
        load_default=None, metadata={"description": "Another preset's id: the same night under its rules."}
    )


class LogPage(Request):
    """Which part of the log."""

    after = fields.QueryWhole(0, fields.MOST_POINTS, load_default=0)
    limit = fields.QueryWhole(1, 1000, load_default=500)


class LedgerPage(Request):
    """Which part of the ledger."""

    after = fields.QueryWhole(0, fields.MOST_POINTS, load_default=0)
    limit = fields.QueryWhole(1, 1000, load_default=None)
