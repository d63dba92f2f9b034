"""Statistics of a night and of others of the same people: each number counted by hand."""

import pytest
from flask.testing import FlaskClient

from ledger.game.statistics import Person, Tally
from ledger.web.charts import WIDTH, place_bars
from tests.web.browsing import send, visit
from tests.web.phones import Table, open_table
from tests.web.test_rulesets_at_the_table import play_two_rounds

NAMES = ["An", "Bình", "Chi"]


def person(*places: int, knocked_out: int = 0) -> Person:
    return Person(
        rounds=sum(places) + knocked_out,
        places=places,
        last=0,
        knocked_out=knocked_out,
        instant_wins=0,
        bombs_made=Tally(),
        bombs_suffered=Tally(),
        twos=Tally(),
        points=(),
        biggest=None,
        winning=0,
        losing=0,
    )


@pytest.fixture
def settled(client: FlaskClient) -> Table:
    """A round that p1 wins and p2 is second in, and one that has just begun."""
    table = open_table(client, players=NAMES)
    play_two_rounds(table.keeper)
    send(client, f"/t/{table.tokens['watch']}", [])
    return table


def test_a_night_is_counted_and_its_tables_say_what_its_chart_draws(
    client: FlaskClient, settled: Table
) -> None:
    assert f"/n/{settled.night}/statistics" in visit(client, f"/n/{settled.night}/ledger", "en").links
    page = visit(client, f"/n/{settled.night}/statistics", "en")
    assert "1 round · 1 night of these people" in page.text
    # Second pays 1, third 2; the third is left with 2♦ and pays the second 2 for it.
    assert "Player Rounds 1st 2nd 3rd knocked out instant win An 1 1 0 0 0 0 Bình 1 0 1 0 0 0" in page.text
    assert "An +3 +3.0 +3 0 Bình +1 +1.0 −1 +2 Chi −4 −4.0 −2 −2" in page.text
    assert "Chi – – 1 (2) 0 1 −4" in page.text
    assert "Who bombed whom" not in page.text
    assert sum(tag == "rect" for tag, _ in page.elements) == 3 + 3


def test_nights_of_the_same_names_are_one_account_and_others_are_left_out(
    client: FlaskClient, settled: Table
) -> None:
    for names in (["Chi", "An", "Bình"], ["An", "Bình", "Dũng"]):
        other = open_table(client, players=names)
        send(client, f"/t/{other.tokens['watch']}", [])
    page = visit(client, f"/n/{settled.night}/statistics", "en")
    assert "1 round · 2 nights of these people" in page.text
    assert "Dũng" not in page.text


def test_who_bombed_whom_is_a_table(client: FlaskClient) -> None:
    table = open_table(client, players=["An", "Bình"])
    keeper = table.keeper
    keeper.record("round", opening=True)
    keeper.record("play", seat="p1", cards=["3s"])
    keeper.record("play", seat="p2", cards=["2h"])
    keeper.record("play", seat="p1", cards=["4s", "4c", "4d", "4h"])
    keeper.record("pass", seat="p2")
    keeper.record("play", seat="p1", cards=["5s", "6s", "7s", "8s", "9s", "Ts", "Js", "Qs"])
    send(client, f"/t/{table.tokens['watch']}", [])
    page = visit(client, f"/n/{table.night}/statistics", "en")
    assert "An – 1 (2) Bình – –" in page.text
    assert "Ai chặt ai" in visit(client, f"/n/{table.night}/statistics", "vi").text


def test_before_the_first_round_has_ended_there_is_nothing_to_draw(client: FlaskClient) -> None:
    table = open_table(client, players=NAMES)
    send(client, f"/t/{table.tokens['watch']}", [])
    page = visit(client, f"/n/{table.night}/statistics", "en")
    assert "No round has ended yet." in page.text
    assert not any(tag == "svg" and given.get("class") == "chart" for tag, given in page.elements)


def test_whoever_has_no_link_to_the_night_sees_nothing(client: FlaskClient) -> None:
    table = open_table(client, players=NAMES)
    assert visit(client, f"/n/{table.night}/statistics").status == 401


def test_bars_are_as_long_as_often_and_stay_in_their_frame() -> None:
    assert place_bars({"An": person()}) is None
    bars = place_bars({"An": person(2, 0, 1), "Bình": person(1, knocked_out=3)})
    assert bars is not None
    an, binh = (bar.parts for bar in bars.bars)
    assert [part.times for part in an] == [2, 1]
    assert [part.times for part in binh] == [1, 3]
    assert an[0].width == 2 * an[1].width == 2 * binh[0].width
    assert an[0].colour == binh[0].colour != an[1].colour
    assert binh[1].x + binh[1].width <= WIDTH
    assert [place for place, _, _, _ in bars.key] == [1, 2, 3, 0]


def test_what_the_colours_say_stays_in_the_frame_however_many_places_there_are() -> None:
    bars = place_bars({"An": person(1, 1, 1, 1, 1, 1, 1, 1)})
    assert bars is not None
    assert len({(x, y) for _, x, y, _ in bars.key}) == 8
    assert all(x < WIDTH and bars.bars[0].y + 22 < y < bars.height for _, x, y, _ in bars.key)
