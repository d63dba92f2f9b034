"""A round that nobody recorded move by move: entered as its result, settled, marked everywhere, corrected."""

import pytest
from flask.testing import FlaskClient

from tests.factories import NamedNightFactory
from tests.web.browsing import Page, send, visit
from tests.web.phones import Table, new_id, open_table

ORDER = ["p2", "p1", "p3", ""]


@pytest.fixture
def night(client: FlaskClient) -> Table:
    table = open_table(client, **NamedNightFactory())
    send(client, f"/t/{table.tokens['keeper']}", [])
    return table


def form_of(client: FlaskClient, night: Table, language: str | None = None) -> Page:
    return visit(client, f"/n/{night.night}/result", language)


def enter(page: Page, **changes: str | list[str]) -> Page:
    """An came second, Bình first, Chi third, Dũng was knocked out; Bình had bombed Chi's 2♦."""
    said: dict[str, str | list[str]] = {
        "places": ORDER,
        "knocked_out": "p4",
        "bomb_seat": "p2",
        "bomb_beat": "p3",
        "bomb_cards_0": "2d",
        "bomb_typed": "",
    }
    return page.press("result", name="kind", **(said | changes))


def kinds(night: Table) -> list[str]:
    return [event["kind"] for event in night.keeper.log()]


def settled(client: FlaskClient, night: Table, **changes: str | list[str]) -> Page:
    page = enter(form_of(client, night), **changes)
    while "settle" not in page.buttons():
        page = page.press("none")
    return page.press("settle")


def test_a_result_is_entered_from_the_table_and_settled_like_any_round(
    client: FlaskClient, night: Table
) -> None:
    assert f"/n/{night.night}/result" in visit(client, f"/n/{night.night}").links
    page = enter(form_of(client, night))
    assert (page.status, page.path) == (200, f"/n/{night.night}/rounds/1/settle")
    assert "≤ 12" in page.text  # nobody knows how many cards Chi holds, who has played some
    page = page.press("none", seat="p3").press("none", seat="p4").press("settle")
    assert page.status == 200
    # The 2♦ is 2; the third pays the second 1; knocked out: 4 to the winner.
    assert night.keeper.board()["net"] == {"p1": 1, "p2": 6, "p3": -3, "p4": -4}


def test_a_form_sent_twice_records_one_round(client: FlaskClient, night: Table) -> None:
    page = form_of(client, night)
    assert [enter(page).status for _ in range(2)] == [200, 200]
    assert kinds(night) == ["round", "result"]


def test_a_result_may_be_entered_while_no_move_of_the_round_is_recorded(
    client: FlaskClient, night: Table
) -> None:
    table = visit(client, f"/n/{night.night}").press("round")
    assert f"/n/{night.night}/result" in table.links
    page = form_of(client, night)
    assert "leader" not in {control.name for form in page.forms for control in form.controls}
    assert enter(page).path == f"/n/{night.night}/rounds/1/settle"
    assert kinds(night) == ["round", "result"]


def test_a_result_of_somebody_who_sits_twice_is_said_in_place_and_stays_typed(
    client: FlaskClient, night: Table
) -> None:
    seats = ["p1", "p1", "p3", "p4"]
    page = enter(form_of(client, night), seats=seats)
    assert page.status == 422
    assert "Chọn lại ai ngồi." in page.text
    assert (page.chosen("seats"), page.chosen("places")) == (seats, ORDER)
    assert kinds(night) == []


def test_a_round_that_is_being_recorded_takes_no_result(client: FlaskClient, night: Table) -> None:
    old = form_of(client, night)
    keeper = night.keeper
    keeper.record("round", opening=True)
    keeper.record("play", seat="p1", cards=["3s"])
    assert form_of(client, night).path == f"/n/{night.night}"
    page = enter(old)
    assert page.status == 409
    assert page.chosen("places") == ORDER
    assert kinds(night) == ["round", "play"]


