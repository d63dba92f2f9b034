"""The night as a story: all rounds on a page, and what is looked for among them."""

import re
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from ledger.language import speaker
from tests.recorder.tables import told
from tests.stories import A_NIGHT
from tests.web.browsing import Page, send, visit
from tests.web.phones import NAMES, Table, open_table
from tests.web.test_pages_night import MOST_BYTES, weight


@pytest.fixture
def night(client: FlaskClient) -> Table:
    """Five rounds, each of which ended in another way; the watchers' link is opened."""
    table = open_table(client, players=NAMES)
    keeper = table.keeper
    for kind, content in told(A_NIGHT):
        keeper.record(kind, **content)
    send(client, f"/t/{table.tokens['watch']}", [])
    return table


def look(client: FlaskClient, night: Table, language: str = "vi", **asked: str) -> Page:
    return visit(client, f"/n/{night.night}/rounds?{urlencode(asked)}", language)


def lines(page: Page) -> dict[int, str]:
    """What the page says of each round that it lists."""
    _, _, listed = page.response.text.partition('<ul class="lines">')
    found = {}
    for line in re.findall(r"<li>(.*?)</li>", listed, re.DOTALL):
        text = " ".join(re.sub("<[^>]+>", " ", line).split())
        name, _, rest = text.partition(" ")
        number, _, rest = rest.partition(" ")
        if name in ("Ván", "Round"):
            found[int(number)] = rest
    return found


def test_every_round_is_a_line_of_the_story(client: FlaskClient, night: Table) -> None:
    said = lines(look(client, night))
    assert list(said) == [5, 4, 3, 2, 1]
    assert "Tới trắng: An · dưới 1 phút Nhiều nhất: Bình → An 2 · tới trắng · nước 1 An +6" in said[1]
    assert "Nhất: Chi · dưới 1 phút Nhiều nhất: Dũng → Chi 4 · cóng, còn nguyên bài · nước 12" in said[2]
    assert said[3] == "không tính không tính: chia nhầm"
    assert "Nhất: Bình Nhiều nhất: Dũng → Bình 4 · cóng, còn nguyên bài · nước 1 An +1" in said[4]
    assert said[5] == "chưa chốt"
    english = lines(look(client, night, "en"))
    assert "Instant win: An · under 1 min Most: Bình → An 2 · instant win · move 1" in english[1]


def test_the_biggest_payment_leads_to_its_page_and_into_the_replay(client: FlaskClient, night: Table) -> None:
    page = look(client, night)
    paid = next(link for link in page.links if "/payments/" in link)
    assert "Khoản" in visit(client, paid).text
    assert f"/n/{night.night}/rounds/2?move=12#m12" in page.links


def test_what_is_not_posted_yet_leads_to_why_it_will_be(client: FlaskClient) -> None:
    table = open_table(client, players=NAMES)
    keeper = table.keeper
    for kind, content in list(told(A_NIGHT))[:2]:
        keeper.record(kind, **content)
    send(client, f"/t/{table.tokens['watch']}", [])
    page = look(client, table)
    assert f"/n/{table.night}/rounds/1/why#why-1" in page.links


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"player": "p4"}, {5, 4, 3, 2, 1}),
        ({"heading": "instant-wins"}, {1}),
        ({"heading": "hoarding", "player": "p4"}, {2}),
        ({"heading": "hoarding", "player": "p1"}, set()),
        ({"heading": "places", "player": "p3"}, {4, 2}),
        ({"heading": "bombs"}, {4, 2}),
        ({"heading": "contracts"}, set()),
        ({"bomber": "p3"}, {2}),
        ({"bombed": "p3"}, {4}),
        ({"bomber": "p2", "bombed": "p3"}, {4}),
        ({"bomber": "p2", "bombed": "p4"}, set()),
        ({"player": "", "heading": "", "bomber": "", "bombed": ""}, {5, 4, 3, 2, 1}),
        ({"fbclid": "IwAR0", "bomber": "p3"}, {2}),
    ],
)
def test_rounds_are_found_by_player_by_kind_of_payment_and_by_who_bombed_whom(
    client: FlaskClient, night: Table, asked: dict[str, str], expected: set[int]
) -> None:
    page = look(client, night, **asked)
    assert page.status == 200
    assert set(lines(page)) == expected
    assert ("Không có ván nào như vậy." in page.text) == (not expected)
    assert weight(client, page) < MOST_BYTES


def test_the_payments_that_were_looked_for_are_listed_with_their_moves(
    client: FlaskClient, night: Table
) -> None:
    page = look(client, night, bombed="p2")
    assert "Nhất: Chi · dưới 1 phút Bình → Chi 2 · chặt · nước 3 An +1" in lines(page)[2]
    assert f"/n/{night.night}/rounds/2?move=3#m3" in page.links
    assert "Nhiều nhất" not in page.text
    kept = look(client, night, heading="places", player="p1")
    assert "Bình → An 1 · thứ hạng · nước 12" in lines(kept)[2]


def test_the_form_asks_what_the_address_says(client: FlaskClient, night: Table) -> None:
    asked = {"player": "p2", "heading": "bombs", "bomber": "p3", "bombed": "p2"}
    page = look(client, night, **asked)
    (form,) = (form for form in page.forms if form.action.endswith("/rounds"))
    assert dict(form.filled({})) == asked
    assert f"/n/{night.night}/rounds" in page.links
    untouched = look(client, night)
    (form,) = (form for form in untouched.forms if form.action.endswith("/rounds"))
    assert dict(form.filled({})) == {}
    offered = [control.value for control in form.controls if control.name == "heading"]
    assert offered == ["", "places", "bombs", "hoarding", "instant-wins"]


@pytest.mark.parametrize(
    ("query", "field", "expected"),
    [
        ("player=p5", "player", "a player of this night"),
        ("bombed=p12", "bombed", "a player of this night"),
        ("bomber=p13", "bomber", "a player (p1 to p12)"),
        ("player=An", "player", "a player (p1 to p12)"),
        ("heading=adjustments", "heading", "a kind of payment"),
        ("heading=chặt", "heading", "a kind of payment"),
        ("player=p1&player=p2", "player", "once"),
        ("player=%00", "player", "a player (p1 to p12)"),
    ],
)
def test_what_cannot_be_looked_for_is_said(
    client: FlaskClient, night: Table, query: str, field: str, expected: str
) -> None:
    page = visit(client, f"/n/{night.night}/rounds?{query}", "vi")
    assert page.status == 400
    said = speaker("vi").expected(expected)
    assert said != expected
    assert f"{field}: {said}" in page.text


def test_before_the_first_round_there_is_nothing_to_look_for(client: FlaskClient) -> None:
    table = open_table(client, players=NAMES)
    send(client, f"/t/{table.tokens['watch']}", [])
    page = look(client, table)
    assert "Ván đầu chưa bắt đầu." in page.text
    assert "Chặt ai" not in page.text
    assert "Không có ván nào như vậy." in look(client, table, player="p1").text


def test_whoever_has_no_link_to_the_night_sees_nothing(client: FlaskClient) -> None:
    table = open_table(client, players=NAMES)
    assert look(client, table).status == 401
    assert look(client, table, player="nobody").status == 401
