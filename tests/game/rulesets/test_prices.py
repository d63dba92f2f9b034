"""Prices: what each of them changes and does not change, and refusals; `tests/cases/rounds/prices.txt` covers
published price lists."""

from random import Random

import pytest

from ledger.game.payments import Payment, Reason
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.overlays.prices import LEFT, PLACES, SHEETS, prices_of, sets_of, target_named
from ledger.game.rulesets.overrides import RuleRefused, rules_of, with_rules
from ledger.game.rulesets.paying import Chain
from ledger.game.scoring import payments
from tests.case_files import told
from tests.game.short_rounds import cases
from tests.game.table import after, net, ruleset_of
from tests.soaking import further

LEFT_OVER = {
    "black-two": "2s",
    "red-two": "2h",
    "three-pairs": "4s 4c 5s 5c 6s 6c",
    "four-of-a-kind": "9s 9c 9d 9h",
    "four-pairs": "4s 4c 5s 5c 6s 6c 7s 7c",
}
PLAIN = "result p1 p2 p3 p4\np4 declares none"


def left_over(name: str) -> str:
    return f"result p1 p2 p3 p4\np4 shows {LEFT_OVER[name]}"


def bombed(name: str) -> str:
    return f"result p1 p2 p3 p4\nbombed p2 p3 {LEFT_OVER[name]}\np4 declares none"


def nets(*rules: str) -> dict[str, list[int]]:
    """Story -> the points of each player under some rules."""
    stories = {"plain": PLAIN}
    stories |= {f"{name} left": left_over(name) for name in LEFT_OVER}
    stories |= {f"{name} bombed": bombed(name) for name in LEFT_OVER}
    return {story: net(after(text, rules=rules)) for story, text in stories.items()}


def held_in(name: str) -> set[str]:
    """The sets that contain this one: four pairs contain three pairs, which may be worth more."""
    return {name, "four-pairs"} if name == "three-pairs" else {name}


@pytest.mark.parametrize("name", LEFT_OVER)
def test_the_price_of_a_set_is_paid_where_it_is_bombed_or_left_and_nowhere_else(name: str) -> None:
    before, now = nets(), nets(f"price.{name}=50")
    changed = {story for story, result in now.items() if result != before[story]}
    assert changed == {f"{one} {where}" for one in held_in(name) for where in ("left", "bombed")}
    assert now[f"{name} left"][3] == before["plain"][3] - 50
    assert now[f"{name} bombed"][2] == before["plain"][2] - 50


@pytest.mark.parametrize("name", LEFT_OVER)
def test_what_is_left_in_a_hand_may_have_a_price_of_its_own(name: str) -> None:
    before, now = nets(), nets(f"price.{name}.left=50")
    changed = {story for story, result in now.items() if result != before[story]}
    assert changed == {f"{one} left" for one in held_in(name)}
    both = nets(f"price.{name}.left=50", f"price.{name}=20")
    assert both[f"{name} left"] == now[f"{name} left"]
    assert both[f"{name} bombed"][2] == before["plain"][2] - 20


def test_a_published_price_list_is_a_few_lines() -> None:
    assert all(len(case.table.rules) <= 12 for case in cases() if case.place.startswith("prices.txt"))


def typed(chance: Random, path: str) -> str:
    """A random price as it may be typed."""
    if path.startswith(SHEETS):
        return "/".join(str(chance.choice((0, 1, 3, 9_999))) for _ in range(int(path.removeprefix(SHEETS))))
    if not path.startswith(PLACES):
        return str(chance.choice((0, 1, 3, 9, 40, 9_999)))
    amounts = sorted(
        (chance.randint(-20, 20) for _ in range(int(path.removeprefix(PLACES)) - 1)), reverse=True
    )
    return "/".join(map(str, sorted((*amounts, -sum(amounts)), reverse=True)))


@pytest.mark.parametrize("seed", further(range(40), plain=4))
@pytest.mark.parametrize("preset", PRESETS)
def test_prices_are_laid_in_any_order_and_are_read_off_the_ruleset_again(preset: str, seed: int) -> None:
    chance, base = Random(seed), PRESETS[preset]
    paths = chance.sample(sorted(prices_of(base)), k=4)
    lines = [(path, typed(chance, path)) for path in paths]
    ruleset = with_rules(base, lines)
    assert with_rules(base, lines[::-1]) == ruleset
    assert with_rules(base, rules_of(ruleset, base)) == ruleset
    now = prices_of(ruleset)
    for path, text in lines:
        if path.endswith(LEFT) or path.startswith("price.places") or path + LEFT not in now:
            assert now[path] == text


PLACES_ALONE = (
    *("ending.at_first_out=no", "payments.special_sets=none", "payments.captured=none"),
    *("payments.card=0", "payments.left=0", "payments.lowest_left=0"),
)
"""Rules under which only the places are paid."""


@pytest.mark.parametrize("seed", further(range(40), plain=2))
@pytest.mark.parametrize("preset", PRESETS)
def test_each_place_comes_to_what_was_typed_whatever_the_rules(preset: str, seed: int) -> None:
    chance, base = Random(seed), PRESETS[preset]
    for players in base.deal.players:
        path = f"{PLACES}{players}"
        text = typed(chance, path)
        story = " ".join(["result", *(f"p{seat}" for seat in range(1, players + 1))])
        points = net(after(story, players=players, ruleset=preset, rules=[f"{path}={text}", *PLACES_ALONE]))
        assert points == [int(amount) for amount in text.split("/")]


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.id)
def test_the_name_of_a_set_says_which_it_is(preset: Ruleset) -> None:
    for name, special in sets_of(preset).items():
        assert target_named(name) == special.target
    assert target_named("three-of-a-kind") is None


@pytest.mark.parametrize(("preset", "line"), told("no-prices.txt", "lines"))
def test_what_is_no_price_is_refused_at_its_line(preset: str, line: str) -> None:
    with pytest.raises(RuleRefused, match=r"price\.") as refused:
        ruleset_of(f"{preset} price.black-two=3 {line}")
    assert refused.value.line == 1


@pytest.mark.parametrize("chain", Chain)
def test_what_a_chain_is_said_to_do_is_what_it_pays(chain: Chain) -> None:
    bombs = ["p2 3s 3c 4s 4c 5s 5c", "p3 6s 6c 6d 6h", "p4 7s 7c 7d 7h"]
    rules = [f"payments.chain={chain}", "payments.chop_unit=1"]

    def paid_after(count: int, *more: str) -> list[Payment]:
        told = "\n".join(["round 1 lead p1", "p1 2h", *bombs[:count]])
        found = payments(after(told, rules=[*rules, *more]))
        return [one for one in found if one.reason is Reason.BOMB_BONUS]

    assert ({one.payer for one in paid_after(3)} == {2}) is chain.pays_last_alone
    assert (paid_after(1, "price.red-two=9") == paid_after(1)) is chain.counts
    thrice = [one.points for one in paid_after(3, "payments.doubles_by=3")]
    assert (thrice != [one.points for one in paid_after(3)]) is chain.doubles
