"""The words of typed nights in Vietnamese and English, with or without tones, and the lists of names in them."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ledger.game.cards import Card, Rank
from ledger.game.notation import tag
from ledger.language.dictation.words import folded, meanings_of

_LAST, KNOCKED = 99, 100
"""The places of players of whom it is only said that they came in last, or were knocked out."""
_RANKS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("nhat", "1st", "first", "1", "won", "wins"), 1),
    **dict.fromkeys(("nhi", "2nd", "second", "2"), 2),
    **dict.fromkeys(("ba", "3rd", "third", "3"), 3),
    **dict.fromkeys(("tu", "4th", "fourth", "4"), 4),
    **dict.fromkeys(("bet", "chot", "cuoi", "last"), _LAST),
    **dict.fromkeys(("cong", "knocked"), KNOCKED),
}
"""A word for a place, without its marks -> the place."""
_IDLE: Final = frozenset({"ve", "hang", "thu", "bi", "place", "came", "was", "is", "in", "out"})
"""Words beside a place that change nothing."""
_PASSES: Final = frozenset(
    (
        *("-", "–", "—", "pass", "passes", "passed", "skip", "skips"),
        *("bo", "bo luot", "bo qua", "qua", "qua luot", "thoi", "nhuong", "khong theo", "khong bat"),
    )
)
_BETWEEN: Final = re.compile(r"\s*[,>/·|→]\s*|\s+[–-]\s+|\s+(?:và|rồi|and|then)\s+", re.IGNORECASE)
_COLON: Final = r"\s*[:=.)]?\s*"
_CARD: Final = re.compile("(10|[2-9tjqka])([scdh♠♣♦♥])\ufe0f?", re.IGNORECASE)

TITLE_OF_PLACES: Final = re.compile(
    rf"(?:kết quả|results?|thứ tự|order|places){_COLON}(?=\s|\S)", re.IGNORECASE
)
ROUND: Final = re.compile(rf"(?:(?:ván|round)\s*(\d{{1,4}})\b|(\d{{1,4}})[:.)]){_COLON}(.*)", re.IGNORECASE)
LEADS: Final = re.compile(r"(?:đi|đánh) (?:trước|đầu)|leads|begins", re.IGNORECASE)
BOMBED: Final = re.compile(r"(?:chặt|bombs|bombed|chops|chopped)\s+", re.IGNORECASE)
LEFT: Final = re.compile(r"(?:bị\s+)?(?:thối|left with|keeps|kept|declares)\s+", re.IGNORECASE)
_FACTORS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("gap doi", "gap hai", "nhan doi", "double", "doubled", "twice"), 2),
    **dict.fromkeys(("gap ba", "nhan ba", "triple", "tripled", "three times"), 3),
    **dict.fromkeys(("gap bon", "gap tu", "four times"), 4),
    **dict.fromkeys(("gap nam", "five times"), 5),
    **dict.fromkeys(("gap muoi", "ten times"), 10),
}
"""Words for how often a round counts, without their marks -> the factor."""
_THIS_OR_NEXT: Final = re.compile(
    r"(?:ván (?:này|(sau|kế|tới))|(?:this|the)? ?(next)? ?round)\s+(?:(?:được |cho )?tính |counts |is |ăn )?(.+)",
    re.IGNORECASE,
)
NOTHING: Final = frozenset({"none", "nothing", "khong"})


class Place(NamedTuple):
    """A player in a list of places; without a rank, the order of the list tells it."""

    player: str
    rank: int | None


def is_pass(text: str) -> bool:
    """Whether what a player did is a pass."""
    return " ".join(folded(text).rstrip(".!").split()) in _PASSES


def cards_in(text: str) -> str | None:
    """The cards of a text, written (`3s4s`, `3♠, 4♠`) or in words (`ba bích, heo cơ`), as in the notation; None
    if there is more in it."""
    if not re.sub(r"[\s,.+]", "", _CARD.sub("", text)):
        return " ".join(f"{rank}{suit}" for rank, suit in _CARD.findall(text)) or None
    cards: list[Card] = []
    rank: Rank | None = None
    without_suit = False
    for token in re.findall(r"[^\W_]+|[♠♣♦♥]", text.lower()):
        known = [meaning.word for meaning in meanings_of(token) if not meaning.cost]
        suit = next((word.suits[0] for word in known if len(word.suits) == 1), None)
        if rank is not None and suit is not None:
            cards.append(Card(rank, suit))
            without_suit = False
            continue
        rank = next((word.rank for word in known if word.rank is not None), None)
        if rank is None or without_suit:
            return None
        without_suit = True
    return None if without_suit else " ".join(map(str, cards)) or None


def times_in(text: str) -> int | None:
    """How often a round counts, in words (`gấp đôi`, `double`) or as `x2`; None if there is more in the text."""
    if found := re.fullmatch(r"(?:x|×|gấp|nhân) ?(\d{1,9})(?: lần)?", text, re.IGNORECASE):
        return int(found[1])
    return _FACTORS.get(" ".join(folded(text).strip(" .!").split()))


def whole_round_times(line: str) -> tuple[int, bool] | None:
    """How often `ván này`, this round, or `ván sau`, the next, counts; and whether it is the next. None if the line
    does not say that."""
    found = _THIS_OR_NEXT.fullmatch(line)
    times = times_in(found[3]) if found else None
    return None if found is None or times is None else (times, bool(found[1] or found[2]))


def without_times(text: str) -> tuple[str, str]:
    """What is said of a round without how often it counts, and that as in the notation: ` x2`, or nothing."""
    parts = re.split(r"\s*[,:]\s*", text)
    for place in (0, -1):
        if (times := times_in(parts[place])) is not None:
            cut = text[len(parts[0]) :] if place == 0 else text[: len(text) - len(parts[-1])]
            return cut.strip(" ,:"), f" x{times}"
    return text, ""


def listed(text: str) -> list[str]:
    """The parts of a list; of a text without separators, its words."""
    parts = [part for part in _BETWEEN.split(text) if part]
    return parts if len(parts) > 1 else text.split()


class Players:
    """The players of a night by their names as people type them: in any case, without tones if that is clear."""

    def __init__(self, names: Sequence[str]) -> None:
        plain = [*map(folded, names)]
        self._tags = {
            **{name: tag(player) for player, name in enumerate(plain) if plain.count(name) == 1},
            **{name.casefold(): tag(player) for player, name in enumerate(names)},
            **{tag(player): tag(player) for player in range(len(names))},
        }
        self._most = max(len(name.split()) for name in names)

    def first_in(self, text: str) -> tuple[str, str] | None:
        """The player whose name begins a text, the longest that fits, and what follows; None if there is none."""
        words = text.split()
        for count in range(min(self._most, len(words)), 0, -1):
            name = " ".join(words[:count]).rstrip(":,.)=").casefold()
            found = self._tags.get(name) or self._tags.get(folded(name))
            if found:
                return found, " ".join(words[count:]).lstrip(":= ")
        return None

    def places_in(self, text: str) -> list[Place] | None:
        """A list of players with or without their ranks; None if a part of it is no player."""
        places: list[Place] = []
        for part in filter(None, _BETWEEN.split(text)):
            place = self._place(part)
            some = [place] if place is not None else self._in_a_row(part)
            if some is None:
                return None
            places += some
        return places or None

    def names_someone(self, text: str) -> bool:
        """Whether some part of a list is a player."""
        return any(map(self._place, _BETWEEN.split(text)))

    def _in_a_row(self, text: str) -> list[Place] | None:
        """Names that only blanks separate."""
        places = []
        while text:
            found = self.first_in(text)
            if found is None:
                return None
            places.append(Place(found[0], None))
            text = found[1]
        return places

    def _place(self, part: str) -> Place | None:
        """A name alone, or with a rank before or after it."""
        if found := self.first_in(part):
            player, rest = found
            rank = None if self.first_in(rest) else _rank(rest)
            if not rest or rank is not None:
                return Place(player, rank)
        word, _, rest = part.partition(" ")
        rank, found = _rank(word.strip("#.():")), self.first_in(rest)
        return Place(found[0], rank) if rank is not None and found is not None and not found[1] else None


def _rank(text: str) -> int | None:
    """The place that some words name; None if they name none."""
    words = [word for word in folded(text).strip(".()").split() if word not in _IDLE]
    return _RANKS.get(words[0]) if len(words) == 1 else None
