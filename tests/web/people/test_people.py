"""Links are renewed, by the interface and on the pages; and what a chat shows of one."""

from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.web.api.answers import Recorded
from tests.factories import NightFactory
from tests.nights import Data, new_id
from tests.stories import A_SETTLED_ROUND_OF_FOUR
from tests.web.browsing import MOST_BYTES, Page, preview, visit, weight
from tests.web.phones import NIGHTS, Phone, Table, answered, open_table, take


@pytest.fixture
def links(client: FlaskClient, table: Table) -> Page:
    """The keeper's page of links."""
    take(client, table, "keeper")
    return visit(client, f"/n/{table.night}/links", "en")


def links_on(page: Page) -> list[str]:
    return [given["value"] for tag, given in page.elements if tag == "input" and "readonly" in given]


def record_about_people(keeper: Phone, kind: str, **content: str) -> Data:
    """Record an event about people, which has no `after`."""
    response = keeper.post({"id": new_id(), "kind": kind, **content})
    assert response.status_code == 201, response.text
    data = answered(response)
    assert Recorded().validate(data) == {}
    return data


@pytest.mark.parametrize(("role", "player"), [("keeper", None), ("watch", None), ("seat", "p2")])
def test_a_revoked_token_opens_nothing_and_the_new_one_does(
    client: FlaskClient, table: Table, role: str, player: str | None
) -> None:
    def token_in(tokens: Data) -> str:
        return str(tokens["seats"][player] if player else tokens[role])

    old = Phone(client, table.night, token_in(table.tokens))
    data = record_about_people(table.keeper, "revoke", role=role, **({"player": player} if player else {}))
    new = replace(old, token=token_in(data["tokens"]), headers={})
    assert new.get().status_code == 200
    nowhere = replace(table.keeper, token="A" * 48, headers={})
    for path in ("", "/events", "/ledger", "/replay"):
        answers = [answered(phone.get(path)) for phone in (old, nowhere)]
        assert answers[0]["status"] == 404
        assert len({answer.pop("request_id") for answer in answers}) == 2
        assert answers[0] == answers[1]
    assert old.ask("round", opening=True).status_code == 404
    for method in (client.get, client.post):
        assert method(f"/t/{old.token}").status_code == 404
        assert method(f"/t/{new.token}").status_code in (200, 303)


def test_a_revoked_cookie_is_as_if_it_were_not_held(app: Flask, table: Table) -> None:
    other = app.test_client()
    for token in (table.tokens["watch"], table.tokens["seats"]["p2"]):
        other.post(f"/t/{token}")
    record_about_people(table.keeper, "revoke", role="seat", player="p2")
    assert answered(other.get(f"{NIGHTS}/{table.night}"))["role"] == "watch"
    record_about_people(table.keeper, "revoke", role="watch")
    assert other.get(f"{NIGHTS}/{table.night}").status_code == 401
    assert "Bình" not in visit(other, "/").text


def test_a_phone_that_renews_its_link_by_the_interface_goes_on_holding_it(
    client: FlaskClient, table: Table
) -> None:
    take(client, table, "keeper")
    event = {"id": new_id(), "kind": "revoke", "role": "keeper"}
    assert client.post(f"{NIGHTS}/{table.night}/events", json=event).status_code == 201
    assert answered(client.get(f"{NIGHTS}/{table.night}"))["role"] == "keeper"
    assert table.keeper.get().status_code == 404


@pytest.mark.parametrize("holder", ["keeper", "watch", "p2"])
def test_a_link_is_renewed_and_the_phone_at_hand_goes_on(links: Page, table: Table, holder: str) -> None:
    for token in (table.tokens["watch"], table.tokens["seats"]["p2"]):
        links.client.post(f"/t/{token}")
    page = visit(links.client, f"{links.path}/{holder}")
    (old,) = links_on(page)
    assert old in links_on(links)
    page = page.press("revoke")
    assert page.status == 200
    (new,) = links_on(page)
    assert new != old
    assert links.client.get(old).status_code == 404
    assert links.client.get(new).status_code == 200
    kept = links.client.get_cookie(f"tienlen-{table.night}-{holder}")
    assert kept is not None
    assert kept.value == new.rpartition("/")[2]


@pytest.mark.parametrize(
    ("host", "opens"),
    [("192.168.1.7:8000", True), ("so.example", True), ("127.0.0.1:8000", False), ("localhost", False)],
)
def test_a_link_is_a_picture_and_shared_where_another_phone_can_open_it(
    client: FlaskClient, table: Table, host: str, opens: bool
) -> None:
    headers = {"Authorization": f"Bearer {table.tokens['keeper']}"}
    page = client.get(f"/n/{table.night}/links", base_url=f"http://{host}", headers=headers).text
    assert page.count('<div class="qr"') == page.count("data-share") == (6 if opens else 0)
    assert ("--lan" in page) is not opens


@pytest.mark.parametrize(("ruleset", "players"), [("core-double", 12), ("double-deck", 8)])
def test_the_pages_of_a_big_table_with_long_names_weigh_little(
    client: FlaskClient, ruleset: str, players: int
) -> None:
    names = [f"Nguyễn Thị Hồng Phượng Thứ {number} nhà bên" for number in range(players)]
    table: Table = NightFactory.create(by=client, holds="keeper", players=names, ruleset=ruleset)
    between = visit(client, f"/n/{table.night}")
    assert weight(client, between) < MOST_BYTES
    between.press("round")
    assert weight(client, visit(client, f"/n/{table.night}")) < MOST_BYTES


def test_a_watchers_link_in_a_chat_shows_a_picture_the_day_and_how_everybody_stands(
    client: FlaskClient,
) -> None:
    table = open_table(client, players=["An", '"><b>', "Chi", "Dũng"])
    table.keeper.tell(A_SETTLED_ROUND_OF_FOUR)
    shown = preview(client, f"/t/{table.tokens['watch']}")
    first, *others = shown["og:description"].split(" · ")
    net = table.keeper.board()["net"]
    assert first == f"An +{net['p1']}" == f"An +{max(net.values())}"
    assert {name.rpartition(" ")[0] for name in others} == {'"><b>', "Chi", "Dũng"}
    assert shown["og:title"].startswith("Tiến lên, ")
    with client.application.test_client(use_cookies=False).get(shown["og:image"]) as image:
        picture = image.data
    assert picture.startswith(b"\x89PNG\r\n")
    assert [int.from_bytes(picture[at : at + 4]) for at in (16, 20)] == [1200, 630]
    assert len(picture) < 300_000, "what a chat takes"


@pytest.mark.parametrize("holder", ["keeper", "p2"])
def test_no_other_link_has_a_preview(client: FlaskClient, table: Table, holder: str) -> None:
    assert preview(client, f"/t/{table.tokens.get(holder) or table.tokens['seats'][holder]}") == {}