def test_a_result_that_the_rules_refuse_says_that_the_round_has_begun_and_keeps_everything(
    client: FlaskClient, night: Table
) -> None:
    page = enter(form_of(client, night), knocked_out=[])
    assert page.status == 422
    assert "Ván 1 đã bắt đầu" in page.text
    assert page.chosen("places") == ORDER
    assert page.chosen("bomb_seat") == ["p2"]
    assert page.chosen("bomb_cards_0") == ["2d"]
    assert kinds(night) == ["round"]
    page = page.press("result", knocked_out="p4")
    assert page.path == f"/n/{night.night}/rounds/1/settle"
    assert kinds(night) == ["round", "result"]


def test_the_beginning_is_taken_back_from_there_and_nothing_typed_is_lost(
    client: FlaskClient, night: Table
) -> None:
    page = enter(form_of(client, night), knocked_out=[]).press("undo")
    assert (page.status, kinds(night)) == (200, ["round", "undo"])
    assert page.chosen("places") == ORDER
    assert page.chosen("begins") == ["yes"]
    assert enter(page).path == f"/n/{night.night}/rounds/1/settle"


def test_a_leader_who_is_not_due_may_stand(client: FlaskClient, night: Table) -> None:
    settled(client, night)
    page = enter(form_of(client, night), leader="p3")
    assert page.status == 422
    assert "stood" in {control.name for form in page.forms for control in form.controls}
    assert kinds(night).count("round") == 1
    page = page.press("round", name="stood")
    assert page.path == f"/n/{night.night}/rounds/2/settle"


@pytest.mark.parametrize(
    "wrong",
    [
        {"places": ["p2", "", "p3", ""]},
        {"places": ["p2", "p2", "p3", ""]},
        {"places": ["p2", "p1", "p3", "p4"]},
        {"places": ["", "", "", ""]},
        {"bomb_seat": ""},
        {"bomb_beat": ""},
        {"bomb_cards_0": []},
        {"bomb_typed": "1x"},
        {"bomb_typed": "2♦"},
        {"bomb_typed": "<b>"},
    ],
)
def test_what_cannot_be_is_said_in_place_before_anything_is_recorded(
    client: FlaskClient, night: Table, wrong: dict[str, str | list[str]]
) -> None:
    page = enter(form_of(client, night), **wrong)
    assert page.status == 422
    assert 'role="alert"' in page.response.text
    assert kinds(night) == []
    assert page.chosen("places") == wrong.get("places", ORDER)
    assert page.chosen("knocked_out") == ["p4"]


def test_cards_are_typed_in_any_spelling_and_bombs_are_added_row_by_row(
    client: FlaskClient, night: Table
) -> None:
    page = form_of(client, night).press("more", places=ORDER, knocked_out="p4")
    assert page.chosen("bomb_typed") == ["", ""]
    assert page.chosen("places") == ORDER
    page = page.press(
        "result",
        places=ORDER,
        bomb_seat=["p1", "p2"],
        bomb_beat=["p3", "p1"],
        bomb_typed=["2♣, 2R", "9b 9t 9D 9c"],
    )
    assert page.status == 200
    (row,) = night.keeper.board()["round"]["moves"]
    assert [bomb["captured"] for bomb in row["bombs"]] == [["2c", "2d"], ["9s", "9c", "9d", "9h"]]


@pytest.mark.parametrize(("language", "typed"), [("vi", "9c 10n Jr Qb"), ("en", "9h 10c Jd Qs")])
def test_cards_are_typed_with_the_letters_of_the_page_and_come_again_with_their_suits(
    client: FlaskClient, night: Table, language: str, typed: str
) -> None:
    client.set_cookie("tienlen-language", language)
    form = form_of(client, night)
    placeholder, example = {"vi": ("9b 9t 9r 9c", "2r 2c"), "en": ("9s 9c 9d 9h", "2d 2h")}[language]
    assert f'placeholder="{placeholder}"' in form.response.text
    page = enter(form, bomb_typed=f"{typed} 1x")
    assert f" {example}." in page.text
    assert page.chosen("bomb_typed") == ["9♥ 10♣ J♦ Q♠ 1x"]
    enter(page, bomb_typed=page.chosen("bomb_typed")[0].removesuffix(" 1x"), bomb_cards_0=[])
    (row,) = night.keeper.board()["round"]["moves"]
    assert [bomb["captured"] for bomb in row["bombs"]] == [["9h", "Tc", "Jd", "Qs"]]


