"""The pages of a group: created on a night's page, opened by links, requested from several phones."""

import re
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.recorder import GroupLink, Link, Role
from ledger.web.access import MOST_GROUPS
from ledger.web.preferences import LANGUAGE_COOKIE
from ledger.web.recorder import recorder
from tests.web.browsing import Page, preview, send, visit
from tests.web.phones import Table, held, new_id, open_table, settle_a_round, take
from tests.web.test_pages_night import MOST_BYTES, weight

NOBODY = "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11"


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


def group_id(page: Page) -> str:
    return page.path.rpartition("/")[2]


def links_on(page: Page) -> list[str]:
    """The watchers' link of the group, and the keeper's."""
    addresses = [given["value"] for tag, given in page.elements if tag == "input" and "readonly" in given]
    return [urlsplit(address).path for address in addresses]


@pytest.fixture
def season(client: FlaskClient, table: Table) -> Page:
    """The season of a group of one night with a settled round, on the keeper's phone."""
    settle_a_round(table.keeper)
    return grouped(client, table)


def test_a_night_becomes_a_group_with_a_season(season: Page, table: Table) -> None:
    assert season.path == f"/groups/{group_id(season)}"
    assert "Hội thứ sáu 1 night" in season.text
    assert f"/n/{table.night}/ledger" in season.links
    assert "An +" in season.text
    assert len(links_on(season)) == 2
    assert any(tag == "svg" and given.get("class") == "chart" for tag, given in season.elements)


@pytest.mark.parametrize("name", ["", "a" * 41, "x;y"])
def test_what_is_no_name_is_said_on_the_page(client: FlaskClient, table: Table, name: str) -> None:
    take(client, table, "keeper")
    refused = send(client, f"/n/{table.night}/group", [("id", new_id()), ("name", name)])
    assert (refused.status, refused.chosen("name")) == (400, [name])
    season = grouped(client, table)
    refused = season.send(season.path, [("name", name), ("kind", "rename")])
    assert refused.status == 400
    assert "A name of 1 to 40 letters" in refused.text


def test_the_next_night_is_added_by_a_tap_or_when_it_is_opened(client: FlaskClient, season: Page) -> None:
    second = held(client)
    page = visit(client, f"/n/{second.night}/group")
    assert "Add this night" in page.text
    assert "2 nights" in page.send(page.path, [("group", group_id(season))]).text
    assert "has this night" in visit(client, f"/n/{second.night}/group").text
    form = visit(client, "/")
    (asked,) = [form for form in form.forms if any(one.name == "players" for one in form.controls)]
    sent = asked.filled({"players": ["An", "Bình"], "group": group_id(season)})
    opened = form.send("/", sent)
    assert opened.path.endswith("/links")
    assert "3 nights" in visit(client, season.path).text


def test_a_group_that_is_gone_keeps_no_table_from_being_opened(client: FlaskClient) -> None:
    form = visit(client, "/")
    (asked,) = [form for form in form.forms if any(one.name == "players" for one in form.controls)]
    opened = form.send("/", [*asked.filled({"players": ["An", "Bình"]}), ("group", NOBODY)])
    assert opened.path.endswith("/links")


# Permissions


@pytest.fixture
def reader(app: Flask, season: Page) -> FlaskClient:
    """Another phone, with the watchers' link."""
    client = app.test_client()
    client.set_cookie(LANGUAGE_COOKIE, "en")
    landing = visit(client, links_on(season)[0])
    assert "Reads the season" in landing.text
    assert client.get(links_on(season)[0]).headers["Referrer-Policy"] == "no-referrer"
    taken = landing.send(landing.path, [])
    assert taken.path == season.path
    return client


def test_only_the_watchers_link_has_a_preview_in_a_chat_and_it_names_nobody(season: Page) -> None:
    watchers, keepers = (preview(season.client, address) for address in links_on(season))
    assert watchers["og:title"] == "Tiến lên · Hội thứ sáu"
    assert watchers["og:description"] == "1 buổi"
    with season.client.get(watchers["og:image"]) as image:
        assert image.content_type == "image/png"
    assert keepers == {}


def test_whoever_reads_a_group_enters_nothing(season: Page, reader: FlaskClient, table: Table) -> None:
    page = visit(reader, season.path)
    assert not {"join", "rename", "remove", "renew", "part"} & set(page.buttons())
    assert links_on(page) == []
    for kind in ("join", "rename", "remove", "renew", "part"):
        assert page.send(season.path, [("kind", kind), ("name", "x"), ("about", table.night)]).status == 403


def test_whoever_reads_a_group_looks_on_at_its_nights(
    season: Page, reader: FlaskClient, table: Table, client: FlaskClient
) -> None:
    assert visit(reader, f"/n/{table.night}/ledger").status == 401
    looking = send(reader, season.path, [("look", table.night)])
    assert (looking.status, looking.path) == (200, f"/n/{table.night}/ledger")
    assert visit(reader, f"/n/{table.night}/links").status == 403
    other = open_table(client)
    assert send(reader, season.path, [("look", other.night)]).status == 404


def test_whoever_keeps_a_night_goes_on_keeping_it(client: FlaskClient, season: Page, table: Table) -> None:
    send(client, season.path, [("look", table.night)])
    assert visit(client, f"/n/{table.night}/links").status == 200


def test_renewed_links_open_nothing_but_on_the_phone_that_renewed_them(
    client: FlaskClient, season: Page, reader: FlaskClient
) -> None:
    then = links_on(season)
    now = season.press("renew")
    assert now.status == 200
    assert set(links_on(now)).isdisjoint(then)
    assert visit(client, season.path).status == 200
    assert visit(reader, season.path).status == 401
    assert visit(reader, then[0]).status == 404


