"""Prices of a table on the first page: a field for each, and what is kept. Typing them is told as stories."""

import pytest
from flask.testing import FlaskClient

from ledger.game.agreed import Need
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.idle import Idle
from ledger.game.rulesets.needs import bombs_earn
from ledger.game.rulesets.overlays.prices import PLACES, prices_of
from ledger.game.rulesets.overrides import with_rules
from ledger.language import speaker
from ledger.recorder.fields import RuleName
from ledger.web.chosen_rules import COOKIE, read_saved
from ledger.web.schemas import NewNight
from tests.game.rulesets.agreed import stricter
from tests.game.table import page as text_of
from tests.web.browsing import Page, visit
from tests.web.opening.test_paste import sent
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
    assert page.path.startswith("/n/"), page.text
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
    assert [one.name for one in read_saved(cookie.value)] == ["Nhà bà Năm"]


def test_a_program_agrees_on_prices_as_a_phone_does(client: FlaskClient) -> None:
    night = new_night(players=NAMES, rules=dict(LINES))
    assert client.post("/api/v1/nights", json=night).status_code == 201
    for preset, ruleset in PRESETS.items():
        prices = {path: text for path, text in prices_of(ruleset).items() if text}
        assert not NewNight().validate(night | {"ruleset": preset, "rules": prices})
        with_rules(ruleset, prices.items())


ENGLISH = {"Accept-Language": "en"}
COUNTING = "payments.chain=counting"


def test_a_way_to_count_brings_its_usual_number_into_the_form_and_the_night(client: FlaskClient) -> None:
    form = visit(client, f"/?rule={COUNTING}").forms[-1]
    assert ("payments.chop_unit", "1") in form.filled({})
    page = typed(visit(client, "/"), rule=[COUNTING])
    rules = dict(agreed(client, page))
    assert rules == {"payments.chain": "counting", "payments.chop_unit": "1"}
    assert bombs_earn(with_rules(PRESETS["southern-classic"], rules.items()))


def test_a_number_that_is_typed_as_0_stays_and_what_lacks_it_is_told_everywhere(client: FlaskClient) -> None:
    lines = {"payments.chain": "counting", "payments.chop_unit": "0"}
    query = "&".join(f"rule={path}={value}" for path, value in lines.items())
    told = speaker("en").idle(Idle("payments.chain", "counting", ((Need("payments.chop_unit"),),)))
    assert told in visit(client, f"/?{query}", "en").text
    rules = {"payments.chain": "counting"}
    answer = client.post(
        "/api/v1/nights", json=new_night(players=NAMES, rules=rules), headers=ENGLISH
    ).get_json()
    assert answer["without_effect"] == [told]
    night = typed(visit(client, f"/?{query}")).path.split("/")[2]
    assert told in visit(client, f"/n/{night}/rules", "en").text
    text = text_of("p1 3s", rules=[f"{path}={value}" for path, value in rules.items()])
    assert client.post("/api/v1/score", data=text, content_type="text/plain", headers=ENGLISH).get_json()[
        "without_effect"
    ] == [told]
    assert told in sent(client, {"text": text}).text


def test_prices_that_are_typed_as_money_are_offered_in_points(client: FlaskClient) -> None:
    prices: dict[str, str | list[str]] = {
        "price.red-two": "10.000",
        "price.black-two": "5000",
        "price.places.4": ["20.000", "10k", "10k", "20.000"],
    }
    page = typed(visit(client, "/", "en"), **prices)
    assert (page.status, "10 điểm" in page.text, "1.000" in page.text) == (400, True, True)
    page = page.press("points", name="act")
    assert agreed(client, page.send("/", page.forms[-1].filled({}))) == [
        ["price.black-two", "5"],
        ["price.places.4", "20/10/-10/-20"],
        ["price.red-two", "10"],
    ]


def test_money_is_divided_by_what_a_point_is_worth_or_not_at_all(client: FlaskClient) -> None:
    page = typed(visit(client, "/", "en"), amount="5000", **{"price.red-two": "10.000"})
    assert ("price.red-two", "2") in page.press("points", name="act").forms[-1].filled({})
    page = typed(visit(client, "/", "en"), amount="3000", **{"price.red-two": "10.000"})
    assert (page.status, "10.000" in page.text, "points" in page.buttons()) == (400, True, False)
    page = typed(visit(client, "/", "en"), **{"price.sheet.4": ["40.000", "3", "2", "1"]})
    assert (page.status, "points" in page.buttons()) == (400, False)
