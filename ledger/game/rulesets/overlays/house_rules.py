"""House rules: a switch for each bullet of the list that people print.

A switch is a function from a ruleset to a ruleset. It changes only the data that the engine reads; the engine never
looks at switches. A ruleset keeps its switches in `house_rules`, as `rule` lines:
`four-of-a-kind-beats-any-twos=yes`.

The order in which switches are applied does not matter.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from types import MappingProxyType
from typing import TypeAlias

from ledger.game.cards import Rank
from ledger.game.patterns import (
    FIVE_PAIRS,
    FOUR_OF_A_KIND,
    FOUR_PAIRS,
    PAIR_OF_TWOS,
    SINGLE,
    THREE_PAIRS,
    TRIPLE,
    TRIPLE_OF_TWOS,
    TWO,
    Kind,
    Pattern,
    SuitLock,
    Target,
)
from ledger.game.rulesets.model import InstantWin, OwedCard, OwedCount, Ruleset
from ledger.game.rulesets.needs import unmet
from ledger.game.rulesets.overlays.clashes import against, ruled_out
from ledger.game.rulesets.overlays.edits import (
    Contradiction,
    agree,
    beating,
    change,
    in_turn,
    late,
    playable,
    sparing,
    with_more,
    with_targets,
)
from ledger.game.rulesets.serialization import changed_fields

Laying: TypeAlias = Callable[[Ruleset, str], Ruleset]
"""(Ruleset, choice) -> the ruleset with the switch applied."""

YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One switch. Its `group` is the group of the ruleset that it changes."""

    number: str
    """Its bullet in the list: `H20`."""
    name: str
    group: str
    lay: Laying
    choices: tuple[str, ...] = (YES,)
    """The choices, in addition to leaving the rule alone."""
    open: tuple[str, ...] = ()
    """Fields for which its text is ambiguous: the table's choice."""
    last: bool = False
    """Whether it depends on what others make playable, and is applied after them."""


def lay(ruleset: Ruleset, name: str, choice: str = YES) -> Ruleset:
    """Apply a house rule to a ruleset; ValueError if it does not exist, or is applied with another choice.

    Contradiction if a rule applied before contradicts it, or the text of its preset rules it out. The choice `no`
    leaves a rule alone.

    >>> from ledger.game.rulesets import PRESETS
    >>> lay(PRESETS["southern-classic"], "H20").house_rules
    ('four-of-a-kind-beats-any-twos=yes',)
    """
    applied = laid_over(ruleset)
    chosen = with_choice(ruleset.id, applied, name, choice)
    return ruleset if chosen == applied else lay_unjudged(ruleset, chosen)


def with_choice(preset: str, chosen: Mapping[HouseRule, str], name: str, choice: str) -> dict[HouseRule, str]:
    """The chosen house rules of a preset with one more; raises as `lay` does."""
    rule = find(name)
    if choice not in (*rule.choices, NO):
        raise ValueError(f"{rule.name} takes {', '.join((*rule.choices, NO))}")
    if choice != NO:
        _require_consistent(preset, chosen, rule, choice)
    if chosen.get(rule, choice) != choice:
        raise ValueError(f"{rule.name} is said twice")
    return dict(chosen) if choice == NO else {**chosen, rule: choice}


def lay_unjudged(ruleset: Ruleset, chosen: Mapping[HouseRule, str]) -> Ruleset:
    """Apply house rules without checking whether they contradict each other.

    Rules applied before are applied again: they may depend on what a new one makes playable.
    """
    chosen = {rule: chosen[rule] for rule in HOUSE_RULES.values() if rule in chosen}
    ruleset = _applied(ruleset, chosen.items())
    lines = tuple(f"{rule.name}={choice}" for rule, choice in chosen.items())
    unfixed = {path for rule in chosen for path in rule.open} - set(ruleset.open)
    fields = tuple(sorted((*ruleset.open, *unfixed))) if unfixed else ruleset.open
    return replace(ruleset, house_rules=lines, open=fields)


def without_each(ruleset: Ruleset, chosen: Mapping[HouseRule, str]) -> Iterator[tuple[HouseRule, Ruleset]]:
    """Each of some chosen house rules, with the ruleset to which the others are applied, unnamed in it.

    Half of them are applied once for all that are in the other half, and so on: for n rules that is n log n times.
    """
    first, last = ([one for one in chosen.items() if one[0].last is last] for last in (False, True))
    for rule, without in _without_each(ruleset, first):
        yield rule, _applied(without, last)
    for rule, without in _without_each(_applied(ruleset, first), last):
        yield rule, without


def _without_each(
    ruleset: Ruleset, chosen: list[tuple[HouseRule, str]]
) -> Iterator[tuple[HouseRule, Ruleset]]:
    if len(chosen) < 2:
        yield from ((rule, ruleset) for rule, _ in chosen)
        return
    half = len(chosen) // 2
    yield from _without_each(_applied(ruleset, chosen[half:]), chosen[:half])
    yield from _without_each(_applied(ruleset, chosen[:half]), chosen[half:])


