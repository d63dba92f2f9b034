"""Texts that people type: names and reasons, made the same once, at the door; and which names look the same.

Neither a letter of another alphabet nor one that is not seen makes another person. The table has the doubles of
Latin letters, in which names are written here; not those of every alphabet there is.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from ledger.game.notation import MOST_PLAYERS, tag

NAME_CHARACTERS = 64
REASON_CHARACTERS = 200

_JOINERS = "\u200c\u200d"  # parts of Persian words and of emoji
_REFUSED = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
"""Control characters, those that turn the direction of writing or are invisible, and those that mean nothing."""
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0d\uffa0\ufff0-\ufff8\ufffc"
    "\U00013441\U00013442\U00016fe4\U0001d159\U000e0000-\U000e0fff]"
)
"""Letters, signs and marks that cannot be seen either. Of the selectors of variants those of emoji may stay."""
_MOST_MARKS = 4
"""On one letter: no language needs more, and a hundred of them run over the lines above and below."""


def clean(text: str) -> str:
    """The text composed (NFC), without spaces around it and with single ones inside.

    Raises ValueError if it holds a character that a name or a reason may not hold: one that is refused above, or
    `;`, which begins a comment in the notation; if it begins with a mark that would sit on what stands before it,
    or heaps them up.
    """
    composed = unicodedata.normalize("NFC", text)
    categories = [unicodedata.category(char) for char in composed]
    if ";" in composed or any(
        category in _REFUSED and char not in _JOINERS
        for char, category in zip(composed, categories, strict=True)
    ):
        raise ValueError("holds a character that cannot be seen, or a semicolon")
    if not any(category[0] in "LNPS" or category == "Cn" for category in categories):  # Cn: newer than Python
        raise ValueError("holds nothing that can be seen")
    if _BLANK.search(composed) or _heaped(categories):
        raise ValueError("holds a character that cannot be seen, or heaps of marks")
    return " ".join(composed.split())


def _heaped(categories: list[str]) -> bool:
    """Whether a mark has no letter below it, or too many are on one."""
    marks = "".join(category[0] for category in categories).lstrip("Z")
    return marks.startswith("M") or "ZM" in marks or "M" * (_MOST_MARKS + 1) in marks


_UNSEEN = re.compile("[\u200c\u200d\ufe0e\ufe0f]")
_DOTTED = re.compile("([ij]\u0323?)\u0307")
"""What has a dot above already, and is given one: the letter's own gives way to it."""
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
    """The same for names that cannot be told apart in print; marks and capitals do tell them apart."""
    # Looked up before as well: some doubles are compatible with a letter that they do not look like.
    plain = unicodedata.normalize("NFKD", name.translate(_TABLE))
    visible = _DOTTED.sub(r"\1", _UNSEEN.sub("", plain).translate(_TABLE))
    return visible.replace("I", "l")  # which a double may have become


_TAGS = frozenset(skeleton(tag(number)) for number in range(MOST_PLAYERS))


def confusable(name: str, player: str, others: Iterable[str]) -> bool:
    """Whether a player's name would be taken for another one's, or for another tag, by which an erased one goes."""
    plain = skeleton(name)
    return plain in _TAGS - {skeleton(player)} or plain in map(skeleton, others)


def all_differ(names: Sequence[str]) -> bool:
    """Whether players of these names, p1 first, can be told apart."""
    return not any(confusable(name, tag(place), names[:place]) for place, name in enumerate(names))
