"""House rules: each bullet on and off, and switches without effect."""

import json
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from ledger.game.corpus import at_random, greedy, patient
from ledger.game.errors import Notice
from ledger.game.fold import begin
from ledger.game.patterns import SINGLE, THREE_PAIRS, Target
from ledger.game.payments import post
from ledger.game.report import as_data, score
from ledger.game.round import Header, Round
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.idle import idle_of
from ledger.game.rulesets.model import OwedCard, OwedCount
from ledger.game.rulesets.overlays.clashes import ruled_out
from ledger.game.rulesets.overlays.edits import Contradiction, beating
from ledger.game.rulesets.overlays.house_rules import (
    HOUSE_RULES,
    HouseRule,
    cannot_matter,
    find,
    lay,
    lay_unjudged,
    with_choice,
    without_each,
)
from ledger.game.rulesets.overrides import RuleRefused, rules_of, with_rules
from ledger.game.rulesets.serialization import changed_fields, from_data, to_data
from ledger.game.rulesets.southern import CLASSIC
from ledger.game.rulesets.thirteen import THIRTEEN
from ledger.game.scoring import payments
from tests.case_files import told
from tests.game.generator import play_round
from tests.game.rulesets.agreed import SWITCHES
from tests.game.rulesets.laws import contents
from tests.game.short_rounds import cases
from tests.game.table import after, cards, lay_all, page, ruleset_of
from tests.game.test_records import WORDS
from tests.soaking import further

BESIDE_THE_PLAY = {"H1", "H7", "H8", "H9", "H22", "H27"}
"""Bullets that no single move can show; each has its own test, or a case in `switches.txt`."""


def shown() -> set[tuple[str, str]]:
    """The switches and choices that change the outcome of a case in `house-rules.txt`."""
    house_cases = [case for case in cases() if case.place.startswith("house-rules")]
    off = {(case.table.ruleset, case.story): case.expected for case in house_cases if not case.table.rules}
    found = set[tuple[str, str]]()
    for case in house_cases:
        for rule in case.table.rules:
            name, _, choice = rule.partition("=")
            if off.get((case.table.ruleset, case.story), case.expected) != case.expected:
                found.add((name, choice))
    return found


def test_switches_are_numbered_and_a_round_shows_each() -> None:
    assert [rule.number for rule in HOUSE_RULES.values()] == [f"H{n + 1}" for n in range(len(HOUSE_RULES))]
    assert shown() == {
        (rule.name, choice)
        for rule in HOUSE_RULES.values()
        for choice in rule.choices
        if rule.number not in BESIDE_THE_PLAY
    }


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_a_switch_that_is_off_changes_nothing(name: str) -> None:
    assert with_rules(THIRTEEN, [(name, "no")]) == THIRTEEN


def test_h1_a_player_must_say_how_many_cards_are_left_when_asked() -> None:
    assert lay(THIRTEEN, "card-count-on-request").customs == ("card-count-on-request",)


def test_h27_trading_only_before_the_play_takes_the_place_of_trading() -> None:
    assert lay(THIRTEEN, "trading-before-play").customs == ("trading-before-play",)
    assert "trading" in PRESETS["casual"].customs
    assert "trading" not in lay(PRESETS["casual"], "trading-before-play").customs


def test_h7_h8_h9_say_which_cards_are_owed() -> None:
    assert THIRTEEN.debts.chopped is THIRTEEN.debts.loser is False
    assert lay(THIRTEEN, "chopped-owes-cards").debts.chopped
    assert lay(THIRTEEN, "loser-owes-twos").debts.loser
    assert len(find("H8").choices) == 9
    for choice in find("H8").choices:
        debts = lay(THIRTEEN, "cards-owed", choice).debts
        assert f"{debts.card}-{debts.count}" == choice
        assert debts.returned
    assert {choice.rpartition("-")[0] for choice in find("H8").choices} == set(OwedCard)
    assert {choice.rpartition("-")[2] for choice in find("H8").choices} == set(OwedCount)


