"""What the interface answers, for OpenAPI; the tests hold real answers to it."""

from typing import Any

from marshmallow import INCLUDE, Schema, post_dump
from marshmallow.fields import Boolean, Dict, Integer, List, Nested, Raw, String

from ledger.recorder.schemas import fields
from ledger.web.api import shapes
from ledger.web.api.shapes import Answer


class ProblemAnswer(Schema):
    """Why a request was not carried out (RFC 9457); nothing was recorded."""

    class Meta:
        unknown = INCLUDE

    type = shapes.text()
    title = shapes.text()
    status = shapes.number()
    detail = shapes.text(metadata={"description": "What is wrong and what to do, in the caller's language."})
    code = shapes.text(metadata={"description": "Stable: what programs should ask for.", "example": "stale"})
    request_id = shapes.text(metadata={"description": "What the server's log calls this request."})
    clause = String(metadata={"description": "The clause of the rules that speaks.", "example": "S-COMPARE"})
    fields = Dict(  # type: ignore[assignment]
        String(), List(String()), metadata={"description": "Field -> what was expected there (unreadable)."}
    )
    events = List(Raw(), metadata={"description": "What was recorded since (stale)."})


class Tokens(Answer):
    keeper = shapes.text()
    watch = shapes.text()
    seats = Dict(String(), String(), required=True)


class Head(Answer):
    seq = shapes.number()
    hash = shapes.text(metadata={"pattern": "^[0-9a-f]{64}$"})


class Opened(Head):
    """A night's links: `tokens` for programs, `links` for people."""

    id = fields.Uuid(required=True)
    links = Nested(Tokens, required=True)
    tokens = Nested(Tokens, required=True)


class CodedHead(Head):
    code = shapes.text(metadata={"example": "#412 · 7K3Q-9FZD-MW2H-XA4T"})


class NamedPlayer(Answer):
    player = shapes.player()
    name = shapes.text()


class DeckInUse(Answer):
    packs = shapes.number()
    backs = shapes.truth()


class RulesetInUse(Answer):
    id = shapes.text()
    rules = List(List(String()), required=True)


class StakeInUse(Answer):
    amount = shapes.text()
    currency = shapes.text()


class Header(Answer):
    opening = shapes.truth()
    leader = shapes.perhaps(String)
    seats = shapes.texts()


class Laid(Answer):
    move = shapes.number()
    address = shapes.text()
    player = shapes.player()
    cards = shapes.texts()
    combination = shapes.perhaps(String)


class BombTaken(Answer):
    seat = shapes.player()
    beat = shapes.player()
    captured = shapes.texts()


