"""A move as a request asks for it."""

from functools import lru_cache
from typing import Any

from ledger.game.cards import Deck
from ledger.game.moves import Bid, Bombed, Claim, Declare, Move, Pass, Play, Result, Show
from ledger.recorder.drafts import read_cards
from ledger.recorder.parts import player

Data = dict[str, Any]


def move_of(kind: str, content: Data, deck: Deck) -> Move:
    """The move that a request of this kind asks for; a Problem where its cards are none."""
    if kind == "result":
        return _result(content, deck)
    seat = content["seat"]
    if len(content) == _USUAL.get(kind) and type(seat) is str:
        return _pass(seat) if kind == "pass" else _play(deck, seat, *content["cards"])
    who = player(seat)
    stood = content.get("stood", False)
    match kind:
        case "pass":
            return Pass(who, stood)
        case "play":
            cards, twice = read_cards(deck, "cards", content["cards"])
            forward, locks = content.get("forward", False), content.get("locks")
            return Play(who, cards, stood, twice, forward=forward, locks=locks)
        case "claim":
            cards, twice = read_cards(deck, "cards", content["cards"])
            return Claim(who, cards, stood, twice)
        case "show":
            return Show(who, *read_cards(deck, "cards", content["cards"]))
        case "declare":
            return _declaration(who, content, deck)
        case "contract":
            return Bid(who, content["contract"])
        case _:
            raise AssertionError(kind)


_USUAL = {"pass": 1, "play": 2}
"""How many fields a request has that says no more than who, and which cards."""


@lru_cache(maxsize=64)
def _pass(seat: str) -> Pass:
    return Pass(player(seat))


@lru_cache(maxsize=16_384)
def _play(deck: Deck, seat: str, *texts: str) -> Play:
    cards, twice = read_cards(deck, "cards", texts)
    return Play(player(seat), cards, twice=twice)


def _declaration(who: int, content: Data, deck: Deck) -> Declare:
    together = again = 0
    sets = []
    for texts in content["sets"]:
        cards, twice = read_cards(deck, "sets", texts)
        again |= twice | together & cards
        together |= cards
        sets.append(cards)
    return Declare(who, tuple(sets), again)


def _result(content: Data, deck: Deck) -> Result:
    bombs = []
    for bomb in content.get("bombs", ()):
        captured, twice = read_cards(deck, "bombs", bomb["captured"])
        bombs.append(Bombed(player(bomb["seat"]), player(bomb["beat"]), captured, twice))
    knocked = tuple(map(player, content.get("knocked_out", ())))
    return Result(tuple(map(player, content["places"])), knocked, tuple(bombs))
