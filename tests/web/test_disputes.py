"""Why a round pays, agreement and disputes, as pages: what players and the keeper see and press."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.factories import NamedNightFactory
from tests.web.browsing import Page, send, visit
from tests.web.phones import Table, cards, new_id, open_table, play_a_round, settle_a_round
from tests.web.test_pages_night import MOST_BYTES, weight

STAKE = {"amount": "5000", "currency": "VND"}


@pytest.fixture
def night(client: FlaskClient) -> Table:
    """A settled round: p2, p3 and p4 pay for full hands and what they held; only the links are given out."""
    table = open_table(client, **NamedNightFactory(stake=STAKE))
    settle_a_round(table.keeper)
    return table


def phone(app: Flask, night: Table, *holders: str) -> FlaskClient:
    """A phone that has opened some links of the night."""
    client = app.test_client()
    for holder in holders:
        token = night.tokens["seats"].get(holder) or night.tokens[holder]
        assert send(client, f"/t/{token}", []).status == 200
    return client


def payments(night: Table) -> list[str]:
    """The places of the posted payments."""
    rows = night.keeper.get("/ledger").get_json()["payments"]
    return [f"{row['seq']}.{row['idx']}" for row in rows]


def disputed(app: Flask, night: Table, place: str = "", reason: str = "tôi có đánh mà") -> Page:
    """p2 disputes a payment."""
    page = visit(phone(app, night, "p2"), f"/n/{night.night}/payments/{place or payments(night)[0]}")
    return page.press("p2", name="seat", reason=reason)


def correct(night: Table) -> None:
    """The keeper finds that p2 had played a card: the hand is no full one any more."""
    keeper = night.caught_up()
    first, second = (row["address"] for row in keeper.board()["round"]["moves"][:2])
    assert first != second
    change = {
        "before": keeper.board()["round"]["moves"][4]["address"],
        "with": {"kind": "play", "seat": "p2", "cards": ["2h"], "stood": True},
    }
    declared = next(
        row for row in keeper.board()["round"]["moves"] if (row["kind"], row["player"]) == ("declare", "p4")
    )
    held = {"target": declared["address"], "with": {"kind": "declare", "seat": "p4", "sets": [["2d"]]}}
    keeper.record("correct", changes=[change, held], reason="Bình có đánh heo cơ")


def instead(night: Table, before: set[str]) -> list[str]:
    """The places of the payments that a correction posted, but for those that take others back."""
    rows = night.keeper.get("/ledger").get_json()["payments"]
    places = [f"{row['seq']}.{row['idx']}" for row in rows if not row["reverses"]]
    return [place for place in places if place not in before]


# Payments


@pytest.mark.parametrize("language", ["vi", "en"])
def test_every_payment_opens_into_its_own_page(app: Flask, night: Table, language: str) -> None:
    client = phone(app, night, "watch")
    ledger = visit(client, f"/n/{night.night}/ledger")
    round = visit(client, f"/n/{night.night}/rounds/1")
    addresses = sorted(f"/n/{night.night}/payments/{place}" for place in payments(night))
    for page in (ledger, round):
        assert sorted(link for link in page.links if "/payments/" in link) == addresses
    for link in addresses:
        page = visit(client, link, language)
        assert page.status == 200
        assert page.language == language
        assert any("/rules#S-" in there for there in page.links)
        assert any("/rounds/1?move=" in there for there in page.links)
        assert ("₫" in page.text) or ("VND" in page.text)
        assert weight(client, page) < MOST_BYTES


def test_a_payment_says_its_sum_its_cards_its_rule_and_when_it_was_posted(app: Flask, night: Table) -> None:
    rows = night.keeper.get("/ledger").get_json()["payments"]
    hoarded = next(row for row in rows if (row["payer"], row["reason"]) == ("p4", "hoarding-penalty"))
    page = visit(
        phone(app, night, "watch"), f"/n/{night.night}/payments/{hoarded['seq']}.{hoarded['idx']}", "en"
    )
    assert "2♦ (2) + 2♥ (2) = 4" in page.text
    assert "a player still holding special sets" in page.text or "S-HOARD" in page.text
    assert f"Posted by entry {hoarded['seq']}" in page.text
    assert [name for name in page.buttons() if name.startswith("p")] == []


def test_a_payment_that_was_corrected_away_says_by_what_and_is_explained_as_it_stood(
    app: Flask, night: Table
) -> None:
    before = {f"{row['seq']}.{row['idx']}" for row in night.keeper.get("/ledger").get_json()["payments"]}
    correct(night)
    rows = night.keeper.get("/ledger").get_json()["payments"]
    client = phone(app, night, "watch")
    gone = [row for row in rows if row["reversed_by"]]
    assert gone
    assert instead(night, before)
    for row in gone:
        page = visit(client, f"/n/{night.night}/payments/{row['seq']}.{row['idx']}", "en")
        assert "This payment was taken back." in page.text
        assert "Bình có đánh heo cơ" in page.text
        assert "How it was counted then" in page.text
        assert f"/n/{night.night}/payments/{row['reversed_by']}" in page.links
        assert f"{row['seq']}.{row['idx']}" in before
        for place in instead(night, before):
            assert f"/n/{night.night}/payments/{place}" in page.links
    for row in rows:
        if row["reverses"]:
            page = visit(client, f"/n/{night.night}/payments/{row['seq']}.{row['idx']}", "en")
            assert "This payment takes another one back." in page.text
            assert f"/n/{night.night}/payments/{row['reverses']}" in page.links


def test_a_payment_by_hand_has_its_reason(app: Flask, night: Table) -> None:
    night.caught_up().record("adjust", payer="p2", payee="p1", points=5, reason="đến muộn")
    page = visit(phone(app, night, "watch"), f"/n/{night.night}/payments/{payments(night)[-1]}", "en")
    assert "đến muộn" in page.text
    assert "by hand" in page.text


@pytest.mark.parametrize("place", ["99.0", "1.0", "0.0", "x", "1.x", "9" * 40 + ".0"])
def test_a_payment_that_is_none_is_not_found(app: Flask, night: Table, place: str) -> None:
    assert visit(phone(app, night, "watch"), f"/n/{night.night}/payments/{place}").status == 404


# Why, and why not


def test_why_tells_every_sum_and_why_not_every_reason(client: FlaskClient) -> None:
    table = open_table(client, **NamedNightFactory())
    send(client, f"/t/{table.tokens['keeper']}", [])
    keeper = table.keeper
    keeper.record("round", opening=True)
    keeper.record("play", seat="p1", cards=["3s"])
    keeper.record("play", seat="p2", cards=["2s"])
    keeper.record("play", seat="p3", cards=["2c"])
    keeper.record("play", seat="p4", cards=cards("4s 4c 4d 4h"))
    page = visit(client, f"/n/{table.night}/rounds/1/why", "en")
    assert "2♠ (1) + 2♣ (1) = 2 (may still change)" in page.text
    round = visit(client, f"/n/{table.night}/rounds/1", "en")
    assert any("/why#why-1" in link for link in round.links)
    keeper.record("play", seat="p1", cards=cards("5s 5c 5d 5h"), stood=True)
    page = visit(client, f"/n/{table.night}/rounds/1/why", "en")
    assert "only the last bomb is paid" in page.text
    asked = [link for link in visit(client, f"/n/{table.night}/rounds/1", "en").links if "/why#not-" in link]
    assert asked
    assert {link.partition("#")[2] for link in asked} <= set(page.ids)


@pytest.mark.parametrize("language", ["vi", "en"])
def test_results_and_void_rounds_are_told_too(client: FlaskClient, language: str) -> None:
    table = open_table(client, **NamedNightFactory())
    send(client, f"/t/{table.tokens['keeper']}", [])
    keeper = table.keeper
    keeper.record("round", opening=True)
    bombs = [
        {"seat": "p2", "beat": "p1", "captured": ["2d"]},
        {"seat": "p2", "beat": "p1", "captured": ["2h"]},
    ]
    keeper.record("result", places=["p3", "p1", "p2", "p4"], bombs=bombs)
    for place in ("", "/why"):
        assert visit(client, f"/n/{table.night}/rounds/1{place}", language).status == 200
    page = visit(client, f"/n/{table.night}/rounds/1/why", language)
    assert "2♦ (2)" in page.text
    assert "2♥ (2)" in page.text
    keeper.record("void", round=1, reason="chia lại")
    page = visit(client, f"/n/{table.night}/rounds/1/why", language)
    assert "chia lại" in page.text
    assert "2♦ (2)" not in page.text
    for place in ("/ledger", "/rounds", "/rounds/1", "/statistics"):
        assert visit(client, f"/n/{table.night}{place}", language).status == 200


# Agreement


def test_a_seat_agrees_with_one_tap_and_everyone_sees_it(app: Flask, night: Table) -> None:
    client = phone(app, night, "p2", "p3")
    page = visit(client, f"/n/{night.night}/rounds/1", "en")
    assert [name for name in page.buttons() if name in ("p2", "p3")] == ["p2", "p3"]
    assert "0 of 4 agree" in page.text
    page = page.press("p3", name="seat")
    assert "p3" not in page.buttons()
    client.set_cookie("tienlen-language", "en")
    keeper = phone(app, night, "keeper")
    for place in ("/rounds", "/rounds/1", "/ledger"):
        assert "1 of 4 agree" in visit(keeper, f"/n/{night.night}{place}", "en").text


def test_a_correction_asks_those_again_whose_payments_it_changes(app: Flask, night: Table) -> None:
    client = phone(app, night, "p2", "p3")
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


def test_a_player_agrees_with_all_that_waits_by_one_tap(app: Flask, night: Table) -> None:
    keeper = night.caught_up()
    keeper.record("round", leader="p1")
    keeper.record("result", places=["p2", "p1", "p4", "p3"])
    keeper.record("declare", seat="p3", sets=[])
    keeper.record("settle")
    client = phone(app, night, "p2")
    page = visit(client, f"/n/{night.night}/mine", "en")
    assert "You are Bình" in page.text
    assert "2 rounds wait for you" in page.text
    page = page.press("p2", name="seat")
    assert page.path == f"/n/{night.night}/mine"
    assert "Bạn đã đồng ý mọi ván đã chốt." in page.text
    assert "p2" not in page.buttons()
    for number in (1, 2):
        assert "1 of 4 agree" in visit(client, f"/n/{night.night}/rounds/{number}", "en").text


def test_a_form_that_agrees_is_sent_twice_and_records_once(app: Flask, night: Table) -> None:
    client = phone(app, night, "p2")
    page = visit(client, f"/n/{night.night}/mine")
    path, fields = page.body("p2", name="seat")
    assert page.send(path, fields).status == page.send(path, fields).status == 200
    events = night.keeper.get("/events").get_json()["events"]
    assert [event["kind"] for event in events].count("confirm") == 1


def test_a_players_page_shows_the_players_own_payments_and_disputes(app: Flask, night: Table) -> None:
    client = phone(app, night, "p3")
    ledger = night.keeper.get("/ledger").get_json()
    page = visit(client, f"/n/{night.night}/mine", "en")
    own = [row for row in ledger["payments"] if "p3" in (row["payer"], row["payee"])]
    shown = {link.partition("?")[0] for link in page.links if "/payments/" in link}
    assert shown == {f"/n/{night.night}/payments/{row['seq']}.{row['idx']}" for row in own}
    wrong = next(link for link in page.links if "dispute=yes" in link)
    visit(client, wrong, "en").press("p3", name="seat", reason="not so")
    page = visit(client, f"/n/{night.night}/mine", "en")
    assert "not so" in page.text
    assert "The keeper has not answered yet" in page.text


def test_a_phone_without_a_seat_is_led_to_the_table(app: Flask, night: Table) -> None:
    answer = phone(app, night, "watch").get(f"/n/{night.night}/mine")
    assert (answer.status_code, answer.location) == (302, f"/n/{night.night}")


@pytest.mark.parametrize(
    "place", ["", "/ledger", "/rounds", "/rounds/1", "/mine", "/rules", "/settle-up", "/statistics"]
)
def test_an_open_dispute_is_seen_on_every_page_by_everyone_until_it_is_decided(
    app: Flask, night: Table, place: str
) -> None:
    first = phone(app, night, "p2")
    visit(first, f"/n/{night.night}/payments/{payments(night)[0]}").press("p2", name="seat", reason="not so")
    for holder in ("keeper", "p3") if place != "/mine" else ("p3",):
        shown = visit(phone(app, night, holder), f"/n/{night.night}{place}", "en").response.text
        assert 'class="badge"' in shown
        assert 'aria-label="1 dispute"' in shown
    seq = night.caught_up().board()["seq"]
    night.keeper.record("decide", dispute=seq, decision="kept", reason="it was so")
    assert (
        'class="badge"' not in visit(phone(app, night, "p3"), f"/n/{night.night}{place}", "en").response.text
    )


def test_agreeing_twice_is_said_in_words(app: Flask, night: Table) -> None:
    client = phone(app, night, "p2")
    page = visit(client, f"/n/{night.night}/rounds/1", "en")
    path, fields = page.body("p2", name="seat")
    page.send(path, fields)
    assert page.send(path, fields).status == 200
    again = page.send(path, [("id", new_id()) if name == "id" else (name, value) for name, value in fields])
    assert again.status == 409
    assert "rồi" in again.text or "already" in again.text


CHANGED = {"en": "changed since you looked", "vi": "đã đổi từ lúc bạn xem"}


@pytest.mark.parametrize("language", CHANGED)
def test_nobody_agrees_with_a_correction_that_the_page_did_not_show(
    app: Flask, night: Table, language: str
) -> None:
    client = phone(app, night, "p2")
    client.set_cookie("tienlen-language", language)
    page = visit(client, f"/n/{night.night}/rounds/1", language)
    correct(night)
    late = page.press("p2", name="seat")
    assert late.status == 409
    assert CHANGED[language] in late.text
    assert night.keeper.log()[-1]["kind"] == "correct"
    assert late.press("p2", name="seat").status == 200
    assert night.keeper.log()[-1]["kind"] == "confirm"


def test_who_agrees_with_a_round_that_was_voided_since_is_told(app: Flask, night: Table) -> None:
    client = phone(app, night, "p2")
    client.set_cookie("tienlen-language", "en")
    page = visit(client, f"/n/{night.night}/rounds/1", "en")
    night.caught_up().record("void", round=1, reason="chia lại")
    late = page.press("p2", name="seat")
    assert late.status == 409
    assert CHANGED["en"] in late.text
    assert "p2" not in late.buttons()
    assert late.press("vi", name="language").path == f"/n/{night.night}/rounds/1"


@pytest.mark.parametrize("holder", ["watch", "keeper", "p3"])
def test_nobody_agrees_or_disputes_for_another(app: Flask, night: Table, holder: str) -> None:
    client = phone(app, night, holder)
    before = night.keeper.log()
    for place in ("rounds/1/agree", "rounds/1/dispute", f"payments/{payments(night)[0]}"):
        fields = [("id", new_id()), ("seat", "p2"), ("reason", "x"), ("move", "2.0")]
        assert send(client, f"/n/{night.night}/{place}", fields).status == 403
    assert night.keeper.log() == before


# Disputes


def test_a_disputed_payment_is_marked_wherever_it_stands(app: Flask, night: Table) -> None:
    page = disputed(app, night)
    assert page.status == 200
    place = page.path
    client = phone(app, night, "watch")
    for where in (
        "/ledger",
        "/rounds/1",
        "/rounds/1/why",
        "",
        f"/payments/{payments(night)[0]}",
        "/disputes",
    ):
        assert place in visit(client, f"/n/{night.night}{where}").links, where
    for where in ("/ledger", "/rounds"):
        assert f"/n/{night.night}/disputes" in visit(client, f"/n/{night.night}{where}").links


def test_a_move_is_disputed_from_its_row(app: Flask, night: Table) -> None:
    client = phone(app, night, "p2")
    page = visit(client, f"/n/{night.night}/rounds/1", "en")
    (link, *_) = [link for link in page.links if "/dispute?move=" in link]
    page = visit(client, link, "en").press("p2", name="seat", reason="không phải lá đó")
    assert page.status == 200
    assert "không phải lá đó" in page.text
    assert page.path in visit(client, f"/n/{night.night}/rounds/1").links
    assert visit(phone(app, night, "watch"), page.path, "en").status == 200


@pytest.mark.parametrize("language", ["vi", "en"])
@pytest.mark.parametrize("holder", ["watch", "keeper", "p2", "p3"])
def test_a_dispute_is_one_page_with_all_that_helps_to_decide_it(
    app: Flask, night: Table, holder: str, language: str
) -> None:
    place = disputed(app, night).path
    client = phone(app, night, holder)
    page = visit(client, place, language)
    assert page.status == 200
    assert "tôi có đánh mà" in page.text
    assert len([link for link in page.links if "/under/" in link]) == 3
    assert any("/rules#S-" in link for link in page.links)
    assert ("decide" in page.buttons()) == (holder == "keeper")
    assert len(page.ids) == len(set(page.ids))
    assert weight(client, page) < MOST_BYTES


def test_what_was_undone_is_called_so_beside_what_is_disputed(app: Flask, client: FlaskClient) -> None:
    night = open_table(client, **NamedNightFactory())
    keeper = night.keeper
    play_a_round(keeper)
    keeper.record("declare", seat="p2", sets=[["2c"]])
    keeper.record("undo")
    for seat, sets in (("p2", []), ("p3", [["2c"]]), ("p4", [["2d"], ["2h"]])):
        keeper.record("declare", seat=seat, sets=sets)
    keeper.record("settle")
    place = disputed(app, night).path
    watcher = phone(app, night, "watch")
    said = visit(watcher, place, "en").text
    assert ("undone" in said, "corrected" in said) == (True, False)
    assert "đã hoàn tác" in visit(watcher, place, "vi").text


def test_after_a_correction_a_dispute_says_what_is_paid_instead(app: Flask, night: Table) -> None:
    client = phone(app, night, "watch")
    place, before = disputed(app, night).path, set(payments(night))
    assert "as they stand now" not in visit(client, place, "en").text
    correct(night)
    page = visit(client, place, "en")
    assert "as they stand now" in page.text
    assert {f"/n/{night.night}/payments/{row}" for row in instead(night, before)} <= set(page.links)


def test_disputes_are_counted_by_the_night(app: Flask, night: Table) -> None:
    pages = [disputed(app, night, place) for place in payments(night)[:2]]
    for number, page in enumerate(pages, start=1):
        assert f"Dispute {number} " in visit(phone(app, night, "watch"), page.path, "en").text


def test_a_dispute_is_decided_and_no_more_open(app: Flask, night: Table) -> None:
    place = disputed(app, night).path
    keeper = phone(app, night, "keeper")
    page = visit(keeper, place).press("decide", name="act", decision="kept", reason="cả bàn nhớ vậy")
    assert page.status == 200
    assert "cả bàn nhớ vậy" in page.text
    assert "decide" not in page.buttons()
    rounds = visit(keeper, f"/n/{night.night}/rounds")
    assert f"/n/{night.night}/disputes" not in rounds.links


def test_a_waived_payment_goes_back_by_hand(app: Flask, night: Table) -> None:
    place = disputed(app, night).path
    before = night.keeper.board()["net"]["p2"]
    keeper = phone(app, night, "keeper")
    page = visit(keeper, place).press("decide", name="act", decision="waived", reason="thôi bỏ qua")
    assert page.status == 200
    assert night.keeper.board()["net"]["p2"] > before
    back = f"/n/{night.night}/payments/{payments(night)[-1]}"
    assert back in page.links
    assert back in visit(keeper, f"/n/{night.night}/payments/{payments(night)[0]}").links
    assert place in visit(keeper, back).links


def test_a_dispute_is_closed_as_corrected_only_after_a_correction(app: Flask, night: Table) -> None:
    place = disputed(app, night).path
    keeper = phone(app, night, "keeper")
    page = visit(keeper, place).press("decide", name="act", decision="corrected", reason="sửa rồi")
    assert page.status == 409
    assert page.chosen("decision") == ["corrected"]
    assert page.chosen("reason") == ["sửa rồi"]
    correct(night)
    page = visit(keeper, place)
    assert page.chosen("decision") == ["corrected"]
    assert page.press("decide", name="act", reason="sửa rồi").status == 200


def test_whatever_is_wrong_is_said_in_place_and_stays_typed(app: Flask, night: Table) -> None:
    client = phone(app, night, "p2")
    address = f"/n/{night.night}/payments/{payments(night)[0]}"
    page = visit(client, address)
    path, fields = page.body("p2", name="seat", reason="lần đầu")
    empty = page.press("p2", name="seat", reason="a;b")
    assert (empty.status, empty.chosen("reason")) == (400, ["a;b"])
    assert page.send(path, fields).status == 200
    again = page.send(path, [("id", new_id()) if name == "id" else (name, value) for name, value in fields])
    assert again.status == 409
    assert again.chosen("reason") == ["lần đầu"]
    assert 'role="alert"' in again.response.text


def test_a_payment_that_was_taken_back_is_not_disputed(app: Flask, night: Table) -> None:
    client = phone(app, night, "p2")
    page = visit(client, f"/n/{night.night}/payments/{payments(night)[0]}")
    path, fields = page.body("p2", name="seat", reason="sai")
    night.caught_up().record("void", round=1, reason="chia lại")
    late = page.send(path, fields)
    assert late.status == 409
    unsaid = [("id", new_id()), *((name, value) for name, value in fields if name not in ("id", "seen"))]
    assert page.send(path, unsaid).status == 422
    assert "p2" not in visit(client, path).buttons()


def test_a_dispute_is_decided_once(app: Flask, night: Table) -> None:
    place = disputed(app, night).path
    keeper = phone(app, night, "keeper")
    path, fields = visit(keeper, place).body("decide", name="act", decision="kept", reason="đúng rồi")
    assert send(keeper, path, fields).status == 200
    again = send(keeper, path, [("id", new_id()) if name == "id" else (name, v) for name, v in fields])
    assert again.status == 409
    assert again.chosen("reason") == ["đúng rồi"]


def test_only_the_keeper_decides(app: Flask, night: Table) -> None:
    place = disputed(app, night).path
    fields = [("id", new_id()), ("decision", "kept"), ("reason", "x")]
    for holder in ("watch", "p2"):
        assert send(phone(app, night, holder), place, fields).status == 403


@pytest.mark.parametrize(
    "place", ["disputes/1", "disputes/99", "rounds/1/dispute?move=9.9", "rounds/1/dispute", "rounds/9/why"]
)
def test_what_is_not_there_is_not_found(app: Flask, night: Table, place: str) -> None:
    assert visit(phone(app, night, "p2"), f"/n/{night.night}/{place}").status == 404


def test_another_nights_payment_is_none_of_this_one(app: Flask, client: FlaskClient, night: Table) -> None:
    other = open_table(client, **NamedNightFactory())
    seat = phone(app, other, "p2")
    assert visit(seat, f"/n/{other.night}/payments/{payments(night)[0]}").status == 404
    fields = [("id", new_id()), ("seat", "p2"), ("reason", "x")]
    assert send(seat, f"/n/{other.night}/payments/{payments(night)[0]}", fields).status == 404
    assert send(seat, f"/n/{night.night}/payments/{payments(night)[0]}", fields).status == 401


def test_reading_records_nothing(app: Flask, night: Table) -> None:
    place = disputed(app, night).path
    before = night.keeper.log()
    client = phone(app, night, "keeper", "p2")
    for where in (place, f"/n/{night.night}/disputes", f"/n/{night.night}/rounds/1/why"):
        visit(client, where)
    assert night.keeper.log() == before


def test_a_disputed_payment_by_hand_has_its_page(app: Flask, night: Table) -> None:
    night.caught_up().record("adjust", payer="p2", payee="p1", points=5, reason="đến muộn")
    page = disputed(app, night, payments(night)[-1], "tôi đến sớm")
    assert page.status == 200
    assert "đến muộn" in page.text
    assert re.search(r"/payments/\d+\.0", " ".join(page.links))
