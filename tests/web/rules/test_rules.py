"""The rules without a night: every preset in a list, in a comparison, and in full."""

import pytest
from flask.testing import FlaskClient

from ledger.game.rulesets import PRESETS
from ledger.language import LANGUAGES, overviews, rules_page, speaker
from ledger.web.pages.shared.blueprint import STATIC
from tests.web.browsing import visit


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruleset_is_listed_and_told_side_by_side(client: FlaskClient, language: str) -> None:
    page, say = visit(client, "/rules", language), speaker(language)
    assert page.status == 200
    assert [link for link in page.links if link.startswith("/rules/")] == [f"/rules/{id}" for id in PRESETS]
    assert all(say.ruleset_line(preset) in page.text for preset in PRESETS)
    for table in overviews(say):
        assert {table.title, *table.head} <= {word.strip() for word in page.words}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_ruleset_is_read_without_a_night(client: FlaskClient, preset: str, language: str) -> None:
    page, say = visit(client, f"/rules/{preset}", language), speaker(language)
    assert page.status == 200
    assert {clause.id for section in rules_page(PRESETS[preset], say) for clause in section.clauses} <= set(
        page.ids
    )
    assert f"/?ruleset={preset}" in page.links


def test_a_ruleset_that_nobody_knows_is_not_found(client: FlaskClient) -> None:
    assert visit(client, "/rules/western").status == 404


def test_the_pages_of_the_rules_stay_small(client: FlaskClient) -> None:
    paths = ["/rules", *(f"/rules/{preset}" for preset in PRESETS)]
    with client.get(f"{STATIC}/shared/page.css") as sheet:
        weight = len(sheet.data)
    assert max(len(visit(client, path).response.data) for path in paths) + weight < 60_000
