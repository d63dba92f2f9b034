"""A night under other rules: on its page, and by the interface."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from ledger.game.rulesets import PRESETS
from tests.game.table import run
from tests.web.browsing import visit
from tests.web.phones import Phone, Table, answered, open_table, take


def play_two_rounds(keeper: Phone) -> None:
    """Three players: p1 goes out with the spades, p2 with the clubs, p3 is left with diamonds. Then p1 leads."""
    keeper.tell(
        f"""
        round opening
        p1 3s
        p2 4c
        p3 5d
        p1 2s
        p1 {run("s", "4")}
        p2 -
        p3 -
        p2 {run("c", "5")}
        p2 2c
        p2 3c
        p3 declares 2d
        settle
        round lead p1
        p1 5s
        """
    )


@pytest.fixture
def settled(client: FlaskClient) -> Table:
    table = open_table(client, players=["An", "Bình", "Chi"])
    play_two_rounds(table.keeper)
    take(client, table, "watch")
    return table


def test_every_preset_can_be_compared_with(client: FlaskClient, settled: Table) -> None:
    for preset in PRESETS:
        assert visit(client, f"/n/{settled.night}/under/{preset}").status == 200, preset
    assert visit(client, f"/n/{settled.night}/under/western").status == 404


def test_the_interface_scores_under_other_rules(client: FlaskClient, settled: Table) -> None:
    text = settled.keeper.get("/replay").get_data()
    response = client.post("/api/v1/score?under=thirteen-points", data=text, content_type="text/plain")
    data = answered(response)
    assert data["net"]["here"] == {"p1": 3, "p2": 1, "p3": -4}
    assert data["net"]["there"] == {"p1": 4, "p2": -1, "p3": -3}
    assert data["first"]["there"]["message"]
    wrong = client.post("/api/v1/score?under=western", data=text, content_type="text/plain")
    assert (wrong.status_code, list(answered(wrong)["fields"])) == (400, ["under"])
    assert client.post("/api/v1/score?over=x", data=text, content_type="text/plain").status_code == 400


def test_the_interface_scores_under_any_rules_of_a_table(client: FlaskClient, settled: Table) -> None:
    text = settled.keeper.get("/replay").get_data()

    def scored(query: str) -> Any:
        return answered(client.post(f"/api/v1/score?{query}", data=text, content_type="text/plain"))

    as_json = client.post("/api/v1/score", json={"text": text.decode()})
    assert answered(as_json) == scored("")
    places = "under=thirteen-points&rule=payments.places=9/0/-9"
    assert scored(places)["net"]["there"] == {"p1": 11, "p2": 0, "p3": -11}
    assert scored(f"{places}&rule=passing.locks=no")["net"]["there"] == {"p1": 11, "p2": 0, "p3": -11}
    for wrong, field in (
        ("rule=passing.locks=no", "rule"),
        ("under=thirteen&rule=passing.locks", "rule.0"),
        ("under=thirteen&rule=passing.locks=no&rule=passing.locks=yes", "rule"),
        ("under=thirteen&rule=passing.locks=perhaps", "rules.passing.locks"),
        ("under=thirteen&under=northern&rule=passing.locks=no", "under"),
    ):
        assert list(scored(wrong)["fields"]) == [field]
