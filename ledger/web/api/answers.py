"""What the interface answers, for OpenAPI; the tests hold real answers to it."""

from marshmallow import EXCLUDE, INCLUDE, Schema
from marshmallow.fields import Boolean, Dict, Integer, List, Nested, Raw, String

from ledger.web import fields


class Answer(Schema):
    class Meta:
        unknown = EXCLUDE


def _text(**kwargs: object) -> String:
    return String(required=True, **kwargs)  # type: ignore[arg-type]


def _player() -> String:
    return String(required=True, metadata={"pattern": "^p([1-9]|1[0-2])$"})


def _perhaps(field: type[String]) -> String:
    return field(required=True, allow_none=True)


def _number() -> Integer:
    return Integer(required=True)


def _truth() -> Boolean:
    return Boolean(required=True)


def _texts() -> List[str]:
    return List(String(), required=True)


def _points() -> Dict:
    """Player -> points."""
    return Dict(String(), Integer(), required=True, metadata={"description": "Player -> points."})


class ProblemAnswer(Schema):
    """Why a request was not carried out (RFC 9457); nothing was recorded."""

    class Meta:
        unknown = INCLUDE

    type = _text()
    title = _text()
    status = _number()
    detail = _text(metadata={"description": "What is wrong and what to do, in the caller's language."})
    code = _text(metadata={"description": "Stable: what programs should ask for.", "example": "stale"})
    clause = String(metadata={"description": "The clause of the rules that speaks.", "example": "S-COMPARE"})
    fields = Dict(  # type: ignore[assignment]
        String(), List(String()), metadata={"description": "Field -> what was expected there (unreadable)."}
    )
    events = List(Raw(), metadata={"description": "What was recorded since (stale)."})


class Tokens(Answer):
    keeper = _text()
    watch = _text()
    seats = Dict(String(), String(), required=True)


class Head(Answer):
    seq = _number()
    hash = _text(metadata={"pattern": "^[0-9a-f]{64}$"})


class Opened(Head):
    """A night's links: `tokens` for programs, `links` for people."""

    id = fields.Uuid(required=True)
    links = Nested(Tokens, required=True)
    tokens = Nested(Tokens, required=True)


class CodedHead(Head):
    code = _text(metadata={"example": "#412 · 7K3Q-9FZD-MW2H-XA4T"})


class NamedPlayer(Answer):
    player = _player()
    name = _text()


class DeckInUse(Answer):
    packs = _number()
    backs = _truth()


class RulesetInUse(Answer):
    id = _text()
    rules = List(List(String()), required=True)


class StakeInUse(Answer):
    amount = _text()
    currency = _text()


class Header(Answer):
    opening = _truth()
    leader = _perhaps(String)
    seats = _texts()


class Laid(Answer):
    move = _number()
    address = _text()
    player = _player()
    cards = _texts()
    combination = _perhaps(String)


class Row(Answer):
    """A move as recorded, and its verdict."""

    move = _number()
    address = _text()
    event = _text()
    player = _player()
    kind = _text()
    cards = _texts()
    sets = List(List(String()), required=True)
    combination = _perhaps(String)
    implied = _truth()
    stood = _truth()
    code = _perhaps(String)
    clause = _perhaps(String)
    at = _text()
    actor = _text()


class Hand(Answer):
    source = _text()
    cards = _texts()


class Needed(Answer):
    left = _number()
    cards = _texts()


class ProvisionalPayment(Answer):
    payer = _player()
    payee = _player()
    points = _number()
    reason = _text()
    clause = _text()
    move = _number()
    cause = _perhaps(String)


class Finding(Answer):
    code = _text()
    clause = _text()
    move = _number()
    player = _perhaps(String)
    cards = _texts()
    message = _text()


class Contracts(Answer):
    """Bets on one's own first place: what may be taken before the first play, and who has taken what."""

    offered = _texts()
    taken = Dict(String(), String(), required=True)


class SuitLock(Answer):
    """Whether a player may say that a sequence of one suit locks the pile, and whether it is locked."""

    optional = _truth()
    locked = _truth()


class RoundInPlay(Header):
    """The last round as it stands."""

    number = _number()
    stood = _truth()
    status = _text()
    over = _truth()
    posted = _truth()
    void = _perhaps(String)
    turn = _perhaps(String)
    to = _perhaps(String)
    pile = List(Nested(Laid), required=True)
    waiting = _texts()
    passes = Dict(String(), List(String()), required=True)
    left = Dict(String(), Integer(), required=True)
    locked = _texts()
    places = _texts()
    knocked_out = _texts()
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
    moves = List(Nested(Row), required=True)
    hands = Dict(String(), Nested(Hand), required=True)
    needed = Dict(String(), Nested(Needed), required=True)
    can_settle = _truth()
    payments = List(Nested(ProvisionalPayment), required=True)
    net = _points()
    findings = List(Nested(Finding), required=True)


