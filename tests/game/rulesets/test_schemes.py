"""Payment schemes: any of them over any ruleset."""

from dataclasses import replace
from itertools import permutations

import pytest

from ledger.game import notation
from ledger.game.cards import Card
from ledger.game.patterns import FIVE_PAIRS, Pattern, SuitRule
from ledger.game.payments import post
from ledger.game.round import Round
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import InstantWin
from ledger.game.rulesets.overlays.edits import beating
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES
from ledger.game.rulesets.overlays.schemes import SCHEMES, cannot_matter, lay
from ledger.game.rulesets.overrides import rules_of, with_rules
from ledger.game.rulesets.serialization import from_data, to_data
from ledger.game.scoring import payments
from ledger.language import rules_page, speaker
from tests import soaking
from tests.case_files import told
from tests.game.rulesets.laws import hold_of_payments
from tests.game.table import after, cards, replay_story, ruleset_of

CLASSIC, THIRTEEN = PRESETS["southern-classic"], PRESETS["thirteen"]

OVER = [(preset, scheme) for preset in PRESETS.values() for scheme in SCHEMES]
_FURTHER = pytest.mark.soak("further schemes over presets")


@pytest.mark.parametrize(
    ("preset", "scheme"),
    [
        # Each preset with one scheme, each scheme with several presets.
        pytest.param(preset, scheme, marks=_FURTHER if (row + column) % len(SCHEMES) else ())
        for row, preset in enumerate(PRESETS.values())
        for column, scheme in enumerate(SCHEMES)
        if soaking.asked or (row + column) % len(SCHEMES) == 0
    ],
    ids=lambda one: getattr(one, "id", one),
)
def test_every_payment_of_a_scheme_is_by_a_printed_clause(preset: Ruleset, scheme: str) -> None:
    ruleset = lay(preset, scheme)
    printed = {clause.id for section in rules_page(ruleset, speaker("en")) for clause in section.clauses}
    for seed, players in enumerate(preset.deal.players):
        paid = hold_of_payments(ruleset, players, seed)
        assert {payment.clause for payment in paid} <= printed


@pytest.mark.parametrize(("preset", "scheme"), OVER, ids=lambda one: getattr(one, "id", one))
def test_a_scheme_is_written_as_it_is_read_and_kept_in_the_nights_copy(preset: Ruleset, scheme: str) -> None:
    ruleset = with_rules(preset, [("scheme", scheme)])
    assert ruleset.scheme == scheme
    assert rules_of(ruleset, preset) == [("scheme", scheme)]
    assert from_data(to_data(ruleset)) == ruleset
    most = max(preset.deal.players)
    text = notation.write(replay_story("", players=most, ruleset=preset.id, rules=[f"scheme={scheme}"]))
    assert f"ruleset {preset.id}\nrule scheme={scheme}\np1 " in text


@pytest.mark.parametrize("scheme", sorted(set(SCHEMES) - {"ranks-only"}))
@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.id)
def test_whoever_is_last_pays_somebody_whatever_is_laid_over(preset: Ruleset, scheme: str) -> None:
    ruleset = lay(preset, scheme)
    paid = ruleset.payments
    if ruleset.ending.at_first_out:
        assert paid.left or paid.card
    else:
        assert {row.players for row in paid.places if row.payer == row.players} == set(preset.deal.players)
        assert not ruleset.ending.knock_out or paid.full_hand or paid.left


@pytest.mark.parametrize(("scheme", "presets"), told("schemes.txt", "paid already"))
def test_a_scheme_changes_nothing_where_a_preset_pays_so_already(scheme: str, presets: str) -> None:
    assert {id for id, preset in PRESETS.items() if cannot_matter(preset, scheme)} == set(presets.split())


def test_every_scheme_has_its_cases() -> None:
    for heading in ("paid already", "full hands"):
        assert sorted(scheme for scheme, *_ in told("schemes.txt", heading)) == sorted(SCHEMES)