def test_a_phone_holds_some_groups_and_forgets_the_oldest(client: FlaskClient, table: Table) -> None:
    made = [group_id(grouped(client, table, f"Nhóm {number}")) for number in range(MOST_GROUPS + 1)]
    home = visit(client, "/")
    assert f"/groups/{made[0]}" not in home.links
    assert [f"/groups/{one}" in home.links for one in made[1:]] == [True] * MOST_GROUPS


def test_the_keepers_link_is_the_stronger_of_two(client: FlaskClient, season: Page) -> None:
    for address in reversed(links_on(season)):
        send(client, address, [])
    assert "rename" in visit(client, season.path).buttons()


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


# Group entries


def seats(page: Page) -> dict[str, str]:
    """The name of each person of the group -> the value of that person's form field."""
    control = re.findall(r'<option value="([^"]+/p\d+)">([^<]+)</option>', page.response.text)
    return {name: seat for seat, name in control}


def test_two_names_are_made_one_person_and_two_again(client: FlaskClient, season: Page) -> None:
    second = open_table(client, players=["Ân", "Bình", "Chi", "Dũng"])
    settle_a_round(second.keeper)
    take(client, second, "keeper")
    page = send(client, f"/n/{second.night}/group", [("group", group_id(season))])
    named = seats(page)
    joined = page.press("join", player=named["Ân"], same=named["An"])
    assert set(seats(joined)) == {"An", "Bình", "Chi", "Dũng"}
    assert "Ân is the same person as An." in joined.text
    refused = joined.press("join", player=named["Bình"], same=named["An"])
    assert (refused.status, "These two have sat at one table" in refused.text) == (409, True)
    parted = joined.press("part")
    assert set(seats(parted)) == set(named)


def test_what_no_button_says_is_refused(season: Page) -> None:
    assert season.send(season.path, [("kind", "")]).status == 400
    assert season.send(season.path, [("kind", "join"), ("player", "x"), ("same", "y")]).status == 400
    for about in ("", "x", "9" * 40, "-1"):
        page = season.send(season.path, [("kind", "part"), ("about", about)])
        assert (page.status, "1 night" in page.text) == (200, True)


def test_a_night_is_taken_out_and_the_group_called_something_else(season: Page, table: Table) -> None:
    page = season.press("remove", about=table.night)
    assert "No night of these days" in page.text
    assert "Nhà mình 0 nights" in page.send(page.path, [("name", "Nhà mình"), ("kind", "rename")]).text


@pytest.mark.parametrize("day", ["2026-13-40", "x", "20261101", "2026-11-01T00", "٢٠٢٦-١١-٠١"])
def test_what_is_no_day_bounds_nothing(client: FlaskClient, season: Page, day: str) -> None:
    assert "1 night" in visit(client, f"{season.path}?from={day}&to={day}").text


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


def test_each_night_leads_to_what_everybody_did_in_it(client: FlaskClient, season: Page) -> None:
    second = held(client)
    both = send(client, f"/n/{second.night}/group", [("group", group_id(season))])
    (its_day,) = {link for link in visit(client, both.path).links if "?from=20" in link}
    begun, ended = re.findall(r"\d{4}-\d\d-\d\d", its_day)
    assert begun == ended
    assert "2 nights" in visit(client, its_day).text


# Carried balances


def test_debts_are_carried_into_the_next_night_and_back(
    client: FlaskClient, season: Page, table: Table
) -> None:
    second = open_table(client)
    settle_a_round(second.keeper)
    take(client, second, "keeper")
    send(client, f"/n/{second.night}/group", [("group", group_id(season))])
    page = visit(client, f"/n/{second.night}/settle-up")
    assert "Still owed from earlier nights of Hội thứ sáu" in page.text
    carried = page.send(f"/n/{second.night}/carried", [("group", group_id(season))])
    assert carried.path == f"/n/{second.night}/settle-up"
    assert "earlier nights" not in carried.text
    assert "from the night of" in carried.text
    then = visit(client, f"/n/{table.night}/settle-up")
    assert "Nobody owes anybody anything." in then.text
    assert "to the night of" in then.text
    (back, *_) = re.findall(r'name="entry" value="([^"]+)"', carried.response.text)
    returned = carried.send(f"/n/{second.night}/carried", [("group", group_id(season)), ("entry", back)])
    assert "taken back at" in returned.text
    assert "Still owed from earlier nights" in returned.text
    missing = carried.send(f"/n/{second.night}/carried", [("group", group_id(season)), ("entry", back)])
    assert missing.status == 422


def test_whoever_does_not_keep_the_group_carries_nothing(
    app: Flask, season: Page, reader: FlaskClient, table: Table
) -> None:
    take(reader, table, "keeper")
    assert send(reader, f"/n/{table.night}/carried", [("group", group_id(season))]).status == 403
    assert send(reader, f"/n/{table.night}/carried", [("group", NOBODY)]).status == 401
    assert "earlier nights" not in visit(reader, f"/n/{table.night}/settle-up").text
    assert season.path in visit(reader, f"/n/{table.night}/settle-up").links


# Page weight


def test_the_page_of_a_long_season_weighs_little(client: FlaskClient, season: Page) -> None:
    for _ in range(39):
        table = open_table(client)
        table.keeper.record("adjust", payer="p1", payee="p2", points=3, reason="bia")
        with client.application.app_context():
            recorder().groups.add(GroupLink(group_id(season), keeps=True), Link(table.night, Role.KEEPER))
    page = visit(client, season.path)
    assert "40 nights" in page.text
    assert weight(client, page) < MOST_BYTES
