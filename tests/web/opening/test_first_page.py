"""What the first page shows before its form: a picture for newcomers, the last night for others."""

import re
from collections.abc import Sequence
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.game.night import totals
from ledger.game.payments import post
from ledger.language import LANGUAGES, speaker
from ledger.recorder import Link, Role
from ledger.recorder.operations.demo import corrected_night, demo_night, example_night
from ledger.web.pages.opening import nights
from ledger.web.pages.opening.picture import first_picture
from ledger.web.preferences import say_finding
from ledger.web.recorder import recorder
from tests.nights import Data, new_id
from tests.stories import A_SETTLED_ROUND_OF_FOUR
from tests.web.browsing import MOST_BYTES, Form, Page, visit, weight
from tests.web.phones import NIGHTS, Table, answered, open_table, take

MOST_BYTES_OF_PICTURE = 30_000
MONEY = {"amount": "5000", "currency": "VND"}


def drawing(client: FlaskClient, language: str) -> str:
    """The picture of the first page; empty if it has none."""
    found = re.search("<svg.*</svg>", visit(client, "/", language).response.text, re.DOTALL)
    return found[0] if found else ""


def numbers_in(texts: Sequence[str]) -> list[int]:
    """The whole numbers among some texts, with a real minus."""
    plain = (text.replace("\N{MINUS SIGN}", "-") for text in texts)
    return [int(text) for text in plain if re.fullmatch(r"[+-]?\d+", text)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_shows_the_numbers_of_the_example_night_and_its_words(
    client: FlaskClient, language: str
) -> None:
    svg, shown, say = drawing(client, language), first_picture(), speaker(language)
    assert 0 < len(svg.encode()) <= MOST_BYTES_OF_PICTURE
    drawn = ElementTree.fromstring(svg)
    assert drawn.get("viewBox") == f"0 0 {drawn.get('width')} {drawn.get('height')}"
    texts = [" ".join("".join(one.itertext()).split()) for one in drawn.iter("text")]
    names = dict(enumerate(shown.names))
    payment = {
        "payer": names[shown.payment.payer],
        "payee": names[shown.payment.payee],
        "points": shown.payment.points,
    }
    assert say.gettext("Bomb! %(payer)s pays %(payee)s %(points)s") % payment in texts
    for player, name in names.items():
        assert f"{name} {say.signed(shown.net[player])}" in texts
    ledger = texts[texts.index(shown.names[0]) + len(names) :]
    rows = [[line.round, *line.net] for line in shown.lines]
    assert numbers_in(ledger) == [number for row in [*rows, shown.net] for number in row]


def test_the_points_of_the_picture_come_to_nothing_and_are_those_of_the_ledger(app: Flask) -> None:
    with app.test_request_context():
        link = example_night(recorder(), say_finding)
        with recorder().night(link.night) as snapshot:
            board = snapshot.board(Link(link.night, Role.WATCH), say_finding)
            accounts = snapshot.accounts
    assert totals(corrected_night()) == [*board.net.values()]
    assert totals(corrected_night()) != totals(demo_night())
    shown = first_picture()
    assert [sum(numbers) for numbers in (shown.net, *(line.net for line in shown.lines))] == [0] * 6
    assert [sum(column) for column in zip(*(line.net for line in shown.lines), strict=True)] == shown.net
    running, *settled = shown.lines
    nobody = dict.fromkeys(board.net, 0)
    for line in settled:
        assert [*post(accounts[line.round].payments, nobody).values()] == line.net
    assert shown.payment.points == max(running.net)


def test_only_who_has_not_been_here_sees_the_picture(client: FlaskClient, table: Table) -> None:
    client.post("/example")
    assert drawing(client, "en")
    take(client, table, "watch")
    assert not drawing(client, "en")


def test_the_first_page_weighs_little(client: FlaskClient, table: Table) -> None:
    assert weight(client, visit(client, "/")) < MOST_BYTES
    for _ in range(3):
        take(client, open_table(client), "keeper")
    assert weight(client, visit(client, "/")) < MOST_BYTES


def again(page: Page) -> Form:
    """The form that opens a night like the last one."""
    return next(form for form in page.forms if any(control.name == "again" for control in form.controls))


def terms_of(client: FlaskClient, night: str) -> Data:
    """What a night was opened with, but for its id and its date."""
    board = answered(client.get(f"{NIGHTS}/{night}"))
    names = [player["name"] for player in board["players"]]
    return {"names": names, "ruleset": board["ruleset"], "stake": board["stake"]}


def opened_again(client: FlaskClient) -> str:
    """Open the same again by a single button; returns the new night."""
    page = visit(client, "/", "en")
    table = page.send("/", again(page).filled({}))
    assert table.path.startswith("/n/"), table.text
    return table.path.split("/")[2]


@pytest.mark.parametrize("holder", ["keeper", "watch", "p2"])
def test_the_same_again_takes_names_rules_and_money_of_last_time(client: FlaskClient, holder: str) -> None:
    rules = {"passing.locks": "no", "price.red-two": "6", "scheme": "winner-takes-all"}
    for changes in (
        {"rules": rules, "stake": MONEY},
        {"ruleset": "hawaii", "players": ["An", "Bình", "Chi"]},
    ):
        table = open_table(client, **changes)
        table.keeper.record("rename", player="p1", name="Ân")
        take(client, table, holder)
        page = visit(client, "/", "en")
        assert "The same again" in page.text
        assert ("₫5,000" in page.text) is ("stake" in changes)
        night = opened_again(client)
        assert night != table.night
        assert terms_of(client, night) == terms_of(client, table.night)
        client.delete_cookie(f"tienlen-{night}-keeper")


def test_the_same_again_is_as_the_table_agreed_last(client: FlaskClient) -> None:
    table = open_table(client)
    take(client, table, "keeper")
    for price in ("6", "8"):
        table.keeper.ask("agree", rules={"price.red-two": price}, stake=MONEY)
    table.keeper.ask("undo")
    assert "1 own rule · 1 point = ₫5,000" in visit(client, "/", "en").text
    assert terms_of(client, opened_again(client)) == terms_of(client, table.night)


def test_the_same_again_is_of_the_last_night_that_the_phone_keeps(client: FlaskClient) -> None:
    kept = open_table(client, stake=MONEY)
    take(client, kept, "keeper")
    take(client, open_table(client, players=["Mai", "Lan"]), "watch")
    assert terms_of(client, opened_again(client)) == terms_of(client, kept.night)


def test_the_same_again_joins_the_group_that_the_phone_keeps(client: FlaskClient, table: Table) -> None:
    take(client, table, "keeper")
    path = f"/n/{table.night}/group"
    season = visit(client, path).send(path, [("id", new_id()), ("name", "Hội thứ sáu")])
    assert "Hội thứ sáu" in visit(client, "/").text
    night = opened_again(client)
    assert f"/n/{night}" in visit(client, season.path).response.text
    other = client.application.test_client()
    take(other, table, "keeper")
    night = opened_again(other)
    assert f"/n/{night}" not in visit(client, season.path).response.text


def test_what_is_changed_first_is_in_the_form_and_opens_nothing(client: FlaskClient) -> None:
    table = open_table(client, stake=MONEY, rules={"passing.locks": "no"})
    take(client, table, "keeper")
    page = visit(client, "/", "en")
    form = page.send("/", [*again(page).filled({}), ("act", "change")])
    names = terms_of(client, table.night)["names"]
    assert form.chosen("players")[: len(names)] == names
    assert (form.chosen("amount"), form.chosen("currency")) == (["5000"], ["VND"])
    links = form.send("/", form.forms[-1].filled({"players": ["Ân", "Bình"]}))
    opened = terms_of(client, links.path.split("/")[2])
    assert opened == {**terms_of(client, table.night), "names": ["Ân", "Bình"]}


def test_a_night_is_opened_again_only_by_its_links(client: FlaskClient, table: Table) -> None:
    take(client, table, "keeper")
    fields = again(visit(client, "/")).filled({})
    stranger = visit(client.application.test_client(), "/")
    assert stranger.send("/", fields).status == 401
    assert stranger.send("/", [("again", new_id())]).status == 401


def test_the_way_back_to_a_running_table_comes_first(
    client: FlaskClient, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(client, table, "keeper")
    back = re.compile(rf'class="again" href="/n/{table.night}"')
    assert not back.search(visit(client, "/").response.text)
    table.keeper.tell(A_SETTLED_ROUND_OF_FOUR)
    assert back.search(visit(client, "/").response.text)
    take(client, open_table(client).tell(A_SETTLED_ROUND_OF_FOUR), "keeper")
    page = visit(client, "/")
    assert not back.search(page.response.text)
    assert f"/n/{table.night}" in page.links
    monkeypatch.setattr(nights, "LONGEST", timedelta(0))
    assert not back.search(visit(client, "/").response.text)
