"""The log of one round, folded: which of its entries stand, and the round that they make."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ledger.game.cards import Card, Cards, Deck
from ledger.game.errors import Refused, Verdict
from ledger.game.moves import Bid, Claim, Declare, Move, Pass, Play, Show
from ledger.game.nights import header_finding, judge_header
from ledger.game.notation import tag
from ledger.game.rounds import begin, replay
from ledger.game.rulesets.types import Ruleset
from ledger.game.state import Header, Round
from ledger.recorder.bodies import Logged

Data = dict[str, Any]

MOVES = frozenset({"play", "pass", "claim", "show", "declare", "contract"})
"""Kinds of events whose parts are moves."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A header or a move as recorded. `seq.part` addresses it for ever; its number in the round is derived."""

    event: Logged
    part: int

    @property
    def address(self) -> str:
        return f"{self.event.seq}.{self.part}"

    @property
    def data(self) -> Data:
        return self.event.parts[self.part]


@dataclass(frozen=True, slots=True)
class RoundLog:
    """Everything recorded of one round, and what it comes to.

    `round` is None where the header was undone. `entries` are the moves that stand, one for each move of the
    round; `events` are all of its events, the undone ones and the undoings among them.
    """

    number: int
    events: tuple[Logged, ...] = ()
    header: Entry | None = None
    round: Round | None = None
    entries: tuple[Entry, ...] = ()
    settled: bool = False

    def add(self, ruleset: Ruleset, event: Logged, previous: Round | None) -> "RoundLog":
        """The log with one more event; `previous` is the round before this one."""
        events = (*self.events, event)
        if event.kind == "settle":
            return replace(self, events=events, settled=True)
        if event.kind in MOVES and self.round is not None:
            fresh = tuple(Entry(event, part) for part in range(len(event.parts)))
            round = _replayed(self.round, ruleset, fresh)
            return replace(self, events=events, round=round, entries=(*self.entries, *fresh))
        return RoundLog.fold(ruleset, self.number, events, previous)

    @classmethod
    def fold(
        cls, ruleset: Ruleset, number: int, events: tuple[Logged, ...], previous: Round | None
    ) -> "RoundLog":
        """The log of a round from all its events, by seq. The round before it, if it is known, tells whether a
        header that stood was wrong."""
        taken_back = corrections(events)
        standing = [event for event in events if is_undoable(event) and chain(event.seq, taken_back)[1]]
        headers = [event for event in standing if event.kind == "round"]
        log = cls(number, events, settled=any(event.kind == "settle" for event in events))
        if not headers:
            return log
        header = Entry(headers[0], 0)
        entries = tuple(
            Entry(event, part)
            for event in standing
            if event.kind in MOVES
            for part in range(len(event.parts))
        )
        round = _replayed(_begun(ruleset, read_header(header.data), previous), ruleset, entries)
        return replace(log, header=header, round=round, entries=entries)

    def address_of(self, move: int) -> str | None:
        """The address of a move by its number, from 1; None for 0, the header."""
        return self.entries[move - 1].address if move else None


def is_undoable(event: Logged) -> bool:
    """Whether an undo may take this kind of event back."""
    return event.kind == "round" or event.kind in MOVES


def corrections(events: tuple[Logged, ...]) -> dict[int, int]:
    """Event -> the event that took it back (or took that back), by seq."""
    return {
        int(part["corrects"].partition(".")[0]): event.seq
        for event in events
        if event.kind in ("undo", "redo")
        for part in event.parts
    }


def chain(seq: int, taken_back: dict[int, int]) -> tuple[int, bool]:
    """The last of the undos and redos of an event (or itself), and whether the event stands after them."""
    standing = True
    while seq in taken_back:
        seq = taken_back[seq]
        standing = not standing
    return seq, standing


def _begun(ruleset: Ruleset, header: Header, previous: Round | None) -> Round:
    wrong = header.stood and previous and judge_header(ruleset, max(header.seats) + 1, header, previous)
    return begin(ruleset, header, finding=header_finding(header, wrong) if wrong else None)


def _replayed(round: Round, ruleset: Ruleset, entries: tuple[Entry, ...]) -> Round:
    moves = [read_move(entry.data, ruleset.deck) for entry in entries]
    try:
        return replay(round, moves)
    except Refused:
        return _kept(round, moves)


def _kept(round: Round, moves: list[Move]) -> Round:
    """Moves that were recorded stay, whatever a newer engine says of them: the irregular ones as having stood.

    Raises Refused if one has become impossible: then the log does not tell a round any more.
    """
    for move in moves:
        try:
            round = replay(round, (move,))
        except Refused as error:
            if error.refusal.verdict is Verdict.IMPOSSIBLE or not isinstance(move, Play | Pass | Claim):
                raise
            round = replay(round, (replace(move, stood=True),))
    return round


# Parts of events, as data


def read_header(part: Data) -> Header:
    """The header that a part of an event spells."""
    leader = part["leader"]
    return Header(tuple(map(player, part["seats"])), player(leader) if leader else None, part["stood"])


def header_part(header: Header, open_rounds: list[int]) -> Data:
    """A header as a part of an event; `open_rounds` are the earlier rounds that are not settled yet."""
    return {
        "kind": "round",
        "leader": None if header.leader is None else tag(header.leader),
        "seats": list(map(tag, header.seats)),
        "stood": header.stood,
        "open": open_rounds,
    }


def read_move(part: Data, deck: Deck) -> Move:
    """The move that a part of an event spells."""
    who = player(part["player"])
    match part["kind"]:
        case "pass":
            return Pass(who, part["stood"])
        case "play":
            return Play(
                who,
                _cards(deck, *part["cards"]),
                part["stood"],
                forward=part.get("forward", False),
                locks=part.get("locks"),
            )
        case "claim":
            return Claim(who, _cards(deck, *part["cards"]), part["stood"])
        case "show":
            return Show(who, _cards(deck, *part["cards"]))
        case "contract":
            return Bid(who, part["contract"])
        case "declare":
            return Declare(who, tuple(_cards(deck, *cards) for cards in part["sets"]))
        case kind:
            raise AssertionError(kind)


def move_part(move: Move, deck: Deck, *, implied: bool = False) -> Data:
    """A move as a part of an event."""
    who = tag(move.player)
    match move:
        case Pass(stood=stood):
            return {"kind": "pass", "player": who, "stood": stood, "implied": implied}
        case Play(cards=cards, stood=stood, forward=forward, locks=locks):
            played = {"kind": "play", "player": who, "cards": list(deck.write(cards)), "stood": stood}
            said = {"forward": forward or None, "locks": locks}
            return played | {word: value for word, value in said.items() if value is not None}
        case Claim(cards=cards, stood=stood):
            return {"kind": "claim", "player": who, "cards": list(deck.write(cards)), "stood": stood}
        case Bid(contract=contract):
            return {"kind": "contract", "player": who, "contract": contract}
        case Show(cards=cards):
            return {"kind": "show", "player": who, "cards": list(deck.write(cards))}
        case Declare(sets=sets):
            return {"kind": "declare", "player": who, "sets": [list(deck.write(cards)) for cards in sets]}


def player(text: str) -> int:
    """The number of a player's tag."""
    return int(text[1:]) - 1


@lru_cache(maxsize=16_384)
def _cards(deck: Deck, *texts: str) -> Cards:
    return deck.gather(map(Card.read, texts))[0]
