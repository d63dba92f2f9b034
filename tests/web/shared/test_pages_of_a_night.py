"""All pages of a night: languages, weight, scripts, links and what browsers send."""

import re
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.factories import NightFactory
from tests.stories import A_SETTLED_ROUND_OF_FOUR
from tests.web.browsing import MOST_BYTES, visit, weight
from tests.web.phones import Table, take


@pytest.fixture
def night(client: FlaskClient) -> Table:
    """A night whose keeper's link is in the visitor's cookies."""
    table: Table = NightFactory.create(by=client, holds="keeper")
    return table


@pytest.fixture
def settled(client: FlaskClient, night: Table) -> Table:
    night.keeper.tell(A_SETTLED_ROUND_OF_FOUR)
    return night


def test_every_payment_of_the_ledger_leads_to_its_move_and_its_clause(
    client: FlaskClient, settled: Table
) -> None:
    page = visit(client, f"/n/{settled.night}/ledger")
    places = [link for link in page.links if "/rounds/1?move=" in link]
    clauses = [link for link in page.links if "/rules#S-" in link]
    account = settled.keeper.get("/ledger").get_json()
    assert len(places) == len(clauses) == len(account["payments"])
    rules = visit(client, f"/n/{settled.night}/rules")
    assert {link.partition("#")[2] for link in clauses} <= set(rules.ids)
    replay = visit(client, f"/n/{settled.night}/rounds/1")
    assert {link.partition("#")[2] for link in places} <= set(replay.ids)


def test_a_replay_steps_through_every_move_with_links(client: FlaskClient, settled: Table) -> None:
    page = visit(client, f"/n/{settled.night}/rounds/1?move=0")
    steps = []
    while on := [given["href"] for _, given in page.elements if given.get("aria-label") == "Nước sau"]:
        page = visit(client, on[0])
        steps.append(re.search(r"Nước (\d+) / (\d+)", page.text))
    assert [match[1] for match in steps if match] == [str(number) for number in range(1, len(steps) + 1)]
    assert len(steps) == 8
    assert {f"m{number}" for number in range(1, 9)} <= set(page.ids)


def places(night: str) -> Iterator[str]:
    yield "/"
    night_places = (
        "",
        "/ledger",
        "/rounds",
        "/rounds/1",
        "/rounds/1?move=3",
        "/rounds/1/why",
        "/payments/7.0",
        "/disputes",
        "/rules",
        "/terms",
        "/links",
        "/notes",
        "/export",
        "/settle-up",
        "/settle-up/p2",
        "/result",
    )
    for place in night_places:
        yield f"/n/{night}{place}"
    yield f"/n/{night}/compare?head=3-7K3Q9FZDMW2HXA4T"


@pytest.mark.parametrize("language", ["vi", "en"])
def test_every_page_speaks_both_languages_and_weighs_little(
    client: FlaskClient, settled: Table, language: str
) -> None:
    """A page's weight counts everything it fetches; and each id occurs once."""
    for state in ("between", "running"):
        if state == "running":
            visit(client, f"/n/{settled.night}").press("round")
        for place in places(settled.night):
            page = visit(client, place, language)
            assert page.status == 200, place
            assert page.language == language
            assert len(page.ids) == len(set(page.ids)), place
            assert weight(client, page) < MOST_BYTES, (place, weight(client, page))
            assert ("Luật" in page.text) == (language == "vi"), place


def test_no_page_holds_styles_or_scripts_of_its_own_but_the_one_that_asks_again(
    client: FlaskClient, settled: Table
) -> None:
    for place in places(settled.night):
        page = visit(client, place)
        for tag, given in page.elements:
            assert "style" not in given, place
            assert tag != "style", place
            assert not [name for name in given if name.startswith("on")], place
        written = [given for tag, given in page.elements if tag == "script" and "src" not in given]
        assert [given for given in written if given != {"type": "application/json"}] == [{}], place


@pytest.mark.parametrize("path", ["/language", "/phone"])
def test_a_form_that_leads_back_leads_nowhere_else(client: FlaskClient, path: str) -> None:
    elsewhere = (
        "https://example.org/",
        "//example.org",
        "/\\example.org",
        "javascript:alert(1)",
        "/\t//x",
        "",
    )
    for back in elsewhere:
        response = client.post(path, data={"language": "en", "back": back})
        assert (response.status_code, response.location) == (303, "/"), back


def test_a_language_that_nobody_speaks_is_refused(client: FlaskClient) -> None:
    assert client.post("/language", data={"language": "xx", "back": "/"}).status_code == 400


def test_a_browser_without_cookies_learns_why_its_link_leads_nowhere(app: Flask, settled: Table) -> None:
    forgetful = app.test_client(use_cookies=False)
    page = forgetful.post(
        f"/t/{settled.tokens['watch']}", headers={"Accept-Language": "en"}, follow_redirects=True
    )
    assert page.status_code == 401
    assert "this browser keeps no cookies" in page.text


BODIES = (b"\xff\xfe", b"%ff=%fe", b"a=" + b"b" * 20_000, b"", b"&" * 500, b"kind=play;seat=p1")


def test_any_bytes_to_a_form_are_answered(client: FlaskClient, settled: Table) -> None:
    before = settled.keeper.log()
    for place in ("/", "/language", "/n/{}", "/n/{}/ledger", "/n/{}/rounds/1/settle"):
        address = place.format(settled.night)
        for body in BODIES:
            response = client.post(address, data=body, content_type="application/x-www-form-urlencoded")
            assert response.status_code in (400, 413), (place, body)
        assert client.post(address, json={}).status_code == 415
    assert settled.keeper.log() == before


def test_search_engines_are_let_list_all_but_links_and_errors(
    client: FlaskClient, app: Flask, settled: Table
) -> None:
    """Without a link a night's page is an error, for a search engine too."""
    take(client, settled, "watch")
    nights = [path for path in places(settled.night) if path.startswith("/n/")]
    for path in (
        "/",
        "/rules",
        "/rules/pro-play",
        f"/t/{settled.tokens['seats']['p1']}",
        "/nowhere",
        *nights,
    ):
        assert is_unlisted(client, path) is path.startswith(("/t/", "/nowhere")), path
    assert all(is_unlisted(app.test_client(), path) for path in nights)


def is_unlisted(client: FlaskClient, path: str) -> bool:
    return ("meta", {"name": "robots", "content": "noindex"}) in visit(client, path).elements
