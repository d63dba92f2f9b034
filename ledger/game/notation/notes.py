"""Notes as lines: what happened outside of play, anywhere below the players.

note deals p3                   ; p3 deals the next round
note kneels p2 until-first      ; or: until-round-over
note sits p2                    ; p2 need not kneel any more
note owes p1 p3 2 highest-two   ; p1 owes p3 two cards: highest-two, any-two or highest-card
note gives p1 p3 2d 2h          ; cards from hand to hand: owed, traded or given back; unknown ones left out
note swaps p4 p5                ; p5 takes the seat of p4
note clears p1 each-pile        ; p1 chose when cards are cleared away; or: at-end
"""

import re
from collections.abc import Callable, Sequence
from typing import assert_never

from ledger.game.cards import Card, Deck
from ledger.game.customs import Clearing, Clears, Deals, Gives, Kneels, Note, Owes, Sits, Swaps, Until
from ledger.game.notation.script import tag
from ledger.game.rulesets.model import OwedCard

_COUNT = re.compile("[1-9][0-9]?")


def read_note(words: Sequence[str], player: Callable[[str], int], deck: Deck | None = None) -> Note:
    """Parse the words after `note`; ValueError if they are no note.

    `player` reads a tag; without a deck, cards may be of any.
    """
    match words:
        case ["deals", who]:
            return Deals(player(who))
        case ["kneels", who, until]:
            return Kneels(player(who), Until(until))
        case ["sits", who]:
            return Sits(player(who))
        case ["owes", who, whom, count, card] if _COUNT.fullmatch(count):
            return Owes(*_two(player, who, whom), int(count), OwedCard(card))
        case ["gives", who, whom, *cards]:
            return Gives(*_two(player, who, whom), _given(cards, deck))
        case ["swaps", who, whom]:
            return Swaps(*_two(player, who, whom))
        case ["clears", who, clearing]:
            return Clears(player(who), Clearing(clearing))
        case _:
            raise ValueError("no such note")


def note_line(note: Note) -> str:
    """A note as its line."""
    match note:
        case Deals(player):
            words = ["deals", tag(player)]
        case Kneels(player, until):
            words = ["kneels", tag(player), until]
        case Sits(player):
            words = ["sits", tag(player)]
        case Owes(debtor, creditor, count, card):
            words = ["owes", tag(debtor), tag(creditor), str(count), card]
        case Gives(giver, taker, cards):
            words = ["gives", tag(giver), tag(taker), *map(str, cards)]
        case Swaps(leaver, newcomer):
            words = ["swaps", tag(leaver), tag(newcomer)]
        case Clears(player, clearing):
            words = ["clears", tag(player), clearing]
        case _:
            assert_never(note)
    return " ".join(["note", *words])


def _given(cards: Sequence[str], deck: Deck | None) -> tuple[Card, ...]:
    given = sorted(map(Card.read, cards))
    if deck is not None and deck.gather(given)[1]:
        raise ValueError("a card twice")
    return tuple(given)


def _two(player: Callable[[str], int], who: str, whom: str) -> tuple[int, int]:
    pair = player(who), player(whom)
    if pair[0] == pair[1]:
        raise ValueError("two different players")
    return pair
