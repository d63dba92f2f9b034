"""Texts from outside, in one form of Unicode: their length and their marks are bounded before they are normalized.

Normalizing takes time with the square of a run of combining marks, and holds the interpreter's lock meanwhile. So a
run has at most 30, as in Unicode's stream-safe text format (UAX 15): no language writes more. Nothing else in the
program calls `unicodedata.normalize`.
"""

import re
from typing import Final
from unicodedata import combining, normalize

MOST_MARKS: Final = 30
"""The most combining marks in a run."""
_IN_WORDS: Final = "\uff9e\uff9f"
_DECOMPOSED_TO_MARKS: Final = f"\u0f73\u0f75\u0f81{_IN_WORDS}"
"""Characters that are no marks themselves and decompose to some."""
_LIKE_MARKS: Final = re.compile(rf"(?:[^\w\s\x00-\x7f]|[{_IN_WORDS}]){{{MOST_MARKS + 1},}}")
"""Runs of characters among which all marks are: no letters, digits, spaces, or characters of ASCII."""


def composed(text: str, most: int) -> str:
    """The text in NFC. Raises ValueError if it has more than `most` characters, or more than 30 marks in a run."""
    if len(text) > most:
        raise ValueError(f"longer than {most} characters")
    if without_heaps(text) != text:
        raise ValueError("heaps of marks")
    return normalize("NFC", text)


def decomposed(text: str, *, alike: bool = False) -> str:
    """The text in NFD, for comparing, without the marks beyond 30 in a run; `alike`: in NFKD, in which letters that
    differ only in their form are equal."""
    return normalize("NFKD" if alike else "NFD", without_heaps(text))


def without_heaps(text: str) -> str:
    """The text without the marks beyond 30 in a run."""
    return _LIKE_MARKS.sub(_first_marks, text)


def _first_marks(found: re.Match[str]) -> str:
    kept, marks = [], 0
    for char in found[0]:
        marks = marks + 1 if combining(char) or char in _DECOMPOSED_TO_MARKS else 0
        if marks <= MOST_MARKS:
            kept.append(char)
    return "".join(kept)