def _applied(ruleset: Ruleset, chosen: Iterable[tuple[HouseRule, str]]) -> Ruleset:
    for rule, choice in chosen:
        ruleset = rule.lay(ruleset, choice)
    return ruleset


def _require_consistent(preset: str, chosen: Mapping[HouseRule, str], rule: HouseRule, choice: str) -> None:
    """Raises Contradiction if a house rule cannot be applied beside some others of a preset."""
    applied = {one.number: (one, made) for one, made in chosen.items()}
    for other in against(rule.number, choice):
        number, _, only = other.partition("=")
        if number in applied and only in ("", applied[number][1]):
            raise Contradiction(rule.name, applied[number][0].name)
    words = ruled_out(preset, rule.number, choice)
    if words is not None:
        raise Contradiction(rule.name, words.id, preset=preset)


def laid_over(ruleset: Ruleset) -> dict[HouseRule, str]:
    """The house rules applied to a ruleset, with the choice made of each."""
    lines = (line.partition("=") for line in ruleset.house_rules)
    return {find(name): choice for name, _, choice in lines}


def cannot_matter(ruleset: Ruleset, name: str, choice: str = YES) -> bool:
    """Whether a house rule has no effect under a ruleset, which plays that already or lacks what it needs."""
    before = replace(ruleset, house_rules=())
    changed = lay(before, name, choice)
    return all(any(unmet(changed, path)) for path in changed_fields(before, changed))


def find(name: str) -> HouseRule:
    """The house rule of a name, or of a number such as `H20`; ValueError if there is none."""
    rule = HOUSE_RULES.get(name) or _BY_NUMBER.get(name)
    if rule is None:
        raise ValueError(f"no such rule: {name}")
    return rule


_THREE, _FOUR, _FIVE, _SAME = map(Target, (THREE_PAIRS, FOUR_PAIRS, FIVE_PAIRS, FOUR_OF_A_KIND))
_UP_TO_FIVE = (TWO, PAIR_OF_TWOS, TRIPLE_OF_TWOS, _THREE, _FOUR)
_ALL, _NOT_FOUR_PAIRS = "all", "not-four-pairs"


def _owed(ruleset: Ruleset, choice: str) -> Ruleset:
    card, _, count = choice.rpartition("-")
    return change(ruleset, "debts", card=OwedCard(card), count=OwedCount(count), returned=True)


def _instant_wins(ruleset: Ruleset, *hands: InstantWin) -> Ruleset:
    return change(ruleset, "instant_wins", hands=hands)


def _five_pairs_win(ruleset: Ruleset) -> Ruleset:
    hands = ruleset.instant_wins.hands
    if any(win.block == _FIVE and not win.opening_only for win in hands):
        return ruleset
    return _instant_wins(ruleset, *hands, InstantWin("five-consecutive-pairs", block=_FIVE))


def _exact_size(ruleset: Ruleset) -> Ruleset:
    return sparing(ruleset, {FOUR_PAIRS: (TWO,), FIVE_PAIRS: (TWO, PAIR_OF_TWOS)})


def _intruders(ruleset: Ruleset) -> Ruleset:
    intruders = with_more(ruleset.opening.intruders, THREE_PAIRS)
    return change(playable(ruleset, THREE_PAIRS), "opening", intruders=intruders)


def _intruders_spare_twos(ruleset: Ruleset) -> Ruleset:
    spared = with_targets(ruleset.opening.intruders_spare, (TWO,))
    return change(_intruders(ruleset), "opening", intruders_spare=spared)


def _pairs_beat_singles(ruleset: Ruleset) -> Ruleset:
    """Let pair sequences of three or more pairs beat any single card."""
    ruleset = playable(ruleset, THREE_PAIRS)
    for length in ruleset.combinations.pair_sequences:
        if length >= THREE_PAIRS.length:
            ruleset = beating(ruleset, Pattern(2, length), Target(SINGLE))
    return ruleset


def _no_turn(ruleset: Ruleset, choice: str) -> Ruleset:
    free = [FOUR_OF_A_KIND, FIVE_PAIRS]
    if choice == _ALL:
        free.append(FOUR_PAIRS)
    else:
        ruleset = in_turn(ruleset, FOUR_PAIRS)
    return change(ruleset, "passing", any_time=with_more(ruleset.passing.any_time, *free))


def _not_first(ruleset: Ruleset, kind: Kind) -> Ruleset:
    forbidden = ruleset.opening.forbidden
    return ruleset if kind in forbidden else change(ruleset, "opening", forbidden=(*forbidden, kind))