@pytest.mark.parametrize("language", ["vi", "en"])
def test_it_is_marked_wherever_the_round_is_shown(client: FlaskClient, night: Table, language: str) -> None:
    settled(client, night)
    words = "chỉ ghi kết quả" if language == "vi" else "entered as its result"
    for place in ("", "/ledger", "/rounds/1", "/settle-up/p1", "/under/northern"):
        assert words in visit(client, f"/n/{night.night}{place}", language).text, place
    assert ("kết quả" if language == "vi" else "result") in visit(
        client, f"/n/{night.night}/rounds", language
    ).text
    told = visit(client, f"/n/{night.night}/rounds/1", language).text
    assert "1. Bình · 2. An · 3. Chi" in told
    assert "2♦" in told
    for table in ("csv", "totals"):
        csv = client.get(f"/n/{night.night}/export/{table}").text.splitlines()
        column = csv[0].split(",").index("entered")
        assert {line.split(",")[column] for line in csv[1:]} == {"result"}
    assert "entered:result" in client.get(f"/n/{night.night}/export/hledger").text


def test_a_result_is_corrected_with_the_fields_that_it_was_entered_by(
    client: FlaskClient, night: Table
) -> None:
    settled(client, night)
    page = visit(client, f"/n/{night.night}/rounds/1/correct?target=2.0")
    assert page.chosen("places") == ORDER
    assert page.chosen("bomb_cards_0") == ["2d"]
    page = page.press("bomb", name="act", places=["p1", "p2", "p3", ""])
    assert page.chosen("bomb_seat") == ["p2", ""]
    assert page.press("look", name="act", places=["", "p2", "p3", "p1"]).status == 422
    page = page.press("look", name="act", bomb_seat=["p1", ""], reason="nhất là An")
    assert page.status == 200
    assert "1. An · 2. Bình · 3. Chi" in page.text
    assert page.press("record", name="act").status == 200
    # The 2♦ was An's; the third pays the second 1; knocked out: 4 to the winner.
    assert night.keeper.board()["net"] == {"p1": 6, "p2": 1, "p3": -3, "p4": -4}


def test_the_form_is_the_keepers_and_leads_back_once_the_night_has_ended(
    client: FlaskClient, night: Table
) -> None:
    watcher = client.application.test_client()
    send(watcher, f"/t/{night.tokens['watch']}", [])
    assert visit(watcher, f"/n/{night.night}/result").status == 403
    old = form_of(client, night)
    night.keeper.record("end")
    assert form_of(client, night).path == f"/n/{night.night}"
    page = enter(old)
    assert (page.status, page.chosen("places")) == (409, ORDER)


@pytest.mark.parametrize(
    ("fields", "status"), [([], 400), ([("kind", "x")], 400), ([("kind", "result")], 422)]
)
def test_a_form_that_is_not_whole_is_refused(
    client: FlaskClient, night: Table, fields: list[tuple[str, str]], status: int
) -> None:
    assert send(client, f"/n/{night.night}/result", [("id", new_id()), *fields]).status == status


def test_other_rules_that_cannot_take_a_result_are_said_of_the_result(client: FlaskClient) -> None:
    """Where the winner takes all a result may name nobody else, which no other rules can pay for."""
    table = open_table(client, **NamedNightFactory(ruleset="southern-winner-takes-all"))
    send(client, f"/t/{table.tokens['keeper']}", [])
    settled(client, table, places=["p2", "", "", ""])
    page = visit(client, f"/n/{table.night}/under/thirteen-points", "en")
    assert "First difference: round 1, move 1. The comparison ends there" in page.text
    assert "cannot have happened. result Southern: winner takes all Allowed." in page.text
