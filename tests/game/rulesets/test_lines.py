"""`rule` lines for the fields of a ruleset: every value in both directions, and invalid ones."""

from dataclasses import fields, is_dataclass, replace
from operator import attrgetter

import pytest

from ledger.game.cards import Rank
from ledger.game.patterns import TWO, Bomb, Pattern, SpecialSet, SuitRule, Target
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import Late
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES
from ledger.game.rulesets.overrides import RuleRefused, field_lines, rules_of, with_rules
from ledger.game.rulesets.paying import PlacePayment, PlaceScores
from ledger.game.rulesets.serialization import LONGEST, with_field, write_field
from tests.game.mattering import cases, rows

SOUTHERN = PRESETS["southern-classic"]
NAMES = {"id", "clauses", "house_rules", "scheme", "parent", "open"}
"""Fields about a ruleset's origin, which a table cannot agree on."""


def agreed(ruleset: Ruleset) -> dict[str, object]:
    """The fields that a table can agree on, with their values."""
    found: dict[str, object] = {}
    for field in fields(ruleset):
        value = getattr(ruleset, field.name)
        inner = fields(value) if is_dataclass(value) else ()
        found |= {f"{field.name}.{one.name}": getattr(value, one.name) for one in inner}
        found |= {field.name: value} if not inner and field.name not in NAMES else {}
    return found


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_every_field_of_a_preset_has_a_line_that_says_its_value(preset: Ruleset) -> None:
    lines_say_every_value(preset)


@pytest.mark.parametrize("field", rows())
def test_every_field_has_a_line_that_says_either_value(field: str) -> None:
    case = cases()[field]
    lines_say_every_value(case.before)
    lines_say_every_value(case.after)


def lines_say_every_value(ruleset: Ruleset) -> None:
    lines = dict(field_lines(ruleset))
    for path, value in agreed(ruleset).items():
        changed = with_field(SOUTHERN, path, lines.pop(path))
        assert attrgetter(path)(changed) == value
        assert dict(field_lines(changed))[path] == write_field(value)
    assert not lines


@pytest.mark.parametrize("base", ["southern-classic", "core-double"])
@pytest.mark.parametrize("preset", PRESETS)
def test_lines_make_any_ruleset_of_another_in_whatever_order(preset: str, base: str) -> None:
    """Fewer players must come before fewer packs, but more packs before more players: no fixed order does both."""
    lines = rules_of(replace(PRESETS[preset], id=base), PRESETS[base])
    for some in (lines, lines[::-1]):
        assert agreed(with_rules(PRESETS[base], some)) == agreed(PRESETS[preset])


def test_a_house_rule_is_called_like_no_field() -> None:
    assert HOUSE_RULES.keys().isdisjoint(agreed(SOUTHERN))


@pytest.mark.parametrize(
    ("path", "text", "value"),
    [
        ("payments.places", "2/-2", (PlacePayment(2, 2, 1, 2),)),
        ("payments.places", "1/1/-2", (PlacePayment(3, 3, 1, 1), PlacePayment(3, 3, 2, 1))),
        ("payments.places", "3/1/-1/-3", (PlacePayment(4, 4, 1, 3), PlacePayment(4, 3, 2, 1))),
        ("payments.places", "4:2:1:2,4:4:3:1", (PlacePayment(4, 2, 1, 2), PlacePayment(4, 4, 3, 1))),
        ("payments.special_sets", "2x3:4", (SpecialSet(Target(Pattern(2, 3)), 4),)),
        ("passing.any_time", "4+2,1x6/one-suit", (Pattern(4, 2, True), Pattern(1, 6, False, SuitRule.ONE_SUIT))),
        ("bombs", "4:any/plain:rank=A:plain", (Bomb(Pattern(4), (Target(plain=True),), Rank.ACE, plain=True),)),
        ("passing.late_on", "4:1@2:chopped=4", (Late(Pattern(4), (TWO,), (Target(Pattern(4)),)),)),
        ("payments.sheets", "4/3/2/1,2/1", (PlaceScores((4, 3, 2, 1)), PlaceScores((2, 1)))),
        ("bombs", "4:none", (Bomb(Pattern(4), ()),)),
    ],
)  # fmt: skip
def test_a_value_and_its_line(path: str, text: str, value: object) -> None:
    assert attrgetter(path)(with_field(SOUTHERN, path, text)) == value
    assert write_field(value) == text


