"""The board prepared for templates: keys of the card grid, seats, labels. Nothing is judged here."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from operator import attrgetter

from flask import get_template_attribute
from markupsafe import Markup

from ledger.game import legal_cards
from ledger.game.blocks import Block
from ledger.game.cards import Card, Deck, Rank, Suit
from ledger.game.notation import tag
from ledger.game.patterns import Kind
from ledger.game.round import Round
from ledger.game.rulesets.model import Ruleset
from ledger.language import Speaker
from ledger.language import speaker as speaker_of
from ledger.recorder.views.entry import EntryRow
from ledger.recorder.views.night import Board
from ledger.recorder.views.round import Position, RoundView
from ledger.web.preferences import language, speaker

BLOCKS = (tuple(Rank)[:7], tuple(Rank)[7:])
"""The ranks of the grid's two blocks: a pair is in one row, a sequence in one column."""


@dataclass(frozen=True, slots=True)
class Box:
    """The checkbox of one copy of a card."""

    name: str
    checked: bool
    gone: bool
    """Whether this copy was seen, so that it cannot be chosen."""


@dataclass(frozen=True, slots=True)
class Key:
    """One card of the grid, with a box for each copy: with two packs, a second tap chooses the second copy."""

    card: str
    text: str
    """The card without a mark for its back, since all keys of a grid have the same back."""
    name: str
    html: Markup


@dataclass(frozen=True, slots=True)
class Grid:
    """The keys of cards with one back, block by block."""

    back: int
    blocks: tuple[tuple[Key, ...], ...]


@dataclass(frozen=True, slots=True)
class Seat:
    """One player in the strip above the grid."""

    player: str
    name: str
    left: int
    state: str
    """A label: passed, knocked out, or the place."""
    place: int
    """The place of a player who is out, from 1; else 0."""
    turn: bool
    away: bool
    """Whether the player is not expected to play: passed, out or knocked out."""
    gone: bool
    """Whether the player has finished this round: out or knocked out."""
    checked: bool
    playable: str
    """The cards that this seat can play now, separated by spaces, for the page's script."""
    passing: tuple[str, ...]
    """The names of the players who would be recorded as passing before a play of this seat."""


def grids(
    deck: Deck,
    *,
    seen_counts: Mapping[str, int] | None = None,
    bright: Collection[str] | None = None,
    checked: Sequence[str] = (),
    but: Collection[str] = (),
) -> list[Grid]:
    """The keys of all cards: one grid, or one for each back if backs matter. A card that was seen as often
    (`seen_counts`) as the deck has it cannot be tapped; a dim one, not in `bright`, still can. Without `bright` no
    card is dim; `but` are left out."""
    copies = 1 if deck.backs else deck.packs
    words, chosen, seen_counts = language(), Counter(checked), seen_counts or {}

    def key(card: str) -> Key:
        gone = min(seen_counts.get(card, 0), copies)
        left = copies - gone
        dim = left > 0 and bright is not None and card not in bright
        return _key(words, card, copies, gone, min(chosen.get(card, 0), left), dim)

    return [
        Grid(
            back,
            tuple(tuple(key(card) for card in block if card not in but) for block in _cards_of(back)),
        )
        for back in range(deck.packs if deck.backs else 1)
    ]


@cache
def _cards_of(back: int) -> tuple[tuple[str, ...], ...]:
    """The cards with one back, block by block."""
    return tuple(tuple(str(Card(rank, suit, back)) for rank in block for suit in Suit) for block in BLOCKS)


@lru_cache(maxsize=512)
def _key(language: str, card: str, copies: int, gone: int, chosen: int, dim: bool) -> Key:
    """A key in one of its few states; rendered once."""
    words = speaker_of(language)
    text, name = words.card(card.rstrip("'")), words.card_name(card)
    another = words.gettext("another %(card)s") % {"card": name}
    boxes = [
        Box(name if copy == gone % copies else another, gone <= copy < gone + chosen, copy < gone)
        for copy in range(copies)
    ]
    left = copies - gone if copies > 1 else 0
    render = get_template_attribute("table/_grid.html", "key")
    return Key(card, text, name, Markup(render(card, text, boxes, left, dim)))


