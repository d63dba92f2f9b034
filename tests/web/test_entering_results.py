"""A round entered as a result only: refused until complete, marked everywhere, corrected."""

import json
from itertools import combinations, permutations
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from ledger.game.rulesets import PRESETS
from ledger.web.pages.result import tapped
from tests.recorder.tables import run
from tests.web.browsing import Page, send, visit
from tests.web.phones import Table, held, new_id

ORDER = ["p2", "p1", "p3"]
ALL = ["round", "result", "declare", "declare", "settle"]


@pytest.fixture
def night(client: FlaskClient) -> Table:
    return held(client)


def form_of(client: FlaskClient, night: Table, **fields: str | list[str]) -> Page:
    query = f"?{urlencode(fields, doseq=True)}" if fields else ""
    return visit(client, f"/n/{night.night}/result{query}")


def tap_order(page: Page, *taps: str, name: str = "kind") -> Page:
    for player in taps:
        page = page.press(f"tap {player}", name)
    return page


def filled(client: FlaskClient, night: Table) -> Page:
    """Bình first, An second, Chi third, Dũng had played nothing; Bình had bombed Chi's 2♦."""
    page = tap_order(form_of(client, night), *ORDER, "p4")
    return page.press("extra", who="p2", whom="p3", cards="2d")


def kinds(night: Table) -> list[str]:
    return [event["kind"] for event in night.keeper.log()]


def test_a_result_is_entered_with_its_payments_and_lands_on_the_table(
    client: FlaskClient, night: Table
) -> None:
    assert f"/n/{night.night}/result" in visit(client, f"/n/{night.night}").links
    page = filled(client, night)
    assert kinds(night) == []
    # The 2♦ is 2; the third pays the second 1; a player without a play pays the winner 4.
    assert "An +1, Bình +6, Chi −3, Dũng −4" in page.text.replace(" · ", ", ")
    page = page.press("result")
    assert (page.status, page.path) == (200, f"/n/{night.night}")
    assert kinds(night) == ALL
    assert night.keeper.board()["net"] == {"p1": 1, "p2": 6, "p3": -3, "p4": -4}


def test_what_is_left_in_a_hand_is_paid_for_and_nothing_else_is_asked(
    client: FlaskClient, night: Table
) -> None:
    page = tap_order(form_of(client, night), *ORDER, "p4").press("extra", what="left", who="p4", cards="2s")
    page = page.press("result", what="left", who="p3", cards=["9s", "9c", "9d", "9h"])
    assert page.path == f"/n/{night.night}"
    assert kinds(night) == ALL
    declared = [
        json.loads(event["body"])["content"]["sets"]
        for event in night.keeper.log()
        if event["kind"] == "declare"
    ]
    assert declared == [[["2s"]], [["9s", "9c", "9d", "9h"]]]


def test_hands_that_have_to_be_counted_are_asked_for_next(client: FlaskClient) -> None:
    table = held(client, ruleset="card-count")
    page = tap_order(form_of(client, table), "p2")
    assert "Trang sau hỏi bài còn lại" in page.text
    page = page.press("result")
    assert page.path == f"/n/{table.night}/rounds/1/settle"
    assert kinds(table) == ["round", "result"]


@pytest.mark.parametrize("again", [False, True])
def test_a_form_sent_twice_records_one_round(client: FlaskClient, night: Table, again: bool) -> None:
    page = filled(client, night)
    where, fields = page.body("result")
    fields += [("ids", new_id()) for _ in range(20 if again else 0)]
    assert [send(client, where, fields).status for _ in range(2)] == [200, 200]
    assert kinds(night) == ALL


def test_a_result_may_be_entered_while_no_move_of_the_round_is_recorded(
    client: FlaskClient, night: Table
) -> None:
    table = visit(client, f"/n/{night.night}").press("round")
    assert f"/n/{night.night}/result" in table.links
    page = filled(client, night)
    assert "leader" not in {control.name for form in page.forms for control in form.controls}
    assert page.press("result").path == f"/n/{night.night}"
    assert kinds(night) == ALL


def test_the_beginning_of_a_round_without_moves_can_be_taken_back_there(
    client: FlaskClient, night: Table
) -> None:
    visit(client, f"/n/{night.night}").press("round")
    page = form_of(client, night).press("undo")
    assert (page.status, kinds(night)) == (200, ["round", "undo"])
    assert "leader" in {control.name for form in page.forms for control in form.controls}


def test_somebody_who_sits_twice_is_said_in_place_and_stays_chosen(client: FlaskClient, night: Table) -> None:
    seats = ["p1", "p1", "p3", "p4"]
    page = filled(client, night).press("result", seats=seats)
    assert page.status == 422
    assert "Chọn lại ai ngồi." in page.text
    assert page.chosen("seats") == seats
    assert kinds(night) == []


