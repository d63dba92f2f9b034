"""The words of dictation in Vietnamese and English, with or without tones, and what a misheard word may mean."""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from ledger.game.cards import BLACK, RED, Rank, Suit
from ledger.game.texts import decomposed


class Word(NamedTuple):
    """A meaning of a word: its part of speech, and the rank or the suits that it names."""

    part: str
    rank: Rank | None = None
    suits: tuple[Suit, ...] = ()


class Meaning(NamedTuple):
    """A meaning that a word may have, and its cost: how far that is from what was transcribed."""

    word: Word
    cost: int


_RANKS: Final = {
    Rank.THREE: "ba three threes 3",
    Rank.FOUR: "bốn tư four fours for 4",
    Rank.FIVE: "năm lăm five fives 5",
    Rank.SIX: "sáu six sixes 6",
    Rank.SEVEN: "bảy bẩy seven sevens 7",
    Rank.EIGHT: "tám eight eights ate 8",
    Rank.NINE: "chín nine nines 9",
    Rank.TEN: "mười ten tens 10",
    Rank.JACK: "bồi gi chi jack jacks j",
    Rank.QUEEN: "đầm quy queen queens q",
    Rank.KING: "già ka king kings k",
    Rank.ACE: "át xì ách ace aces a",
    Rank.TWO: "heo hai two twos deuce deuces 2",
}
_SUITS: Final = {
    (Suit.SPADES,): "bích spade spades ♠",
    (Suit.CLUBS,): "chuồn tép nhép chuông club clubs ♣",
    (Suit.DIAMONDS,): "rô diamond diamonds ♦",
    (Suit.HEARTS,): "cơ heart hearts ♥",
    BLACK: "đen black",
    RED: "đỏ red",
}
_PARTS: Final = {
    "pair": "đôi pair cặp",
    "pairs": "thông không pairs",
    "quads": "quý quads kind",
    "triple": "sám xám sâm triple trips",
    "run": "sảnh dây lốc straight run sequence",
    "to": "tới đến to through till - –",
    "from": "từ from",
    "pass": "qua bỏ thôi chịu nhường miễn pass passes skip",
    "go": "đi đánh theo ra chơi bắt chặn chặt",
    "piece": "con lá quân cây",
    "not": "không hổng trừ ngoài bỏ not but except without",
    "all": "toàn all",
    "left": "thối",
    "filler": "of and the in only lượt hàng thôi một phải là chất nè nha luôn - –",
}
"""A word may have several: *thôi* is a pass, or *only*; *không* is *not*, or *thông* misheard.

*thối* (left with cards) is no play, and no pass: it is only known so that it is not taken for *thôi*.
"""
_ARTICLE: Final = "a"
"""An ace, or less likely a word that means nothing: `10 j q k a`, but `a pair of sevens`."""
_STROKED_LETTERS: Final = str.maketrans({"đ": "d", "Đ": "d"})
"""Letters whose mark Unicode does not separate."""


def folded(word: str) -> str:
    """A word without its tones and marks."""
    plain = decomposed(word.lower().translate(_STROKED_LETTERS))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


@cache
def _vocabulary() -> Mapping[str, tuple[Word, ...]]:
    """Word, as written or without its marks -> its meanings."""
    found: dict[str, list[Word]] = {}
    spoken_words: list[tuple[Word, str]] = [
        *((Word("rank", rank), words) for rank, words in _RANKS.items()),
        *((Word("suit", suits=suits), words) for suits, words in _SUITS.items()),
        *((Word(part), words) for part, words in _PARTS.items()),
    ]
    for meaning, words in spoken_words:
        for word in words.split():
            for spelled in {word, folded(word)}:
                meanings = found.setdefault(spelled, [])
                if meaning not in meanings:
                    meanings.append(meaning)
    return {word: tuple(meanings) for word, meanings in found.items()}


@cache
def _unmarked() -> Mapping[str, tuple[Word, ...]]:
    """The words of the vocabulary that have no marks."""
    return {word: meanings for word, meanings in _vocabulary().items() if word == folded(word)}


def meanings_of(token: str) -> list[Meaning]:
    """The meanings of a word, exact ones first; an unknown word may also mean nothing.

    With other tones than those of a known word it may as well be another that sounds alike.
    """
    known, plain = _vocabulary(), folded(token)
    exact = known.get(token, ())
    if exact and token != plain:
        return [Meaning(word, 0) for word in exact]
    unmarked = [Meaning(word, 0 if exact else 1) for word in known.get(plain, ())]
    near = [
        Meaning(word, cost + bool(exact))
        for other, words in _unmarked().items()
        if (cost := _distance(plain, other))
        for word in words
    ]
    nothing = [] if unmarked and token != _ARTICLE else [Meaning(Word("filler"), 3)]
    found: dict[Word, Meaning] = {}
    for one in sorted([*unmarked, *near, *nothing], key=lambda one: one.cost):
        found.setdefault(one.word, one)
    return list(found.values())[:8]


def _distance(one: str, other: str) -> int:
    """1 for words that sound the same, 2 for words one letter apart, else 0, as for single letters."""
    if min(len(one), len(other)) < 2:
        return 0
    if _sound(one) == _sound(other):
        return 1
    return 2 if _is_one_letter_off(one, other) else 0


def _is_one_letter_off(one: str, other: str) -> bool:
    if abs(len(one) - len(other)) > 1:
        return False
    if len(one) == len(other):
        return sum(a != b for a, b in zip(one, other, strict=True)) == 1
    short, long = sorted((one, other), key=len)
    return any(short == long[:index] + long[index + 1 :] for index in range(len(long)))


_SOUNDS: Final = (
    ("tr", "ch"),
    ("gi", "d"),
    ("ngh", "ng"),
    ("ph", "f"),
    ("x", "s"),
    ("y", "i"),
    ("k", "c"),
    ("q", "c"),
)


def _sound(word: str) -> str:
    for written, sounds in _SOUNDS:
        word = word.replace(written, sounds)
    return re.sub("(nh|ng)$", "n", re.sub("(ch|c|p)$", "t", word))
