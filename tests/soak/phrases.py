"""Random spoken moves: does dictation choose the right play, or offer it?

A round is dealt and played by one of three strategies. Moves are spoken in Vietnamese or English, with suits where
they are needed; half of the Vietnamese ones are without tones; one word in ten is misheard.

    scripts/soak phrases --phrases 10000
"""

import argparse
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from random import Random

from ledger.game.cards import Card, Suit
from ledger.game.moves import Pass, Play
from ledger.game.patterns import Kind
from ledger.game.round import Round
from ledger.game.rulesets import PRESETS
from ledger.language.dictation import heard
from tests.soak.slips import whole_round


@dataclass(frozen=True)
class Tongue:
    """The words with which moves are spoken in a language."""

    ranks: Sequence[str]
    suits: Mapping[Suit, str]
    passes: Sequence[str]
    kinds: Mapping[Kind, Sequence[str]]
    pairs: str
    counts: Sequence[str]
    """Numbers from three up, for `pairs`."""


VI = Tongue(
    ranks=["ba", "bốn", "năm", "sáu", "bảy", "tám", "chín", "mười", "bồi", "đầm", "già", "xì", "heo"],
    suits={Suit.SPADES: "bích", Suit.CLUBS: "chuồn", Suit.DIAMONDS: "rô", Suit.HEARTS: "cơ"},
    passes=("qua", "bỏ lượt", "bỏ"),
    kinds={
        Kind.PAIR: ("đôi {}",),
        Kind.TRIPLE: ("sám {}", "sám cô {}", "ba con {}"),
        Kind.FOUR_OF_A_KIND: ("tứ quý {}",),
        Kind.SEQUENCE: ("sảnh {}", "{}", "dây {}"),
    },
    pairs="{} đôi thông {}",
    counts=["ba", "bốn", "năm", "sáu", "bảy"],
)
EN = Tongue(
    ranks=[
        *("three", "four", "five", "six", "seven", "eight", "nine", "ten"),
        *("jack", "queen", "king", "ace", "two"),
    ],
    suits={Suit.SPADES: "spades", Suit.CLUBS: "clubs", Suit.DIAMONDS: "diamonds", Suit.HEARTS: "hearts"},
    passes=("pass", "passes"),
    kinds={
        Kind.PAIR: ("pair of {}", "pair {}"),
        Kind.TRIPLE: ("triple {}", "three of a kind {}"),
        Kind.FOUR_OF_A_KIND: ("four of a kind {}", "quads {}"),
        Kind.SEQUENCE: ("straight {}", "run {}", "{}"),
    },
    pairs="{} pairs {}",
    counts=["three", "four", "five", "six", "seven"],
)
LIKE = (
    *(("b", "v"), ("đ", "t"), ("r", "d"), ("r", "g"), ("ch", "tr"), ("s", "x")),
    *(("n", "l"), ("m", "n"), ("c", "k"), ("i", "y"), ("o", "ô"), ("a", "â")),
    *(("e", "ê"), ("t", "c"), ("q", "k"), ("h", ""), ("g", ""), ("p", "b")),
)
"""Letters that are mistaken for each other, in both directions."""


class Outcome(StrEnum):
    """What dictation made of a phrase."""

    CHOSEN = "chosen"
    OFFERED = "among what is offered"
    MISSED = "not there"
    WRONG = "another one chosen"


def phrase_of_move(chance: Random, round: Round, move: Play | Pass, tongue: Tongue) -> str | None:
    """A move as it is spoken; None for a combination without a short name."""
    if isinstance(move, Pass):
        return chance.choice(tongue.passes)
    cards = round.ruleset.deck.cards(move.cards)
    combination = round.rules.index.read(move.cards)
    if combination is None:
        return None
    kind = Kind.of(combination.shape)
    if kind is Kind.SINGLE:
        return _each(round, cards, tongue)
    if kind in tongue.kinds:
        return chance.choice(tongue.kinds[kind]).format(_each(round, cards, tongue))
    if kind is Kind.PAIR_SEQUENCE and len(cards) // 2 - 3 in range(len(tongue.counts)):
        return tongue.pairs.format(tongue.counts[len(cards) // 2 - 3], _each(round, cards, tongue))
    return None


def _each(round: Round, cards: Sequence[Card], tongue: Tongue) -> str:
    """The ranks, with their suits where other cards of the rank could be meant."""
    words = []
    for rank in dict.fromkeys(card.rank for card in cards):
        own = [card for card in cards if card.rank == rank]
        unseen = round.unseen & round.ruleset.deck.rank(rank)
        words.append(tongue.ranks[rank])
        if unseen.bit_count() > len(own):
            words += [tongue.suits[card.suit] for card in own]
    return " ".join(words)


def toneless(text: str) -> str:
    """Vietnamese without diacritics."""
    plain = unicodedata.normalize("NFD", text.replace("đ", "d"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def misheard(chance: Random, phrase: str) -> str:
    """The phrase with one word in ten replaced by one that sounds alike."""
    return " ".join(_misheard(chance, word) if chance.random() < 0.1 else word for word in phrase.split())


def _misheard(chance: Random, word: str) -> str:
    both = [*LIKE, *((other, one) for one, other in LIKE if other)]
    changed = {word.replace(one, other, 1) for one, other in both if one in word} - {word, ""}
    return chance.choice(sorted(changed)) if changed else word


def phrases(chance: Random, count: int) -> Iterator[tuple[Round, Play | Pass, str]]:
    """Moves of random rounds: the round before each, the move, and the phrase as heard."""
    presets = list(PRESETS.values())
    made = 0
    while made < count:
        for before, after in pairwise(one.round for one in whole_round(chance, chance.choice(presets))):
            move = after.moves[-1]
            tongue = chance.choice((VI, VI, EN))
            if not isinstance(move, Play | Pass) or chance.random() < 0.6:
                continue
            phrase = phrase_of_move(chance, before, move, tongue)
            if phrase is None:
                continue
            if tongue is VI and chance.random() < 0.5:
                phrase = toneless(phrase)
            made += 1
            yield before, move, misheard(chance, phrase)


def outcome(round: Round, move: Play | Pass, phrase: str) -> Outcome:
    """What dictation makes of the phrase for a move."""
    found = heard(round, move.player, phrase)
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
    return Counter(outcome(*one) for one in phrases(Random(seed), count))


def main() -> int:
    """Print the share of each outcome, and some phrases that failed."""
    parser = argparse.ArgumentParser(
        prog="scripts/soak phrases", description="Say moves, and count which are found."
    )
    parser.add_argument("--phrases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="so many phrases that failed")
    asked = parser.parse_args()
    found = Counter[Outcome]()
    for round, move, phrase in phrases(Random(asked.seed), asked.phrases):
        became = outcome(round, move, phrase)
        found[became] += 1
        if became in (Outcome.MISSED, Outcome.WRONG) and found[became] <= asked.show:
            meant = " ".join(round.ruleset.deck.write(move.cards)) if isinstance(move, Play) else "pass"
            print(f"{became}: {phrase!r} was {meant}")
    for one in Outcome:
        print(f"{100 * found[one] / found.total():6.2f} %  {one}")
    return 0