def idle(preset: Ruleset, lines: Iterable[str]) -> tuple[str, ...]:
    """Those of the switches laid over a preset that have no effect."""
    chosen = [(name, choice) for name, _, choice in (line.partition("=") for line in lines)]
    return tuple(f"{one.path}={one.value}" for one in idle_of(with_rules(preset, chosen), chosen))


def test_h17_says_all_that_h16_says_and_spares_2s() -> None:
    both = ("three-pairs-without-lead=yes", "three-pairs-without-lead-beat-no-two=yes")
    assert lay_all(CLASSIC, both).opening == lay_all(CLASSIC, both[1:]).opening
    assert idle(CLASSIC, both) == both[:1]


@pytest.mark.parametrize(("pairs", "points"), [("3c 3d 4c 4d 5c 5d", 0), ("3d 3h 4c 4d 4h 5d 5h", 2)])
def test_h3_what_cannot_be_played_costs_nothing(pairs: str, points: int) -> None:
    values = compiled(after("", rules=["pairs-of-one-colour=yes"]).ruleset).hand_values
    assert values.total(cards(pairs)) == points
    assert compiled(after("").ruleset).hand_values.total(cards(pairs)) == 2
    assert bool(values.could_hold(cards(pairs), 6)) == bool(points)


def without_use(preset: str) -> str:
    """The numbers of the switches that alone change nothing under a preset, in any choice that it allows."""
    ruleset = PRESETS[preset]
    left = {
        rule: [choice for choice in rule.choices if not ruled_out(preset, rule.number, choice)]
        for rule in HOUSE_RULES.values()
    }
    return " ".join(
        rule.number
        for rule, choices in left.items()
        if choices and all(cannot_matter(ruleset, rule.name, choice) for choice in choices)
    )


@pytest.mark.parametrize(("preset", "numbers"), told("idle-switches.txt", "presets"))
def test_a_switch_that_cannot_matter_under_a_preset_says_so(preset: str, numbers: str) -> None:
    assert without_use(preset) == numbers


def test_a_switch_that_another_gives_room_matters_beside_it() -> None:
    first = "no-pair-sequence-first=yes"
    assert idle(PRESETS["hawaii"], [first]) == (first,)
    assert idle(PRESETS["hawaii"], ["winner-leads-until-players-change=yes", first]) == ()


def test_a_switch_that_needs_another_matters_beside_it() -> None:
    assert idle(THIRTEEN, ["cards-owed=any-two-flat"]) == ("cards-owed=any-two-flat",)
    assert idle(THIRTEEN, ["loser-owes-twos=yes", "cards-owed=any-two-flat"]) == ()


@pytest.mark.parametrize(("strict", "codes"), [(True, [Notice.NOTHING_TO_LOCK]), (False, [])])
def test_h18_only_a_strict_report_finds_a_lock_of_nothing(strict: bool, codes: list[Notice]) -> None:
    report = score(page("p1 locks 3s 4s 5s", ruleset="thirteen"), WORDS, strict=strict)
    assert [one["code"] for one in as_data(report.answer)["rounds"][0]["findings"]] == codes


@pytest.mark.parametrize("preset", PRESETS)
def test_without_each_of_some_switches_is_the_ruleset_of_the_others(preset: str) -> None:
    chance, chosen = Random(preset), dict[HouseRule, str]()
    for rule in chance.sample([*HOUSE_RULES.values()], len(HOUSE_RULES)):
        try:
            chosen = with_choice(preset, chosen, rule.name, chance.choice(rule.choices))
        except Contradiction:
            continue
    found = dict(without_each(PRESETS[preset], chosen))
    assert found.keys() == chosen.keys()
    for left_out, without in found.items():
        others = {rule: choice for rule, choice in chosen.items() if rule != left_out}
        assert changed_fields(without, lay_unjudged(PRESETS[preset], others)) == (), left_out.name


def test_switches_are_kept_in_the_nights_own_copy() -> None:
    ruleset = ruleset_of("thirteen four-of-a-kind-beats-any-twos=yes suit-lock=optional payments.left=3")
    assert ruleset.house_rules == ("suit-lock=optional", "four-of-a-kind-beats-any-twos=yes")
    assert from_data(json.loads(json.dumps(to_data(ruleset)))) == ruleset


