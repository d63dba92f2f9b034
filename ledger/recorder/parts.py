"""The parts of events, as the log stores them; headers and moves are written as parts and read back here."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Required, TypedDict, assert_never

from ledger.game.cards import Cards, Deck
from ledger.game.moves import Bid, Bombed, Claim, Cover, CoverReason, Declare, Move, Pass, Play, Result, Show
from ledger.game.notation import tag
from ledger.game.round import Header

Content = Mapping[str, Any]
"""The kind's own fields of an event request, as loaded by its schema."""


class BombPart(TypedDict):
    """A bomb in a result: who played it, whom it beat, the cards captured."""

    seat: str
    beat: str
    captured: list[str]


class Part(TypedDict, total=False):
    """One part of an event's text. Players are tags, cards are texts."""

    kind: Required[str]
    corrects: str
    """The address of the entry that it replaces."""
    before: str
    """The address of the move that it is inserted before."""
    after: str
    """The address of the move that it is inserted after."""
    takes_back: int
    """Undo and redo: the seq of the event taken back, if another event has touched the entry since."""
    player: str
    cards: list[str]
    stood: bool
    implied: bool
    """Whether a pass was inferred, not entered."""
    forward: bool
    locks: bool
    contract: str
    sets: list[list[str]]
    covered: list[str]
    """The players whose payments the player makes."""
    why: str
    places: list[str]
    knocked_out: list[str]
    bombs: list[BombPart]
    leader: str | None
    seats: list[str]
    times: int
    """The factor of the round's payments; left out if it is 1."""
    open: list[int]
    """Earlier rounds that were not settled when the round began, or the table agreed on new terms."""
    agreed: int
    """The seq of the agreement that a round was begun under, or that this one changes; left out: the opening."""
    ruleset: Mapping[str, Any]
    """The rules from here on, as a night's own text has them; left out: they stay."""
    stake: Mapping[str, str]
    """The worth of a point from here on; left out: it stays."""
    all_rounds: bool
    """Whether that is also the worth in the rounds so far; left out: it is not."""
    reason: str
    payment: str
    """The payment that is disputed, as `seq.idx`."""
    move: str
    dispute: int
    """The seq of the dispute that is decided."""
    decision: str
    name: str
    """The commitment to a name."""
    role: str
    payer: str
    payee: str
    points: int


MOVES = frozenset({"play", "pass", "claim", "show", "declare", "cover", "contract", "result"})
"""Kinds of parts that are moves."""
MOVES_AT_THE_END = frozenset({"show", "declare", "cover"})
"""Moves that may belong to any unsettled round; all others belong to the running round."""


def read_header(part: Part) -> Header:
    """Read the header in a part of an event."""
    leader = part["leader"]
    seats = tuple(map(player, part["seats"]))
    return Header(seats, player(leader) if leader else None, part["stood"], part.get("times", 1))


def header_part(header: Header, open_rounds: list[int], agreed: int = 0) -> Part:
    """Write a header as a part of an event; `open_rounds` are the earlier rounds not settled yet, `agreed` is the
    agreement that the round is begun under."""
    part: Part = {
        "kind": "round",
        "leader": None if header.leader is None else tag(header.leader),
        "seats": list(map(tag, header.seats)),
        "stood": header.stood,
        "open": open_rounds,
    }
    if header.times > 1:
        part["times"] = header.times
    return part | {"agreed": agreed} if agreed else part


def agreed_before(part: Part) -> int:
    """The seq of the agreement that the header or agreement in a part follows; 0 for the opening."""
    seq: int = part.get("agreed", 0)
    return seq


def read_move(part: Part, deck: Deck) -> Move:
    """Read the move in a part of an event."""
    who = player(part["player"])
    match part["kind"]:
        case "pass":
            return _pass(who, part["stood"])
        case "play":
            return Play(
                who,
                _cards(deck, part["cards"]),
                part["stood"],
                forward=part.get("forward", False),
                locks=part.get("locks"),
            )
        case "claim":
            return Claim(who, _cards(deck, part["cards"]), part["stood"])
        case "show":
            return Show(who, _cards(deck, part["cards"]))
        case "contract":
            return Bid(who, part["contract"])
        case "declare":
            return Declare(who, tuple(_cards(deck, cards) for cards in part["sets"]))
        case "cover":
            return Cover(who, tuple(map(player, part["covered"])), CoverReason(part["why"]))
        case "result":
            return Result(
                tuple(map(player, part["places"])),
                tuple(map(player, part["knocked_out"])),
                tuple(
                    Bombed(player(bomb["seat"]), player(bomb["beat"]), _cards(deck, bomb["captured"]))
                    for bomb in part["bombs"]
                ),
            )
        case kind:
            raise AssertionError(kind)


def move_part(move: Move, deck: Deck, *, implied: bool = False) -> Part:
    """Write a move as a part of an event."""
    part: Part = {"kind": move.kind, "player": tag(move.player)}
    match move:
        case Pass(stood=stood):
            return part | {"stood": stood, "implied": implied}
        case Play(cards=cards, stood=stood, forward=forward, locks=locks):
            played = part | {"cards": list(deck.write(cards)), "stood": stood}
            if forward:
                played["forward"] = forward
            if locks is not None:
                played["locks"] = locks
            return played
        case Claim(cards=cards, stood=stood):
            return part | {"cards": list(deck.write(cards)), "stood": stood}
        case Bid(contract=contract):
            return part | {"contract": contract}
        case Show(cards=cards):
            return part | {"cards": list(deck.write(cards))}
        case Declare(sets=sets):
            return part | {"sets": [list(deck.write(cards)) for cards in sets]}
        case Cover(covered=covered, why=why):
            return part | {"covered": list(map(tag, covered)), "why": why}
        case Result(places, never_played, bombs):
            return part | {
                "places": list(map(tag, places)),
                "knocked_out": list(map(tag, never_played)),
                "bombs": [
                    {
                        "seat": tag(bomb.player),
                        "beat": tag(bomb.beaten),
                        "captured": list(deck.write(bomb.captured)),
                    }
                    for bomb in bombs
                ],
            }
        case _:
            assert_never(move)


def player(text: str) -> int:
    """The number of a player's tag."""
    return int(text[1:]) - 1


_pass = cache(Pass)
"""Most moves are passes, and passes are few."""


def _cards(deck: Deck, texts: list[str]) -> Cards:
    return deck.read(tuple(texts))[0]
