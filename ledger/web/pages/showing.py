"""The board made ready for a template: what is dim, who is where, which words stand on what. Nothing is judged."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ledger.game.cards import Card, Rank, Suit
from ledger.game.combinations import Kind
from ledger.language import Speaker
from ledger.web.pages.blueprint import Data, names_of

BLOCKS = (tuple(Rank)[:7], tuple(Rank)[7:])
"""The grid's two blocks: a pair is in one row, a sequence walks down."""


@dataclass(frozen=True, slots=True)
class Box:
    """One copy of a card that can be chosen."""

    name: str
    checked: bool


@dataclass(frozen=True, slots=True)
class Key:
    """One card of the grid, with a box for each copy that is left: of two packs a second tap takes the second."""

    card: str
    text: str
    """Without a mark for its back: the grid has keys of one back."""
    name: str
    boxes: tuple[Box, ...]
    """None are left of a card that was seen."""
    counted: bool
    """Whether the key says how many are left."""
    dim: bool
    red: bool


@dataclass(frozen=True, slots=True)
class Grid:
    """The keys of the packs with one back, block by block."""

    back: int
    blocks: tuple[tuple[Key, ...], ...]


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
    """Whether that player is not expected to play: has passed, or is gone."""
    gone: bool
    """Whether that player plays no more in this round: is out, or knocked out."""
    checked: bool
    playable: str
    """The cards that can be played from that seat now, as a list for the page's script."""
    passing: tuple[str, ...]
    """The names of those who would be recorded as passing before a play of this seat."""


def grids(
    words: Speaker, deck: Data, *, seen: Mapping[str, int], bright: Collection[str], checked: Sequence[str]
) -> list[Grid]:
    """The keys: one grid, or where backs matter one for each. Of a card that was seen as often as the deck holds it
    no copy can be tapped; one that is not bright still can. `seen` says how often."""
    copies = 1 if deck["backs"] else deck["packs"]
    chosen = Counter(checked)

    def key(card: str) -> Key:
        name, left = words.card_name(card), copies - seen.get(card, 0)
        return Key(
            card=card,
            text=words.card(card.rstrip("'")),
            name=name,
            boxes=tuple(
                Box(
                    name if copy == 0 else words.gettext("another %(card)s") % {"card": name},
                    copy < chosen[card],
                )
                for copy in range(left)
            ),
            counted=copies > 1,
            dim=left > 0 and card not in bright,
            red=card.rstrip("'")[-1] in "dh",
        )

    return [
        Grid(
            back,
            tuple(
                tuple(key(str(Card(rank, suit, back))) for rank in block for suit in Suit) for block in BLOCKS
            ),
        )
        for back in range(deck["packs"] if deck["backs"] else 1)
    ]


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
            gone=player in {*round["places"], *round["knocked_out"]},
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


def groups(board: Data) -> tuple[int, ...]:
    """How many cards of one rank the page offers together, once one is tapped: what can lead, or answer in kind.

    Of two packs there would be too many to choose from.
    """
    round = board["round"]
    if board["deck"]["packs"] > 1:
        return ()
    if round["to"] == "lead" or not round["pile"]:
        return (2, 3, 4)
    of_one_rank = {Kind.PAIR: 2, Kind.TRIPLE: 3, Kind.FOUR_OF_A_KIND: 4}
    size = of_one_rank.get(round["pile"][-1]["combination"])
    return (size,) if size else ()


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
    return {
        "kinds": {
            kind: words.say(f"combination {kind}", cards="{cards}", number="{number}", count="{count}")
            for kind in Kind
        },
        "numbers": {str(number): words.number(number) for number in range(3, 14)},
        "cards": words.gettext("%(count)s cards") % {"count": "{number}"},
        "to": "{cards} → {name}",
    }
