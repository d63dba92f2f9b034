"""Contradictions: house rules that exclude each other, and house rules that a preset's own text rules out.

A house rule replaces what a preset plays: what a pass costs, what a sequence is made of, what a bomb beats. It is
ruled out where the preset's own text, beyond the standard game, says that such a thing is not done: no locks, no
trading, no chops after a pass. A text by which something need not be done rules nothing out. A table that wants the
rule all the same starts from another preset.

House rules are named by their bullets (`H18`), and one of several choices by both (`H18=optional`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

CONTRADICTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # All sequences are of one suit, so none locks the pile
        "H2": ("H18",),
        "H6": ("H10",),
        # Four pairs must be broken up before they chop a single 2, and five before they chop a pair
        "H11": ("H12", "H13", "H15", "H19"),
        # The first play of a game may not be a pair sequence
        "H25": ("H16", "H17"),
        # Four pairs need a turn
        "H23=not-four-pairs": ("H12", "H13"),
        # "If the person has been locked out", "even if the player has previously passed": no player is
        "H24": ("H12", "H13", "H15"),
        # Four pairs beat two 2s, five pairs three, four of a kind any number
        "H28": ("H12", "H15", "H20"),
    }
)
"""House rule -> the house rules that contradict it."""


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence of a preset's own text that rules out some house rules."""

    id: str
    """The sentence's key in the catalogs."""
    field: str
    """The ruleset field that it is about; the rules page prints the sentence at the clause of that field."""
    rules: tuple[str, ...]
    """The house rules that it rules out."""


_NEVER_TRADED = Words("trading-never-allowed", "customs", ("H27",))
_NO_INSTANT_WINS = Words("no-instant-wins", "instant_wins", ("H10",))
_SUITED_ONLY = Words("suited-must-follow", "combinations.suit_lock", ("H18=optional",))

WORDS_OF_PRESETS: Mapping[str, tuple[Words, ...]] = MappingProxyType(
    {
        "casual": (Words("chops-beat-any-hand", "bombs", ("H11", "H28")),),
        "double-deck": (_NO_INSTANT_WINS,),
        "hawaii": (
            Words("no-trading-or-locks", "combinations.suit_lock", ("H18",)),
            Words("no-trading-or-locks", "customs", ("H27",)),
        ),
        "akita": (
            Words("trading-not-allowed", "customs", ("H27",)),
            Words("three-pairs-at-most", "bombs", ("H12", "H13", "H14", "H15", "H19")),
            Words("bombs-beat-any-number-of-twos", "bombs", ("H28",)),
            Words("a-pass-locks-nobody", "passing", ("H12", "H13", "H15")),
            _SUITED_ONLY,
        ),
        "melbourne": (
            Words("no-chops-late", "passing.late", ("H12", "H13", "H15", "H23", "H24")),
            Words("single-twos-only", "bombs", ("H12", "H15", "H19", "H20")),
            Words("chops-of-one-type", "bombs", ("H13", "H14", "H15", "H21")),
            Words("police", "combinations.suit_lock", ("H18=optional",)),
        ),
        "amsterdam": (
            _NEVER_TRADED,
            _NO_INSTANT_WINS,
            Words("chops-on-a-single-two", "bombs", ("H12", "H15", "H16", "H17", "H19", "H20")),
            Words("higher-chops-only", "bombs", ("H14", "H21")),
            Words("red-threes-beat-any", "trumps", ("H28",)),
        ),
        "interns": (
            _NEVER_TRADED,
            _NO_INSTANT_WINS,
            Words("three-pairs-only", "bombs", ("H12", "H13", "H14", "H15", "H20", "H21")),
            Words("bombs-on-a-single-two", "bombs", ("H12", "H15", "H19", "H20")),
            _SUITED_ONLY,
        ),
        "pro-play": (_NO_INSTANT_WINS,),
        "northern": (Words("one-suit", "combinations.suit_lock", ("H18",)),),
    }
)
"""Preset -> the sentences of its own text that rule out house rules."""


def against(number: str, choice: str) -> Iterator[str]:
    """The house rules, or single choices of them, that contradict this choice of a bullet."""
    mine = (number, f"{number}={choice}")
    for one, others in CONTRADICTIONS.items():
        if one in mine:
            yield from others
        elif not set(mine).isdisjoint(others):
            yield one


def ruled_out(preset: str, number: str, choice: str) -> Words | None:
    """The sentence of a preset that rules out this choice of a bullet; None if there is none."""
    mine = {number, f"{number}={choice}"}
    found = (words for words in WORDS_OF_PRESETS.get(preset, ()) if not mine.isdisjoint(words.rules))
    return next(found, None)
