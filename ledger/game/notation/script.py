"""A night as written: the lines of a replay, read but not yet judged."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, NamedTuple, TypeAlias, TypeVar

from ledger.game.cards import Card, Cards, Deck
from ledger.game.customs import Note
from ledger.game.errors import Refusal
from ledger.game.moves import Bid, Claim, Cover, CoverReason, Declare, Move, Pass, Play, Show
from ledger.game.night import Adjustment, Joined, NewTerms
from ledger.game.payments import Reason
from ledger.game.terms import Terms

_Value = TypeVar("_Value")


class Paid(NamedTuple):
    """An `=` line."""

    payer: int
    payee: int
    points: int
    reason: Reason


class Unreadable(Exception):
    """Text that is no replay: the line, from 1, and what was expected there."""

    def __init__(self, line: int, expected: str) -> None:
        super().__init__(f"line {line}: expected {expected}")
        self.line = line
        self.expected = expected


@dataclass(eq=False)
class ScriptRefused(Exception):
    """A script that can be read but whose moves the rules refuse: the line, round and move (0: the header)."""

    line: int
    round: int
    move: int
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A round whose `=` lines differ from its payments."""

    line: int
    round: int
    missing: tuple[Paid, ...]
    """Payments of the round that no line states."""
    unexpected: tuple[Paid, ...]
    """Lines that match no payment of the round."""


@dataclass(slots=True)
class RoundScript:
    """One round as written. `opening` is None if the header leaves the leader to the rules."""

    line: int
    opening: bool | None
    leader: int | None
    seats: tuple[int, ...]
    stood: bool
    times: int = 1
    moves: list[Move] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    """The line of each move."""
    paid: list[Paid] | None = None
    """The payments that its `=` lines state; None if it has none."""
    paid_line: int = 0
    void: str | None = None
    """Why the round does not count; None: it does."""


@dataclass(frozen=True, slots=True)
class TermsScript:
    """New terms as written, and the line that they begin on."""

    line: int
    new: NewTerms


ScriptEntry: TypeAlias = RoundScript | Adjustment | Note | Joined | TermsScript


@dataclass(slots=True)
class Script:
    """A night as written."""

    terms: Terms
    names: list[str]
    entries: list[ScriptEntry] = field(default_factory=list)

    @property
    def starters(self) -> int:
        """The number of players before any joined."""
        return len(self.names) - sum(isinstance(entry, Joined) for entry in self.entries)

    @property
    def rounds(self) -> list[RoundScript]:
        return [entry for entry in self.entries if isinstance(entry, RoundScript)]


Tag: TypeAlias = Annotated[str, ("pattern", "^p([1-9]|1[0-2])$")]
"""How a player is written: `p1`."""


def tag(player: int) -> str:
    """How a player is written: `p1` is player 0."""
    return f"p{player + 1}"


def by_tag(values: Iterable[_Value]) -> dict[str, _Value]:
    """Tag -> value, from one value for each player, p1 first."""
    return {tag(player): value for player, value in enumerate(values)}


PLAYERS = {tag(player): player for player in range(99)}
"""Tag -> player."""
_LONGEST_NAME = 64
"""The most characters of a name that may stand for its tag."""
_LONGEST_SEARCHED = 1000
"""The most characters of a line in which names are looked for beyond its beginning."""
_WORDS = re.compile("opening|lead|deals|kneels|sits|owes|gives|swaps|clears|none|[-–!]")
"""Words that a line may have where a player may stand."""
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")


def words_of(raw: str) -> str | None:
    """A line without its comment; None if it contains control characters."""
    words = raw.partition(";")[0].strip()
    return words if words.isprintable() or not _CONTROL.search(words) else None


