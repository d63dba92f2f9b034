"""Opening a table, recording at it, and every mistake that a keeper can make on the way."""

import json
import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.factories import friends
from tests.web.browsing import Page, send, visit
from tests.web.phones import Table, held, take

FACTS = re.compile(r'<script type="application/json">(.*?)</script>')
DRAGON = ["3s", "4s", "5s", "6s", "7s", "8s", "9s", "Ts", "Js", "Qs", "Ks", "As", "2h"]


def opened(client: FlaskClient, names: list[str], **fields: str) -> Page:
    """Open a table from the first page."""
    form = visit(client, "/")
    action, filled = form.forms[-1].action, form.forms[-1].filled({"players": names, **fields})
    return send(client, action, filled)


@pytest.fixture
def at_table(client: FlaskClient) -> Page:
    """The keeper's page of a night whose first round has begun."""
    table = held(client)
    return visit(client, f"/n/{table.night}").press("round")


def play(page: Page, seat: str, cards: str) -> Page:
    return page.press("play", seat=seat, cards=cards.split())


def test_a_table_is_opened_with_names_and_leads_to_its_links(client: FlaskClient) -> None:
    names = friends(4)
    page = opened(client, names)
    assert page.status == 200
    assert page.path.endswith("/links")
    assert all(name in page.text for name in names)
    links = [given["value"] for tag, given in page.elements if tag == "input" and "readonly" in given]
    assert len(links) == 6
    assert all(re.fullmatch(r"http://localhost/t/[\w-]{48}", link) for link in links)


@pytest.mark.parametrize(
    ("names", "why", "marked"),
    [
        (["An"], "Nhập từ 2 đến 12 người chơi", 12),
        (["An", "An"], "tên nhìn phải khác nhau", 12),
        (["An", "B;nh"], "Đây không phải là tên: B;nh", 1),
        (["", "An", "x" * 65, "B\u202e"], f"Đây không phải là tên: {'x' * 65}, B", 2),
        ([f"Người {number}" for number in range(13)], "Nhập từ 2 đến 12 người chơi", 12),
    ],
    ids=["one", "same", "semicolon", "long", "thirteen"],
)
def test_names_that_cannot_be_taken_are_said_in_place_and_stay_typed(
    client: FlaskClient, names: list[str], why: str, marked: int
) -> None:
    page = opened(client, names)
    assert page.status == 400
    assert page.chosen("players")[: len(names)] == names[:12]
    assert 'role="alert"' in page.response.text
    assert why in page.text
    invalid = [given["value"] for _, given in page.elements if given.get("aria-invalid")]
    assert len(invalid) == marked
    assert marked == 12 or set(invalid) < set(names)


def test_a_stake_that_could_be_read_in_two_ways_is_refused_and_stays_typed(client: FlaskClient) -> None:
    client.set_cookie("tienlen-language", "en")
    page = opened(client, friends(2), amount="5.000", currency="USD")
    assert page.status == 400
    assert page.chosen("amount") == ["5.000"]
    assert "5.000 USD could mean 5 or 5000." in page.text


def test_a_stake_is_read_as_it_is_typed_in_the_language_of_the_page_or_refused_in_words(
    client: FlaskClient,
) -> None:
    assert "1 điểm = 5.000 ₫" in opened(client, friends(2), amount="5.000đ", currency="VNĐ").text
    client.set_cookie("tienlen-language", "en")
    page = opened(client, friends(2), amount="5.000", currency="USD")
    assert (page.status, page.chosen("amount")) == (400, ["5.000"])
    assert "5.000 USD could mean 5 or 5000." in page.text


def test_the_first_page_lists_the_tables_of_this_visitor(client: FlaskClient, app: Flask) -> None:
    names = friends(4)
    opened(client, names)
    assert all(name in visit(client, "/").text for name in names)
    assert names[0] not in visit(app.test_client(), "/").text


def test_the_grid_has_every_card_once_by_name(at_table: Page) -> None:
    cards = [given for tag, given in at_table.elements if tag == "input" and given.get("name") == "cards"]
    assert len({given["value"] for given in cards}) == len({given["aria-label"] for given in cards}) == 52
    assert next(given["aria-label"] for given in cards if given["value"] == "7d") == "7 rô"


