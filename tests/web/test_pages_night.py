"""Settling, the ledger, the replay, the rules: the pages of a night, in both languages."""

import re
from collections.abc import Iterator
from gzip import decompress

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.web.pages.blueprint import STATIC
from tests.factories import StakedNightFactory
from tests.web.browsing import Page, send, visit
from tests.web.phones import Table, held, new_id, play_a_round, settle_a_round, take

MOST_BYTES = 60_000


@pytest.fixture
def night(client: FlaskClient) -> Table:
    """A night whose keeper's link is in the visitor's cookies."""
    return held(client)


@pytest.fixture
def at_settling(client: FlaskClient, night: Table) -> Page:
    """A round has ended, and three hands are still to be declared."""
    play_a_round(night.keeper)
    return visit(client, f"/n/{night.night}/rounds/1/settle")


@pytest.fixture
def settled(client: FlaskClient, night: Table) -> Table:
    settle_a_round(night.keeper)
    return night


def test_settling_asks_only_for_the_hands_that_payments_need(at_settling: Page) -> None:
    asked = [given["value"] for tag, given in at_settling.elements if given.get("name") == "seat"]
    assert asked == ["p2", "p3", "p4"]
    assert "settle" not in at_settling.buttons()


def test_hands_are_shown_declared_or_hold_nothing_and_then_the_payments_are_posted(at_settling: Page) -> None:
    page = at_settling.press("none", seat="p2")
    page = page.press("declare", seat="p3", cards=["2c"])
    page = page.press("declare", seat="p4", cards=["2d", "2h"])
    assert "tổng 0" in page.text
    page = page.press("settle")
    assert page.status == 200
    assert "Sau ván 1" in page.text


def test_a_declaration_that_is_no_special_set_is_refused_in_place(at_settling: Page) -> None:
    page = at_settling.press("declare", seat="p3", cards=["9c", "Tc"])
    assert page.status == 422
    assert page.chosen("cards") == ["9c", "Tc"]
    assert page.chosen("seat") == ["p3"]


def test_showing_needs_every_card(at_settling: Page) -> None:
    assert at_settling.press("show", seat="p3", cards=["2c"]).status == 422
    assert at_settling.press("show", seat="p3").status == 422


def test_cards_that_are_chosen_are_never_recorded_as_no_special_set(at_settling: Page) -> None:
    page = at_settling.press("none", seat="p3", cards=["2c"])
    assert page.status == 422
    assert "Khai hoặc Lật hết" in page.text
    assert (page.chosen("seat"), page.chosen("cards")) == (["p3"], ["2c"])
    assert page.press("declare").status == 200


def test_settling_says_who_came_in_when_and_what_it_comes_to_in_money(client: FlaskClient) -> None:
    table = held(client, **StakedNightFactory())
    play_a_round(table.keeper)
    page = visit(client, f"/n/{table.night}/rounds/1/settle", "en")
    assert "1st" in page.text
    assert "₫" in page.text


def test_settling_goes_back_to_the_move_before(at_settling: Page) -> None:
    page = at_settling.press("undo")
    assert "play" in page.buttons()


def test_a_settled_round_is_not_settled_again(client: FlaskClient, settled: Table) -> None:
    page = visit(client, f"/n/{settled.night}/rounds/1/settle")
    assert page.path == f"/n/{settled.night}/rounds/1"
    fields = [("id", new_id()), ("after", settled.keeper.board()["after"]), ("kind", "settle")]
    assert send(client, f"/n/{settled.night}/rounds/1/settle", fields).status == 409


def test_a_round_may_be_settled_after_the_next_one_has_begun(client: FlaskClient, at_settling: Page) -> None:
    night = at_settling.path.split("/")[2]
    page = visit(client, f"/n/{night}").press("round")
    assert page.status == 200
    page = visit(client, f"/n/{night}/rounds/1/settle").press("none", seat="p2")
    assert page.status == 200


def test_every_payment_of_the_ledger_leads_to_its_move_and_its_clause(
    client: FlaskClient, settled: Table
) -> None:
    page = visit(client, f"/n/{settled.night}/ledger")
    places = [link for link in page.links if "/rounds/1?move=" in link]
    clauses = [link for link in page.links if "/rules#" in link]
    account = settled.keeper.get("/ledger").get_json()
    assert len(places) == len(clauses) == len(account["payments"])
    rules = visit(client, f"/n/{settled.night}/rules")
    assert {link.partition("#")[2] for link in clauses} <= set(rules.ids)
    replay = visit(client, f"/n/{settled.night}/rounds/1")
    assert {link.partition("#")[2] for link in places} <= set(replay.ids)


def test_a_payment_by_hand_is_recorded_once_with_its_reason(client: FlaskClient, night: Table) -> None:
    page = visit(client, f"/n/{night.night}/ledger")
    path, fields = page.body("adjust", payer="p2", payee="p1", points="5", reason="đến muộn")
    first, second = page.send(path, fields), page.send(path, fields)
    assert first.status == second.status == 200
    assert second.text.count("đến muộn") == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"payee": "p2"},
        {"points": "0"},
        {"points": "-3"},
        {"points": "1.5"},
        {"points": "9" * 30},
        {"reason": ""},
        {"reason": "a;b"},
        {"points": "٣"},
    ],
)
def test_a_payment_that_cannot_be_is_said_in_place_and_stays_typed(
    client: FlaskClient, night: Table, wrong: dict[str, str]
) -> None:
    typed = {"payer": "p2", "payee": "p1", "points": "5", "reason": "đến muộn"} | wrong
    page = visit(client, f"/n/{night.night}/ledger").press("adjust", **typed)
    assert page.status == 400
    assert page.chosen("points") == [typed["points"]]
    assert 'role="alert"' in page.response.text
    (field,) = wrong
    label = {"payee": "Người nhận", "points": "Điểm", "reason": "Lý do"}[field]
    assert f"Có mục chưa đúng: {label}: " in page.text


