"""House rules: each bullet on and off, and switches without effect."""

import json
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from ledger.game.cards import Deck
from ledger.game.corpus import at_random, greedy, patient
from ledger.game.customs import Owes, debts
from ledger.game.errors import Code, Notice
from ledger.game.findings import findings
from ledger.game.fold import begin
from ledger.game.judge import judge
from ledger.game.legal_cards import legal_cards
from ledger.game.moves import Play
from ledger.game.night import due_header
from ledger.game.notation import ScriptRefused, Unreadable, read, write
from ledger.game.patterns import SINGLE, THREE_PAIRS, Target
from ledger.game.payments import post
from ledger.game.report import Words, as_data, score
from ledger.game.round import Header, Round
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import OwedCard, OwedCount
from ledger.game.rulesets.overlays.clashes import ruled_out
from ledger.game.rulesets.overlays.edits import Contradiction, beating
from ledger.game.rulesets.overlays.house_rules import (
    HOUSE_RULES,
    cannot_matter,
    find,
    idle,
    lay,
    lay_all,
    lay_unjudged,
)
from ledger.game.rulesets.overrides import RuleRefused, rules_of, with_rules
from ledger.game.rulesets.serialization import from_data, to_data
from ledger.game.rulesets.southern import CLASSIC
from ledger.game.rulesets.thirteen import THIRTEEN
from ledger.game.scoring import Status, payments, status
from tests.game.generator import play_round
from tests.game.short_rounds import cases
from tests.game.stories import WHOLE_ROUND
from tests.game.table import after, cards, found, page, replay_story, turn
from tests.soaking import further

THREES = "7s 7c 8s 8c 9s 9c"
LOW_FOURS = "4s 4c 5s 5c 6s 6c 7d 7h"

WORDS = Words(
    refusal=lambda refusal, names: refusal.code,
    finding=lambda finding, names: finding.code,
    disagreement=lambda missing, unexpected: f"missing {missing}, unexpected {unexpected}",
    unreadable=lambda expected: expected,
)

BESIDE_THE_PLAY = {"H1", "H7", "H8", "H9", "H22", "H27"}
"""Bullets that no single move can show; each has its own test."""


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


def test_h17_says_all_that_h16_says_and_spares_2s() -> None:
    both = ("three-pairs-without-lead=yes", "three-pairs-without-lead-beat-no-two=yes")
    assert lay_all(CLASSIC, both).opening == lay_all(CLASSIC, both[1:]).opening
    assert idle(CLASSIC, both) == both[:1]


def test_h16_leaves_the_turn_with_the_seat_after_whoever_came_in() -> None:
    round = after(f"p2 {THREES}", ruleset="thirteen", rules=["three-pairs-without-lead=yes"])
    assert turn(round) == "p3 answers"
    again = after(
        f"p2 {THREES}\np3 -\np4 -\np1 -", ruleset="thirteen", rules=["three-pairs-without-lead=yes"]
    )
    assert turn(again) == "p2 leads"
    assert not again.must_open


def test_h16_anybody_may_hold_what_comes_in_without_the_lead() -> None:
    ruleset = lay(CLASSIC, "three-pairs-without-lead")
    led = begin(ruleset, Header((0, 1, 2, 3), 0))
    assert legal_cards(led, 2) == Deck().all & ~cards("2s 2c 2d 2h")
    assert legal_cards(begin(CLASSIC, Header((0, 1, 2, 3), 0)), 2) == 0


def test_h16_an_opening_without_the_lead_proves_nobody_wrong() -> None:
    story = "round 1 opening\np2 4s 4c 5s 5c 6s 6c\np2 8d\np1 9d\np1 3s"
    assert found(after(story, players=3, rules=["three-pairs-without-lead=yes"])) == []


@pytest.mark.parametrize(("pairs", "points"), [("3c 3d 4c 4d 5c 5d", 0), ("3d 3h 4c 4d 4h 5d 5h", 2)])
def test_h3_what_cannot_be_played_costs_nothing(pairs: str, points: int) -> None:
    values = compiled(after("", rules=["pairs-of-one-colour=yes"]).ruleset).hand_values
    assert values.total(cards(pairs)) == points
    assert compiled(after("").ruleset).hand_values.total(cards(pairs)) == 2
    assert bool(values.could_hold(cards(pairs), 6)) == bool(points)


