"""Chosen rules that have no effect: which are told, what they need, and the numbers that bring them one."""

from dataclasses import replace

import pytest

from ledger.game.agreed import Need
from ledger.game.payments import Reason
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.idle import Idle, idle_in, idle_of, usual_numbers
from ledger.game.rulesets.needs import bombs_earn
from ledger.game.rulesets.overrides import with_rules
from ledger.game.rulesets.southern import CLASSIC
from ledger.game.scoring import payments
from ledger.language import speaker
from tests.game.table import after, net, rule_lines, run

WAYS = (
    *("payments.chain=counting", "payments.chain=last-counting", "payments.doubled_by_twos=yes"),
    *("payments.sets_beside_cards=yes", "payments.unplayed_replaces=yes", "payments.full_hand_leaves=yes"),
)
"""Ways to count that need a number."""


def idle(*lines: str, preset: Ruleset = CLASSIC) -> list[Idle]:
    chosen = [line for some in lines for line in rule_lines(some)]
    return [*idle_of(with_rules(preset, chosen), chosen)]


def test_what_a_chosen_rule_needs_and_what_overrules_it_is_said() -> None:
    assert idle("payments.chain=counting") == [
        Idle("payments.chain", "counting", ((Need("payments.chop_unit"),),))
    ]
    assert idle("payments.unplayed=26") == [Idle("payments.unplayed", "26", ((Need("payments.card"),),))]
    assert idle("payments.card=1", "payments.hoard_payee=winner") == [
        Idle("payments.hoard_payee", "winner", overruled_by=(("payments.card", "1"),))
    ]
    assert idle("price.places.4=3/1/-1/-3", preset=PRESETS["card-count"]) == [
        Idle("price.places.4", "3/1/-1/-3", overruled_by=(("ending.at_first_out", "yes"),))
    ]


def test_the_price_of_what_a_bomb_captures_has_an_effect_where_nothing_left_in_a_hand_is_paid() -> None:
    unpaid, preset = "payments.hoarding=no", PRESETS["pro-play"]
    assert not idle(unpaid, "price.four-pairs=13", preset=preset)
    left = "price.four-pairs.left"
    needs = ((Need("payments.hoarding"), Need("payments.card")),)
    assert idle(unpaid, f"{left}=13", preset=preset) == [Idle(left, "13", needs)]


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.id)
def test_where_a_way_to_pay_bombs_lacks_its_number_bombs_pay_nothing(preset: Ruleset) -> None:
    """As the sentence about it says."""
    for way in ("counting", "last-counting"):
        changed = with_rules(preset, rule_lines(f"payments.chain={way} payments.chop_unit=0"))
        assert not bombs_earn(changed)
        told = [one for one in idle_in(changed) if one.path == "payments.chain"]
        assert bool(told) is (preset.payments.chain != way)
        assert all(speaker("en").idle(one).endswith("pay nothing as long as it is missing.") for one in told)


def test_what_is_so_already_is_told_only_where_it_is_chosen() -> None:
    lines = ("four-pairs-beat-smaller-bombs=yes", "scheme=places")
    assert idle("H14=yes") == idle(lines[0])
    assert {one.path for one in idle(*lines)} == {"four-pairs-beat-smaller-bombs", "scheme"}
    assert not idle_in(with_rules(CLASSIC, rule_lines(" ".join(lines))))


def test_of_a_preset_that_no_longer_exists_nothing_is_told() -> None:
    counting = with_rules(CLASSIC, rule_lines("payments.chain=counting"))
    assert idle_in(counting)
    assert not idle_in(replace(counting, id="gone"))


def test_a_rule_that_is_turned_off_has_an_effect_where_it_had_one_before() -> None:
    assert not idle("payments.hoarding=no")
    assert not idle("payments.special_sets=none")


