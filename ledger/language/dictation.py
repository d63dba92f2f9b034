"""Dictation: a spoken play, as a phone's keyboard transcribes it, matched against the plays that are legal now.

In Vietnamese and English, with or without tones, and with misheard words: `đôi bảy rô cơ`, `heo cơ`, `qua`, `tứ quý
chín`, `sảnh ba bích bốn cơ năm rô`, `pair of sevens`. A word may have several meanings. Of all readings of a
phrase, those count that are nearest to the transcript and name a legal play; nothing else is guessed.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import prod
from typing import Final, NamedTuple

from ledger.game.cards import BLACK, RED, Card, Cards, Rank, Suit, bits
from ledger.game.fold import passes_before, replay
from ledger.game.judge import judge
from ledger.game.moves import Play
from ledger.game.round import Round

MOST: Final = 4
"""The most plays offered for an ambiguous phrase."""
_LONGEST: Final = 200
_PLAYS: Final = 2000
"""The most plays of one reading that are looked through."""
_READINGS: Final = 48
"""The most readings of one phrase."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What a phrase may mean: a pass, or some plays, the likeliest first."""

    passes: bool = False
    plays: tuple[Cards, ...] = ()
    sure: bool = False
    """Whether the first of them is the only likely one."""


class _Word(NamedTuple):
    """A meaning of a word: its part of speech, and the rank or the suits that it names."""

    part: str
    rank: Rank | None = None
    suits: tuple[Suit, ...] = ()


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
    (Suit.CLUBS,): "chuồn tép chuông club clubs ♣",
    (Suit.DIAMONDS,): "rô diamond diamonds ♦",
    (Suit.HEARTS,): "cơ heart hearts ♥",
    BLACK: "đen black",
    RED: "đỏ red",
}
_PARTS: Final = {
    "pair": "đôi pair cặp",
    "pairs": "thông pairs",
    "quads": "quý quads kind",
    "triple": "sám xám sâm triple trips",
    "run": "sảnh dây lốc straight run sequence",
    "to": "tới đến to through till",
    "from": "từ from",
    "pass": "qua bỏ pass passes",
    "piece": "con lá quân cây",
    "filler": "of a and the in lượt hàng thôi một",
}
_STROKED_LETTERS: Final = str.maketrans({"đ": "d", "Đ": "d"})
"""Letters whose mark Unicode does not separate."""


def _folded(word: str) -> str:
    """A word without its tones and marks."""
    plain = unicodedata.normalize("NFD", word.lower().translate(_STROKED_LETTERS))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


@cache
def _vocabulary() -> Mapping[str, tuple[_Word, ...]]:
    """Word, as written or without its marks -> its meanings."""
    found: dict[str, list[_Word]] = {}
    spoken_words: list[tuple[_Word, str]] = [
        *((_Word("rank", rank), words) for rank, words in _RANKS.items()),
        *((_Word("suit", suits=suits), words) for suits, words in _SUITS.items()),
        *((_Word(part), words) for part, words in _PARTS.items()),
    ]
    for meaning, words in spoken_words:
        for word in words.split():
            for spelled in {word, _folded(word)}:
                meanings = found.setdefault(spelled, [])
                if meaning not in meanings:
                    meanings.append(meaning)
    return {word: tuple(meanings) for word, meanings in found.items()}


class _Meaning(NamedTuple):
    word: _Word
    cost: int


def _meanings(token: str) -> list[_Meaning]:
    """The meanings of a word, exact ones first; an unknown word may also mean nothing."""
    known, plain = _vocabulary(), _folded(token)
    exact = [_Meaning(word, 0) for word in known.get(token, ())]
    if exact and token != plain:
        return exact
    exact = exact or [_Meaning(word, 0) for word in known.get(plain, ())]
    near = [
        _Meaning(word, cost + bool(exact))
        for other, words in known.items()
        if other == _folded(other) and (cost := _distance(plain, other))
        for word in words
    ]
    nothing = [] if exact else [_Meaning(_Word("filler"), 3)]
    found: dict[_Word, _Meaning] = {}
    for one in sorted([*exact, *near, *nothing], key=lambda one: one.cost):
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
    return any(short == long[:place] + long[place + 1 :] for place in range(len(long)))


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


# The plays that a reading names


@dataclass(frozen=True, slots=True)
class _SpokenPlay:
    """A play as spoken: `width` cards of each rank, and the suits or colours named for them."""

    width: int
    ranks: tuple[Rank, ...]
    suits: Mapping[Rank, tuple[tuple[Suit, ...], ...]]


_LETTERS: Final = {
    "rank": "R",
    "suit": "S",
    "pair": "D",
    "pairs": "T",
    "quads": "Q",
    "triple": "X",
    "run": "L",
    "to": "t",
    "from": "f",
    "pass": "p",
    "piece": "c",
}
_PASS: Final = re.compile("p+")
_PLAY: Final = re.compile("(?:(R)(?=[DTQcR]))?(DT?|T|Q|X|L|c)?f?c?((?:RS*)+|RS*tRS*)")
"""A number, a kind, and the ranks with their suits: one, several, or the ends of a sequence."""


