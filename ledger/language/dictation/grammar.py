"""The grammar of dictation: the pass or the plays that some words may mean together."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from ledger.game.cards import Rank, Suit
from ledger.language.dictation.words import Word


@dataclass(frozen=True, slots=True)
class SpokenPlay:
    """A play as spoken: `width` cards of each of its ranks, upwards."""

    width: int
    ranks: tuple[Rank, ...]
    suits: Mapping[Rank, tuple[tuple[Suit, ...], ...]]
    """The suits or colours that are named for the cards of a rank."""
    barred: frozenset[tuple[Rank, Suit]] = frozenset()
    """The cards that are named as not belonging to it."""


_LETTERS: Final = {
    "rank": "R",
    "pair": "D",
    "pairs": "T",
    "quads": "Q",
    "triple": "X",
    "run": "L",
    "to": "t",
    "from": "f",
    "pass": "p",
    "go": "g",
    "piece": "c",
    "not": "n",
    "all": "a",
    "left": "l",
}
_PASS: Final = re.compile("p+g?|n+g")
_NAMED: Final = "t?+D?+c?+R[SC]*+"
"""A rank, or the end of a sequence, with its suits (S) and colours (C)."""
_BARRED: Final = "a?+n++c?+(?:R(?:C|S*+)|C|S++)"
"""A rank, cards or suits that do not belong to the play; suits after a colour are no longer part of this."""
_ALIKE: Final = "ac?+(?:C|S++)"
"""The suits of all cards."""
_CLAUSE: Final = re.compile(f"(?P<barred>{_BARRED})|(?P<alike>{_ALIKE})|(?P<named>{_NAMED}|[SC]++)")
_PLAY: Final = re.compile(
    f"g*+(?:(R)(?=[DTQcR]))?(DT?|T|Q|X|L|c)?f?c?(R[SC]*+(?:{_BARRED}|{_ALIKE}|{_NAMED}|[SC]++)*+)g?"
)
"""A number, a kind, and the ranks with their suits: one, several, or the ends of a sequence.

Nothing in the repeated parts is given back, so that the time does not grow with the ways to divide a phrase.
"""


def letters_of(words: Sequence[Word]) -> str:
    """One letter for the part of speech of each word, by which the grammar is written."""
    return "".join(("SC"[len(word.suits) > 1] if word.suits else _LETTERS[word.part]) for word in words)


def is_pass(letters: str) -> bool:
    """Whether words of these parts are a pass."""
    return _PASS.fullmatch(letters) is not None


def spoken_plays(words: Sequence[Word], letters: str) -> Iterator[SpokenPlay]:
    """The plays that some words may mean together."""
    found = _PLAY.fullmatch(letters)
    if found is None:
        return
    count = _number(words[found.start(1)].rank) if found[1] else 0
    yield from _of_kind(count, found[2] or "", words[found.start(3) :], found[3])
    if count and not found[2]:  # no number, but the first of several ranks: `three four five`
        yield from _of_kind(0, "", words[found.start(1) :], letters[found.start(1) :])


def _number(rank: Rank | None) -> int:
    """The number that the name of a rank may mean; a 2 is two."""
    return 0 if rank is None else 2 if rank is Rank.TWO else rank + 3


def _of_kind(count: int, kind: str, words: Sequence[Word], letters: str) -> Iterator[SpokenPlay]:
    """The plays that a number, a kind, and some ranks with their suits may mean."""
    body = _read(words, letters)
    if body is None:
        return
    ranks, suits = body.ranks, body.suits
    if kind in ("T", "DT") or (kind == "D" and count > 2):
        lengths = [count] if count else range(2, 7)
        if len(ranks) == 1:
            runs = (range(ranks[0], ranks[0] + length) for length in lengths)
            some = (tuple(map(Rank, run)) for run in runs if run.stop <= len(Rank))
            yield from (replace(body, width=2, ranks=run) for run in some)
            return
    width = {"Q": 3 if count == 3 else 4, "X": 3, "D": 2, "DT": 2, "T": 2, "L": 1}.get(kind) or count
    shared = len(suits.get(ranks[-1], ())) if not any(suits.get(rank) for rank in ranks[:-1]) else 0
    if len(ranks) > 1 and shared == (width or 1) * len(ranks):  # named after all ranks, in their order
        width = width or 1
        each = iter(suits[ranks[-1]])
        suits = {rank: tuple(next(each) for _ in range(width)) for rank in ranks}
    yield replace(body, width=width or body.width, ranks=tuple(sorted(ranks)), suits=suits)


def _read(words: Sequence[Word], letters: str) -> SpokenPlay | None:
    """The ranks with their suits that some words name, with as many cards of each as one is named or has its suits
    named; None if they contradict each other."""
    named: list[Rank] = []
    suits: dict[Rank, tuple[tuple[Suit, ...], ...]] = {}
    barred: set[tuple[Rank, Suit]] = set()
    dropped: set[Rank] = set()
    end = 0
    for clause in _CLAUSE.finditer(letters):
        some = words[clause.start() : clause.end()]
        rank = next((word.rank for word in some if word.rank is not None), None)
        groups = tuple(word.suits for word in some if word.suits)
        listed = {suit for group in groups for suit in group}
        match clause.lastgroup:
            case "alike":
                barred |= set(product(Rank, set(Suit) - listed))
            case "barred" if rank is None:
                barred |= set(product(Rank, listed))
            case "barred":
                assert rank is not None
                barred |= {(rank, suit) for suit in listed}
                dropped |= set() if listed else {rank}
            case _:
                named += [] if rank is None else [rank]
                suits[named[-1]] = (*suits.get(named[-1], ()), *groups)
                end = len(named) if clause[0].startswith("t") else end
    if end not in (0, 2) or letters.count("t") > 1:
        return None
    ranks = tuple(Rank(one) for one in range(named[0], named[1] + 1)) if end else tuple(suits)
    if not dropped | set(suits) <= set(ranks) or any(suits.get(rank) for rank in dropped):
        return None
    ranks = tuple(rank for rank in ranks if rank not in dropped)
    each = 1 if end else max(max(named.count(one), len(some)) for one, some in suits.items())
    return SpokenPlay(each, ranks, suits, frozenset(barred)) if ranks else None
