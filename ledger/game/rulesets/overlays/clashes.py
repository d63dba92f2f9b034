"""What cannot hold together: house rules that contradict each other, and what a preset's own text rules out.

A house rule takes the place of what a preset plays: what a pass costs, what a sequence is made of, what a bomb
beats. It finds no place where the text of the preset says, beyond the game that the list of house rules varies,
that what it brings is not done there: no locks, no trading, no chops after a pass. That something need not be
done rules nothing out. Whoever plays that way all the same starts from another preset.

House rules go by their bullets (`H18`), and one choice of several by both (`H18=optional`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

CONTRADICTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # Of one suit all are, and none locks the pile to one
        "H2": ("H18",),
        "H6": ("H10",),
        # Four pairs must be broken up before they chop a single 2, and five before they chop a pair
        "H11": ("H12", "H13", "H15", "H19"),
        # The first play of a game is no double sequence
        "H25": ("H16", "H17"),
        # Four pairs need a turn
        "H23=not-four-pairs": ("H12", "H13"),
        # "If the person has been locked out", "even if the player has previously passed": nobody is locked out
        "H24": ("H12", "H13", "H15"),
        # Four pairs beat two 2s, five pairs three, four of a kind any number
        "H28": ("H12", "H15", "H20"),
    }
)
"""House rule -> those that say the opposite."""


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence of a preset's own text that rules out some house rules."""

    id: str
    """What the catalogs know the sentence by."""
    field: str
    """The field of the ruleset that it is about: the rules page tells the sentence at the clause of that field."""
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
"""Preset -> what its own text rules out."""


def against(number: str, choice: str) -> Iterator[str]:
    """The house rules, or single choices of them, that cannot hold beside this choice of a bullet."""
    mine = (number, f"{number}={choice}")
    for one, others in CONTRADICTIONS.items():
        if one in mine:
            yield from others
        elif not set(mine).isdisjoint(others):
            yield one


def ruled_out(preset: str, number: str, choice: str) -> Words | None:
    """The words of a preset that rule out this choice of a bullet; None if it has a place there."""
    mine = {number, f"{number}={choice}"}
    return next(
        (words for words in WORDS_OF_PRESETS.get(preset, ()) if not mine.isdisjoint(words.rules)), None
    )