def seats(round: RoundView, names: Mapping[str, str], chosen: str | None = None) -> list[Seat]:
    """The seats of the running round; the chosen one is checked, else the one to play."""
    checked = chosen if chosen in round.seats else round.turn
    return [
        Seat(
            player=player,
            name=names[player],
            left=round.left[player],
            state=state(round, round.seats, player),
            place=round.places.index(player) + 1 if player in round.places else 0,
            turn=player == round.turn,
            away=player in {*round.locked, *round.places, *round.knocked_out},
            gone=player in {*round.places, *round.knocked_out},
            checked=player == checked,
            playable=" ".join(round.playable[player]),
            passing=tuple(names[skipped] for skipped in round.passes[player]),
        )
        for player in round.seats
    ]


def state(position: Position, seats: Sequence[str], player: str) -> str:
    """A player's state in a word: place, knocked out or passed; else empty."""
    words = speaker()
    if player in position.places:
        return words.place(position.places.index(player) + 1, len(seats))
    if player in position.knocked_out:
        return words.knocked_out()
    return words.gettext("passed") if player in position.locked else ""


def beginning(page: RoundView) -> Position:
    """The position of a round before its first move."""
    return Position(
        turn=page.leader,
        to="lead",
        pile=[],
        left={},
        uncounted=[],
        locked=[],
        places=[],
        knocked_out=[],
    )


@dataclass(frozen=True, slots=True)
class Way:
    """The playable blocks of one shape, in a compact form: ranks and suits are letters."""

    width: int
    length: int
    suits: list[str]
    lows: str
    """Their possible lowest ranks."""
    edge: list[str] | None = None
    """One more lowest rank, and the cards of which a block from there on must hold one."""


@dataclass(frozen=True, slots=True)
class Together:
    """The combinations that some players can play now."""

    seats: list[str]
    ways: list[Way]


def together(round: Round) -> list[Together]:
    """The combinations that can be played now, by players; the page offers some once a card is tapped."""
    seats: dict[tuple[Block, ...], list[str]] = {}
    for player in round.header.seats:
        if blocks := tuple(legal_cards.legal_combinations(round, player)):
            seats.setdefault(blocks, []).append(tag(player))
    return [Together(players, [*_ways(blocks, round.ruleset.deck)]) for blocks, players in seats.items()]


def _ways(blocks: Iterable[Block], deck: Deck) -> Iterator[Way]:
    """The blocks of one pattern and of the same suits, which follow each other, as one way. None is loose."""
    ranks = tuple(Rank)
    for (pattern, suits), alike in groupby(blocks, attrgetter("pattern", "suits")):
        lows = [(ranks[block.top - pattern.length + 1].letter, block.needed) for block in alike]
        yield Way(
            pattern.width,
            pattern.length,
            suits=["".join([suit.letter for suit in some]) for some in suits],
            lows="".join([low for low, needed in lows if not needed]),
            edge=next(([low, *deck.write(needed)] for low, needed in lows if needed), None),
        )


def earlier(round: RoundView) -> list[EntryRow]:
    """The plays of earlier piles, as far as the board has them."""
    if not round.pile:
        return []
    first = round.pile[0].move
    return [row for row in round.moves if row.kind == "play" and (row.move or 0) < first]


def turn_sentence(round: RoundView, names: Mapping[str, str]) -> str:
    """A sentence about whose turn it is."""
    words = speaker()
    if round.turn is None:
        return words.gettext("Whoever holds the lowest card opens")
    sentence = words.gettext("%(name)s leads") if round.to == "lead" else words.gettext("%(name)s's turn")
    return sentence % {"name": names[round.turn]}


@dataclass(frozen=True, slots=True)
class Naming:
    """The patterns with which the page's script names combinations."""

    kinds: dict[Kind, str]
    """The pattern of each kind of combination."""
    numbers: dict[str, str]
    cards: str
    to: str


@cache
def naming(words: Speaker) -> Naming:
    """The patterns in a language."""
    blanks = {"cards": "{cards}", "number": "{number}", "count": "{count}"}
    return Naming(
        kinds={kind: words.say(f"combination {kind}", **blanks) for kind in Kind},
        numbers={str(number): words.number(number) for number in range(3, 14)},
        cards=words.gettext("%(count)s cards") % {"count": "{number}"},
        to="{cards} → {name}",
    )


def proposed_seats(board: Board, ruleset: Ruleset) -> list[str]:
    """The proposed seats of the next round: the player who came in last makes room for one who sat out."""
    due, round = board.next, board.round
    if due is None:
        return []
    seats = due.seats[: max(ruleset.deal.players)]
    waiting = [player for player in board.names if player not in seats]
    last = round.places[-1] if round and round.places and round.void is None else None
    comes = waiting[0] if waiting and last != due.leader else last
    return [comes if comes and player == last else player for player in seats]
