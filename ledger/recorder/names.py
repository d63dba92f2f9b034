"""Which names look the same: neither a letter of another alphabet nor one that is not seen makes another person.

The table has the doubles of Latin letters, in which names are written here; not those of every alphabet there is.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from ledger.game.notation import MOST_PLAYERS, tag

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
    seen = _DOTTED.sub(r"\1", _UNSEEN.sub("", plain).translate(_TABLE))
    return seen.replace("I", "l")  # which a double may have become


_TAGS = frozenset(skeleton(tag(number)) for number in range(MOST_PLAYERS))


def confusable(name: str, player: str, others: Iterable[str]) -> bool:
    """Whether a player's name would be taken for another one's, or for another tag, by which an erased one goes."""
    plain = skeleton(name)
    return plain in _TAGS - {skeleton(player)} or plain in map(skeleton, others)


def all_differ(names: Sequence[str]) -> bool:
    """Whether players of these names, p1 first, can be told apart."""
    return not any(confusable(name, tag(place), names[:place]) for place, name in enumerate(names))