def test_what_is_laid_already_changes_nothing_more() -> None:
    ruleset = lay(CLASSIC, "card-count")
    assert cannot_matter(ruleset, "card-count")
    assert not cannot_matter(ruleset, "places")
    assert lay(ruleset, "card-count") is ruleset


@pytest.mark.parametrize("preset", ["southern-classic", "asian-deuces", "core-double", "northern"])
def test_the_order_of_house_rules_a_scheme_and_fields_makes_no_difference(preset: str) -> None:
    lines = (
        ("scheme", "card-count"),
        ("four-of-a-kind-beats-three-pairs", "yes"),
        ("payments.left", "3"),
        ("five-pairs-win-at-once", "yes"),
    )
    rulesets = {with_rules(PRESETS[preset], order) for order in permutations(lines)}
    (ruleset,) = rulesets
    assert ruleset.payments.left == 3
    assert rules_of(ruleset, PRESETS[preset])[0] == ("scheme", "card-count")
    assert with_rules(PRESETS[preset], rules_of(ruleset, PRESETS[preset])) == ruleset


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", HOUSE_RULES)
def test_a_house_rule_and_a_scheme_are_both_written_as_they_are_read(name: str, scheme: str) -> None:
    lines = [("scheme", scheme), (name, HOUSE_RULES[name].choices[0])]
    ruleset = with_rules(THIRTEEN, lines)
    assert rules_of(ruleset, THIRTEEN) == lines


def test_a_bomb_by_a_house_rule_is_paid_for_by_the_scheme() -> None:
    ruleset = with_rules(CLASSIC, [("scheme", "thirteen-points"), ("H15", "yes")])
    assert FIVE_PAIRS in {special.shape for special in ruleset.payments.special_sets}
    plain = lay(CLASSIC, "thirteen-points")
    assert FIVE_PAIRS not in {special.shape for special in plain.payments.special_sets}


@pytest.mark.parametrize("second", ["places", "tips"])
def test_two_schemes_or_one_that_nobody_knows_are_refused(second: str) -> None:
    with pytest.raises(ValueError, match="scheme"):
        lay(lay(CLASSIC, "card-count"), second)


@pytest.mark.parametrize(("scheme", "points"), told("schemes.txt", "places"))
def test_places_are_paid_as_the_scheme_says(scheme: str, points: str) -> None:
    expected = list(map(int, points.split()))
    presets = (THIRTEEN, PRESETS["core-double"], PRESETS["double-deck"])
    preset = next(one for one in presets if len(expected) in one.deal.players)
    received = [0] * len(expected)
    for row in lay(preset, scheme).payments.places:
        if row.players == len(expected):
            received[row.payer - 1] -= row.points
            received[row.payee - 1] += row.points
    assert received == expected


HANDS = {
    "three_pairs": "2d 4c 4d 5c 5d 6c 6d 8c 9c Tc Jc Qc Kc",
    "fours_and_four_pairs": "2c 4c 4d 5c 5d 6c 6d 7c 7d 9c 9d 9h 9s",
}


def ended(scheme: str, hand: str) -> Round:
    """Two players with 13 cards: one goes out at once; the other has played nothing, and holds this hand."""
    story = f"round 1 lead p1\np1 3s 4s 5s 6s 7s 8s\np2 -\np1 Ts Js Qs Ks As\np2 -\np1 2s 2h\np2 shows {hand}"
    return after(story, players=2, ruleset="thirteen", rules=[f"scheme={scheme}"])


@pytest.mark.parametrize(("scheme", *HANDS), told("schemes.txt", "full hands"))
def test_a_full_hand_costs_what_the_scheme_says(
    scheme: str, three_pairs: str, fours_and_four_pairs: str
) -> None:
    for hand, costs in zip(HANDS.values(), (three_pairs, fours_and_four_pairs), strict=True):
        assert -post(payments(ended(scheme, hand))).get(1, 0) == sum(map(int, costs.split(" + ")))