def test_who_does_not_sit_has_no_place(client: FlaskClient) -> None:
    table = held(client, players=["An", "Bình", "Chi", "Dũng", "Em"])
    page = form_of(client, table)
    assert "tap p5" not in page.buttons()
    page = page.press("tap p1", seats=["p1", "p2", "p5", ""])
    assert {one for one in page.buttons() if one.startswith("tap")} == {"tap p1", "tap p2", "tap p5"}
    assert page.press("tap p5").chosen("places") == ["p1", "p5", "p2"]


def test_a_form_of_a_round_that_somebody_else_began_meanwhile_says_so(
    client: FlaskClient, night: Table
) -> None:
    old = filled(client, night)
    keeper = night.keeper
    keeper.record("round", opening=True)
    keeper.record("play", seat="p1", cards=["3s"])
    page = old.press("result")
    assert page.status == 409
    assert page.chosen("places") == ORDER
    assert kinds(night) == ["round", "play"]


def test_the_rest_of_a_round_is_entered_at_any_time_and_what_was_recorded_stays(
    client: FlaskClient, night: Table
) -> None:
    keeper = night.keeper
    keeper.tell("round lead p1 ! \n p1 2d \n p2 6s 6c 6d 6h")
    table = visit(client, f"/n/{night.night}")
    assert "Ván này xong rồi" in table.text
    assert f"/n/{night.night}/result" in table.links
    page = form_of(client, night)
    offered = {control.value for form in page.forms for control in form.controls if control.name == "cards"}
    assert not offered & {"2d"}
    # The four sixes lie on a pile that is already bombed.
    page = tap_order(page, "p2", "p1", "p3", "p4").press("result", who="p3", whom="p2", cards="6s")
    assert page.status == 422
    page = page.press("without this").press("result")
    assert page.path == f"/n/{night.night}"
    assert kinds(night) == ["round", "play", "play", "result", "declare", "declare", "settle"]
    assert keeper.board()["net"] == {"p1": -1, "p2": 6, "p3": -1, "p4": -4}


def test_who_is_out_by_the_record_keeps_the_place(client: FlaskClient) -> None:
    table = held(client, players=["An", "Bình", "Chi"])
    led = "round lead p1 ! \n p1 3s \n p2 4c \n p3 5c \n p1 2s \n p2 - \n p3 -"
    table.keeper.tell(f"{led} \n p1 {run('s', '4')}")
    page = form_of(client, table)
    assert page.chosen("places") == ["p1"]
    assert "tap p1" not in page.buttons()
    page = page.press("tap p3")
    assert page.chosen("places") == ["p1", "p3", "p2"]
    assert form_of(client, table, places=["p2", "p1"], kind="tap p1").chosen("places") == ["p1", "p2", "p3"]
    assert page.press("result").path == f"/n/{table.night}"


def test_what_the_rules_refuse_is_said_at_once_and_records_nothing(client: FlaskClient, night: Table) -> None:
    page = filled(client, night).press("extra", who="p4", whom="p3", cards="2s")
    assert 'role="alert"' in page.response.text
    page = page.press("result")
    assert page.status == 422
    assert page.chosen("extra") == ["bomb p2 p3 2d", "bomb p4 p3 2s"]
    assert kinds(night) == []
    page = page.press("without 1")
    assert page.chosen("extra") == ["bomb p2 p3 2d"]
    assert page.press("result").path == f"/n/{night.night}"


def test_a_leader_who_is_not_due_may_stand(client: FlaskClient, night: Table) -> None:
    filled(client, night).press("result")
    page = filled(client, night).press("result", leader="p3")
    assert page.status == 422
    assert "stood" in {control.name for form in page.forms for control in form.controls}
    assert kinds(night) == ALL
    assert page.press("round", name="stood").path == f"/n/{night.night}"
    assert kinds(night) == ALL * 2


@pytest.mark.parametrize(
    "typed", [{"who": "p2"}, {"whom": "p3"}, {"cards": "2d"}, {"what": "left", "who": "p3"}]
)
def test_a_line_that_is_not_whole_is_said_in_place(
    client: FlaskClient, night: Table, typed: dict[str, str]
) -> None:
    page = tap_order(form_of(client, night), *ORDER).press("result", **typed)
    assert page.status == 422
    assert 'role="alert"' in page.response.text
    assert {name: page.chosen(name)[-1] for name in typed} == typed
    assert kinds(night) == []


