"""Texts that people type: names and reasons, made the same once, at the door."""

import re
import unicodedata

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
