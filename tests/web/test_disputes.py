"""Why a round pays, agreement and disputes: the pages for players and the keeper."""

import pytest
from flask.testing import FlaskClient

from tests.web.browsing import Page, send, visit
from tests.web.phones import Table, new_id, open_table, play_a_round, settle_a_round

STAKE = {"amount": "5000", "currency": "VND"}


@pytest.fixture
def night(client: FlaskClient) -> Table:
    """A settled round: p2, p3 and p4 pay for full hands and what they held; no link is held yet."""
    table = open_table(client, stake=STAKE)
    settle_a_round(table.keeper)
    return table


def payments(night: Table) -> list[str]:
    """The addresses of the posted payments."""
    rows = night.keeper.get("/ledger").get_json()["payments"]
    return [f"{row['seq']}.{row['idx']}" for row in rows]


def disputed(night: Table) -> Page:
    """p2 disputes a payment."""
    page = visit(night.phone("p2"), f"/n/{night.night}/payments/{payments(night)[0]}")
    return page.press("p2", name="seat", reason="tôi có đánh mà")


def correct(night: Table) -> None:
    """The keeper corrects a move: p2 had played a card, so the hand is no longer full."""
    play = {"before": "3.3", "with": {"kind": "play", "seat": "p2", "cards": ["2h"], "stood": True}}
    hand = {"target": "6.0", "with": {"kind": "declare", "seat": "p4", "sets": [["2d"]]}}
    night.caught_up().record("correct", changes=[play, hand], reason="Bình có đánh heo cơ")


def sent_anew(page: Page, path: str, fields: list[tuple[str, str]]) -> Page:
    """Submit the same form again with a new id."""
    return page.send(path, [("id", new_id()), *((name, value) for name, value in fields if name != "id")])


@pytest.mark.parametrize("place", ["99.0", "1.0", "0.0", "x", "1.x", "9" * 40 + ".0"])
def test_a_payment_that_is_none_is_not_found(night: Table, place: str) -> None:
    assert visit(night.phone("watch"), f"/n/{night.night}/payments/{place}").status == 404


# Agreement


def test_a_seat_agrees_with_one_tap_and_everyone_sees_it(night: Table) -> None:
    client = night.phone("p2", "p3")
    page = visit(client, f"/n/{night.night}/rounds/1", "en")
    assert [name for name in page.buttons() if name in ("p2", "p3")] == ["p2", "p3"]
    assert "0 of 4 agree" in page.text
    page = page.press("p3", name="seat")
    assert "p3" not in page.buttons()
    client.set_cookie("tienlen-language", "en")
    keeper = night.phone("keeper")
    for place in ("/rounds", "/rounds/1", "/ledger"):
        assert "1 of 4 agree" in visit(keeper, f"/n/{night.night}{place}", "en").text


def test_a_correction_asks_those_again_whose_payments_it_changes(night: Table) -> None:
    client = night.phone("p2", "p3")
    visit(client, f"/n/{night.night}/rounds/1").press("p2", name="seat")
    visit(client, f"/n/{night.night}/rounds/1").press("p3", name="seat")
    before = {row["idx"]: row for row in night.keeper.get("/ledger").get_json()["payments"]}
    correct(night)
    changed = [
        row for row in night.keeper.get("/ledger").get_json()["payments"] if row["seq"] != before[0]["seq"]
    ]
    touched = {row[side] for row in changed for side in ("payer", "payee")}
    assert ("p2" in touched, "p3" in touched) == (True, False)
    page = visit(client, f"/n/{night.night}/rounds/1", "en")
    assert "1 of 4 agree" in page.text
    assert "whoever pays otherwise now is asked again" in page.text
    assert [name for name in page.buttons() if name in ("p2", "p3")] == ["p2"]


def test_a_player_agrees_with_all_that_waits_by_one_tap(night: Table) -> None:
    keeper = night.caught_up()
    keeper.tell("round lead p1 \n result p2 p1 p4 p3 \n p3 declares none \n settle")
    client = night.phone("p2")
    page = visit(client, f"/n/{night.night}/mine", "en")
    assert "You are Bình" in page.text
    assert "2 rounds wait for you" in page.text
    page = page.press("p2", name="seat")
    assert page.path == f"/n/{night.night}/mine"
    assert "Bạn đã đồng ý mọi ván đã chốt." in page.text
    assert "p2" not in page.buttons()
    for number in (1, 2):
        assert "1 of 4 agree" in visit(client, f"/n/{night.night}/rounds/{number}", "en").text


def test_a_form_that_agrees_records_once_and_says_that_it_has_when_it_is_filled_in_again(
    night: Table,
) -> None:
    page = visit(night.phone("p2"), f"/n/{night.night}/rounds/1", "en")
    path, fields = page.body("p2", name="seat")
    assert [page.send(path, fields).status for _ in range(2)] == [200, 200]
    assert sent_anew(page, path, fields).status == 409
    assert [event["kind"] for event in night.keeper.log()].count("confirm") == 1