def test_played_cards_are_disabled_in_place(at_table: Page) -> None:
    page = play(at_table, "p1", "3s 3c")
    disabled = [
        given["value"] for tag, given in page.elements if given.get("name") == "cards" and "disabled" in given
    ]
    assert disabled == ["3s", "3c"]


def test_cards_that_cannot_be_played_are_dim_but_never_disabled(at_table: Page) -> None:
    page = play(play(at_table, "p1", "3s"), "p2", "Ks")
    dim = [
        given for tag, given in page.elements if tag == "label" and "dim" in given.get("class", "").split()
    ]
    assert dim
    assert play(page, "p3", "4s").status == 422


def test_the_turn_moves_on_and_a_later_seat_records_the_passes_between(at_table: Page) -> None:
    page = play(at_table, "p1", "3s 3c")
    assert page.chosen("seat") == ["p2"]
    ghosts = [given["data-seat"] for tag, given in page.elements if "ghosts" in given.get("class", "")]
    assert ghosts == ["p1", "p3", "p4"]
    assert "Bình và Chi: bỏ lượt" in page.text
    page = play(page, "p4", "4s 4c")
    assert page.chosen("seat") == ["p1"]
    assert page.text.count("bỏ lượt") >= 2


def test_the_one_who_played_last_may_lead_again_and_all_others_pass(at_table: Page) -> None:
    page = play(play(at_table, "p1", "3s 3c"), "p1", "5h")
    assert page.status == 200
    assert page.chosen("others") == ["p2 p3 p4"]


def test_all_others_pass_with_one_button_and_its_form_sent_twice_records_once(at_table: Page) -> None:
    page = play(at_table, "p1", "3s 3c")
    path, fields = page.body("pass-all")
    first, second = page.send(path, fields), page.send(path, fields)
    assert first.status == second.status == 200
    assert "An đi đầu vòng" in second.text
    assert second.text.count("bỏ lượt") == first.text.count("bỏ lượt")


def test_passes_that_were_recorded_together_are_one_undo(at_table: Page) -> None:
    page = play(at_table, "p1", "3s 3c").press("pass-all")
    assert "An đi đầu vòng" in page.text
    page = page.press("undo")
    assert page.chosen("seat") == ["p2"]
    assert page.chosen("others") == ["p2 p3 p4"]
    assert "An đi đầu vòng" in page.press("redo").text


def test_a_pass_of_a_later_seat_records_those_before_it(at_table: Page) -> None:
    page = play(at_table, "p1", "3s 3c").press("pass", seat="p3")
    assert page.chosen("seat") == ["p4"]


def test_a_play_sent_twice_is_recorded_once(at_table: Page) -> None:
    path, fields = at_table.body("play", seat="p1", cards=["3s"])
    first, second = at_table.send(path, fields), at_table.send(path, fields)
    assert first.status == second.status == 200
    assert first.chosen("after") == second.chosen("after")


def test_what_the_rules_refuse_is_said_in_place_and_stays_chosen(at_table: Page) -> None:
    page = play(at_table, "p1", "3s 4c")
    assert page.status == 422
    assert "không thành bộ" in page.text
    assert page.chosen("cards") == ["3s", "4c"]
    assert page.chosen("seat") == ["p1"]
    assert any(link.endswith("/rules#S-COMBO") for link in page.links)


def test_an_irregular_play_can_be_said_to_have_stood(at_table: Page) -> None:
    page = play(at_table, "p1", "3s 4c").press("play", name="stood")
    assert page.status == 200
    assert page.chosen("seat") == ["p2"]


def test_a_play_that_stood_keeps_the_passes_that_it_implied(at_table: Page) -> None:
    page = play(play(at_table, "p1", "3s 3c"), "p4", "9h")
    assert page.chosen("passed") == ["p2 p3"]
    page = page.press("play", name="stood")
    assert page.status == 200
    assert page.chosen("others") == ["p1"]


def test_an_impossible_play_cannot_have_stood(at_table: Page) -> None:
    page = play(at_table, "p1", "3s 3c")
    path, fields = page.body("play", seat="p2")
    refused = page.send(path, [*fields, ("cards", "3s"), ("cards", "3d")])
    assert refused.status == 422
    assert "stood" not in [given.get("name") for tag, given in refused.elements if tag == "button"]