def test_h12_a_locked_player_keeps_bright_only_what_may_come_in_late() -> None:
    rules = ["four-pairs-beat-pair-of-twos-late=yes"]
    on_a_two = after("p1 3s\np2 -\np3 2s", ruleset="thirteen", rules=rules)
    assert legal_cards(on_a_two, 1) == on_a_two.unseen & ~cards("2s 2c 2d 2h")
    on_less = after("p1 3s\np2 -\np3 4s", ruleset="thirteen", rules=rules)
    assert legal_cards(on_less, 1) == 0


def test_h22_the_winner_leads_until_somebody_new_sits_in() -> None:
    before = replay_story(
        f"round 1 opening p1 p2 p3 p4\n{WHOLE_ROUND[4]}", players=5, ruleset="thirteen"
    ).rounds[0]
    assert before.places == [0, 1, 2, 3]
    changed = lay(THIRTEEN, "winner-leads-until-players-change")
    same, new = (0, 1, 2, 3), (0, 1, 2, 4)
    assert due_header(THIRTEEN, same, before) == Header(same)
    assert due_header(changed, same, before) == Header(same, 0)
    assert due_header(changed, new, before) == Header(new)


# Switches without effect


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


@pytest.mark.parametrize(
    ("preset", "numbers"),
    [
        # Five pairs win at once, four pairs chop late and beat all smaller bombs, four of a kind beats three pairs.
        ("southern-classic", "H8 H10 H12 H13 H14 H21"),
        ("southern-winner-takes-all", "H8 H10 H12 H13 H14 H21"),
        # No rule makes anyone owe cards.
        ("thirteen", "H8"),
        # No instant wins.
        ("double-deck", "H6 H8"),
        # A triple beats an ace, suits lock, the winner leads, and only single 2s are chopped.
        ("melbourne", "H8 H11 H18 H22 H26 H28"),
        # No more than three pairs are a bomb, and bombs beat anything; nobody is locked out.
        ("akita", "H8 H11 H18 H20 H21 H24 H26"),
        ("interns", "H6 H8 H11 H18 H28"),
    ],
)
def test_a_switch_that_cannot_matter_under_a_preset_says_so(preset: str, numbers: str) -> None:
    assert without_use(preset) == numbers


def test_a_switch_that_another_gives_room_matters_beside_it() -> None:
    first = "no-pair-sequence-first=yes"
    assert idle(PRESETS["hawaii"], [first]) == (first,)
    assert idle(PRESETS["hawaii"], ["winner-leads-until-players-change=yes", first]) == ()


def test_a_switch_that_needs_another_matters_beside_it() -> None:
    assert idle(THIRTEEN, ["cards-owed=any-two-flat"]) == ("cards-owed=any-two-flat",)
    assert idle(THIRTEEN, ["loser-owes-twos=yes", "cards-owed=any-two-flat"]) == ()


# Rules about claims, declarations and locks

CHOPPED = """
    round 1 opening
    p1 3s
    p2 2d
    p1 5s 5c 6s 6c 7s 7c
    p2 -
    p1 8d 9d Td Jd Qd Kd
    p2 declares none
"""
FOUR_TWOS_OF_P2 = "2s 2c 2d 2h 3s 4s 5s 6s 8s 9c Ts Jd Qs"


def owing(story: str, *rules: str) -> list[str]:
    """The findings in the last round of a story of two players, given the round before."""
    *_, before, last = replay_story(story, players=2, rules=rules).rounds
    return [f"{one.code} {one.clause} {one.move} p{(one.player or 0) + 1}" for one in findings(last, before)]


def test_h8_four_2s_claimed_by_who_owes_are_found_and_paid() -> None:
    claimed = f"{CHOPPED}\nround 2\np2 claims {FOUR_TWOS_OF_P2}"
    rules = ("chopped-owes-cards=yes", "cards-owed=highest-two-flat")
    assert owing(claimed, *rules) == ["claimed-while-owing S-CUSTOM 1 p2"]
    assert post(payments(replay_story(claimed, players=2, rules=rules).rounds[-1])) == {0: -2, 1: 2}
    assert owing(claimed, rules[0]) == owing(claimed) == []
    # The creditor may claim them, and the debtor may claim another hand.
    assert owing(claimed.replace("p2 claims", "p1 claims"), *rules) == []
    pairs = "3s 3c 4s 4c 8s 8c 9s 9c Ts Tc Js Jc 2s"
    assert owing(f"{CHOPPED}\nround 2\np2 claims {pairs}", *rules) == []


