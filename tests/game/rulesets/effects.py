"""Rulesets that differ in one field, and the search for a round in which that is seen."""

from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter
from random import Random

from ledger.game.corpus import TEMPERAMENTS
from ledger.game.errors import Refused
from ledger.game.fold import begin
from ledger.game.round import Header
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.model import DECLARED
from ledger.game.rulesets.needs import unmet
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES
from ledger.game.rulesets.overlays.schemes import RULE, SCHEMES
from ledger.game.rulesets.overrides import with_rules
from ledger.game.rulesets.serialization import PLAIN, fields_of_lines, with_field, write_field
from ledger.game.rulesets.validation import validated
from tests.game.generator import play_round
from tests.game.mattering import Case, cases, seen
from tests.game.table import run

_FOUR = [preset for preset in PRESETS.values() if 4 in preset.deal.players]
_VALUES = {
    "deal.players": "2,3,4 3,4 4",
    "deal.hand": "13 12",
    "deal.packs": "1 2",
    "deal.direction": "alternating",
    "opening.kinds": "none single single,pair",
    "opening.forbidden": "none pair-sequence",
    "opening.intruders": "none 2x3",
    "opening.intruders_spare": "none 1@2",
    "passing.late": "none 2x4 4",
    "passing.late_on": "none 2x4:1@2",
    "passing.any_time": "none 4 2x4",
    "combinations.same_rank": "1,2,3,4 1,2,3",
    "combinations.sequence_from": "3 4",
    "combinations.pair_sequences": "none 3,4 3,4,5",
    "combinations.top_of_sequences": "A 2",
    "combinations.top_of_pair_sequences": "A 2",
    "combinations.triple_sequences": "none 3",
    "combinations.fours": "none 2",
    "combinations.fours_consecutive": "none 2",
    "bombs": "none 2x3:1@2,4:1@2|2@2|2x3,2x4:1@2|2@2|2x3|4 4:1@2",
    "trumps": "none 3d:any/plain",
    "contracts": "none guaransheed:1:2",
    "customs": "none no-trading",
    "instant_wins.hands": "none dragon:block=1x12,six-pairs:pairs=6,five-pairs:block=2x5,fours:block=4@2",
    "instant_wins.points": "0 2",
    "payments.places": "none 1/-1,1/0/-1,2/1/-1/-2",
    "payments.special_sets": "none 1@2:3,2x3:5,4:7",
    "payments.captured": "none 1@2:9,2x3:8,4:6",
    "payments.full_from": "0 5",
    "payments.sheets": "none 3/2/1 4/3/2/1,2/1",
}