def test_a_pass_on_an_empty_pile_is_refused_in_place(at_table: Page) -> None:
    page = play(at_table, "p1", "3s").press("pass-all")
    page = page.press("pass", seat="p1")
    assert page.status == 422
    assert "pass" in [given.get("value") for tag, given in page.elements if given.get("name") == "stood"]


def test_no_card_chosen_is_said_in_place(at_table: Page) -> None:
    page = at_table.press("play", seat="p1")
    assert page.status == 422
    assert "Chưa chọn lá nào" in page.text


def test_what_another_phone_recorded_in_between_is_shown_and_the_selection_stays(at_table: Page) -> None:
    path, late = visit(at_table.client, at_table.path).body("play", seat="p2", cards=["4s", "4c"])
    play(at_table, "p1", "3s 3c")
    page = at_table.send(path, late)
    assert page.status == 409
    assert page.chosen("cards") == ["4s", "4c"]
    assert page.chosen("seat") == ["p2"]
    assert "3♠ 3♣" in page.text
    assert play(page, "p2", "4s 4c").status == 200


def test_an_old_page_with_an_id_that_is_spent_changes_nothing(at_table: Page) -> None:
    path, first = at_table.body("play", seat="p1", cards=["3s"])
    _, other = at_table.body("play", seat="p1", cards=["3s", "3c"])
    at_table.send(path, first)
    page = at_table.send(path, other)
    assert page.status in (409, 422)
    assert page.chosen("cards") == ["3c"]


def test_undo_and_redo_are_two_buttons_in_a_fixed_place(at_table: Page) -> None:
    page = play(at_table, "p1", "3s 3c").press("undo")
    assert page.chosen("seat") == []
    assert "redo" in page.buttons()
    page = page.press("redo")
    assert page.chosen("seat") == ["p2"]
    assert "redo" not in page.buttons()


def test_undoing_the_header_leads_back_to_the_form_that_begins_a_round(at_table: Page) -> None:
    page = at_table.press("undo")
    assert "round" in page.buttons()
    assert page.press("redo").status == 200


def test_an_instant_win_is_claimed_with_thirteen_cards_and_ends_the_round(at_table: Page) -> None:
    page = at_table.press("claim", seat="p2", cards=DRAGON)
    assert page.path.endswith("/rounds/1/settle")
    assert "tới trắng" in page.text
    assert "settle" in page.buttons()


def test_after_the_first_cards_nobody_wins_at_once(at_table: Page) -> None:
    assert "claim" in at_table.buttons()
    assert "claim" not in at_table.press("play", seat="p1", cards=["3s"]).buttons()


def test_the_leader_is_proposed_and_another_one_must_have_stood(at_table: Page) -> None:
    page = at_table.press("claim", seat="p2", cards=DRAGON).press("settle")
    assert page.chosen("leader") == [""]
    refused = page.press("round", leader="p3")
    assert refused.status == 422
    assert refused.chosen("leader") == ["p3"]
    assert refused.press("round", name="stood").chosen("seat") == ["p3"]


def test_five_friends_say_who_sits_in(client: FlaskClient) -> None:
    table = held(client, players=friends(5))
    page = visit(client, f"/n/{table.night}")
    assert page.chosen("seats") == ["p1", "p2", "p3", "p4"]
    page = page.press("round", seats=["p5", "p1", "p3", ""])
    seats = [given["value"] for tag, given in page.elements if given.get("name") == "seat"]
    assert seats == ["p5", "p1", "p3"]


def test_of_five_friends_whoever_came_in_last_is_proposed_to_sit_out(client: FlaskClient) -> None:
    table = held(client, players=friends(5))
    keeper = table.keeper
    keeper.record("round", opening=True, seats=["p1", "p2", "p3", "p4"])
    keeper.record("result", places=["p3", "p1", "p4", "p2"])
    page = visit(client, f"/n/{table.night}")
    for shown in (page, visit(client, f"/n/{table.night}/result")):
        assert shown.chosen("seats") == ["p1", "p5", "p3", "p4"]
        assert shown.chosen("leader") == ["p3"]


