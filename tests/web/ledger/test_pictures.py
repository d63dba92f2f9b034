"""The picture that settling up carries."""

import json
import re

from flask.testing import FlaskClient

from tests.factories import NightFactory
from tests.stories import A_SETTLED_ROUND_OF_FOUR
from tests.web.browsing import visit
from tests.web.phones import Table


def test_settling_up_carries_what_its_picture_says(client: FlaskClient) -> None:
    table: Table = NightFactory.create(by=client, holds="watch", story=A_SETTLED_ROUND_OF_FOUR, staked=True)
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
    table: Table = NightFactory.create(by=client, holds="watch", players=[name, "Bình"])
    page = visit(client, f"/n/{table.night}/settle-up")
    (button,) = (given for _, given in page.elements if "data-picture" in given)
    assert json.loads(button["data-picture"])["rows"][0]["name"] == name
