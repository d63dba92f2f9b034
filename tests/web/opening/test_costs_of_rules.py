"""What rules in the address or the cookie of the first page cost is linear in them, and bounded."""

from urllib.parse import urlencode

import pytest
from flask import Flask

from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES
from ledger.game.rulesets.overrides import RuleRefused, field_lines, with_rules
from ledger.recorder.terms import MOST_RULES
from ledger.web.chosen_rules import COOKIE, SavedRules, TableRules, write_saved
from tests.web.costing import Cost, Meter

RULESET = "core-17"
MOST_CALLS = 300_000
"""Of a request that waits in no queue."""


def switches() -> list[str]:
    """The house rules that go together, one choice of each."""
    found: dict[str, str] = {}
    for rule in HOUSE_RULES.values():
        for choice in rule.choices:
            try:
                with_rules(PRESETS[RULESET], [*found.items(), (rule.name, choice)])
            except RuleRefused:
                continue
            found[rule.name] = choice
            break
    return [f"{name}={choice}" for name, choice in found.items()]


SWITCHES = switches()
FIELDS = [f"{path}={value}" for path, value in field_lines(PRESETS[RULESET])]


def cost(app: Flask, rules: list[str], cookie: str = "") -> Cost:
    client = app.test_client()
    client.set_cookie(COOKIE, cookie)
    query = urlencode([("ruleset", RULESET), *(("rule", rule) for rule in rules)])

    def request() -> None:
        assert client.get(f"/?{query}").status_code == 200

    request()  # fills what a process keeps
    with Meter(app).installed() as meter:
        return meter.cost(request)


def test_twice_as_many_rules_cost_at_most_about_twice_as_much(app: Flask) -> None:
    most = SWITCHES + FIELDS[: MOST_RULES - len(SWITCHES)]
    without = cost(app, []).calls
    for some in (SWITCHES, most, FIELDS[:MOST_RULES]):
        half, whole = (cost(app, some[::step]).calls - without for step in (2, 1))
        assert whole <= 2.5 * half, len(some)
        assert without + whole <= MOST_CALLS


def test_more_rules_than_a_night_takes_cost_no_more_and_are_said_to_be_left_out(app: Flask) -> None:
    rules = SWITCHES + FIELDS
    assert len(rules) > MOST_RULES
    allowed = cost(app, rules[:MOST_RULES]).calls
    for more in (rules, SWITCHES * 20, [f"{rule}=x" for rule in rules * 5]):
        assert cost(app, more).calls <= 1.2 * allowed
    for number, said in ((MOST_RULES, False), (MOST_RULES + 1, True)):
        query = urlencode([("ruleset", RULESET), *(("rule", rule) for rule in rules[:number])])
        page = app.test_client().get(f"/?{query}", headers={"Accept-Language": "en"})
        assert (f"at most {MOST_RULES} rules" in page.text) is said


@pytest.mark.parametrize("sets", [1, 50])
def test_rules_that_were_saved_cost_little(app: Flask, sets: int) -> None:
    some = TableRules(RULESET, tuple(SWITCHES))
    cookie = write_saved([SavedRules(f"Hội {number}", some) for number in range(sets)])
    assert cost(app, SWITCHES, cookie).calls <= 1.5 * cost(app, SWITCHES).calls