@pytest.mark.parametrize("seats", [["p1", "p1", "p3", "p4"], ["p1", "", "", ""]], ids=["twice", "alone"])
def test_somebody_who_sits_twice_or_alone_is_said_in_place_and_stays_chosen(
    client: FlaskClient, seats: list[str]
) -> None:
    table = held(client)
    page = visit(client, f"/n/{table.night}").press("round", seats=seats)
    assert page.status == 422
    assert "Chọn lại ai ngồi." in page.text
    assert page.chosen("seats") == [seat for seat in seats if seat]
    assert page.press("round", seats=["p2", "p1", "p3", "p4"]).status == 200


def test_tables_of_the_same_names_on_one_day_are_told_apart(client: FlaskClient) -> None:
    for _ in range(2):
        held(client)
    held(client, players=friends(3))
    page = visit(client, "/", "en").text
    places = [page.index(f"table {number} of the day") for number in (2, 1)]
    assert places == sorted(places)
    assert page.count("of the day") == 2


MADE_BY_NO_PAGE: list[list[tuple[str, str]]] = [
    [],
    [("kind", "play")],
    [("kind", "fly"), ("seat", "p1")],
    [("kind", "play"), ("seat", "p99"), ("cards", "3s")],
    [("kind", "play"), ("seat", "p1"), ("cards", "11z")],
    [("kind", "pass-all"), ("others", "")],
    [("kind", "pass"), ("seat", "p1"), ("others", "p1 p1 nobody")],
    [("kind", "round"), ("leader", "p9"), ("seats", "p1"), ("seats", "p1")],
    [("kind", "play"), ("kind", "pass")],
    [("stood", "play"), ("seat", "p1"), ("cards", "3s"), ("passed", "x y")],
]


def test_a_form_that_no_page_makes_is_answered_in_words(at_table: Page) -> None:
    for fields in MADE_BY_NO_PAGE:
        page = at_table.send(at_table.path, fields)
        assert (page.status in (400, 422), bool(page.text)) == (True, True), fields


def test_the_page_is_told_what_beats_a_single_alone(client: FlaskClient) -> None:
    table = held(client)
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
    table = held(client)
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
    table = held(client, ruleset="northern")
    keeper = table.keeper
    keeper.record("round", opening=True)
    keeper.record("play", seat="p1", cards=["3s", "4s", "5s"])
    ways = together(client, table)[-1]["ways"]
    assert [way["suits"] for way in ways if (way["width"], way["length"]) == (1, 3)] == [["s"]]


def test_of_two_packs_nothing_is_offered_together(client: FlaskClient) -> None:
    table = held(client, ruleset="double-deck", players=friends(8))
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


# Dictation


def dictate(client: FlaskClient, table: Table, phrase: str, seat: str = "") -> Any:
    response = client.get(f"/n/{table.night}/heard", query_string={"said": phrase, "seat": seat})
    assert (response.status_code, response.mimetype) == (200, "application/json")
    return response.get_json()


def test_a_phrase_is_answered_with_what_it_may_mean(client: FlaskClient, table: Table) -> None:
    take(client, table, "keeper")
    nothing = {"pass": False, "plays": [], "sure": False}
    assert dictate(client, table, "bảy bích") == nothing  # no round has begun
    table.keeper.record("round", opening=True)
    assert dictate(client, table, "ba bích")["plays"][0]["cards"] == ["3s"]
    table.caught_up().record("play", seat="p1", cards=["3s"])
    heard = dictate(client, table, "bảy rô")
    assert (heard["sure"], heard["plays"]) == (True, [{"cards": ["7d"], "text": "7♦"}])
    assert dictate(client, table, "qua") | {"plays": []} == {"pass": True, "plays": [], "sure": True}
    assert dictate(client, table, "bảy rô", "p4")["sure"]
    assert dictate(client, table, "bảy rô", "p99")["sure"]
    assert dictate(client, table, "") == nothing
    assert len(table.keeper.log()) == 2


def test_the_line_for_it_is_there_where_the_phone_is_set_so(client: FlaskClient, table: Table) -> None:
    take(client, table, "keeper")
    table.keeper.record("round", opening=True)
    assert "dictated.js" not in visit(client, f"/n/{table.night}").response.text
    client.post("/phone", data={"back": "/", "set": "listens"})
    assert "dictated.js" in visit(client, f"/n/{table.night}").response.text