_ALL_HOME = "result p1 p2 p3 p4"
_SPADES, _HEARTS, _DIAMONDS = run("s", "4"), run("h"), run("d")
_PAIRS, _OTHERS = (
    " ".join(f"{rank}{low} {rank}{high}" for rank in "3478JK") + f" 2{low}" for low, high in ("sc", "dh")
)
_MORE_STORIES = {
    "passing.late_on": (
        "round 1 lead p1; p1 2s 2c; p2 -; p3 3s 3c 4s 4c 5s 5c 6s 6c; p2 7s 7c 8s 8c 9s 9c Ts Tc",
        "round 1 lead p1; p1 2s 2c; p2 -; p3 -; p4 -; p2 7s 7c 8s 8c 9s 9c Ts Tc",
        "round 1 lead p1; p1 3s 3c 4s 4c 5s 5c; p2 -; p3 -; p4 -; p2 7s 7c 8s 8c 9s 9c Ts Tc",
        "round 1 lead p1; p1 2s; p2 -; p3 -; p4 -; p2 9s 9c 9d 9h",
        "round 1 lead p1; p1 2s; p2 -; p3 -; p4 -; p2 6s 6c 7s 7c 8s 8c 9s 9c Ts Tc",
    ),
    "passing.any_time": (
        "round 1 lead p1; p1 2s; p3 9s 9c 9d 9h",
        "round 1 lead p1; p1 8s 8c 8d 8h; p3 9s 9c 9d 9h",
    ),
    "combinations.suit_lock": ("round 1 lead p1; p1 locks 3s 4s 5s 6s; p2 5c 6d 7c 8d",),
    "instant_wins.several": (
        f"round 1 lead p2; p1 claims {_PAIRS}; p2 claims {_OTHERS}",
        f"round 1 lead p1; {_ALL_HOME}; round 2 lead p1; p4 claims {_PAIRS}; p1 claims {_OTHERS}",
        f"round 1 lead p1; {_ALL_HOME}; bombed p1 p4 2h; round 2 lead p1; p4 claims {_PAIRS}; p1 claims {_OTHERS}",
    ),
    "combinations.triple_sequences": ("round 1 lead p1; p1 3s 3c 3d 4s 4c 4d 5s 5c 5d",),
    "payments.lowest_last_doubles": (
        "round 1 lead p1; p1 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As; p2 -; p3 -; p4 -; p1 2s; p2 -; p3 -; p4 -; p1 3s",
    ),
    "payments.lowest_left": (
        f"round 1 lead p1; p1 4c; p2 {_DIAMONDS}; p3 -; p4 -; p1 {_HEARTS}; p2 shows 3s",
    ),
    "payments.captured_whole": (
        "round 1 lead p1; result p1 p2 p3 p4; bombed p1 p2 2s 2c 2d 2h",
        "round 1 lead p1; result p1 p2 p3 p4; bombed p1 p2 Ks Kc As Ac 2d 2h",
        "round 1 lead p1; result p1 p2 p3 p4; bombed p1 p2 3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 8s 8c",
    ),
    "ending.no_last_two": (
        f"round 1 lead p1; p1 {_SPADES}; p2 -; p3 -; p4 -; p1 3s; p2 4c; p3 -; p4 -; p1 2s",
        f"round 1 opening; p1 {_SPADES.replace('4s', '3s 4s')}; p2 -; p3 -; p4 -; p1 2s",
    ),
    "passing.twos_pass_lead": (
        f"round 1 lead p1; p1 {_SPADES.replace('4s', '3s 4s')}; p2 -; p3 -; p4 -; p1 -",
    ),
    "passing.late": ("round 1 lead p1; p1 8s 8c 8d 8h; p2 -; p3 -; p4 -; p2 9s 9c 9d 9h",),
    "combinations.pair_sequences": (
        "round 1 lead p1; p1 3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 8s 8c",
        "round 1 lead p1; p1 3s 3c 4s 4c 5s 5c 6s 6c 7s 7c",
    ),
    "combinations.equal_length": ("round 1 lead p1; p1 3s 4s 5s; p2 6s 7s 8s 9s",),
    "combinations.fours_consecutive": ("round 1 lead p1; p1 3s 3c 3d 3h 4s 4c 4d 4h 5s 5c 5d 5h",),
    "instant_wins.hands": (
        "round 1 lead p1; p1 claims 3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 9h Jh Kd",
        "round 1 lead p1; p1 claims 3s 4c 5s 6c 7s 8c 9s Tc Js Qc Ks Ac Ah",
        "round 1 lead p1; p1 claims 3s 4c 5s 6c 7s 8c 9s Tc Js 2s 2c 2d 2h",
    ),
}
"""Stories in which fields matter under other rules than in their cases."""


def values(path: str) -> list[str]:
    """Some values of a field."""
    wanted, declared = fields_of_lines()[path], DECLARED[path]
    if path in _VALUES:
        return _VALUES[path].split()
    if wanted is int:
        return [str(declared.least), str(declared.least + 1)]
    return ["no", "yes"] if wanted is bool else list(wanted)


