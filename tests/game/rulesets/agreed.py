"""Rules that a table can agree on: each preset, with each switch, each scheme, and some combinations.

Of those that do not differ in what matters, one is used. Combinations with a preset other than the first, and of a
scheme with a switch (except where 2s top sequences), are soak tests, except for one with each line.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache
from itertools import product

from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES
from ledger.game.rulesets.overlays.schemes import RULE, SCHEMES
from ledger.game.rulesets.overrides import field_lines, with_rules
from tests import soaking

Line = tuple[str, str]
Lines = tuple[Line, ...]

FIRST = next(iter(PRESETS))
SWITCHES: list[Line] = [(rule.name, choice) for rule in HOUSE_RULES.values() for choice in rule.choices]
FIELDS: list[Line] = [
    ("combinations.equal_length", "no"),
    ("combinations.one_colour", "yes"),
    ("combinations.one_colour_throughout", "yes"),
    ("opening.bombs_answer", "yes"),
    ("deal.packs", "2"),
]
"""Fields that decide what cards are or beat, and that no switch sets."""
TWOS: Lines = (("twos-top-sequences", "yes"),)
LOCKED: Lines = (*TWOS, ("opening.bombs_answer", "yes"), ("combinations.suit_lock", "forced"))
"""Rules under which it matters most whether a play is a bomb, and which rank is its top."""


def playing() -> Iterator[tuple[str, Lines]]:
    """Presets, alone and with one switch or field; the first also with LOCKED and each switch."""
    yield from product(PRESETS, [(), *((line,) for line in (*SWITCHES, *FIELDS))])
    yield from ((FIRST, (*LOCKED, line)) for line in SWITCHES)


def paying() -> Iterator[tuple[str, Lines]]:
    """Presets, alone and with a switch, a scheme or both; the first also with TWOS."""
    switches = [(), *((line,) for line in SWITCHES)]
    schemes: list[Lines] = [(), *(((RULE, scheme),) for scheme in SCHEMES)]
    yield from ((preset, (*scheme, *line)) for preset, scheme, line in product(PRESETS, schemes, switches))
    yield from ((FIRST, (*TWOS, *scheme, *line)) for scheme, line in product(schemes, switches))


def plays(ruleset: Ruleset) -> Hashable:
    """The parts of a ruleset that decide what cards are and beat."""
    answering = ruleset.opening.bombs_answer
    return ruleset.deck, ruleset.combinations, ruleset.bombs, ruleset.trumps, answering


def wins(ruleset: Ruleset) -> Hashable:
    """The parts of a ruleset that decide which hands are instant wins."""
    return ruleset.deck, ruleset.deal.hand, ruleset.combinations, ruleset.bombs, ruleset.instant_wins.hands


def pays(ruleset: Ruleset) -> Hashable:
    """The parts of a ruleset that decide the value of cards."""
    paid = ruleset.payments
    listed = paid.special_sets, paid.captured, paid.captured_whole
    return ruleset.deck, ruleset.combinations, ruleset.bombs, listed


def different(
    tables: Iterable[tuple[str, Lines]], what: Callable[[Ruleset], Hashable]
) -> Iterator[tuple[str, Ruleset]]:
    """Rulesets that differ in `what`, one of each, with the preset and the lines that make it."""
    values, covered_lines = set[Hashable](), set[Line]()
    for preset, lines in sorted(tables, key=_is_further):
        soaks = _is_further((preset, lines)) and covered_lines.issuperset(lines)
        if soaks and not soaking.asked:
            continue
        try:
            ruleset = with_rules(PRESETS[preset], lines)
        except ValueError:
            # Some lines contradict each other, or the text of the preset.
            continue
        if what(ruleset) not in values:
            values.add(what(ruleset))
            covered_lines.update(lines)
            yield " ".join((preset, *(f"{path}={value}" for path, value in lines))), ruleset


def _is_further(table: tuple[str, Lines]) -> bool:
    preset, lines = table
    over, schemed = lines[:1] == TWOS, (RULE in dict(lines)) and len(lines) > 1
    return bool(lines) and (preset != FIRST or (schemed and not over))


def stricter() -> Iterator[Ruleset]:
    """Presets with a bomb that is stricter in suits than its shape, and also a special set and an instant win."""
    for preset, shape, targets in (
        ("southern-classic", "1x6/one-suit", "1@2|2@2"),
        ("southern-classic", "1x3/one-colour", "1@2|any/plain"),
        ("akita", "1x5/one-suit", "1@2|4"),
        ("casual", "2x4/pairs", "any/plain|2x3"),
        ("northern", "2/one-colour", "1@2"),
        ("northern", "1x5/one-suit", "1@2|2@2"),
        ("southern-classic", "2x3/pairs-but-twos", "1@A"),
    ):
        held = dict(field_lines(PRESETS[preset]))
        more = {
            "bombs": f"{shape}:{targets},1x4:{shape}",
            "instant_wins.hands": f"dragon-of-one-suit:block={shape}",
            "payments.special_sets": f"{shape}:7",
        }
        lines = [(path, f"{held[path]},{value}".removeprefix("none,")) for path, value in more.items()]
        # In Akita's rules sequences of any length answer the bomb that locks the pile.
        lines += [("combinations.equal_length", "no")] * (preset == "akita")
        lines += [("combinations.suit_lock", "forced")]  # a bomb breaks no lock
        yield with_rules(PRESETS[preset], lines)


Tables = list[tuple[str, Ruleset]]
"""Rulesets with their names."""


def stricter_tables() -> Tables:
    return [(f"{ruleset.id} {ruleset.bombs[-2].shape.suits.name}", ruleset) for ruleset in stricter()]


@cache
def playing_tables() -> Tables:
    """Rulesets that differ in what cards are and beat."""
    return [*different(playing(), plays), *stricter_tables()]


@cache
def winning_tables() -> Tables:
    """Rulesets that differ in which hands win at once."""
    return [
        *different(playing(), wins),
        *stricter_tables(),
        *map(_bombs_win, (FIRST, FIRST, "thirteen"), (2, 1, 2)),
    ]


def _bombs_win(preset: str, count: int) -> tuple[str, Ruleset]:
    """A ruleset in which a number of bombs is an instant win."""
    line = ("instant_wins.hands", f"bombs:bombs={count}")
    return f"{preset} {count}", with_rules(PRESETS[preset], [line])


@cache
def paying_tables() -> Tables:
    """Rulesets that differ in the value of cards."""
    return [*different(paying(), pays), *stricter_tables()]


@cache
def worth_twice() -> Tables:
    """Rulesets with cards that several special sets name, and with pairs where any two 2s are one."""
    sets = {FIRST: "1:1,1@2:5:suits=h,1@2:2,2x3:9", "northern": "2@2:7,2@A:5,1@2:2"}
    return [
        (preset, with_rules(PRESETS[preset], [("payments.special_sets", some)]))
        for preset, some in sets.items()
    ]