def test_a_larger_hand_costs_twice_its_cards_where_cards_are_counted() -> None:
    ruleset = lay(PRESETS["core-17"], "card-count")
    assert (ruleset.payments.unplayed, ruleset.instant_wins.points) == (34, 34)


@pytest.mark.parametrize(("rules", "path"), told("schemes.txt", "open"))
def test_what_a_scheme_has_no_source_for_is_open(rules: str, path: str) -> None:
    assert path in ruleset_of(rules).open


@pytest.mark.parametrize(("rules", "path"), told("schemes.txt", "not open"))
def test_what_a_scheme_has_a_source_for_is_not_open(rules: str, path: str) -> None:
    assert path not in ruleset_of(rules).open


@pytest.mark.parametrize(("rules", "held", "points"), told("schemes.txt", "cards"))
def test_cards_in_a_hand_cost_what_the_scheme_says(rules: str, held: str, points: str) -> None:
    assert compiled(ruleset_of(rules)).hand_values.total(cards(held)) == int(points)


@pytest.mark.parametrize("preset", ["core", "core-17", "core-double", "viet-cong", "pro-play"])
def test_pair_sequences_that_end_in_twos_are_paid_for_where_they_are_bombs(preset: str) -> None:
    ruleset = with_rules(PRESETS[preset], [("scheme", "card-count")])
    below, pairs, twos = (
        ruleset.deck.gather(map(Card.read, text.split()))[0]
        for text in ("Qs Qc Ks Kc As Ac", "Kd Kh Ad Ah 2s 2c", "2s 2c")
    )
    combination, values = compiled(ruleset).index.read(pairs), compiled(ruleset).hand_values
    bomb = combination is not None and combination.bomb
    assert values.total(pairs) == max(values.total(below) * bomb, values.total(twos))
    assert values.is_special_set(pairs) == bomb


def test_a_bomb_of_any_length_is_a_special_set() -> None:
    akita = lay(PRESETS["akita"], "thirteen-points")
    assert Pattern(1, 12) in {special.shape for special in akita.payments.special_sets}


def test_an_instant_win_brings_what_the_scheme_says_whatever_the_hand() -> None:
    hands = (InstantWin("dragon", points=9),)
    graded = replace(CLASSIC, instant_wins=replace(CLASSIC.instant_wins, hands=hands))
    assert [win.points for win in lay(graded, "card-count").instant_wins.hands] == [None]
    assert lay(graded, "card-count").instant_wins.points == 26
    assert lay(PRESETS["card-count"], "ranks-only").instant_wins.points == 0


def test_contracts_are_bets_of_points_and_go_with_them() -> None:
    pro = PRESETS["pro-play"]
    assert lay(pro, "card-count").contracts == pro.contracts
    assert lay(pro, "ranks-only").contracts == ()


@pytest.mark.parametrize(("scheme", "ends", "knocks"), told("schemes.txt", "endings"))
def test_a_scheme_says_of_the_ending_what_its_payments_need(scheme: str, ends: str, knocks: str) -> None:
    endings = [lay(PRESETS[id], scheme).ending for id in ("southern-classic", "southern-winner-takes-all")]
    assert [ending.at_first_out for ending in endings] == [word == "yes" for word in ends.split()]
    assert [ending.knock_out for ending in endings] == [word == "yes" for word in knocks.split()]


def test_a_bomb_of_one_suit_is_worth_what_bombs_are_and_its_shape_in_other_suits_nothing() -> None:
    bombing = beating(CLASSIC, Pattern(1, 6, suits=SuitRule.ONE_SUIT))
    values = compiled(lay(bombing, "thirteen-points")).hand_values
    assert values.total(cards("3s 4s 5s 6s 7s 8s")) == 2
    assert values.total(cards("3s 4s 5s 6s 7s 8c")) == 0