def test_a_page_that_can_lay_a_table_shows_once_what_waits(client: FlaskClient, night: Table) -> None:
    page = visit(client, f"/n/{night.night}").response.text
    assert '<template id="blank">' in page
    assert page.count('class="net"') == 1


def test_an_error_page_calls_the_fields_of_a_form_what_they_are_called(
    client: FlaskClient, night: Table
) -> None:
    path, fields = visit(client, f"/n/{night.night}").body("round")
    page = send(client, path, [(name, "p13" if name == "leader" else value) for name, value in fields])
    assert page.status == 400
    assert "Có mục chưa đúng: Ai đi trước: một người chơi" in page.text


def test_a_night_is_ended_and_goes_on_with_a_reason(client: FlaskClient, settled: Table) -> None:
    page = visit(client, f"/n/{settled.night}/ledger").press("end")
    assert "reopen" in page.buttons()
    table = visit(client, f"/n/{settled.night}")
    assert "Buổi đã kết thúc" in table.text
    assert table.buttons() == ["en"]
    assert page.press("reopen", reason="").status == 400
    page = page.press("reopen", reason="chơi thêm")
    assert "adjust" in page.buttons()


def test_a_night_with_an_unsettled_round_is_not_ended(client: FlaskClient, at_settling: Page) -> None:
    night = at_settling.path.split("/")[2]
    assert visit(client, f"/n/{night}/ledger").press("end").status == 409


def test_a_replay_steps_through_every_move_with_links(client: FlaskClient, settled: Table) -> None:
    page = visit(client, f"/n/{settled.night}/rounds/1?move=0")
    steps = []
    while on := [given["href"] for _, given in page.elements if given.get("aria-label") == "Nước sau"]:
        page = visit(client, on[0])
        steps.append(re.search(r"Nước (\d+) / (\d+)", page.text))
    assert [match[1] for match in steps if match] == [str(number) for number in range(1, len(steps) + 1)]
    assert len(steps) == 8
    assert {f"m{number}" for number in range(1, 9)} <= set(page.ids)


def test_undone_moves_stay_in_sight_struck_through(client: FlaskClient, night: Table) -> None:
    keeper = night.keeper
    keeper.record("round", opening=True)
    keeper.record("play", seat="p1", cards=["3s"])
    keeper.record("undo")
    keeper.record("play", seat="p1", cards=["3s", "3c"])
    page = visit(client, f"/n/{night.night}/rounds/1")
    struck = re.findall(r"<s>(.*?)</s>", page.response.text, re.DOTALL)
    assert len(struck) == 1
    assert "3♠" in struck[0]
    assert "hoàn tác" in page.text


@pytest.mark.parametrize(
    "address", ["rounds/2", "rounds/0", "rounds/99999999999999999999", "rounds/x", "rounds/1/settled"]
)
def test_what_is_not_there_is_answered_in_words(client: FlaskClient, settled: Table, address: str) -> None:
    page = visit(client, f"/n/{settled.night}/{address}")
    assert page.status == 404
    assert "404" in page.text


@pytest.mark.parametrize("move", ["x", "-1", "", "99999", "٣"])
def test_a_move_that_is_no_number_is_unreadable(client: FlaskClient, settled: Table, move: str) -> None:
    assert visit(client, f"/n/{settled.night}/rounds/1?move={move}").status == 400


def test_a_move_beyond_the_last_is_the_last(client: FlaskClient, settled: Table) -> None:
    assert "Nước 8 / 8" in visit(client, f"/n/{settled.night}/rounds/1?move=99").text


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


def weight(client: FlaskClient, page: Page) -> int:
    """The bytes of a page as sent, with its styles, scripts, pictures and imported scripts."""
    fetched = {
        given[name]
        for tag, given in page.elements
        for name in ("src", "href")
        if tag in ("link", "script", "img") and name in given
    }
    assert all(address.startswith((f"{STATIC}/", "/manifest")) or ".svg?" in address for address in fetched)
    asked = page.response.request
    headers = {**asked.headers, "Accept-Encoding": "gzip"}
    total, waiting = len(client.get(asked.full_path, headers=headers).data), sorted(fetched)
    for address in waiting:
        with client.get(address, headers={"Accept-Encoding": "gzip"}) as response:
            total += len(response.data)
            packed = response.content_encoding == "gzip"
            text = (decompress(response.data) if packed else response.data).decode()
            imported = re.findall(r'^import .* from "\./([a-z]+\.js)";$', text, re.M)
            waiting += sorted({f"{STATIC}/{name}" for name in imported} - set(waiting))
    return total


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


def test_the_language_is_switched_in_place_and_stays(client: FlaskClient, settled: Table) -> None:
    page = visit(client, f"/n/{settled.night}/rounds/1?move=3")
    switched = page.press("en", name="language")
    assert switched.language == "en"
    assert switched.path == page.path
    assert "Move 3 of 8" in switched.text
    assert visit(client, "/", "vi").language == "en"


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