class Board(CodedHead):
    """Everything that a page needs, so that no page judges anything itself."""

    id = fields.Uuid(required=True)
    after = fields.Uuid(required=True)
    players = List(Nested(NamedPlayer), required=True)
    ruleset = Nested(RulesetInUse, required=True)
    deck = Nested(DeckInUse, required=True)
    stake = Nested(StakeInUse, required=True, allow_none=True)
    role = _text(metadata={"description": "keeper, watch, or the player of a seat's link."})
    ended = _truth()
    net = _points()
    provisional = _points()
    posted = _truth()
    undo = _truth()
    redo = _truth()
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

    kind = _text()
    address = _text()
    move = _number()
    code = _perhaps(String)
    clause = _perhaps(String)
    message = _perhaps(String)


class ChangedEntry(Answer):
    """What an entry is, and what it would be; null where there is none."""

    before = Nested(Ruling, required=True, allow_none=True)
    after = Nested(Ruling, required=True, allow_none=True)


class RoundSide(Answer):
    status = _text()
    payments = List(Nested(ProvisionalPayment), required=True)
    findings = List(Dict(), required=True)


class BalancesBeside(Answer):
    before = _points()
    after = _points()


class Preview(Answer):
    """What an event would change; nothing was recorded. `posted` are the payments that it would post."""

    round = _number()
    moves = List(Nested(ChangedEntry), required=True)
    before = Nested(RoundSide, required=True, allow_none=True)
    after = Nested(RoundSide, required=True, allow_none=True)
    posted = List(Dict(), required=True)
    balances = Nested(BalancesBeside, required=True)


class LoggedEvent(Head):
    """An entry of the chain: `body` is the exact text that was hashed."""

    id = fields.Uuid(required=True)
    kind = _text()
    body = _text()


class OwnText(Answer):
    """What the night agreed on, as it was hashed."""

    body = _text()
    hash = _text()


class Log(CodedHead):
    """The log; the night's own text is there when it is read from the start."""

    night = Nested(OwnText)
    events = List(Nested(LoggedEvent), required=True)


class PostedPayment(Answer):
    seq = _number()
    idx = _number()
    round = _number()
    cause = _perhaps(String)
    move = Integer(required=True, allow_none=True)
    payer = _player()
    payee = _player()
    points = _number()
    reason = _text()
    clause = _text()
    reverses = _perhaps(String)
    reversed_by = _perhaps(String)
    dispute = Raw(required=True, allow_none=True, metadata={"description": "The last dispute of it, if any."})


class Total(Answer):
    round = _number()
    net = _points()
    total = _points()


class Ledger(CodedHead):
    """Payments of some rounds; the balances, and the running totals, of all."""

    players = List(Nested(NamedPlayer), required=True)
    payments = List(Nested(PostedPayment), required=True)
    balances = _points()
    totals = List(Nested(Total), required=True)


class ScoreError(Answer):
    class Meta:
        unknown = INCLUDE

    line = _number()
    code = _text()
    message = _text()
    round = Integer()
    move = Integer()
    clause = String()


class Score(Answer):
    """What `tienlen score --json` prints: the score, or `error`."""

    ruleset = String()
    players = List(String())
    rounds = List(Dict())
    adjustments = List(Dict())
    net = Dict(String(), Integer())
    error = Nested(ScoreError)


class Ruled(Answer):
    """What a ruleset makes of a move, and what follows from it."""

    verdict = _text()
    code = _perhaps(String)
    clause = _perhaps(String)
    turn = _perhaps(String)
    to = _perhaps(String)
    over = _truth()
    knocked_out = _texts()
    message = _text()


class FirstDifference(Answer):
    """A move as it was recorded, 0 for a round's beginning, and what the two rulesets make of it."""

    round = _number()
    move = _number()
    player = _perhaps(String)
    cards = _texts()
    line = _perhaps(String)
    here = Nested(Ruled, required=True)
    there = Nested(Ruled, required=True)


class ComparedSide(Answer):
    status = _text()
    payments = List(Dict(), required=True)
    net = _points()


class ComparedRound(Answer):
    number = _number()
    here = Nested(ComparedSide, required=True)
    there = Nested(ComparedSide, required=True, allow_none=True)
    first = Nested(FirstDifference, required=True, allow_none=True)
    left_out = Integer(
        required=True,
        metadata={"description": "Plays after the end of the round by the other rules."},
    )


class ComparedNet(Answer):
    here = _points()
    there = _points()


class ScoreUnder(Answer):
    """A night beside itself under another ruleset; `stopped` where that one says that a move cannot be."""

    ruleset = _text()
    under = _text()
    players = _texts()
    rounds = List(Nested(ComparedRound), required=True)
    first = Nested(FirstDifference, required=True, allow_none=True)
    stopped = Nested(FirstDifference, required=True, allow_none=True)
    net = Nested(ComparedNet, required=True)


class Health(Answer):
    status = _text(metadata={"enum": ["ok"]})
