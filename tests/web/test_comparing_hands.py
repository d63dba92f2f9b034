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


def test_nothing_is_compared_where_nobody_saw_the_moves_or_cards_have_twins(client: FlaskClient) -> None:
    table = held(client)
    table.keeper.record("round", opening=True)
    table.caught_up().record("result", places=["p1", "p2", "p3", "p4"])
    assert "Cards that nobody played" not in settling(client, table).text
    twins = ended(client, 2, rules={"deal.packs": "2"})
    assert "Cards that nobody played" not in settling(client, twins).text


# Counting cards