def test_h9_a_2_that_costs_nothing_may_be_declared_for_it_is_owed() -> None:
    result = "round 1 opening\nresult p1 p2 p3 p4"
    for preset in ("thirteen", "core"):
        round = after(f"{result}\np4 declares 2h", ruleset=preset, rules=["loser-owes-twos=yes"])
        assert status(round) is Status.SETTLED
        assert debts(round) == (Owes(3, 0, 1, OwedCard.ANY_TWO),)
        assert post(payments(round)) == post(payments(after(result, ruleset=preset)))
        several = after(f"{result}\np4 declares 2h, 2s", ruleset=preset, rules=["loser-owes-twos=yes"])
        assert [owes.count for owes in debts(several)] == [2]
        with pytest.raises(ScriptRefused) as caught:
            after(f"{result}\np4 declares 2h", ruleset=preset)
        assert caught.value.refusal.code is Code.DECLARATION_CONTRADICTED
    with pytest.raises(ScriptRefused):
        after(f"{result}\np4 declares Ah", ruleset="thirteen", rules=["loser-owes-twos=yes"])


def test_h9_everybody_who_is_left_owes_where_the_round_ends_at_the_first_out() -> None:
    story = "round 1 opening\nresult p1 p2 p3 p4\np2 shows 2c\np3 shows 2d\np4 shows 2h"
    round = after(story, ruleset="southern-winner-takes-all", rules=["loser-owes-twos=yes"])
    assert debts(round) == tuple(Owes(player, 0, 1, OwedCard.ANY_TWO) for player in (1, 2, 3))


@pytest.mark.parametrize(
    ("rules", "line", "code"),
    [
        (["suit-lock=optional"], "p1 locks 3s 4c 5s", Notice.NOTHING_TO_LOCK),
        (["suit-lock=optional"], "p1 unlocks 3s", Notice.NOTHING_TO_LOCK),
        ([], "p1 locks 3s 4s 5s", Notice.NOTHING_TO_LOCK),
        (["suit-lock=forced"], "p1 unlocks 3s 4s 5s", Notice.NOTHING_TO_LOCK),
        (["suit-lock=optional"], "p1 locks 3s Ks !", Notice.NOTHING_TO_LOCK),
        (["suit-lock=optional"], "p1 locks 3s 4s 5s", None),
        (["suit-lock=optional"], "p1 unlocks 3s 4s 5s", None),
        (["suit-lock=optional"], "p1 3s 4c 5s\np2 -", None),
    ],
)
def test_h18_a_lock_where_nothing_can_be_locked_is_found_by_a_strict_look(
    rules: list[str], line: str, code: Notice | None
) -> None:
    round = after(line, ruleset="thirteen", rules=rules)
    strict = [one for one in findings(round, strict=True) if one not in findings(round)]
    assert [(one.code, one.clause, one.move) for one in strict] == (
        [(code, "T-SUIT-LOCK", 1)] if code is not None else []
    )
    report = score(page(line, ruleset="thirteen", rules=rules), WORDS, strict=True)
    found = [one["code"] for one in as_data(report.answer)["rounds"][0]["findings"]]
    assert (code in found) == (code is not None)
    loose = score(page(line, ruleset="thirteen", rules=rules), WORDS)
    assert code not in [one["code"] for one in as_data(loose.answer)["rounds"][0]["findings"]]


def test_h24_who_has_passed_keeps_bright_what_may_be_laid_late() -> None:
    rules = ["passing-forfeits-nothing=yes"]
    passed = after("p1 3s\np2 2s\np3 -\np4 -", rules=rules)
    assert legal_cards(passed, 2) == passed.unseen & ~cards("2s 2c 2d 2h")
    assert legal_cards(passed, 2) == legal_cards(after("p1 3s\np2 2s\np3 -\np4 -"), 2)
    # The pile has been won, and its winner is to lead.
    won = after("p1 3s\np2 2s\np3 -\np4 -\np1 -", rules=rules)
    assert legal_cards(won, 2) == won.unseen & ~cards("2s 2c 2d 2h")
    late = after(f"p1 3s\np2 2s\np3 -\np4 -\np1 -\np3 {LOW_FOURS}", rules=rules, strict=True)
    assert (found(late), turn(late)) == ([], "p4 answers")
    # In the next pile nobody has passed yet.
    again = after("p1 3s\np2 2s\np3 -\np4 -\np1 -\np2 Ks", rules=rules)
    assert not again.passed(2)


# Rule lines


