"""The name of the phone that recorded an entry: in the log, in the chain, on the pages."""

import json

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.language import speaker
from tests.nights import Data
from tests.stories import A_SETTLED_ROUND_OF_FOUR
from tests.web.browsing import visit
from tests.web.phones import Table, open_table, take


def bodies(table: Table) -> list[Data]:
    log = table.keeper.get("/events").get_json()
    return [json.loads(event["body"]) for event in log["events"]]


def agree(client: FlaskClient, table: Table, player: str) -> None:
    page = visit(client, f"/n/{table.night}/rounds/1")
    assert page.press(player, "seat").status == 200


def test_every_entry_says_which_of_two_keepers_phones_recorded_it(table: Table) -> None:
    phones = [table.phone("keeper") for _ in range(2)]
    place = f"/n/{table.night}"
    visit(phones[0], place).press("round")
    for client, seat, card in zip((*phones, phones[0]), ("p1", "p2", "p3"), ("3s", "4s", "5s"), strict=True):
        visit(client, place).press("play", seat=seat, cards=[card])
    one, first, other, again = [body["phone"] for body in bodies(table)]
    assert one == first == again != other
    assert {body["format"] for body in bodies(table)} == {2}
    page = visit(phones[1], f"{place}/rounds/1", "en")
    assert all(speaker("en").phone(phone) in page.text for phone in (first, other))
    assert table.keeper.get("/ledger").status_code == 200


def test_one_phone_alone_is_not_named_at_every_move(table: Table) -> None:
    client = table.phone("keeper")
    visit(client, f"/n/{table.night}").press("round")
    visit(client, f"/n/{table.night}").press("play", seat="p1", cards=["3s"])
    phone = bodies(table)[0]["phone"]
    assert speaker("en").phone(phone) not in visit(client, f"/n/{table.night}/rounds/1", "en").text


def test_a_phone_has_another_tag_in_every_night(app: Flask, client: FlaskClient) -> None:
    tables = [open_table(client), open_table(client)]
    phone = app.test_client()
    for table in tables:
        take(phone, table, "keeper")
        visit(phone, f"/n/{table.night}").press("round")
    tags = [bodies(table)[0]["phone"] for table in tables]
    assert tags[0] != tags[1]


def test_a_program_names_no_phone(table: Table) -> None:
    table.keeper.record("round", leader="p1")
    assert [("phone" in body, body["format"]) for body in bodies(table)] == [(False, 1)]


def test_what_a_phone_is_called_goes_with_what_it_records(table: Table) -> None:
    client = table.phone("keeper", "p2")
    page = visit(client, "/phone").send("/phone", [("back", "/"), ("name", " máy   Tí "), ("set", "suits")])
    assert page.status == 200
    table.keeper.tell(A_SETTLED_ROUND_OF_FOUR)
    agree(client, table, "p2")
    phone = bodies(table)[-1]["phone"]
    assert phone.partition(" ")[2] == "máy Tí"
    assert "máy Tí" in visit(client, f"/n/{table.night}/rounds/1").text
    # The tag identifies the phone, whatever its name.
    visit(client, "/phone").send("/phone", [("back", "/"), ("name", "")])
    visit(client, f"/n/{table.night}").press("round")
    assert bodies(table)[-1]["phone"] == phone.partition(" ")[0]


@pytest.mark.parametrize("name", ["a" * 25, "\u202emáy", "; máy", "\u200b"])
def test_a_name_that_cannot_be_is_refused_and_never_recorded(table: Table, name: str) -> None:
    client = table.phone("keeper")
    assert client.post("/phone", data={"back": "/", "name": name}).status_code == 400
    client.set_cookie("tienlen-name", name)
    visit(client, f"/n/{table.night}").press("round")
    assert " " not in bodies(table)[0]["phone"]
