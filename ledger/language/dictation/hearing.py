"""What a phrase may mean about a player: a pass, some legal plays, or a play whose suits are missing."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from typing import Final, NamedTuple, TypeAlias

from ledger.game.cards import Card, Cards, Deck, Rank, Suit, shown, union
from ledger.game.legal_cards import legal_choices
from ledger.game.patterns import Pattern
from ledger.game.round import Round
from ledger.game.texts import composed, without_heaps
from ledger.language.dictation.grammar import SpokenPlay, is_pass, letters_of, spoken_plays
from ledger.language.dictation.words import Meaning, Word, meanings_of

MOST: Final = 4
"""The most plays offered for an ambiguous phrase."""
_LONGEST: Final = 200
"""The most characters of a phrase that are heard."""
_READINGS: Final = 48
"""The most readings of one phrase."""

Choices: TypeAlias = tuple[tuple[Cards, ...], ...]
"""The choices of cards of each rank of a play, upwards: any choice of each makes a play."""


@dataclass(frozen=True, slots=True)
class Fits:
    """The legal plays that fit a phrase in which suits are missing: those of each of the `choices`."""

    __repr__ = shown
    pattern: Pattern
    ranks: tuple[Rank, ...]
    choices: tuple[Choices, ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """What a phrase may mean: a pass, or some plays, the likeliest first."""

    __repr__ = shown
    passes: bool = False
    plays: tuple[Cards, ...] = ()
    sure: bool = False
    """Whether the first of them is the only likely one."""
    fits: Fits | None = None
    """Where kind and ranks are clear, and several plays have them, those; `plays` has them only if they are few."""
    phrase: str = ""
    """What was understood: the phrase, or what it continues with it."""


class _Answer(NamedTuple):
    """What a phrase may mean, and how far that is from the transcript."""

    cost: int
    heard: Heard


_TRIPLE: Final = re.compile("\\b[sx][aáâ]m c[oô]\\b")
"""A triple in two words, the second of which alone means a suit."""
_NOT: Final = re.compile(
    r"\bko (?=(đi|di|theo|bắt|chặn|ra)\b)|\bkhông có (?=bích|chuồn|tép|nhép|rô|cơ|đen|đỏ|con|lá)"
)
"""*Not* as it is typed in passes, or in two words, the second of which sounds like a suit."""
_NEVER: Final = 1000
"""A cost above that of every reading."""
_CLOSE: Final = 1
"""Readings whose costs differ by no more than this may both be meant."""


def heard(round: Round, player: int, phrase: str, before: str = "") -> Heard:
    """The meanings of a phrase about a player, whose turn may come once others have passed.

    What alone means less may continue the phrase `before`: `đôi bảy`, then `rô cơ`.
    """
    phrases = (phrase, f"{before} {phrase}") if before else (phrase,)
    answers = [_answer(round, player, one) for one in phrases]
    return min(answers, key=lambda answer: answer.cost).heard


def _answer(round: Round, player: int, phrase: str) -> _Answer:
    text = composed(without_heaps(phrase[:_LONGEST].lower()), 2 * _LONGEST)
    tokens = re.findall(r"10|[0-9]|[♠♣♦♥–-]|[^\W\d_]+", _NOT.sub("không ", _TRIPLE.sub("sám", text)))
    legal = cache(lambda width, ranks: tuple(legal_choices(round, player, width, ranks)))
    found: dict[Cards, int] = {}
    patterns: dict[tuple[int, tuple[Rank, ...]], dict[Choices, None]] = {}
    passes = best = _NEVER
    furthest = max(3, len(tokens))
    for cost, words in _by_cost([meanings_of(token) for token in tokens]):
        if cost > furthest or cost > best + _CLOSE:
            break
        letters = letters_of(words)
        if is_pass(letters):
            passes = min(passes, cost)
        for spoken in spoken_plays(words, letters):
            for choices in _fitting(round.ruleset.deck, spoken, legal(spoken.width, spoken.ranks)):
                best = min(best, cost)
                for play in islice(map(union, product(*choices)), MOST + 1):
                    found.setdefault(play, cost)
                if cost == best:
                    patterns.setdefault((spoken.width, spoken.ranks), {})[choices] = None
    nearest = min(passes, best)
    if nearest == _NEVER:
        return _NOTHING
    plays = tuple(sorted(found, key=found.__getitem__))
    sure = sum(one <= nearest + _CLOSE for one in (passes, *found.values())) == 1
    if passes == nearest:
        return _Answer(nearest, Heard(True, plays[:MOST], sure, phrase=phrase))
    likely = sum(one == nearest for one in found.values())
    fits = None
    if likely > 1 and len(patterns) == 1:
        [((width, ranks), some)] = patterns.items()
        fits = Fits(Pattern(width, len(ranks)), ranks, tuple(some))
    if likely > MOST:
        return _Answer(nearest, Heard(fits=fits, phrase=phrase)) if fits is not None else _NOTHING
    return _Answer(nearest, Heard(False, plays[:MOST], sure, fits, phrase))


_NOTHING: Final = _Answer(_NEVER, Heard())


def _by_cost(choices: Sequence[Sequence[Meaning]]) -> Iterator[tuple[int, list[Word]]]:
    """The readings of some words, without those that mean nothing; those nearest to the transcript first."""
    readings: list[tuple[int, list[Word]]] = [(0, [])] if choices else []
    for meanings in choices:
        longer = [(cost + one.cost, [*words, one.word]) for cost, words in readings for one in meanings]
        readings = sorted(longer, key=lambda reading: reading[0])[:_READINGS]
    for cost, words in readings:
        yield cost, [word for word in words if word.part != "filler"]


def _fitting(deck: Deck, spoken: SpokenPlay, legal: Iterable[Sequence[Sequence[Cards]]]) -> Iterator[Choices]:
    """Those of the legal plays of its ranks that match a spoken one."""
    for choices in legal:
        some = tuple(
            tuple(_matching(deck, spoken, rank, cards))
            for rank, cards in zip(spoken.ranks, choices, strict=True)
        )
        if all(some):
            yield some


def _matching(deck: Deck, spoken: SpokenPlay, rank: Rank, choices: Iterable[Cards]) -> Iterator[Cards]:
    """Those choices of cards of a rank that match a spoken play; of twins, the first ones."""
    wanted = spoken.suits.get(rank, ())
    written = set()
    for choice in choices:
        cards, texts = deck.cards(choice), deck.write(choice)
        barred = any((rank, card.suit) in spoken.barred for card in cards)
        if not barred and texts not in written and _has(cards, wanted):
            written.add(texts)
            yield choice


def _has(cards: Sequence[Card], wanted: Sequence[tuple[Suit, ...]]) -> bool:
    """Whether some cards have the suits named, one card for each; a single colour is meant for all of them."""
    if len(wanted) == 1 and len(wanted[0]) > 1:
        return all(card.suit in wanted[0] for card in cards)
    if len(wanted) > len(cards):
        return False
    if not wanted:
        return True
    first, rest = wanted[0], wanted[1:]
    return any(
        card.suit in first and _has([*cards[:index], *cards[index + 1 :]], rest)
        for index, card in enumerate(cards)
    )
