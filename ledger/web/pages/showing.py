"""The board made ready for a template: what is dim, who is where, which words stand on what. Nothing is judged."""

from collections.abc import Collection
from dataclasses import dataclass

from ledger.game.cards import Card, Rank, Suit
from ledger.language import Speaker
from ledger.web.pages.blueprint import Data, names_of

BLOCKS = (tuple(Rank)[:7], tuple(Rank)[7:])
"""The grid's two blocks: a pair is in one row, a sequence walks down."""


@dataclass(frozen=True, slots=True)
class Key:
    """One card of the grid."""

    card: str
    text: str
    name: str
    seen: bool
    dim: bool
    checked: bool
    red: bool


@dataclass(frozen=True, slots=True)
class Seat:
    """One player in the strip above the grid."""

    player: str
    name: str
    left: int
    state: str
    """In a word: passed, knocked out, which place."""
    turn: bool
    away: bool
    """Whether that player is not expected to play: has passed, is out or knocked out."""
    checked: bool
    playable: str
    """The cards that can be played from that seat now, as a list for the page's script."""
    passing: tuple[str, ...]
    """The names of those who would be recorded as passing before a play of this seat."""


def keys(
    words: Speaker, *, seen: Collection[str], bright: Collection[str], checked: Collection[str]
) -> list[list[Key]]:
    """The grid's keys, block by block; a card that was seen cannot be tapped, one that is not bright still can."""
    return [
        [_key(words, str(Card(rank, suit)), seen, bright, checked) for rank in block for suit in Suit]
        for block in BLOCKS
    ]


def _key(
    words: Speaker, card: str, seen: Collection[str], bright: Collection[str], checked: Collection[str]
) -> Key:
    return Key(
        card=card,
        text=words.card(card),
        name=words.card_name(card),
        seen=card in seen,
        dim=card not in seen and card not in bright,
        checked=card in checked and card not in seen,
        red=card[-1] in "dh",
    )


def seats(words: Speaker, board: Data, chosen: str | None) -> list[Seat]:
    """The seats of the running round; the chosen one is checked, else the one whose turn it is."""
    round, names = board["round"], names_of(board)
    checked = chosen if chosen in round["seats"] else round["turn"]
    return [
        Seat(
            player=player,
            name=names[player],
            left=round["left"][player],
            state=state(words, round, player),
            turn=player == round["turn"],
            away=player in {*round["locked"], *round["places"], *round["knocked_out"]},
            checked=player == checked,
            playable=" ".join(round["playable"][player]),
            passing=tuple(names[skipped] for skipped in round["passes"][player]),
        )
        for player in round["seats"]
    ]


def state(words: Speaker, round: Data, player: str) -> str:
    """In a word where a player stands; empty while nothing is to be said."""
    if player in round["places"]:
        return words.place(round["places"].index(player) + 1, len(round["seats"]))
    if player in round["knocked_out"]:
        return words.knocked_out()
    return words.gettext("passed") if player in round["locked"] else ""


def earlier(round: Data) -> list[Data]:
    """The last plays of the piles before this one, as far as the board tells them."""
    if not round["pile"]:
        return []
    first = round["pile"][0]["move"]
    return [row for row in round["moves"] if row["kind"] == "play" and row["move"] < first]


def saying(words: Speaker, board: Data) -> str:
    """Whose move it is, in a sentence."""
    round, names = board["round"], names_of(board)
    if round["turn"] is None:
        return words.gettext("Whoever holds the lowest card opens")
    sentence = (
        words.gettext("%(name)s leads") if round["to"] == "lead" else words.gettext("%(name)s to answer")
    )
    return sentence % {"name": names[round["turn"]]}


def naming(words: Speaker) -> Data:
    """What the page's script needs to call cards by their name: one pattern for each kind of combination."""
    kinds = ("single", "pair", "triple", "four-of-a-kind", "sequence", "pair-sequence")
    return {
        "kinds": {
            kind: words.say(f"combination {kind}", cards="{cards}", number="{number}") for kind in kinds
        },
        "numbers": {str(number): words.number(number) for number in range(3, 7)},
        "cards": words.gettext("%(count)s cards") % {"count": "{number}"},
        "to": "{cards} → {name}",
    }
