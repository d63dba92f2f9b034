"""The code of the log's head on every page, comparing it with another phone's, and the offline verifier."""

import re
from base64 import b64encode
from hashlib import sha256

import pytest
from flask.testing import FlaskClient

from ledger.web.pages.people import picture_file
from ledger.web.pages.shared.blueprint import STATIC
from tests.factories import NightFactory
from tests.stories import A_SETTLED_ROUND_OF_FOUR
from tests.web.browsing import Page, visit
from tests.web.phones import Table

PLACES = ("", "/ledger", "/rounds", "/rounds/1", "/rules", "/links", "/under/thirteen-points", "/compare")


@pytest.fixture
def night(client: FlaskClient) -> Table:
    """A night with a settled round, and the keeper's link in the visitor's cookies."""
    table: Table = NightFactory.create(by=client, holds="keeper", story=A_SETTLED_ROUND_OF_FOUR)
    return table


def foot(page: Page) -> dict[str, str]:
    """The data that a page passes to the phone's script."""
    (given,) = [given for _, given in page.elements if given.get("class") == "proof"]
    return given


def pictures(page: Page) -> list[str]:
    """The addresses of the pictures on a page, which are loaded lazily."""
    images = [given for tag, given in page.elements if tag == "img"]
    assert all(given["loading"] == "lazy" for given in images)
    return [given["src"] for given in images]


def scanned(night: Table) -> str:
    """The head's code, as a link carries it."""
    code = night.keeper.board()["code"]
    return str(code).removeprefix("#").replace(" · ", "|").replace("-", "").replace("|", "-")


def begin_a_round(night: Table) -> None:
    night.caught_up().record("round", leader="p1")


def compared(client: FlaskClient, night: Table, head: str) -> Page:
    return visit(client, f"/n/{night.night}/compare?head={head}", "en")


def test_every_page_of_a_night_shows_its_code_and_a_picture_that_leads_to_comparing(
    client: FlaskClient, night: Table
) -> None:
    board = night.keeper.board()
    comparing = f"http://localhost/n/{night.night}/compare?head={scanned(night)}"
    for place in PLACES:
        page = visit(client, f"/n/{night.night}{place}", "en")
        given = foot(page)
        assert (given["data-seq"], given["data-hash"]) == (str(board["seq"]), board["hash"])
        assert given["data-log"] == f"/api/v1/nights/{night.night}/events"
        assert board["code"] in page.text
        assert comparing in page.links, place
        (drawn,) = pictures(page)
        picture = client.get(drawn)
        assert (picture.mimetype, picture.data) == ("image/svg+xml", picture_file(comparing))
        assert f"{STATIC}/proof/heads.js" in {given.get("src") for _, given in page.elements}


def test_the_recording_page_has_the_number_in_its_bar_and_no_picture(
    client: FlaskClient, night: Table
) -> None:
    begin_a_round(night)
    page = visit(client, f"/n/{night.night}", "en")
    board = night.keeper.board()
    assert foot(page)["data-hash"] == board["hash"]
    assert f"#{board['seq']}" in page.text
    assert f"http://localhost/n/{night.night}/compare?head={scanned(night)}" in page.links
    assert not pictures(page)


def test_a_code_of_this_log_is_found_in_it_also_an_older_one(client: FlaskClient, night: Table) -> None:
    older = scanned(night)
    begin_a_round(night)
    for head in (older, scanned(night), older.lower()):
        page = compared(client, night, head)
        assert page.status == 200
        assert "has this code at entry" in page.text


def test_the_page_that_verifies_is_one_file_that_asks_nobody_for_anything(client: FlaskClient) -> None:
    response = client.get("/verify.html")
    assert response.headers["Content-Disposition"] == 'attachment; filename="verify.html"'
    page = response.text
    policy = re.search(r'Content-Security-Policy"\s+content="([^"]*)"', page)
    assert policy
    assert policy[1].startswith("default-src 'none'; ")
    for tag, kind in (('script type="module"', "script"), ("style", "style")):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{kind}>", page, re.S)
        digest = b64encode(sha256(inside.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy[1]
        assert "import " not in inside.replace("imports", "").replace("import it", "")
    assert not re.search(r"(?:src|href)=", page)
    assert "fetch(" not in page
    assert "http://" not in page
    assert "https://" not in page