def differing(chance: Random, path: str) -> tuple[Ruleset, Ruleset]:
    """Two random rulesets that differ in this field alone."""
    while True:
        preset = chance.choice(_FOUR)
        lines = [(RULE, chance.choice([*SCHEMES]))] if chance.random() < 0.3 else []
        rules = chance.sample([*HOUSE_RULES.values()], chance.choice((0, 0, 1, 2)))
        lines += [(rule.name, chance.choice(rule.choices)) for rule in rules]
        others = chance.sample([*fields_of_lines()], chance.choice((0, 1, 2, 4, 8)))
        lines += [(other, chance.choice(values(other))) for other in others if other != path]
        try:
            ruleset = with_rules(preset, lines)
            held = write_field(attrgetter(path)(ruleset))
            other = chance.choice([one for one in values(path) if one != held])
            return ruleset, validated(with_field(ruleset, path, other))
        except (ValueError, IndexError):
            continue


def has_effect(ruleset: Ruleset, path: str) -> bool:
    """Whether a field has another value than in the plainest game, and all that it needs to have an effect."""
    value = attrgetter(path)
    return value(ruleset) != value(PLAIN) and not any(unmet(ruleset, path))


def observed(path: str) -> bool:
    """Whether a field changes more than the page of the rules; what is given back for a debt is told alone, except
    where four 2s win at once."""
    return path != "debts.returned" and any(case.story for case in cases().values() if case.path == path)


def is_told_truly(path: str, chance: Random) -> bool:
    """Whether two random rulesets that differ in a field look different in some round, or else what the field needs
    says that they do not; and if it says so, that no round is paid differently."""
    before, after = differing(chance, path)
    if has_effect(before, path) or has_effect(after, path):
        return any(_different_rounds(path, before, after, chance))
    if any(unmet(before, path)) and any(unmet(after, path)):
        both = ((paid(story, before), paid(story, after)) for story in _stories(path))
        return all(None in (one, other) or one == other for one, other in both)
    return True


def paid(case: Case, ruleset: Ruleset) -> object:
    """What is paid in the round of a case, and scored beside it, by other rules; None if they refuse it: an idle
    price of an unplayed hand still lets a result say who has played nothing."""
    results = case.results(ruleset)
    return None if results["verdict"] else (results["payments"], results["sheet"])


def _stories(path: str) -> list[Case]:
    """All stories, those of a field first."""
    own = [case for case in cases().values() if case.path == path and case.story]
    others = [case for case in cases().values() if case.path != path and case.story]
    stories = (tuple(map(str.strip, story.split(";"))) for story in _MORE_STORIES.get(path, ()))
    return [*own, *(replace(own[0], story=story, players=4) for story in stories), *others]


def _different_rounds(path: str, before: Ruleset, after: Ruleset, chance: Random) -> Iterator[bool]:
    """Whether each of some rounds looks different: the stories, also with all that may stand, and random rounds."""
    for story in _stories(path):
        for stood in (False, True):
            yield story.results(before, stood=stood) != story.results(after, stood=stood)
    for _ in range(40):
        yield _dealt_apart(before, after, chance)
        yield _dealt_apart(after, before, chance)


def _dealt_apart(one: Ruleset, other: Ruleset, chance: Random) -> bool:
    """Whether a random round by one ruleset looks different under another."""
    players = chance.choice(one.deal.players)
    header = Header(tuple(range(players)), chance.choice((None, 0)))
    chooser, bombs, claims = chance.choice(TEMPERAMENTS), chance.random() < 0.7, chance.random() < 0.5
    try:
        *_, last = play_round(chance, one, header, chooser, bombs=bombs, claims=claims)
    except Refused:  # which sequences of several suits follow suit is not generated
        return False
    moves = last.round.moves
    if one.deck != other.deck or players not in other.deal.players:
        return True
    try:
        replayed = begin(other, header, moves)
    except Refused:
        return True
    return seen([last.round], players) != seen([replayed], players)