def _readings(words: Sequence[_Word], letters: str) -> Iterator[_SpokenPlay]:
    """The plays that some words may mean together; `letters` has one letter for each word."""
    found = _PLAY.fullmatch(letters)
    if found is None:
        return
    count = _number(words[0].rank) if found[1] and words[0].rank is not None else 0
    yield from _spoken_plays(count, found[2] or "", words[found.start(3) :])
    if count and not found[2]:  # no number, but the first of several ranks: `three four five`
        yield from _spoken_plays(0, "", words)


def _spoken_plays(count: int, kind: str, body: Sequence[_Word]) -> Iterator[_SpokenPlay]:
    """The plays that a number, a kind, and some ranks with their suits may mean."""
    named = [word.rank for word in body if word.rank is not None]
    suits: dict[Rank, tuple[tuple[Suit, ...], ...]] = {}
    rank = named[0]
    for word in body:
        if word.rank is not None:
            rank = word.rank
            suits.setdefault(rank, ())
        elif word.suits:
            suits[rank] = (*suits[rank], word.suits)
    ranges = any(word.part == "to" for word in body)
    ranks = tuple(Rank(one) for one in range(named[0], named[-1] + 1)) if ranges else tuple(suits)
    if kind in ("T", "DT") or (kind == "D" and count > 2):
        lengths = [count] if count else range(2, 7)
        if len(ranks) == 1:
            runs = (range(ranks[0], ranks[0] + length) for length in lengths)
            yield from (_SpokenPlay(2, tuple(map(Rank, run)), suits) for run in runs if run.stop <= len(Rank))
            return
    each = max(max(named.count(one), len(some)) for one, some in suits.items())
    widths = {"Q": 3 if count == 3 else 4, "X": 3, "D": 2, "DT": 2, "T": 2, "L": 1}
    yield _SpokenPlay(widths.get(kind) or count or (1 if ranges else each), ranks, suits)


def _number(rank: Rank) -> int:
    """The number that the name of a rank may mean; a 2 is two."""
    return 2 if rank is Rank.TWO else rank + 3


# The plays that are legal


def heard(round: Round, player: int, phrase: str) -> Heard:
    """The meanings of a phrase about a player, whose turn may come once others have passed."""
    text = unicodedata.normalize("NFC", phrase.lower())[:_LONGEST]
    tokens = re.findall(r"10|[0-9]|[♠♣♦♥]|[^\W\d_]+", _TRIPLE.sub("sám", text))
    places = _places(round, player)
    found: dict[Cards, int] = {}
    passes = _NEVER
    furthest = max(3, len(tokens))
    for cost, read in _by_cost([_meanings(token) for token in tokens]):
        if cost > furthest or (found and cost > min(found.values()) + _CLOSE):
            break
        words = [word for word in read if word.part in _LETTERS]
        letters = "".join(_LETTERS[word.part] for word in words)
        if _PASS.fullmatch(letters):
            passes = min(passes, cost)
        for spoken in _readings(words, letters):
            for play in _possible(round, player, places, spoken):
                found.setdefault(play, cost)
    best = min([passes, *found.values()])
    if best == _NEVER:
        return Heard()
    plays = tuple(sorted(found, key=found.__getitem__))
    sure = sum(cost <= best + _CLOSE for cost in (passes, *found.values())) == 1
    if passes == best:
        return Heard(True, plays[:MOST], sure)
    if sum(found[play] == best for play in plays) > MOST:
        return Heard()
    return Heard(False, plays[:MOST], sure)


_TRIPLE: Final = re.compile("\\b[sx][aáâ]m c[oô]\\b")
"""A triple in two words, the second of which alone means a suit."""
_NEVER: Final = 1000
"""A cost above that of every reading."""
_CLOSE: Final = 1
"""Readings whose costs differ by no more than this may both be meant."""


def _by_cost(choices: Sequence[Sequence[_Meaning]]) -> Iterator[tuple[int, list[_Word]]]:
    """The readings of some words, those nearest to the transcript first."""
    readings: list[tuple[int, list[_Word]]] = [(0, [])] if choices else []
    for meanings in choices:
        longer = [(cost + one.cost, [*words, one.word]) for cost, words in readings for one in meanings]
        readings = sorted(longer, key=lambda reading: reading[0])[:_READINGS]
    yield from readings


def _places(round: Round, player: int) -> list[Round]:
    """The positions in which a player may play: now, or once those before have passed."""
    passes = passes_before(round, player)
    return [round, replay(round, passes)] if passes else [round]


def _possible(round: Round, player: int, places: Sequence[Round], play: _SpokenPlay) -> list[Cards]:
    """The legal plays that match a spoken one."""
    deck = round.ruleset.deck
    choices = []
    for rank in play.ranks:
        cards = list(bits(round.unseen & deck.rank(rank)))
        wanted = play.suits.get(rank, ())
        some = [
            sum(chosen) for chosen in combinations(cards, play.width) if _has(deck.cards(sum(chosen)), wanted)
        ]
        choices.append(some)
    if not play.ranks or prod(map(len, choices)) > _PLAYS:
        return []
    plays = (sum(one) for one in product(*choices))
    return [play for play in plays if any(judge(place, Play(player, play)) is None for place in places)]


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
        card.suit in first and _has([*cards[:place], *cards[place + 1 :]], rest)
        for place, card in enumerate(cards)
    )
