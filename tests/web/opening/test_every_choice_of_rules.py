"""Any preset with any house rules: the form opens the table, or names the two contradicting rules, or the words of
the preset that exclude a rule."""

import re
from html import unescape
from random import Random
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overlays.clashes import WORDS_OF_PRESETS
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES
from ledger.language import speaker
from tests.game.rulesets.clashing import clashes
from tests.nights import new_id
from tests.web.browsing import Form, Page, visit
from tests.web.phones import NIGHTS, answered

FORM = "application/x-www-form-urlencoded"
SAME_SITE = {"Accept": "text/html", "Sec-Fetch-Site": "same-origin"}

SETS = 2
"""Random sets of house rules per preset."""
LINES = [f"{rule.name}={choice}" for rule in HOUSE_RULES.values() for choice in rule.choices]


@pytest.fixture
def form(client: FlaskClient) -> Form:
    """The first page's form."""
    return visit(client, "/").forms[-1]


def assert_opened_or_named(client: FlaskClient, form: Form, preset: str, rules: list[str]) -> None:
    """Submit the form with these rules: the table opens if they agree, else the page names the contradiction."""
    names = [f"Player {number}" for number in range(max(PRESETS[preset].deal.players))]
    filled = form.filled({"players": names, "ruleset": preset, "rule": rules})
    fields = urlencode([*((name, value) for name, value in filled if name != "id"), ("id", new_id())])
    response = client.post(form.action, data=fields, content_type=FORM, headers=SAME_SITE)
    against = clashes(preset, rules)
    if not against:
        assert response.status_code == 303, (preset, rules)
        (night,) = response.location.split("/")[2:]
        board = answered(client.get(f"{NIGHTS}/{night}"))
        assert board["ruleset"]["id"] == preset
        assert sorted("=".join(rule) for rule in board["ruleset"]["rules"]) == sorted(rules)
        # The first page lists every night whose link the visitor holds: drop this one.
        client.delete_cookie(f"tienlen-{night}-keeper")
        return
    assert response.status_code == 400, (preset, rules)
    page = Page(client, response)
    alerts = unescape(" ".join(re.findall(r'role="alert">(.*?)</div>', response.text, re.DOTALL)))
    say = speaker("vi")
    assert any(all(say.field(name) in alerts for name in names) for names in against), (preset, rules)
    if all(len(names) == 1 for names in against):
        words = [say.say(f"says {one.id}") for one in WORDS_OF_PRESETS[preset]]
        assert any(word in alerts for word in words), (preset, rules)
    assert sorted(value for value in page.chosen("rule") if value) == sorted(rules)
    assert page.chosen("ruleset") == [preset]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_opens_with_no_house_rule_and_with_a_single_one_or_names_both(
    client: FlaskClient, form: Form, preset: str
) -> None:
    """With every rule that is refused, and a sixth of the others, so that each is tried with several presets."""
    first = list(PRESETS).index(preset) % 6
    assert_opened_or_named(client, form, preset, [])
    for number, line in enumerate(LINES):
        if number % 6 == first or clashes(preset, [line]):
            assert_opened_or_named(client, form, preset, [line])


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_opens_with_many_house_rules_at_once(
    client: FlaskClient, form: Form, preset: str
) -> None:
    chance = Random(preset)
    for _ in range(SETS):
        rules: list[str] = []
        for rule in chance.sample(list(HOUSE_RULES.values()), 12):
            line = f"{rule.name}={chance.choice(rule.choices)}"
            if not clashes(preset, [*rules, line]):
                rules.append(line)
        assert len(rules) > 1
        assert_opened_or_named(client, form, preset, rules)