REFUSED = {
    "payments.places": "3/1/-1/-2 -2/2 2/-2,3/-3 0 10000/-10000 a/b 1:4:4:1 4:4:1",
    "payments.special_sets": "1@2 :2 any:2 1<T:1 4/plain:1 1@2:10000 1@2:-1 1@2:2:suits=x "
    "1@2:2:suits=s:suits=c 1@2:2:red 4:2,4:4",
    "payments.card": "x 10000 -1 -",
    "payments.doubles_by": "0 1 11 -2",
    "passing.late": "9 5 2x14 2x3/red 1<",
    "passing.locks": "perhaps",
    "deal.players": "13 none 02345",
    "deal.direction": "up",
    "deal.packs": "0 3 9999",
    "combinations.top_of_sequences": "Z",
    "combinations.same_rank": "0,1 2,3",
    "combinations.pair_sequences": "14",
    "combinations.ties": "nobody",
    "opening.kinds": "bomb",
    "bombs": "4 4:1@2:below=A 4:<2 3:1@2:rank=A:alike",
    "passing.late_on": "2x4 2x4:4/chopped 2x4:4:chopped 2x4:4:chopped=x",
    "payments.sheets": "4 3/x 3/-1 10000/1 2/1,3/2 1/1/1/1/1/1/1/1/1/1/1/1/1",
    "trumps": "3x:any 3s':any",
    "contracts": "all:1",
    "customs": f"a/b {'a,' * LONGEST}a",
    "payments.captured": "1<T:2",
    "price.1<T": "2",
    "instant_wins.hands": "dragon:block=any dragon:block=1x3<A dragon:block=4/plain x:bomb_with=3s' x:triples=x",
    "id": "ours",
    "open": "bombs",
    "passing.nobody": "yes",
}


@pytest.mark.parametrize(
    ("path", "text"),
    [(path, text) for path, texts in REFUSED.items() for text in texts.split()],
    ids=lambda text: text[:40],
)
def test_what_is_no_value_of_a_field_is_refused_at_its_line(path: str, text: str) -> None:
    with pytest.raises(RuleRefused, match=r"\w") as refused:
        with_rules(SOUTHERN, [("passing.locks", "no"), (path, text), ("ending.knock_out", "no")])
    assert refused.value.line == 1


def test_a_line_may_hold_only_beside_a_later_one() -> None:
    lines = [("deal.players", "8"), ("passing.locks", "no"), ("deal.packs", "2")]
    assert with_rules(SOUTHERN, lines).deal.players == (8,)
    with pytest.raises(RuleRefused, match="cards") as refused:
        with_rules(SOUTHERN, lines[:2])
    assert refused.value.line == 0


RUNS = ",".join(f"1x{length}/one-suit:{length**2}" for length in range(3, 13))
PAIRS = ",".join(f"2x{length}@{top}:1" for length in (2, 3, 4) for top in "6789TJQKA2")


@pytest.mark.parametrize(("path", "text", "hand"), [("special_sets", RUNS, "26"), ("captured", PAIRS, "13")])
def test_special_sets_that_take_too_long_to_count_are_refused(path: str, text: str, hand: str) -> None:
    lines = [("deal.players", "2"), ("deal.hand", hand)]
    with pytest.raises(RuleRefused, match="soon counted") as refused:
        with_rules(SOUTHERN, [*lines, (f"payments.{path}", text), ("ending.knock_out", "no")])
    assert refused.value.line == 2
    assert with_rules(SOUTHERN, lines).deal.hand == int(hand)


def test_special_sets_that_are_soon_counted_in_a_hand_leave_fewer_cards_to_a_bomb() -> None:
    counted = compiled(with_rules(SOUTHERN, [("payments.special_sets", RUNS)]))
    assert 0 < counted.most_captured < compiled(SOUTHERN).most_captured == 52
