"""What the table's page tells its script. Pressing its buttons is in `tests/cases/pages/table/table.txt`."""

import json
import re
from itertools import combinations
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.factories import NightFactory, friends
from tests.web.browsing import Page, visit
from tests.web.phones import Table, take

FACTS = re.compile(r'<script type="application/json">(.*?)</script>')


@pytest.fixture
def at_table(client: FlaskClient) -> Page:
    """The keeper's page of a night whose first round has begun."""
    table: Table = NightFactory.create(by=client, holds="keeper")
    return visit(client, f"/n/{table.night}").press("round")


def play(page: Page, seat: str, cards: str) -> Page:
    return page.press("play", seat=seat, cards=cards.split())


def test_the_grid_has_every_card_once_by_name(at_table: Page) -> None:
    cards = [given for tag, given in at_table.elements if tag == "input" and given.get("name") == "cards"]
    assert len({given["value"] for given in cards}) == len({given["aria-label"] for given in cards}) == 52
    assert next(given["aria-label"] for given in cards if given["value"] == "7d") == "7 rô"


def test_the_turn_moves_on_and_a_later_seat_records_the_passes_between(at_table: Page) -> None:
    page = play(at_table, "p1", "3s 3c")
    assert page.chosen("seat") == ["p2"]
    ghosts = [given["data-seat"] for tag, given in page.elements if "ghosts" in given.get("class", "")]
    assert ghosts == ["p1", "p3", "p4"]
    assert "Bình và Chi: bỏ lượt" in page.text
    page = play(page, "p4", "4s 4c")
    assert page.chosen("seat") == ["p1"]
    assert page.text.count("bỏ lượt") >= 2


def test_the_page_is_told_what_beats_a_single_alone(client: FlaskClient) -> None:
    table: Table = NightFactory.create(by=client, holds="keeper")
    keeper = table.keeper
    client.set_cookie("tienlen-phone", "singles")
    keeper.record("round", opening=True)
    assert page_fact(client, table, "alone") == []
    keeper.record("play", seat="p1", cards=["3s"])
    keeper.record("play", seat="p2", cards=["2d"])
    assert page_fact(client, table, "alone") == ["2h"]
    client.delete_cookie("tienlen-phone")
    assert page_fact(client, table, "alone") == []


def test_the_page_is_told_what_can_be_played_together_and_by_whom(client: FlaskClient) -> None:
    table: Table = NightFactory.create(by=client, holds="keeper")
    keeper = table.keeper
    keeper.record("round", opening=True)
    opening = together(client, table)
    assert [plan["seats"] for plan in opening] == [["p1", "p2", "p3", "p4"]]
    assert {tuple(way["edge"]) for way in opening[0]["ways"]} == {("3", "3s")}
    keeper.record("play", seat="p1", cards=["3s", "4d", "5c"])
    leads, answers = together(client, table)
    assert (leads["seats"], answers["seats"]) == (["p1"], ["p2", "p3", "p4"])
    sequences = [(1, length, 13 - length) for length in range(3, 11)]
    pairs = [(2, 3, 10), (2, 4, 9)]
    shapes = [(way["width"], way["length"], len(way["lows"])) for way in leads["ways"]]
    assert shapes == [(2, 1, 13), (3, 1, 13), (4, 1, 10), *sequences, *pairs]
    assert answers["ways"] == [
        {"width": 1, "length": 3, "suits": ["scdh"], "lows": "456789TJQ", "edge": ["3", "5d", "5h"]}
    ]


def test_where_sequences_are_of_one_suit_the_page_is_told_so(client: FlaskClient) -> None:
    table: Table = NightFactory.create(by=client, holds="keeper", ruleset="northern")
    keeper = table.keeper
    keeper.record("round", opening=True)
    keeper.record("play", seat="p1", cards=["3s", "4s", "5s"])
    ways = together(client, table)[-1]["ways"]
    assert [way["suits"] for way in ways if (way["width"], way["length"]) == (1, 3)] == [["s"]]


def test_of_two_packs_nothing_is_offered_together(client: FlaskClient) -> None:
    table: Table = NightFactory.create(by=client, holds="keeper", ruleset="double-deck", players=friends(8))
    table.keeper.record("round", opening=True)
    assert together(client, table) == []


def together(client: FlaskClient, table: Table) -> list[dict[str, Any]]:
    """The plays that the page offers as one, by player."""
    plans = page_fact(client, table, "together")
    assert isinstance(plans, list)
    return plans


def page_fact(client: FlaskClient, table: Table, what: str) -> Any:
    """One value that the page passes to its script."""
    (facts,) = FACTS.findall(visit(client, f"/n/{table.night}").response.text)
    return json.loads(facts)[what]


def dictate(client: FlaskClient, table: Table, phrase: str, seat: str = "", before: str = "") -> Any:
    asked = {"said": phrase, "seat": seat, "before": before}
    response = client.get(f"/n/{table.night}/heard", query_string=asked)
    assert (response.status_code, response.mimetype) == (200, "application/json")
    return response.get_json()


def test_a_phrase_is_answered_with_what_it_may_mean(client: FlaskClient, table: Table) -> None:
    take(client, table, "keeper")
    nothing = {"pass": False, "plays": [], "sure": False, "heard": None}
    assert dictate(client, table, "bảy bích") == nothing  # no round has begun
    table.keeper.record("round", opening=True)
    assert dictate(client, table, "ba bích")["plays"][0]["cards"] == ["3s"]
    assert dictate(client, table, "đôi ba đen")["plays"] == [{"cards": ["3s", "3c"], "text": "Đôi 3♠ 3♣"}]
    table.caught_up().record("play", seat="p1", cards=["3s"])
    heard = dictate(client, table, "bảy rô")
    assert (heard["sure"], heard["plays"]) == (True, [{"cards": ["7d"], "text": "7♦"}])
    assert dictate(client, table, "qua") | {"plays": []} == {
        "pass": True,
        "plays": [],
        "sure": True,
        "heard": None,
    }
    assert dictate(client, table, "bảy rô", "p4")["sure"]
    assert dictate(client, table, "bảy rô", "p99")["sure"]
    assert dictate(client, table, "") == nothing
    assert len(table.keeper.log()) == 2


def test_a_phrase_without_suits_is_answered_with_all_that_fits(client: FlaskClient, table: Table) -> None:
    take(client, table, "keeper")
    table.keeper.record("round", leader="p1")
    twos = dictate(client, table, "đôi heo")
    pairs = [[f"2{one}", f"2{other}"] for one, other in combinations("scdh", 2)]
    assert (twos["plays"], twos["sure"], twos["pass"]) == ([], False, False)
    assert twos["heard"] == {"phrase": "đôi heo", "text": "Đôi heo", "fits": [[pairs]]}
    run = dictate(client, table, "sảnh ba tới năm cơ")["heard"]
    assert (run["text"], run["fits"][0][2]) == ("Sảnh 3 4 5", [["5h"]])
    black = dictate(client, table, "đen", before="đôi heo")
    assert (black["plays"][0]["cards"], black["sure"], black["heard"]) == (["2s", "2c"], True, None)
    assert dictate(client, table, "ba con bảy")["heard"]["text"] == "Sám 7"
