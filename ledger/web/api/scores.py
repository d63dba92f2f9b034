"""What scoring a text answers, for OpenAPI."""

from marshmallow import INCLUDE
from marshmallow.fields import Dict, Integer, List, Nested, String

from ledger.web.api import shapes
from ledger.web.api.shapes import Answer


class ScoreError(Answer):
    class Meta:
        unknown = INCLUDE

    line = shapes.number()
    code = shapes.text()
    message = shapes.text()
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

    verdict = shapes.text()
    code = shapes.perhaps(String)
    clause = shapes.perhaps(String)
    turn = shapes.perhaps(String)
    to = shapes.perhaps(String)
    over = shapes.truth()
    knocked_out = shapes.texts()
    message = shapes.text()


class FirstDifference(Answer):
    """A move as it was recorded, 0 for a round's beginning, and what the two rulesets make of it."""

    round = shapes.number()
    move = shapes.number()
    player = shapes.perhaps(String)
    kind = shapes.perhaps(String)
    cards = shapes.texts()
    line = shapes.perhaps(String)
    here = Nested(Ruled, required=True)
    there = Nested(Ruled, required=True)


class ComparedSide(Answer):
    status = shapes.text()
    payments = List(Dict(), required=True)
    net = shapes.points()


class ComparedRound(Answer):
    number = shapes.number()
    here = Nested(ComparedSide, required=True)
    there = Nested(ComparedSide, required=True, allow_none=True)
    first = Nested(FirstDifference, required=True, allow_none=True)
    left_out = Integer(
        required=True,
        metadata={"description": "Plays after the end of the round by the other rules."},
    )
    recorded = String(metadata={"description": "`result`: entered as its result, and not move by move."})


class ComparedNet(Answer):
    here = shapes.points()
    there = shapes.points()


class ScoreUnder(Answer):
    """A night beside itself under another ruleset; `stopped` where that one says that a move cannot be."""

    ruleset = shapes.text()
    rules = List(
        List(String()),
        required=True,
        metadata={"description": "What was laid over it: names and values, as `rule` lines say them."},
    )
    under = shapes.text()
    players = shapes.texts()
    rounds = List(Nested(ComparedRound), required=True)
    first = Nested(FirstDifference, required=True, allow_none=True)
    stopped = Nested(FirstDifference, required=True, allow_none=True)
    net = Nested(ComparedNet, required=True)
