"""Every preset and every house rule has its table; the files beside this one play at them on a phone."""

from ledger.game.cards import Card
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES
from tests.browser.tables import TABLES
from tests.browser.tapping import taps


def test_every_preset_and_every_house_rule_has_its_table() -> None:
    assert sorted(table.preset for table in TABLES) == sorted(PRESETS)
    assert {rule.partition("=")[0] for table in TABLES for rule in table.rules} == set(HOUSE_RULES)


def test_what_is_particular_to_some_rules_is_tapped_at_their_tables() -> None:
    rounds = {table.preset: table.round() for table in TABLES}
    tapped = {preset: list(taps(positions)) for preset, positions in rounds.items()}
    assert any(tap.button == "forward" for tap in tapped["family"])
    assert any(tap.locks for tap in tapped["family"])
    assert any(tap.button.startswith("contract") for tap in tapped["pro-play"])
    assert rounds["draw-pile"][-1].round.drawn
    assert any(tap.button.startswith("pass") for some in tapped.values() for tap in some)
    assert any(len(set(tap.cards)) < len(tap.cards) for tap in tapped["core-double"])
    assert {Card.read(card).back for tap in tapped["double-deck"] for card in tap.cards} == {0, 1}
    assert PRESETS["core-17"].deal.hand_of(3) == 17
    assert next(table.players for table in TABLES if table.preset == "double-deck") == 8