class Row(Answer):
    """A move as recorded, and its verdict. What its kind does not have is left out."""

    move = shapes.number()
    address = shapes.text()
    event = shapes.text()
    player = shapes.player()
    kind = shapes.text()
    cards = shapes.texts()
    sets = List(List(String()), required=True)
    combination = shapes.perhaps(String)
    implied = shapes.truth()
    stood = shapes.truth()
    code = shapes.perhaps(String)
    clause = shapes.perhaps(String)
    at = shapes.text()
    actor = shapes.text()
    forward = Boolean()
    locks = Boolean()
    contract = String()
    places = List(String())
    knocked_out = List(String())
    bombs = List(Nested(BombTaken))
    corrects = String(metadata={"description": "The entry that it was put in the place of."})
    before = String(metadata={"description": "The entry that it was put in front of."})

    @post_dump
    def without_what_it_has_not(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {
            name: value for name, value in data.items() if value is not None or self.fields[name].required
        }


class Hand(Answer):
    source = shapes.text()
    cards = shapes.texts()


class Needed(Answer):
    left = shapes.number()
    cards = shapes.texts()


class ProvisionalPayment(Answer):
    payer = shapes.player()
    payee = shapes.player()
    points = shapes.number()
    reason = shapes.text()
    clause = shapes.text()
    move = shapes.number()
    cause = shapes.perhaps(String)


class RoundPayment(ProvisionalPayment):
    """A payment of a round as it stands, and where in the ledger it is by now."""

    posted = String(
        required=True, allow_none=True, metadata={"description": "`seq.idx`; null: not posted yet."}
    )
    dispute = Raw(required=True, allow_none=True, metadata={"description": "The last dispute of it, if any."})


class Finding(Answer):
    code = shapes.text()
    clause = shapes.text()
    move = shapes.number()
    player = shapes.perhaps(String)
    cards = shapes.texts()
    message = shapes.text()


class Contracts(Answer):
    """Bets on one's own first place: what may be taken before the first play, and who has taken what."""

    offered = shapes.texts()
    taken = Dict(String(), String(), required=True)


class SuitLock(Answer):
    """Whether a player may say that a sequence of one suit locks the pile, and whether it is locked."""

    optional = shapes.truth()
    locked = shapes.truth()


class RoundInPlay(Header):
    """The last round as it stands."""

    number = shapes.number()
    stood = shapes.truth()
    status = shapes.text()
    over = shapes.truth()
    posted = shapes.truth()
    void = shapes.perhaps(String)
    by_result = shapes.truth(metadata={"description": "Entered as its result, and not move by move."})
    turn = shapes.perhaps(String)
    to = shapes.perhaps(String)
    pile = List(Nested(Laid), required=True)
    waiting = shapes.texts()
    passes = Dict(String(), List(String()), required=True)
    left = Dict(String(), Integer(), required=True)
    uncounted = shapes.texts(
        metadata={"description": "Who holds so many cards at the most: nobody has said."}
    )
    locked = shapes.texts()
    places = shapes.texts()
    knocked_out = shapes.texts()
    seen = Dict(String(), Integer(), required=True)
    seen_counts = Dict(String(), Integer(), required=True)
    to_draw = Integer(
        required=True, allow_none=True, metadata={"description": "Cards left to draw for whoever passes."}
    )
    forward = String(
        required=True, allow_none=True, metadata={"description": "Who may go on beating the pile alone."}
    )
    contracts = Nested(Contracts, required=True)
    suit_lock = Nested(SuitLock, required=True)
    playable = Dict(String(), List(String()), required=True)
    alone = shapes.texts(
        metadata={"description": "Of a pile of singles, what is higher; who may play it, `playable` says."}
    )
    moves = List(Nested(Row), required=True)
    hands = Dict(String(), Nested(Hand), required=True)
    needed = Dict(String(), Nested(Needed), required=True)
    can_settle = shapes.truth()
    payments = List(Nested(RoundPayment), required=True)
    net = shapes.points()
    findings = List(Nested(Finding), required=True)


class Board(CodedHead):
    """Everything that a page needs, so that no page judges anything itself."""

    id = fields.Uuid(required=True)
    after = fields.Uuid(required=True)
    players = List(Nested(NamedPlayer), required=True)
    ruleset = Nested(RulesetInUse, required=True)
    deck = Nested(DeckInUse, required=True)
    stake = Nested(StakeInUse, required=True, allow_none=True)
    role = shapes.text(metadata={"description": "keeper, watch, or the player of a seat's link."})
    ended = shapes.truth()
    net = shapes.points()
    provisional = shapes.points()
    posted = shapes.truth()
    undo = shapes.truth()
    redo = shapes.truth()
    unsettled = List(Integer(), required=True)
    next = Nested(Header, required=True, allow_none=True)
    round = Nested(RoundInPlay, required=True, allow_none=True)


class Recorded(Head):
    """An event as it was recorded, and the board as it is now; after `join` and `revoke` the links too."""

    id = fields.Uuid(required=True)
    board = Nested(Board, required=True)
    links = Nested(Tokens)
    tokens = Nested(Tokens)


class Ruling(Answer):
    """An entry as it is or would be recorded, with its verdict."""

    class Meta:
        unknown = INCLUDE

    kind = shapes.text()
    address = shapes.text()
    move = shapes.number()
    code = shapes.perhaps(String)
    clause = shapes.perhaps(String)
    message = shapes.perhaps(String)


class ChangedEntry(Answer):
    """What an entry is, and what it would be; null where there is none."""

    before = Nested(Ruling, required=True, allow_none=True)
    after = Nested(Ruling, required=True, allow_none=True)


class RoundSide(Answer):
    status = shapes.text()
    payments = List(Nested(ProvisionalPayment), required=True)
    findings = List(Dict(), required=True)


class BalancesBeside(Answer):
    before = shapes.points()
    after = shapes.points()


class Preview(Head):
    """What an event would change of the night as it is; nothing was recorded. `posted` are the payments that it
    would post."""

    round = shapes.number()
    moves = List(Nested(ChangedEntry), required=True)
    before = Nested(RoundSide, required=True, allow_none=True)
    after = Nested(RoundSide, required=True, allow_none=True)
    posted = List(Dict(), required=True)
    balances = Nested(BalancesBeside, required=True)


class LoggedEvent(Head):
    """An entry of the chain: `body` is the exact text that was hashed."""

    id = fields.Uuid(required=True)
    kind = shapes.text()
    body = shapes.text()


class OwnText(Answer):
    """What the night agreed on, as it was hashed."""

    body = shapes.text()
    hash = shapes.text()


class Log(CodedHead):
    """The log; the night's own text is there when it is read from the start."""

    night = Nested(OwnText)
    events = List(Nested(LoggedEvent), required=True)


class PostedPayment(Answer):
    seq = shapes.number()
    idx = shapes.number()
    round = shapes.number()
    cause = shapes.perhaps(String)
    move = Integer(required=True, allow_none=True)
    payer = shapes.player()
    payee = shapes.player()
    points = shapes.number()
    reason = shapes.text()
    clause = shapes.text()
    reverses = shapes.perhaps(String)
    reversed_by = shapes.perhaps(String)
    dispute = Raw(required=True, allow_none=True, metadata={"description": "The last dispute of it, if any."})


class Total(Answer):
    round = shapes.number()
    net = shapes.points()
    total = shapes.points()


class Ledger(CodedHead):
    """Payments of some rounds; the balances, and the running totals, of all."""

    players = List(Nested(NamedPlayer), required=True)
    payments = List(Nested(PostedPayment), required=True)
    balances = shapes.points()
    totals = List(Nested(Total), required=True)


class Told(Answer):
    """One message of a stream."""

    id = shapes.text(metadata={"description": "The seq of the head."})
    data = shapes.text(metadata={"description": "The head as JSON: seq, hash and code."})
