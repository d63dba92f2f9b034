"""Before settling, the hands left are compared with the cards that nobody played."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.recorder.tables import run
from tests.web.browsing import Page, visit
from tests.web.phones import Table, held
from tests.web.test_pages_night import MOST_BYTES, weight


def ended(client: FlaskClient, players: int, **changes: Any) -> Table:
    """A round that An has won. Bình's 4♦ was recorded as 4♣, which Bình still holds."""
    table = held(client, players=["An", "Bình", "Chi", "Dũng"][:players], **changes)
    passes = "".join(f"\n p{seat} -" for seat in range(3, players + 1))
    table.keeper.tell(f"round opening \n p1 3s \n p2 4c {passes} \n p1 2s \n p2 - \n p1 {run('s', '4')}")
    return table


def settling(client: FlaskClient, table: Table) -> Page:
    return visit(client, f"/n/{table.night}/rounds/1/settle", "en")


@pytest.mark.parametrize(("players", "dealt"), [(4, True), (2, False)])
def test_cards_that_nobody_played_are_named(client: FlaskClient, players: int, dealt: bool) -> None:
    page = settling(client, ended(client, players, ruleset="southern-winner-takes-all"))
    listed = page.text.partition("Cards that nobody played")[2].partition("One of them")[0]
    assert ("They are what is left in the hands" in listed) is dealt
    assert "4♦" in listed
    assert "4♣" not in listed
    assert weight(client, page) < MOST_BYTES


def test_a_card_that_was_played_after_all_takes_the_place_of_the_one_that_was_recorded(
    client: FlaskClient,
) -> None:
    table = ended(client, 2)
    page = settling(client, table)
    links = [link for link in page.links if "swap" in link]
    (mistaken,) = {link for link in links if link.endswith("swap=4c+4d")}
    assert not [link for link in links if link.endswith("swap=4c+9d")]
    page = visit(client, mistaken)
    assert (page.chosen("seat"), page.chosen("cards")) == (["p2"], ["4d"])
    page.press("suit")
    listed = settling(client, table).text.partition("Cards that nobody played")[2].partition("One of them")[0]
    assert "4♣" in listed
    assert "4♦" not in listed


def test_nothing_is_compared_where_nobody_saw_the_moves_or_cards_have_twins(client: FlaskClient) -> None:
    table = held(client)
    table.keeper.record("round", opening=True)
    table.caught_up().record("result", places=["p1", "p2", "p3", "p4"])
    assert "Cards that nobody played" not in settling(client, table).text
    twins = ended(client, 2, rules={"deal.packs": "2"})
    assert "Cards that nobody played" not in settling(client, twins).text


# Counting cards


def counting(client: FlaskClient, table: Table, seat: str, holds: str) -> Page:
    return visit(client, f"/n/{table.night}/rounds/1?seat={seat}&holds={holds}", "en")


@pytest.fixture
def running(client: FlaskClient) -> Table:
    """A round in which Chi has passed on a single, and Bình has played one."""
    table = held(client, players=["An", "Bình", "Chi"])
    table.keeper.tell("round lead p1 \n p1 3s \n p2 4s \n p3 -")
    return table


@pytest.mark.parametrize(
    ("seat", "holds", "sentence", "moves"),
    [
        ("p3", "13", "Chi: 13, as recorded.", []),
        ("p3", "12", "Chi: 12 at the table, 13 by the record. A play may have been", ["3"]),
        ("p2", "13", "Bình: 13 at the table, 12 by the record. One of these plays", ["2"]),
        ("p2", "7", "No single move explains it", []),
    ],
)
def test_whoever_counts_another_number_is_shown_the_moves_that_may_be_why(
    client: FlaskClient, running: Table, seat: str, holds: str, sentence: str, moves: list[str]
) -> None:
    page = counting(client, running, seat, holds)
    assert sentence in page.text
    mends = [link.rpartition("=")[2] for link in page.links if "/mend?move=" in link]
    assert mends == moves
    for move in moves:
        assert visit(client, f"/n/{running.night}/rounds/1/mend?move={move}").status == 200


@pytest.mark.parametrize(
    ("seat", "holds"), [("p9", "3"), ("x", "3"), ("p1", ""), ("p1", "x"), ("p1", "-1"), ("p1", "999")]
)
def test_what_is_no_count_asks_again(client: FlaskClient, running: Table, seat: str, holds: str) -> None:
    page = counting(client, running, seat, holds)
    assert page.status == 200
    assert "by the record" not in page.text
