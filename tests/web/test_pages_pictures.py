"""Pictures of the table: the pile as cards, who went out when, and what the board as a picture says."""

import json
import re
from collections.abc import Sequence

import pytest
from flask.testing import FlaskClient

from tests.factories import NamedNightFactory, StakedNightFactory, friends
from tests.web.browsing import Page, send, visit
from tests.web.phones import Phone, Table, cards, open_table, settle_a_round


@pytest.fixture
def night(client: FlaskClient) -> Table:
    """A round of An, Bình, Chi and Dũng, seen with the watchers' link."""
    table = open_table(client, **NamedNightFactory())
    send(client, f"/t/{table.tokens['watch']}", [])
    return table


def play(keeper: Phone, *plays: tuple[str, str]) -> None:
    for seat, text in plays:
        if text:
            keeper.record("play", seat=seat, cards=cards(text))
        else:
            keeper.record("pass", seat=seat)


def hands(page: Page) -> list[str]:
    """What is read out of the cards that are drawn, from the top of the page."""
    return [given["aria-label"] for _, given in page.elements if "hand" in given.get("class", "").split()]


def suits(page: Page) -> list[str]:
    """The suits by which drawn cards are marked."""
    drawn = [
        given["class"].split() for _, given in page.elements if given.get("class", "").startswith("card ")
    ]
    return [suit for _, suit in drawn]


def order(page: Page) -> list[tuple[str, str, str]]:
    """What stands on each piece of the finishing order: the medal, the name, the place in a word."""
    lists: Sequence[str] = re.findall(r'<ol class="order".*?</ol>', page.response.text, re.DOTALL)
    assert len(lists) <= 1
    piece = re.compile(r">(\S+)</span><b>(.*?)</b> <small>(.*?)</small>")
    return [
        (medal, name, re.sub("<.*?>", "", said)) for one in lists for medal, name, said in piece.findall(one)
    ]


def test_the_newest_play_and_what_it_beat_are_drawn_and_read_out_by_name(
    client: FlaskClient, night: Table
) -> None:
    keeper = night.keeper
    keeper.record("round", opening=True)
    play(keeper, ("p1", "3s 3d"), ("p2", "6c 6h"), ("p3", "2s 2d"), ("p4", "8s 8c 8d 8h"))
    page = visit(client, f"/n/{night.night}", "vi")
    assert hands(page) == ["heo bích và heo rô", "8 bích, 8 chuồn, 8 rô và 8 cơ"]
    assert suits(page) == ["suit-s", "suit-d", "suit-s", "suit-c", "suit-d", "suit-h"]
    assert "An 3♠ 3♦ đôi Bình 6♣ 6♥ đôi Chi đôi" in page.text
    replay = visit(client, f"/n/{night.night}/rounds/1?move=1", "en")
    assert hands(replay) == ["3 of spades and 3 of diamonds"]


def test_a_card_of_the_second_pack_says_so_in_its_corner(client: FlaskClient) -> None:
    table = open_table(client, ruleset="double-deck", players=friends(8))
    send(client, f"/t/{table.tokens['watch']}", [])
    keeper = table.keeper
    keeper.record("round", opening=True)
    play(keeper, ("p1", "3s"), ("p2", "Td'"))
    page = visit(client, f"/n/{table.night}", "en")
    assert hands(page) == ["3 of spades", "10 of diamonds, second pack"]
    assert "<b>10&#39;</b>♦" in page.response.text


def test_many_cards_are_fanned(client: FlaskClient, night: Table) -> None:
    keeper = night.keeper
    keeper.record("round", opening=True)
    play(keeper, ("p1", "3s 4s 5s 6s 7s 8s 9s"))
    classes = [given.get("class") for _, given in visit(client, f"/n/{night.night}").elements]
    assert "hand fan" in classes
    assert "hand" not in classes


def test_who_goes_out_is_told_in_order_while_the_others_play_on(client: FlaskClient, night: Table) -> None:
    keeper = night.keeper
    keeper.record("round", opening=True)
    play(keeper, ("p1", "3s"), ("p2", "4d"), ("p3", "5d"))
    address = f"/n/{night.night}"
    assert order(visit(client, address)) == []
    play(keeper, ("p4", ""), ("p1", "7s"), ("p2", ""), ("p3", ""))
    play(keeper, ("p1", "4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac"))
    # Dũng has played nothing when An goes out.
    assert order(visit(client, address, "vi")) == [("1", "An", "nhất"), ("×", "Dũng", "cóng")]
    play(keeper, ("p2", ""), ("p3", ""), ("p2", "3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"), ("p3", ""), ("p2", "2h"))
    told = [("1", "An", "1st"), ("2", "Bình", "2nd"), ("3", "Chi", "3rd"), ("×", "Dũng", "knocked out")]
    assert order(visit(client, address, "en")) == told
    brought = [
        ("1", "An", "1st +4"),
        ("2", "Bình", "2nd +1"),
        ("3", "Chi", "3rd −1"),
        ("×", "Dũng", "knocked out −4"),
    ]
    assert order(visit(client, f"{address}/rounds/1", "en")) == brought
    assert order(visit(client, f"{address}/rounds/1?move=5", "en")) == []


def test_a_settled_round_and_one_that_is_known_by_its_result_have_their_order(
    client: FlaskClient, night: Table
) -> None:
    settle_a_round(night.keeper)
    out = [("1", "An", "1st"), *(("×", name, "knocked out") for name in ("Bình", "Chi", "Dũng"))]
    assert order(visit(client, f"/n/{night.night}", "en")) == out
    assert [who for _, who, _ in order(visit(client, f"/n/{night.night}/rounds/1", "en"))] == [
        "An",
        "Bình",
        "Chi",
        "Dũng",
    ]
    keeper = night.keeper
    keeper.after = keeper.board()["after"]
    keeper.record("round", leader="p1")
    keeper.record("result", places=["p2", "p1", "p4", "p3"])
    told = [("1", "Bình", "nhất +2"), ("2", "An", "nhì +1"), ("3", "Dũng", "ba −1"), ("4", "Chi", "bét −2")]
    assert order(visit(client, f"/n/{night.night}/rounds/2", "vi")) == told


def test_the_keepers_page_has_no_room_for_pictures(client: FlaskClient, night: Table) -> None:
    keeper = night.keeper
    keeper.record("round", opening=True)
    play(keeper, ("p1", "3s 3d"))
    send(client, f"/t/{night.tokens['keeper']}", [])
    page = visit(client, f"/n/{night.night}", "vi")
    assert hands(page) == []
    assert "An 3♠ 3♦ đôi" in page.text


def test_settling_up_carries_what_its_picture_says(client: FlaskClient) -> None:
    table = open_table(client, **StakedNightFactory(players=["An", "Bình", "Chi", "Dũng"]))
    send(client, f"/t/{table.tokens['watch']}", [])
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
    table = open_table(client, **NamedNightFactory(players=[name, "Bình"]))
    send(client, f"/t/{table.tokens['watch']}", [])
    page = visit(client, f"/n/{table.night}/settle-up")
    (button,) = (given for _, given in page.elements if "data-picture" in given)
    assert json.loads(button["data-picture"])["rows"][0]["name"] == name
