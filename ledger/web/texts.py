"""Texts that people type: names and reasons, made the same once, at the door."""

import unicodedata

NAME_CHARACTERS = 64
REASON_CHARACTERS = 200

_JOINERS = "\u200c\u200d"  # parts of Persian words and of emoji
_REFUSED = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
"""Control characters, those that turn the direction of writing or are invisible, and those that mean nothing."""


def clean(text: str) -> str:
    """The text composed (NFC), without spaces around it and with single ones inside.

    Raises ValueError if it holds a character that a name or a reason may not hold: one that is refused above, or
    `;`, which begins a comment in the notation.
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
    return " ".join(composed.split())