_BULLETS = (
    HouseRule("H1", "card-count-on-request", "customs", lambda r, _: agree(r, "card-count-on-request")),
    HouseRule(
        "H2",
        "sequences-of-one-suit",
        "combinations",
        lambda r, _: change(r, "combinations", one_suit=True, suit_lock=SuitLock.NONE),
    ),
    HouseRule(
        "H3", "pairs-of-one-colour", "combinations", lambda r, _: change(r, "combinations", one_colour=True)
    ),
    # They beat two lower pairs in sequence, and nothing else.
    HouseRule("H4", "two-consecutive-pairs", "combinations", lambda r, _: playable(r, Pattern(2, 2))),
    HouseRule(
        "H5",
        "twos-top-sequences",
        "combinations",
        lambda r, _: change(r, "combinations", top_of_sequences=Rank.TWO),
    ),
    HouseRule("H6", "no-instant-wins", "instant_wins", lambda r, _: _instant_wins(r)),
    HouseRule("H7", "chopped-owes-cards", "debts", lambda r, _: change(r, "debts", chopped=True)),
    HouseRule(
        "H8",
        "cards-owed",
        "debts",
        _owed,
        choices=tuple(f"{card}-{count}" for card, count in product(OwedCard, OwedCount)),
        # Whether a pair of 2s above the first play is one more or two
        open=("debts.count",),
    ),
    HouseRule("H9", "loser-owes-twos", "debts", lambda r, _: change(r, "debts", loser=True)),
    HouseRule("H10", "five-pairs-win-at-once", "instant_wins", lambda r, _: _five_pairs_win(r)),
    # Four pairs are for a pair of 2s, five for a triple. What six are for is not said.
    HouseRule("H11", "bombs-of-exact-size", "bombs", lambda r, _: _exact_size(r), open=("bombs",)),
    HouseRule(
        "H12",
        "four-pairs-beat-pair-of-twos-late",
        "passing",
        lambda r, _: late(beating(r, FOUR_PAIRS, TWO, PAIR_OF_TWOS), FOUR_PAIRS, TWO, PAIR_OF_TWOS),
    ),
    # A smaller bomb is one that they beat: three pairs, four lower ones, and a four of a kind where they beat that.
    HouseRule(
        "H13",
        "four-pairs-chop-late",
        "passing",
        lambda r, _: late(beating(r, FOUR_PAIRS, TWO, _THREE), FOUR_PAIRS, TWO, _THREE, _FOUR, _SAME),
    ),
    HouseRule(
        "H14", "four-pairs-beat-smaller-bombs", "bombs", lambda r, _: beating(r, FOUR_PAIRS, _THREE, _SAME)
    ),
    HouseRule(
        "H15",
        "five-pairs-chop-late",
        "passing",
        lambda r, _: late(beating(r, FIVE_PAIRS, *_UP_TO_FIVE), FIVE_PAIRS, *_UP_TO_FIVE, _FIVE),
    ),
    HouseRule("H16", "three-pairs-without-lead", "opening", lambda r, _: _intruders(r)),
    HouseRule(
        "H17",
        "three-pairs-without-lead-beat-no-two",
        "opening",
        lambda r, _: _intruders_spare_twos(r),
    ),
    HouseRule(
        "H18",
        "suit-lock",
        "combinations",
        lambda r, choice: change(r, "combinations", suit_lock=SuitLock(choice)),
        choices=(SuitLock.FORCED.value, SuitLock.OPTIONAL.value),
    ),
    HouseRule("H19", "three-pairs-beat-any-single", "bombs", lambda r, _: _pairs_beat_singles(r), last=True),
    HouseRule(
        "H20",
        "four-of-a-kind-beats-any-twos",
        "bombs",
        lambda r, _: beating(r, FOUR_OF_A_KIND, TWO, PAIR_OF_TWOS, TRIPLE_OF_TWOS),
    ),
    HouseRule(
        "H21", "four-of-a-kind-beats-three-pairs", "bombs", lambda r, _: beating(r, FOUR_OF_A_KIND, _THREE)
    ),
    HouseRule(
        "H22",
        "winner-leads-until-players-change",
        "opening",
        lambda r, _: change(r, "opening", every_round=False, after_player_change=True),
        # Whether a newcomer is enough, or must have replaced a player
        open=("opening.after_player_change",),
    ),
    HouseRule("H23", "no-turn-needed", "passing", _no_turn, choices=(_ALL, _NOT_FOUR_PAIRS)),
    HouseRule(
        "H24",
        "passing-forfeits-nothing",
        "passing",
        lambda r, _: change(r, "passing", locks=False),
    ),
    HouseRule(
        "H25",
        "no-pair-sequence-first",
        "opening",
        lambda r, _: _not_first(r, Kind.PAIR_SEQUENCE),
    ),
    # What beats that triple is a higher one.
    HouseRule(
        "H26",
        "triple-beats-ace",
        "bombs",
        lambda r, _: beating(r, TRIPLE, Target(SINGLE, Rank.ACE), plain=True),
    ),
    HouseRule(
        "H27",
        "trading-before-play",
        "customs",
        lambda r, _: agree(r, "trading-before-play", instead_of=("no-trading", "trading")),
    ),
    HouseRule(
        "H28",
        "nothing-beats-several-twos",
        "bombs",
        lambda r, _: sparing(r, {None: (PAIR_OF_TWOS, TRIPLE_OF_TWOS)}),
    ),
)

HOUSE_RULES: Mapping[str, HouseRule] = MappingProxyType({rule.name: rule for rule in _BULLETS})
"""Every house rule by its name, in the order of the list."""

_BY_NUMBER = {rule.number: rule for rule in _BULLETS}