@lru_cache(maxsize=16)
def tagging(names: tuple[str, ...]) -> Callable[[str, int], str]:
    """A function of a text that replaces names by tags: at most so many at its beginning, or with 0 all of them.

    Case does not matter, and of two names that fit, the longer one is meant. A name that two players have, or that
    could be something else in a line (a card, a number, a tag, a word of the notation), is not replaced.
    """
    keys = [name.casefold() for name in names]
    tags = {key: tag(player) for player, key in enumerate(keys) if keys.count(key) == 1 and _is_plain(key)}
    fitting = sorted((name for name in names if name.casefold() in tags), key=len, reverse=True)
    name = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in fitting) or "(?!)"
    anywhere = re.compile(rf"(?<!\S)(?:{name})(?!\S)", re.IGNORECASE)
    first = re.compile(rf"\s*(p[1-9][0-9]?|{name})(?!\S)", re.IGNORECASE)

    def tag_of(typed: str) -> str:
        return tags.get(" ".join(typed.casefold().split()), typed)

    def tagged(text: str, most: int) -> str:
        if not most and len(text) > _LONGEST_SEARCHED:
            return text
        if not most:
            return anywhere.sub(lambda found: tag_of(found[0]), text)
        players: list[str] = []
        while len(players) < most and (found := first.match(text)):
            players.append(tag_of(found[1]))
            text = text[found.end() :]
        return " ".join([*players, text.strip()])

    return tagged


def _is_plain(name: str) -> bool:
    """Whether a name can be mistaken for nothing else in a line."""
    try:
        Card.read(name)
    except ValueError:
        return len(name) <= _LONGEST_NAME and not (
            _WORDS.fullmatch(name) or name in PLAYERS or name.isdecimal()
        )
    return False


def read_move(deck: Deck, raw: str) -> Move | None:
    """Parse a line as a move; None if it is none."""
    line = words_of(raw) or ""
    words = line.split()
    player = PLAYERS.get(words[0]) if len(words) > 1 else None
    if player is None:
        return None
    stood = words[-1] == "!"
    rest = words[1:-1] if stood else words[1:]
    try:
        match rest:
            case ["-" | "–"]:
                return Pass(player, stood)
            case ["claims", *cards]:
                return Claim(player, *gather(deck, cards, stood))
            case ["shows", *cards] if not stood:
                cards_shown, _, twice = gather(deck, cards, stood)
                return Show(player, cards_shown, twice)
            case ["declares", *_] if not stood:
                return _declaration(player, deck, line.split(None, 2)[2:])
            case ["covers", *covered, why] if not stood:
                return _cover(player, covered, why)
            case ["contract", contract] if not stood:
                return Bid(player, contract)
            case _:
                return _play(player, deck, rest, stood)
    except ValueError:
        return None


def _play(player: int, deck: Deck, words: Sequence[str], stood: bool) -> Play:
    """A play: `forward` and `locks` or `unlocks` may come before its cards."""
    forward = words[:1] == ["forward"]
    words = words[1:] if forward else words
    locks = {"locks": True, "unlocks": False}.get(words[0]) if words else None
    return Play(player, *gather(deck, words if locks is None else words[1:], stood), forward, locks)


def _cover(player: int, covered: Sequence[str], why: str) -> Cover:
    players = tuple(dict.fromkeys(PLAYERS[word] for word in covered if word in PLAYERS))
    if not players or len(players) != len(covered):
        raise ValueError("no players, each once")
    return Cover(player, players, CoverReason(why))


def gather(deck: Deck, words: Sequence[str], stood: bool) -> tuple[Cards, bool, Cards]:
    """The cards that words name, `stood` as given, and the cards named twice; ValueError if there are none."""
    if not words:
        raise ValueError("no cards")
    cards, twice = deck.gather(map(Card.read, words))
    return cards, stood, twice


def _declaration(player: int, deck: Deck, rest: Sequence[str]) -> Declare:
    if list(rest) == ["none"]:
        return Declare(player, ())
    sets: list[Cards] = []
    together = twice = 0
    for group in "".join(rest).split(",", deck.all.bit_count()):
        cards, again = deck.gather(map(Card.read, group.split()))
        if not cards:
            raise ValueError("no cards")
        cards = deck.unseen_twins(cards, together) if deck.has_twins else cards
        twice |= again | together & cards
        together |= cards
        sets.append(cards)
    return Declare(player, tuple(sets), twice)