def test_a_switch_is_said_in_a_replay_and_kept_in_the_nights_own_copy() -> None:
    rules = ["four-of-a-kind-beats-any-twos=yes", "suit-lock=optional", "payments.left=3"]
    night = replay_story("p1 locks 3s 4s 5s", ruleset="thirteen", rules=rules)
    assert night.ruleset.house_rules == ("suit-lock=optional", "four-of-a-kind-beats-any-twos=yes")
    assert from_data(json.loads(json.dumps(to_data(night.ruleset)))) == night.ruleset
    text = write(night)
    assert text.splitlines()[2:5] == [
        "rule suit-lock=optional",
        "rule four-of-a-kind-beats-any-twos=yes",
        "rule payments.left=3",
    ]
    assert "p1 locks 3s 4s 5s" in text
    assert write(replay_story("p1 locks 3s 4s 5s", ruleset="thirteen", rules=reversed(rules))) == text


def test_a_switch_is_found_by_its_number_and_written_by_its_name() -> None:
    assert with_rules(THIRTEEN, [("H26", "yes")]) == with_rules(THIRTEEN, [("triple-beats-ace", "yes")])


def test_a_field_said_beside_a_switch_stays_as_it_was_said() -> None:
    ruleset = with_rules(lay(THIRTEEN, "passing-forfeits-nothing"), [("passing.locks", "yes")])
    assert rules_of(ruleset, THIRTEEN) == [("passing-forfeits-nothing", "yes"), ("passing.locks", "yes")]


@pytest.mark.parametrize(
    ("rules", "complaint"),
    [
        (["three-of-a-kind-beats-all=yes"], "no such rule: three-of-a-kind-beats-all"),
        (["H999=yes"], "no such rule: H999"),
        (["triple-beats-ace=maybe"], "triple-beats-ace takes yes, no"),
        (["suit-lock=yes"], "suit-lock takes forced, optional, no"),
        (["suit-lock=forced", "suit-lock=optional"], "suit-lock is said twice"),
        (["suit-lock=forced", "suit-lock=no"], "suit-lock is said twice"),
        (["passing.locks=no", "passing.locks=yes"], "passing.locks is said twice"),
    ],
)
def test_what_is_no_switch_is_refused(rules: list[str], complaint: str) -> None:
    with pytest.raises(Unreadable, match=complaint):
        read(page("p1 3s", ruleset="thirteen", rules=rules))


def test_a_switch_said_again_is_said_once() -> None:
    once = lay(THIRTEEN, "triple-beats-ace")
    assert lay(once, "triple-beats-ace") == once


def test_a_switch_takes_one_choice() -> None:
    forced = lay(THIRTEEN, "suit-lock", "forced")
    with pytest.raises(ValueError, match="suit-lock is said twice"):
        lay(forced, "suit-lock", "optional")


def test_h19_beside_h4_gives_two_pairs_nothing() -> None:
    both = ("two-consecutive-pairs=yes", "three-pairs-beat-any-single=yes")
    three, two = (cards(f"4s 4c 5s 5c {more}".strip()) for more in ("6s 6c", ""))
    on_a_nine = after("p1 3s\np2 9d", ruleset="thirteen", rules=both)
    assert judge(on_a_nine, Play(2, three)) is None
    refusal = judge(on_a_nine, Play(2, two))
    assert refusal is not None
    assert refusal.code is Code.DOES_NOT_BEAT


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


# Laws

EVERY = [(rule.name, choice) for rule in HOUSE_RULES.values() for choice in rule.choices]


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_switches_are_laid_in_any_order_with_the_same_result(preset: str) -> None:
    ruleset = PRESETS[preset]
    for one, other in combinations(EVERY, 2):
        results: list[object] = []
        for order in ((one, other), (other, one)):
            try:
                results.append(lay_all(ruleset, map("=".join, order)))
            except ValueError as error:
                results.append(type(error))
        assert results[0] == results[1], (one, other)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_every_switch_over_every_preset_is_written_as_it_is_read(preset: str) -> None:
    for name, choice in EVERY:
        try:
            ruleset = with_rules(PRESETS[preset], [(name, choice)])
        except RuleRefused as refused:
            if isinstance(refused.why, Contradiction):
                continue
            raise
        assert rules_of(ruleset, PRESETS[preset]) == [(name, choice)]
        assert from_data(json.loads(json.dumps(to_data(ruleset)))) == ruleset
        assert replace(ruleset, house_rules=()) == replace(lay(ruleset, name, choice), house_rules=())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "choice"), EVERY)
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
        assert (again.places, again.cards_left, payments(again)) == (
            round.places,
            round.cards_left,
            payments(round),
        )
