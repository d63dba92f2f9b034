"""Pictures of the table: the pile as cards, the finishing order, and the board as a picture."""

import json
import re
from collections.abc import Sequence

import pytest
from flask.testing import FlaskClient

from tests.factories import StakedNightFactory, friends
from tests.recorder.tables import run
from tests.web.browsing import Page, visit
from tests.web.phones import Table, held, settle_a_round


@pytest.fixture
def night(client: FlaskClient) -> Table:
    """A round of An, Bình, Chi and Dũng; the client holds the watchers' link."""
    return held(client, "watch")


def hands(page: Page) -> list[str]:
    """The accessible labels of the drawn hands, from the top of the page."""
    return [given["aria-label"] for _, given in page.elements if "hand" in given.get("class", "").split()]


def order(page: Page) -> list[tuple[str, str, str]]:
    """The finishing order: each player's medal, name and place in words."""
    lists: Sequence[str] = re.findall(r'<ol class="order".*?</ol>', page.response.text, re.DOTALL)
    assert len(lists) <= 1
    piece = re.compile(r">(\S+)</span><b>(.*?)</b> <small>(.*?)</small>")
    return [
        (medal, name, re.sub("<.*?>", "", rank)) for one in lists for medal, name, rank in piece.findall(one)
    ]


def test_a_card_of_the_second_pack_says_so_in_its_corner(client: FlaskClient) -> None:
    table = held(client, "watch", ruleset="double-deck", players=friends(8))
    table.keeper.tell("round opening \n p1 3s \n p2 Td'")
    page = visit(client, f"/n/{table.night}", "en")
    assert hands(page) == ["3 of spades", "10 of diamonds, second pack"]
    assert "<b>10&#39;</b>♦" in page.response.text


def test_many_cards_are_fanned(client: FlaskClient, night: Table) -> None:
    night.keeper.tell("round opening \n p1 3s 4s 5s 6s 7s 8s 9s")
    classes = [given.get("class") for _, given in visit(client, f"/n/{night.night}").elements]
    assert "hand fan" in classes
    assert "hand" not in classes


def test_who_goes_out_is_told_in_order_while_the_others_play_on(client: FlaskClient, night: Table) -> None:
    keeper = night.keeper
    keeper.tell("round opening \n p1 3s \n p2 4d \n p3 5d")
    address = f"/n/{night.night}"
    assert order(visit(client, address)) == []
    keeper.tell(f"p4 - \n p1 7s \n p2 - \n p3 - \n p1 {run('c', '4')}")
    # Dũng has played nothing when An goes out.
    assert order(visit(client, address, "vi")) == [("1", "An", "nhất"), ("×", "Dũng", "cóng")]
    keeper.tell(f"p2 - \n p3 - \n p2 {run('h', '3', 'K')} \n p3 - \n p2 2h")
    expected = [("1", "An", "1st"), ("2", "Bình", "2nd"), ("3", "Chi", "3rd"), ("×", "Dũng", "knocked out")]
    assert order(visit(client, address, "en")) == expected
    brought = [
        ("1", "An", "1st +4"),
        ("2", "Bình", "2nd +1"),
        ("3", "Chi", "3rd −1"),
        ("×", "Dũng", "knocked out −4"),
    ]
    assert order(visit(client, f"{address}/rounds/1", "en")) == brought
    assert order(visit(client, f"{address}/rounds/1?move=5", "en")) == []


def test_settling_up_carries_what_its_picture_says(client: FlaskClient) -> None:
    table = held(client, "watch", **StakedNightFactory(players=["An", "Bình", "Chi", "Dũng"]))
    settle_a_round(table.keeper)
    page = visit(client, f"/n/{table.night}/settle-up", "vi")
    (button,) = (given for _, given in page.elements if "data-picture" in given)
    picture = json.loads(button["data-picture"])
    assert [(row["name"], row["points"], row["worth"]) for row in picture["rows"]] == [
        ("An", "+17", "+17.000 đ"),
        ("Bình", "−4", "−4.000 đ"),
        ("Chi", "−5", "−5.000 đ"),
        ("Dũng", "−8", "−8.000 đ"),
    ]
    assert picture["code"] == table.watch.board()["code"]
    assert picture["code"] in page.text
    assert re.fullmatch(r"tienlen-\d{4}-\d\d-\d\d\.png", picture["file"])
    assert (button["data-handed"], button["data-due"]) == ("Đã trả", "Còn phải trả")


def test_a_name_with_quotes_in_it_does_not_break_out_of_the_picture(client: FlaskClient) -> None:
    name = "\"'><b>An&amp"
    table = held(client, "watch", players=[name, "Bình"])
    page = visit(client, f"/n/{table.night}/settle-up")
    (button,) = (given for _, given in page.elements if "data-picture" in given)
    assert json.loads(button["data-picture"])["rows"][0]["name"] == name
