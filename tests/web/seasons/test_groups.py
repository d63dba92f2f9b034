"""A group's links, files and weight. Its pages are in `tests/cases/pages/seasons/groups.txt`."""

from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.recorder import GroupLink, Link, Role
from ledger.web.access import MOST_GROUPS
from ledger.web.preferences import LANGUAGE_COOKIE
from ledger.web.recorder import recorder
from tests.nights import new_id
from tests.stories import A_SETTLED_ROUND_OF_FOUR
from tests.web.browsing import MOST_BYTES, Page, preview, visit, weight
from tests.web.phones import Table, open_table, take


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A phone that reads English."""
    client = app.test_client()
    client.set_cookie(LANGUAGE_COOKIE, "en")
    return client


def grouped(client: FlaskClient, table: Table, name: str = "Hội thứ sáu") -> Page:
    """Create a group from a night on the keeper's phone; returns the season's page."""
    take(client, table, "keeper")
    page = visit(client, f"/n/{table.night}/group")
    return page.send(f"/n/{table.night}/group", [("id", page.chosen("id")[0]), ("name", name)])


def added(client: FlaskClient, season: Page, table: Table) -> None:
    """Add a night to the group."""
    with client.application.app_context():
        recorder().groups.add(GroupLink(group_id(season), keeps=True), Link(table.night, Role.KEEPER))


def group_id(page: Page) -> str:
    return page.path.rpartition("/")[2]


def links_on(page: Page) -> list[str]:
    """The watchers' link of the group, and the keeper's."""
    addresses = [given["value"] for tag, given in page.elements if tag == "input" and "readonly" in given]
    return [urlsplit(address).path for address in addresses]


@pytest.fixture
def season(client: FlaskClient, table: Table) -> Page:
    """The season of a group of one night with a settled round, on the keeper's phone."""
    table.keeper.tell(A_SETTLED_ROUND_OF_FOUR)
    return grouped(client, table)


def test_only_the_watchers_link_has_a_preview_in_a_chat_and_it_names_nobody(season: Page) -> None:
    watchers, keepers = (preview(season.client, address) for address in links_on(season))
    assert season.client.get(links_on(season)[0]).headers["Referrer-Policy"] == "no-referrer"
    assert watchers["og:title"] == "Tiến lên · Hội thứ sáu"
    assert watchers["og:description"] == "1 buổi"
    with season.client.get(watchers["og:image"]) as image:
        assert image.content_type == "image/png"
    assert keepers == {}


def test_a_phone_holds_some_groups_and_forgets_the_oldest(client: FlaskClient, table: Table) -> None:
    made = [group_id(grouped(client, table, f"Nhóm {number}")) for number in range(MOST_GROUPS + 1)]
    home = visit(client, "/")
    assert f"/groups/{made[0]}" not in home.links
    assert [f"/groups/{one}" in home.links for one in made[1:]] == [True] * MOST_GROUPS


def test_a_cookie_of_another_group_opens_nothing(app: Flask, season: Page, table: Table) -> None:
    with app.app_context():
        groups = recorder().groups
        other = groups.open(Link(table.night, Role.KEEPER), new_id(), "Khác")
        token = groups.tokens(other).keeps
    client = app.test_client()
    client.set_cookie(f"tienlengroup-{group_id(season)}-keeper", token)
    assert visit(client, season.path).status == 401
    client.set_cookie(f"tienlengroup-{other.id}-keeper", token)
    assert visit(client, f"/groups/{other.id}").status == 200


def test_days_bound_the_page_and_the_file(client: FlaskClient, season: Page) -> None:
    span = "?from=2000-01-01&to=2000-12-31"
    assert "0 nights" in visit(client, f"{season.path}{span}").text
    assert len(client.get(f"{season.path}/season.csv{span}").text.splitlines()) == 1
    whole = client.get(f"{season.path}/season.csv")
    assert whole.mimetype == "text/csv"
    assert "attachment" in whole.headers["Content-Disposition"]
    assert len(whole.text.splitlines()) == 5


def test_the_nights_of_the_same_days_go_into_a_calendar(
    client: FlaskClient, season: Page, table: Table
) -> None:
    (link,) = {link for link in visit(client, season.path).links if ".ics" in link}
    response = client.get(link)
    assert (response.mimetype, f"UID:{table.night}\r\n" in response.text) == ("text/calendar", True)
    assert response.text.count("BEGIN:VEVENT") == 1
    assert response.text.count("DTEND") == 1
    assert "VEVENT" not in client.get(f"{season.path}/nights.ics?from=2000-01-01&to=2000-12-31").text


def test_the_page_of_a_long_season_weighs_little(client: FlaskClient, season: Page) -> None:
    for _ in range(39):
        table = open_table(client)
        table.keeper.record("adjust", payer="p1", payee="p2", points=3, reason="bia")
        added(client, season, table)
    page = visit(client, season.path)
    assert "40 nights" in page.text
    assert weight(client, page) < MOST_BYTES


def test_a_difference_is_owed_in_its_own_night_and_settled_in_a_later_one(
    client: FlaskClient, season: Page, table: Table
) -> None:
    """p4 owes p1 8 points, which are carried into the next night; then the round is voided."""
    later = open_table(client)
    take(client, later, "keeper")
    added(client, season, later)
    settling, carried = f"/n/{later.night}/settle-up", f"/n/{later.night}/carried"
    visit(client, settling).send(carried, [("group", group_id(season))])
    table.caught_up().tell("void 1 misdealt")
    difference = "because of that, An pays Dũng 8 points more."
    said = f"Round 1 was voided after debts were carried over: {difference}"
    own = take(client.application.test_client(), table, "p4")
    own.set_cookie(LANGUAGE_COOKIE, "en")
    pages = (f"/n/{table.night}/settle-up", settling, season.path)
    assert all(said in visit(client, path).text for path in pages)
    assert said in visit(own, f"/n/{table.night}/mine").text
    settled = visit(client, settling).send(carried, [("group", group_id(season))])
    assert "Nobody owes anybody anything." in visit(client, pages[0]).text
    assert settled.path == settling
    assert not any(difference in visit(client, path).text for path in pages)


def test_a_debt_is_taken_back_with_the_group_that_had_both_nights(
    client: FlaskClient, season: Page, table: Table
) -> None:
    later = open_table(client)
    grouped(client, later, "Hội khác")
    added(client, season, later)
    settling, carried = f"/n/{later.night}/settle-up", f"/n/{later.night}/carried"
    page = visit(client, settling).send(carried, [("group", group_id(season))])
    chosen = {dict(form.filled({}))["group"] for form in page.forms if form.action == carried}
    assert chosen == {group_id(season)}