def test_a_switch_is_found_by_its_number_and_written_by_its_name() -> None:
    assert with_rules(THIRTEEN, [("H26", "yes")]) == with_rules(THIRTEEN, [("triple-beats-ace", "yes")])


def test_a_field_said_beside_a_switch_stays_as_it_was_said() -> None:
    ruleset = with_rules(lay(THIRTEEN, "passing-forfeits-nothing"), [("passing.locks", "yes")])
    assert rules_of(ruleset, THIRTEEN) == [("passing-forfeits-nothing", "yes"), ("passing.locks", "yes")]


def test_a_switch_said_again_is_said_once() -> None:
    once = lay(THIRTEEN, "triple-beats-ace")
    assert lay(once, "triple-beats-ace") == once


def test_a_switch_takes_one_choice() -> None:
    forced = lay(THIRTEEN, "suit-lock", "forced")
    with pytest.raises(ValueError, match="suit-lock is said twice"):
        lay(forced, "suit-lock", "optional")


def test_a_night_that_agreed_when_a_switch_meant_less_is_still_told_by_its_lines() -> None:
    name = "three-pairs-beat-any-single"
    then = replace(
        lay(THIRTEEN, name), bombs=beating(THIRTEEN, THREE_PAIRS, Target(SINGLE)).bombs, open=THIRTEEN.open
    )
    assert then != lay(THIRTEEN, name)
    lines = rules_of(from_data(to_data(then)), THIRTEEN)
    assert [path for path, _ in lines] == [name, "bombs"]
    assert replace(with_rules(THIRTEEN, lines), open=THIRTEEN.open) == then


def test_a_night_that_agreed_on_what_is_refused_now_is_still_told_by_its_lines() -> None:
    melbourne, line = PRESETS["melbourne"], ("four-pairs-chop-late", "yes")
    then = lay_unjudged(melbourne, {find(line[0]): line[1]})
    assert rules_of(then, melbourne) == [line]
    with pytest.raises(RuleRefused) as caught:
        with_rules(melbourne, [line])
    assert isinstance(caught.value.why, Contradiction)


@pytest.mark.parametrize("preset", PRESETS)
def test_switches_are_laid_in_any_order_with_the_same_result(preset: str) -> None:
    ruleset = PRESETS[preset]
    for one, other in combinations(SWITCHES, 2):
        results: list[object] = []
        for order in ((one, other), (other, one)):
            try:
                results.append(lay_all(ruleset, map("=".join, order)))
            except ValueError as error:
                results.append(type(error))
        assert results[0] == results[1], (one, other)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_switch_over_every_preset_is_written_as_it_is_read(preset: str) -> None:
    for name, choice in SWITCHES:
        try:
            ruleset = with_rules(PRESETS[preset], [(name, choice)])
        except RuleRefused as refused:
            if isinstance(refused.why, Contradiction):
                continue
            raise
        assert rules_of(ruleset, PRESETS[preset]) == [(name, choice)]
        assert from_data(json.loads(json.dumps(to_data(ruleset)))) == ruleset
        assert replace(ruleset, house_rules=()) == replace(lay(ruleset, name, choice), house_rules=())


@pytest.mark.parametrize(("name", "choice"), SWITCHES)
@pytest.mark.parametrize("preset", further(["southern-classic", "thirteen"], "further presets"))
def test_rounds_under_every_switch_end_and_sum_to_zero(preset: str, name: str, choice: str) -> None:
    ruleset = lay(PRESETS[preset], name, choice)
    for seed, choose in enumerate((greedy, at_random, patient)):
        chance = Random(f"{name} {choice} {seed}")
        *_, last = play_round(chance, ruleset, Header((0, 1, 2, 3)), choose, bombs=bool(seed), claims=True)
        round: Round = last.round
        assert round.over
        assert sum(post(payments(round)).values()) == 0
        again = begin(ruleset, round.header, round.moves)
        assert contents(again) == contents(round)
        assert payments(again) == payments(round)
