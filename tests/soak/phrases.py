"""Random spoken moves: does dictation choose the right play, or offer it?

A round is dealt and played by one of three strategies. Moves are spoken in Vietnamese or English, with suits where
they are needed; one in four is spoken without them, and they are named once its cards are lit. Half of the
Vietnamese phrases are without tones; one word in ten is misheard.
"""

import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from ledger.game.cards import Card, Suit
from ledger.game.moves import Pass, Play
from ledger.game.patterns import Kind
from ledger.game.round import Round
from ledger.game.rulesets import PRESETS
from ledger.language.dictation import Fits, Heard, heard
from tests.game.generator import whole_round
from tests.soak.running import Tally, progress

_WORDS: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_PAIRS: Final = [tuple(pair.split("/")) for pair in _WORDS["alike"].split()]
_ALIKE: Final = [*_PAIRS, *((other, one) for one, other in _PAIRS if other)]


class Tongue:
    """The words with which moves are spoken in a language."""

    def __init__(self, words: dict[str, Any]) -> None:
        self.ranks, self.counts = words["ranks"].split(), words["counts"].split()
        self.suits = dict(zip(Suit, words["suits"].split(), strict=True))
        self.passes, self.pairs = words["passes"], words["pairs"]
        self.kinds: dict[Kind, list[str]] = {Kind[kind]: forms for kind, forms in words["kinds"].items()}


VI, EN = Tongue(_WORDS["vi"]), Tongue(_WORDS["en"])


class Outcome(StrEnum):
    """What dictation made of a phrase."""

    CHOSEN = "chosen"
    OFFERED = "among what is offered"
    HEARD = "among what is lit"
    MISSED = "not there"
    WRONG = "another one chosen"


class Phrase(NamedTuple):
    """A move as it is spoken in a round, and the suits of its cards, to finish what is heard without them."""

    round: Round
    move: Play | Pass
    text: str
    suits: str


def phrase_of_move(
    chance: Random, round: Round, move: Play | Pass, tongue: Tongue, *, bare: bool = False
) -> str | None:
    """A move as it is spoken, a `bare` one without suits; None for a combination without a short name."""
    if isinstance(move, Pass):
        return str(chance.choice(tongue.passes))
    cards = round.ruleset.deck.cards(move.cards)
    combination = round.compiled.index.read(move.cards)
    if combination is None:
        return None
    kind, each = Kind.of(combination.shape), _each(round, cards, tongue, bare=bare)
    if kind is Kind.SINGLE:
        return each
    if kind in tongue.kinds:
        return chance.choice(tongue.kinds[kind]).format(each)
    if kind is Kind.PAIR_SEQUENCE and len(cards) // 2 - 3 in range(len(tongue.counts)):
        return str(tongue.pairs.format(tongue.counts[len(cards) // 2 - 3], each))
    return None


def _each(round: Round, cards: Sequence[Card], tongue: Tongue, *, bare: bool) -> str:
    """The ranks, with their suits where other cards of the rank could be meant, unless they are `bare`."""
    words = []
    for rank in dict.fromkeys(card.rank for card in cards):
        own = [card for card in cards if card.rank == rank]
        unseen = round.unseen & round.ruleset.deck.rank(rank)
        words.append(tongue.ranks[rank])
        if unseen.bit_count() > len(own) and not bare:
            words += [tongue.suits[card.suit] for card in own]
    return " ".join(words)


def toneless(text: str) -> str:
    plain = unicodedata.normalize("NFD", text.replace("đ", "d"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def misheard(chance: Random, phrase: str) -> str:
    """The phrase with one word in ten replaced by one that sounds alike."""
    words = phrase.split()
    for place, word in enumerate(words):
        if chance.random() < 0.1:
            changed = {word.replace(one, other, 1) for one, other in _ALIKE if one in word} - {word, ""}
            words[place] = chance.choice(sorted(changed)) if changed else word
    return " ".join(words)


def phrases(chance: Random, count: int) -> Iterator[Phrase]:
    """Moves of random rounds, as heard."""
    presets = list(PRESETS.values())
    made = 0
    while made < count:
        for before, after in pairwise(one.round for one in whole_round(chance, chance.choice(presets))):
            move = after.moves[-1]
            tongue = chance.choice((VI, VI, EN))
            if not isinstance(move, Play | Pass) or chance.random() < 0.6:
                continue
            phrase = phrase_of_move(chance, before, move, tongue, bare=chance.random() < 0.25)
            if phrase is None:
                continue
            if tongue is VI and chance.random() < 0.5:
                phrase = toneless(phrase)
            made += 1
            cards = before.ruleset.deck.cards(move.cards) if isinstance(move, Play) else ()
            suits = " ".join(tongue.suits[card.suit] for card in cards)
            yield Phrase(before, move, misheard(chance, phrase), suits)


def outcome(phrase: Phrase) -> Outcome:
    """What dictation makes of the phrase for a move; where it hears it without suits, of these after it."""
    round, move, text, suits = phrase
    found = heard(round, move.player, text)
    if found.fits is None or found.plays:
        return _outcome(round, move, found)
    finished = heard(round, move.player, suits, found.phrase)
    if finished.fits is not None and isinstance(move, Play) and _is_among(round, move, finished.fits):
        return Outcome.HEARD
    last = _outcome(round, move, finished)
    return Outcome.HEARD if last is Outcome.CHOSEN else last


def _is_among(round: Round, move: Play, fits: Fits) -> bool:
    """Whether a move, or its like of twins, is among the plays that fit."""
    write, deck = round.ruleset.deck.write, round.ruleset.deck
    played = [sorted(write(move.cards & deck.rank(rank))) for rank in fits.ranks]
    listed = ([[sorted(write(some)) for some in rank] for rank in choices] for choices in fits.choices)
    return any(all(one in some for one, some in zip(played, ranks, strict=True)) for ranks in listed)


def _outcome(round: Round, move: Play | Pass, found: Heard) -> Outcome:
    if isinstance(move, Pass):
        right, chosen = found.passes, found.passes and found.sure
    else:
        write = round.ruleset.deck.write
        same = [sorted(write(play)) == sorted(write(move.cards)) for play in found.plays]
        right, chosen = any(same), found.sure and not found.passes and same[:1] == [True]
    if chosen:
        return Outcome.CHOSEN
    return Outcome.WRONG if found.sure else Outcome.OFFERED if right else Outcome.MISSED


def trial(seed: int, count: int) -> Counter[Outcome]:
    """Outcome -> how many of `count` phrases."""
    return Counter(outcome(one) for one in progress(phrases(Random(seed), count), count, "phrases"))


def soak(*, phrases: int = 10_000, seed: int = 1) -> Tally:
    """Say moves, and count which are found."""
    found = trial(seed, phrases)
    return Tally({"phrases": found.total(), **{str(one): found[one] for one in Outcome}})
