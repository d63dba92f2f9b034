"""Names and reasons that people type, normalized once, on input; and which names look the same.

Names that differ only in look-alike letters or invisible characters count as the same. The table lists look-alikes
of Latin letters, which names here use; not those of every alphabet.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from ledger.game.notation import MOST_PLAYERS, tag
from ledger.game.texts import composed, decomposed

NAME_CHARACTERS = 64
REASON_CHARACTERS = 200

_JOINERS = "\u200c\u200d"  # parts of Persian words and of emoji
_REFUSED = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
"""Unicode categories: control, format (direction, invisible), private use, surrogates, line separators."""
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0d\uffa0\ufff0-\ufff8\ufffc"
    "\U00013441\U00013442\U00016fe4\U0001d159\U000e0000-\U000e0fff]"
)
"""Blank letters, signs and marks of other categories. The variation selectors of emoji are allowed."""
_PARTS_OF_A_LETTER = 4
"""The most characters in which a letter may be typed: itself, and three marks."""
_MOST_MARKS = 4
"""Combining marks on one letter: no language needs more, and a hundred would cover the lines above and below."""


def clean(text: str, most: int) -> str:
    """The text in NFC, stripped, with each run of white space made one space.

    Raises ValueError if it has more than `most` characters then, or nothing in it is visible; for a refused or
    blank character, or `;`, which begins a comment in the notation; for a combining mark without a letter before
    it, or too many marks on one letter.
    """
    typed = composed(text, most * _PARTS_OF_A_LETTER)
    categories = [unicodedata.category(char) for char in typed]
    if ";" in typed or any(
        category in _REFUSED and char not in _JOINERS
        for char, category in zip(typed, categories, strict=True)
    ):
        raise ValueError("holds a character that cannot be seen, or a semicolon")
    if not any(category[0] in "LNPS" or category == "Cn" for category in categories):  # Cn: newer than Python
        raise ValueError("holds nothing that can be seen")
    if _BLANK.search(typed) or _heaped(categories):
        raise ValueError("holds a character that cannot be seen, or heaps of marks")
    cleaned = " ".join(typed.split())
    if len(cleaned) > most:
        raise ValueError(f"longer than {most} characters")
    return cleaned


def _heaped(categories: list[str]) -> bool:
    """Whether a combining mark has no letter before it, or a letter has too many."""
    marks = "".join(category[0] for category in categories).lstrip("Z")
    return marks.startswith("M") or "ZM" in marks or "M" * (_MOST_MARKS + 1) in marks


_UNSEEN = re.compile("[\u200c\u200d\ufe0e\ufe0f]")
_DOTTED = re.compile("([ij]\u0323?)\u0307")
"""A dotted letter with a combining dot above: it looks like the letter alone."""
_DOUBLES = {
    "АВЕЅІЈКМНОРСТУХҮԚԜӀаеіјорсухѕһԁԛԝӏ": "ABESIJKMHOPCTYXYQWIaeijopcyxshdqwl",  # Cyrillic
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧͿϜϹοανιρυγϲϳ": "ABEZHIKMNOPTYXJFCoavipuycj",  # Greek
    "ՍՕօոսհց": "UOonuhg",  # Armenian
    "ÐƉıɑɡ0": "ĐĐiagO",
    "ᴄᴏᴠᴡᴢꜱ": "covwzs",
    "1I|ا": "llll",
    "ʼ’‘`ꞌ꞉‐‑‒–—−": "''''':------",
}
_TABLE = {
    ord(double): letter for some, like in _DOUBLES.items() for double, letter in zip(some, like, strict=True)
}


def skeleton(name: str) -> str:
    """A key equal for names that look the same in print; accents and capitals make a difference."""
    # The table is applied before NFKD too, which maps some look-alikes to a letter they do not look like.
    plain = decomposed(name.translate(_TABLE), alike=True)
    visible = _DOTTED.sub(r"\1", _UNSEEN.sub("", plain).translate(_TABLE))
    return visible.replace("I", "l")  # a look-alike may have become I


_TAGS = frozenset(skeleton(tag(number)) for number in range(MOST_PLAYERS))


def confusable(name: str, player: str, others: Iterable[str]) -> bool:
    """Whether a player's name looks like another's, or like another player's tag, which replaces an erased name."""
    plain = skeleton(name)
    return plain in _TAGS - {skeleton(player)} or plain in map(skeleton, others)


def all_differ(names: Sequence[str]) -> bool:
    """Whether players with these names, p1 first, can be told apart."""
    return not any(confusable(name, tag(place), names[:place]) for place, name in enumerate(names))
