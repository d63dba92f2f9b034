"""The recorded nights of the tests, as events that a keeper sends."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

from ledger.game import notation
from ledger.game.moves import Claim, Declare, Move, Pass, Play, Show
from ledger.game.night import Night
from ledger.game.notation import tag
from ledger.game.round import Round
from ledger.game.rulesets import PRESETS
from ledger.game.scoring import Status, status

_FOLDER = Path(__file__).parents[2] / "tests" / "records"

NAMES = ("An", "Bình", "Chi", "Dũng")
RULESET = PRESETS["southern-classic"]

Content = dict[str, Any]
"""An event's kind and its own fields."""


@cache
def nights() -> list[Night]:
    """Every recorded night of the southern rules."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(_FOLDER.glob("southern-*.tln"))]
    return [notation.replay(notation.read(text)) for text in texts]


def rounds_of_four() -> list[Round]:
    """The rounds of four players under the usual ruleset that can be settled."""
    return [
        round
        for night in nights()
        if night.ruleset == RULESET and len(night.names) == 4
        for round in night.rounds
        if len(round.header.seats) == 4 and status(round) in (Status.SETTLED, Status.INSTANT_WIN)
    ]


def header(round: Round) -> Content:
    """The event that begins the round, with `stood`: after another round than in the record it may be irregular."""
    leader = round.header.leader
    begins: Content = {"opening": True} if leader is None else {"leader": tag(leader)}
    return {"kind": "round", **begins, "seats": list(map(tag, round.header.seats)), "stood": True}


def moves(round: Round) -> Iterator[Content]:
    """Every move of the round, passes one by one."""
    write = round.ruleset.deck.write
    for move in round.moves:
        content: Content = {"kind": type(move).__name__.lower(), "seat": tag(move.player)}
        match move:
            case Play(cards=cards) | Claim(cards=cards) | Show(cards=cards):
                content["cards"] = list(write(cards))
            case Declare(sets=sets):
                content["sets"] = [list(write(cards)) for cards in sets]
        yield content | _stood(move)


def _stood(move: Move) -> Content:
    return {"stood": True} if isinstance(move, Play | Pass | Claim) and move.stood else {}


SETTLE: Content = {"kind": "settle"}


def entries(round: Round) -> Iterator[Content]:
    """The events of the whole round, and its settling."""
    yield header(round)
    yield from moves(round)
    yield SETTLE


class Chain:
    """Gives the events of a night ids, and the id of the event before as `after`."""

    def __init__(self, last: str) -> None:
        """`last` is the id of the night, or of its last event."""
        self._last = last

    def event(self, content: Content) -> Content:
        after, self._last = self._last, str(uuid4())
        return {"id": self._last, "after": after, **content}
