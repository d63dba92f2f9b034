"""Prices of a table on the first page: a field for each, and what is kept. Typing them is told as stories."""

import pytest
from flask.testing import FlaskClient

from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overlays.prices import PLACES, prices_of
from ledger.game.rulesets.overrides import with_rules
from ledger.recorder.fields import RuleName
from ledger.web.chosen_rules import COOKIE, read_kept
from ledger.web.schemas import NewNight
from tests.game.rulesets.agreed import stricter
from tests.web.browsing import Page, visit
from tests.web.phones import NAMES, new_night

OF_THE_TABLE: dict[str, str | list[str]] = {
    "price.black-two": "3",
    "price.red-two": "6",
    "price.four-of-a-kind": "9",
    "price.full-hand": "12",
    "price.places.4": ["3", "1", "-1", "-3"],
}
LINES = [
    *(["price.black-two", "3"], ["price.red-two", "6"], ["price.four-of-a-kind", "9"]),
    *(["price.full-hand", "12"], ["price.places.4", "3/1/-1/-3"]),
]


def typed(page: Page, **fields: str | list[str]) -> Page:
    """Open the table with what was typed."""
    form = page.forms[-1]
    return page.send(form.action, form.filled({"players": NAMES, **fields}))


def agreed(client: FlaskClient, page: Page) -> list[list[str]]:
    """The rules of the opened night, as `rule` lines."""
    assert page.path.endswith("/links"), page.text
    rules: list[list[str]] = client.get(f"/api/v1/nights/{page.path.split('/')[2]}").get_json()["ruleset"][
        "rules"
    ]
    return sorted(rules)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_price_of_a_preset_has_a_field_that_shows_it(client: FlaskClient, preset: str) -> None:
    ruleset = PRESETS[preset]
    page = visit(client, f"/?ruleset={preset}")
    shown: dict[str, list[str]] = {}
    for _, given in page.elements:
        if given.get("name", "").startswith("price."):
            shown.setdefault(given["name"], []).append(given["placeholder"])
    held = {path: text or "–" for path, text in prices_of(ruleset).items()}
    if ruleset.ending.at_first_out:
        held = {path: text for path, text in held.items() if not path.startswith(PLACES)}
    assert {path: "/".join(values) for path, values in shown.items()} == held


def test_whatever_may_be_priced_can_be_asked_for() -> None:
    tables = [*PRESETS.values(), *stricter()]
    paths = {path for ruleset in tables for path in prices_of(ruleset)}
    assert any("/" in path for path in paths)
    for path in paths:
        assert RuleName().deserialize(path) == path


@pytest.mark.parametrize(
    "places", [["3", "1", "-1", ""], ["", "1", "-1", "-3"], ["3", "1", "1", "3"], ["+3", "1", "−1", " -3 "]]
)
def test_a_place_that_is_left_empty_and_signs_that_are_left_out_are_filled_in(
    client: FlaskClient, places: list[str]
) -> None:
    page = typed(visit(client, "/"), **{"price.places.4": places})
    assert agreed(client, page) == [["price.places.4", "3/1/-1/-3"]]


@pytest.mark.parametrize(
    ("scores", "line"),
    [(["3", "2", "1"], "3/2/1"), (["2", "1", ""], "2/1/0"), (["", "", ""], ""), (["0", "0", "0"], "")],
)
def test_scores_of_places_are_taken_as_typed(client: FlaskClient, scores: list[str], line: str) -> None:
    """They come to no sum, and their signs are not filled in."""
    page = typed(visit(client, "/"), **{"price.sheet.3": scores})
    assert agreed(client, page) == ([["price.sheet.3", line]] if line else [])


def test_rules_are_kept_by_the_name_that_is_typed_for_them_and_once(client: FlaskClient) -> None:
    typed(visit(client, "/"), **OF_THE_TABLE)
    page = visit(client, "/").press("check", name="act", **OF_THE_TABLE)
    typed(page, set="Nhà bà Năm")
    cookie = client.get_cookie(COOKIE)
    assert cookie is not None
    assert [one.name for one in read_kept(cookie.value)] == ["Nhà bà Năm"]


def test_a_program_agrees_on_prices_as_a_phone_does(client: FlaskClient) -> None:
    night = new_night(players=NAMES, rules=dict(LINES))
    assert client.post("/api/v1/nights", json=night).status_code == 201
    for preset, ruleset in PRESETS.items():
        prices = {path: text for path, text in prices_of(ruleset).items() if text}
        assert not NewNight().validate(night | {"ruleset": preset, "rules": prices})
        with_rules(ruleset, prices.items())