@pytest.mark.parametrize("way", WAYS)
def test_a_way_that_lacks_a_number_lacks_nothing_with_the_usual_one(way: str) -> None:
    filled = 0
    for preset in PRESETS.values():
        chosen = rule_lines(way)
        usual = usual_numbers(with_rules(preset, chosen), chosen)
        filled += bool(usual)
        assert not usual or not idle(
            way, *(f"{path}={number}" for path, number in usual.items()), preset=preset
        )
    assert filled


@pytest.mark.parametrize("lines", ["payments.unplayed=26", "payments.card=1 payments.hoard_payee=winner"])
def test_neither_a_number_that_lacks_something_nor_what_is_overruled_brings_a_number(lines: str) -> None:
    chosen = rule_lines(lines)
    assert [*idle_of(with_rules(CLASSIC, chosen), chosen)]
    assert not usual_numbers(with_rules(CLASSIC, chosen), chosen)


def test_a_number_that_was_typed_is_not_replaced() -> None:
    chosen = rule_lines("payments.chain=counting payments.chop_unit=0")
    assert not usual_numbers(with_rules(CLASSIC, chosen), chosen)


def test_bombs_that_are_counted_pay_the_usual_number() -> None:
    chosen = rule_lines("payments.chain=counting")
    usual = usual_numbers(with_rules(CLASSIC, chosen), chosen)
    lines = [f"{path}={value}" for path, value in (*chosen, *usual.items())]
    assert net(after("round 1 lead p1\np1 2s\np2 3s 3c 4s 4c 5s 5c", rules=lines)) == [-1, 1, 0, 0]


GOES_OUT = f"""
    round 1 lead p1
    p1 2h
    p2 3h 3c 4d 4c 5d 5c
    p3 -
    p4 -
    p1 -
    p2 4h
    p1 {run("s", "4")} !
    p1 {{last}} !
"""
"""A bomb, then the winner's last play; p3 and p4 have played nothing."""
EVERYTHING = "payments.got_to_get_in=5 payments.lowest_last=7 payments.hoarding=no"


def paid(last: str, rules: str) -> dict[Reason, int]:
    """The points of each kind that are paid in all."""
    found: dict[Reason, int] = {}
    for payment in payments(after(GOES_OUT.format(last=last), rules=f"{EVERYTHING} {rules}".split())):
        found[payment.reason] = found.get(payment.reason, 0) + payment.points
    return found


def test_the_lowest_card_last_doubles_all_but_bombs() -> None:
    once, doubled = (paid("3s", f"payments.lowest_last_doubles={way}") for way in ("no", "yes"))
    assert once.keys() >= {Reason.BOMB_BONUS, Reason.PLACEMENT, Reason.GOT_TO_GET_IN, Reason.LAST_CARD}
    assert doubled == {
        reason: points * (1 if reason is Reason.BOMB_BONUS else 2) for reason, points in once.items()
    }


def test_where_2s_last_are_paid_for_nothing_else_is_but_bombs() -> None:
    assert Reason.GOT_TO_GET_IN in paid("2s", "payments.last_twos=0")
    assert paid("2s", "payments.last_twos=3").keys() == {Reason.BOMB_BONUS, Reason.PLACEMENT}


UNPAID = ("payments.places=none", "payments.special_sets=none")


def test_after_a_result_the_lowest_card_is_paid_for_once_it_is_shown() -> None:
    for shown, points in (("", [0, 0]), ("p2 shows 3s", [7, -7])):
        story = f"round 1 lead p1\nresult p1 p2\n{shown}"
        assert (
            net(after(story, players=2, ruleset="core", rules=["payments.lowest_left=7", *UNPAID])) == points
        )


def test_an_idle_price_of_an_unplayed_hand_is_not_asked_about_and_takes_the_answer_of_older_nights() -> None:
    ruleset = with_rules(PRESETS["core"], rule_lines("payments.unplayed=5"))
    assert not ruleset.never_played_matters
    assert with_rules(ruleset, rule_lines("payments.card=1")).never_played_matters
    story = "round 1 lead p1\nresult p1 p2 p3\nknocked p4"
    assert after(story, ruleset="core", rules=["payments.unplayed=5"]).over