def test_nobody_agrees_with_a_correction_that_the_page_did_not_show(night: Table) -> None:
    client = night.phone("p2")
    client.set_cookie("tienlen-language", "en")
    page = visit(client, f"/n/{night.night}/rounds/1")
    correct(night)
    late = page.press("p2", name="seat")
    assert (late.status, "changed since you looked" in late.text) == (409, True)
    assert night.keeper.log()[-1]["kind"] == "correct"
    assert late.press("p2", name="seat").status == 200
    assert night.keeper.log()[-1]["kind"] == "confirm"


def test_an_open_dispute_is_seen_on_every_page_by_everyone_until_it_is_decided(night: Table) -> None:
    def badges() -> set[bool]:
        pages = [(holder, place) for holder in ("keeper", "p3") for place in ("", "/ledger", "/rules")]
        shown = [visit(night.phone(holder), f"/n/{night.night}{place}") for holder, place in pages]
        return {'class="badge"' in page.response.text for page in shown}

    assert badges() == {False}
    disputed(night)
    assert badges() == {True}
    seq = night.caught_up().board()["seq"]
    night.keeper.record("decide", dispute=seq, decision="kept", reason="it was so")
    assert badges() == {False}


# Disputes


def test_a_move_is_disputed_from_its_row(night: Table) -> None:
    client = night.phone("p2")
    page = visit(client, f"/n/{night.night}/rounds/1", "en")
    (link, *_) = [link for link in page.links if "/dispute?move=" in link]
    page = visit(client, link, "en").press("p2", name="seat", reason="không phải lá đó")
    assert page.status == 200
    assert "không phải lá đó" in page.text
    assert page.path in visit(client, f"/n/{night.night}/rounds/1").links
    assert visit(night.phone("watch"), page.path, "en").status == 200


def test_what_was_undone_is_called_so_beside_what_is_disputed(client: FlaskClient) -> None:
    night = open_table(client)
    keeper = night.keeper
    play_a_round(keeper)
    keeper.tell(
        "p2 declares 2c \n undo \n p2 declares none \n p3 declares 2c \n p4 declares 2d, 2h \n settle"
    )
    place = disputed(night).path
    watcher = night.phone("watch")
    text = visit(watcher, place, "en").text
    assert ("undone" in text, "corrected" in text) == (True, False)
    assert "đã hoàn tác" in visit(watcher, place, "vi").text


def test_a_dispute_is_decided_once_and_a_second_decision_stays_typed(night: Table) -> None:
    keeper = night.phone("keeper")
    page = visit(keeper, disputed(night).path)
    path, fields = page.body("decide", name="act", decision="kept", reason="đúng rồi")
    decided = page.send(path, fields)
    assert (decided.status, "decide" in decided.buttons()) == (200, False)
    again = sent_anew(page, path, fields)
    assert (again.status, again.chosen("reason")) == (409, ["đúng rồi"])


def test_a_dispute_is_closed_as_corrected_only_after_a_correction(night: Table) -> None:
    place = disputed(night).path
    keeper = night.phone("keeper")
    page = visit(keeper, place).press("decide", name="act", decision="corrected", reason="sửa rồi")
    assert page.status == 409
    assert page.chosen("decision") == ["corrected"]
    assert page.chosen("reason") == ["sửa rồi"]
    correct(night)
    page = visit(keeper, place)
    assert page.chosen("decision") == ["corrected"]
    assert page.press("decide", name="act", reason="sửa rồi").status == 200


def test_a_payment_that_was_taken_back_is_not_disputed(night: Table) -> None:
    client = night.phone("p2")
    page = visit(client, f"/n/{night.night}/payments/{payments(night)[0]}")
    path, fields = page.body("p2", name="seat", reason="sai")
    night.caught_up().record("void", round=1, reason="chia lại")
    assert page.send(path, fields).status == 409
    assert sent_anew(page, path, [field for field in fields if field[0] != "seen"]).status == 422
    assert "p2" not in visit(client, path).buttons()


@pytest.mark.parametrize(
    "place", ["disputes/1", "disputes/99", "rounds/1/dispute?move=9.9", "rounds/1/dispute", "rounds/9/why"]
)
def test_what_is_not_there_is_not_found(night: Table, place: str) -> None:
    assert visit(night.phone("p2"), f"/n/{night.night}/{place}").status == 404


def test_another_nights_payment_is_none_of_this_one(client: FlaskClient, night: Table) -> None:
    other = open_table(client)
    seat = other.phone("p2")
    assert visit(seat, f"/n/{other.night}/payments/{payments(night)[0]}").status == 404
    fields = [("id", new_id()), ("seat", "p2"), ("reason", "x")]
    assert send(seat, f"/n/{other.night}/payments/{payments(night)[0]}", fields).status == 404
    assert send(seat, f"/n/{night.night}/payments/{payments(night)[0]}", fields).status == 401