def test_before_everybody_has_a_place_there_is_nothing_to_press(client: FlaskClient, night: Table) -> None:
    page = tap_order(form_of(client, night), "p2")
    assert "result" not in page.buttons()
    where, fields = page.body("tap p1")
    answer = send(client, where, [*fields[:-1], ("kind", "result")])
    assert answer.status == 422
    assert "result" in tap_order(page, "p1", "p3").buttons()
    assert kinds(night) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"extra": "bomb p1"},
        {"extra": "x p1 p2 2d"},
        {"extra": ""},
        {"extra": "bomb p1 p9 2d"},
        {"extra": "bomb p1 p2 2x"},
        {"extra": "bomb p1 p2 2d 2d"},
        {"who": "p9"},
        {"cards": ["2d", "2d"]},
        {"who": ["p1", "p2"]},
    ],
)
def test_an_address_that_no_tap_makes_is_refused(
    client: FlaskClient, night: Table, fields: dict[str, str | list[str]]
) -> None:
    assert form_of(client, night, **fields).status == 400


def test_an_address_shows_what_was_tapped(client: FlaskClient, night: Table) -> None:
    page = form_of(
        client, night, places=["p2", "p9", "p1"], seats=["p2", "p1", "p4"], leader="p4", kind="tap p4"
    )
    assert page.chosen("places") == ["p2", "p1", "p4"]
    assert page.chosen("knocked_out") == []
    assert page.chosen("leader") == ["p4"]


@pytest.mark.parametrize(
    "preset", ["southern-classic", "southern-winner-takes-all", "thirteen-points", "northern"]
)
def test_every_order_can_be_tapped_from_every_other(preset: str) -> None:
    """From any order tapped, tapping the misplaced players leads to the order meant."""
    ruleset, players = PRESETS[preset], ["p1", "p2", "p3", "p4"]

    def after(state: tuple[list[str], list[str]], player: str) -> tuple[list[str], list[str]]:
        return tapped(*state, players, player, ruleset)

    orders: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()
    new: list[tuple[tuple[str, ...], tuple[str, ...]]] = [((), ())]
    while new:
        orders |= set(new)
        reached = [after((list(places), list(out)), one) for places, out in new for one in players]
        new = [state for state in {(tuple(a), tuple(b)) for a, b in reached} if state not in orders]
    for places, out in orders:
        assert not {*places} & {*out}
        assert len({*places}) == len(places)
    wanted = [(one,) for one in players] if ruleset.ending.at_first_out else list(permutations(players))
    assert {places for places, out in orders if not out} >= set(wanted)
    if ruleset.never_played_matters:
        assert {frozenset(out) for _, out in orders} >= {
            frozenset(some) for number in range(3) for some in combinations(players, number)
        }


def test_a_result_is_corrected_with_the_fields_that_it_was_entered_by(
    client: FlaskClient, night: Table
) -> None:
    filled(client, night).press("result")
    page = visit(client, f"/n/{night.night}/rounds/1/correct?target=2.0")
    assert page.chosen("places") == ORDER
    assert page.chosen("extra") == ["bomb p2 p3 2d"]
    page = page.press("without 0", name="act")
    assert page.chosen("extra") == []
    page = page.press("extra", name="act", who="p1", whom="p3", cards="2d")
    assert page.chosen("extra") == ["bomb p1 p3 2d"]
    page = tap_order(page, "p2", "p2", name="act")  # the second tap puts Bình behind the others
    page = tap_order(page, "p3", "p3", name="act")
    assert page.press("look", name="act", who="p1", reason="nhất là An").status == 422
    assert page.chosen("places") == ["p1", "p2", "p3"]
    page = page.press("look", name="act", who="p1", reason="nhất là An").press("without this", name="act")
    page = page.press("look", name="act", reason="nhất là An")
    assert page.status == 200
    assert "1. An · 2. Bình · 3. Chi" in page.text
    assert page.press("record", name="act").status == 200
    # The 2♦ was An's; the third pays the second 1; a player without a play pays the winner 4.
    assert night.keeper.board()["net"] == {"p1": 6, "p2": 1, "p3": -3, "p4": -4}


def test_the_form_is_the_keepers_and_leads_back_once_the_night_has_ended(
    client: FlaskClient, night: Table
) -> None:
    watcher = night.phone("watch")
    assert visit(watcher, f"/n/{night.night}/result").status == 403
    old = filled(client, night)
    night.keeper.record("end")
    assert form_of(client, night).path == f"/n/{night.night}"
    page = old.press("result")
    assert (page.status, page.chosen("places")) == (409, ORDER)


@pytest.mark.parametrize(
    ("fields", "status"), [([], 400), ([("kind", "x")], 400), ([("kind", "result")], 422)]
)
def test_a_form_that_is_not_whole_is_refused(
    client: FlaskClient, night: Table, fields: list[tuple[str, str]], status: int
) -> None:
    assert send(client, f"/n/{night.night}/result", [("id", new_id()), *fields]).status == status
