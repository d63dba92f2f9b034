"""Every `rule` line is accepted wherever rules are: in a replay, by the interface, in a link of the page."""

import pytest

from ledger.game import notation
from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.overlays.prices import PLACES, SHEETS, prices_of
from ledger.game.rulesets.overrides import rules_of, with_rules
from ledger.game.rulesets.serialization import fields_of_lines
from ledger.web.chosen_rules import TableRules
from ledger.web.schemas import NewNight
from tests.game.mattering import cases, path_of, rows
from tests.game.rulesets.agreed import SWITCHES
from tests.game.table import page

FIELDS = [field for field, row in rows().items() if path_of(row) in fields_of_lines()]
PRO_PLAY = PRESETS["pro-play"]


@pytest.mark.parametrize("field", FIELDS)
def test_whoever_takes_rules_takes_what_the_line_of_a_field_says(field: str) -> None:
    is_taken_everywhere(cases()[field].after)


@pytest.mark.parametrize(("name", "choice"), SWITCHES)
def test_whoever_takes_rules_takes_a_house_rule(name: str, choice: str) -> None:
    is_taken_everywhere(with_rules(PRESETS["thirteen"], [(name, choice)]))


@pytest.mark.parametrize(
    "path", [path for path in prices_of(PRO_PLAY) if not path.startswith((PLACES, SHEETS))]
)
def test_whoever_takes_rules_takes_a_price(path: str) -> None:
    is_taken_everywhere(with_rules(PRO_PLAY, [(path, "7")]))


def is_taken_everywhere(ruleset: Ruleset) -> None:
    preset = PRESETS[ruleset.id]
    lines = rules_of(ruleset, preset)
    rule_texts = [f"{path}={value}" for path, value in lines]
    assert notation.read(page("", ruleset=preset.id, rules=rule_texts)).terms.ruleset == ruleset
    table = TableRules.read("\n".join([f"ruleset {preset.id}", *(f"rule {line}" for line in rule_texts)]))
    assert list(table.rules) == rule_texts
    assert not NewNight().validate({"rules": dict(lines)}).get("rules")
