"""The form that corrects one move: what is tapped stays, and what was recorded is not recorded again.
The list of moves leads to it."""

import pytest
from flask.testing import FlaskClient

from tests.game.short_rounds import with_runs
from tests.web.browsing import visit
from tests.web.phones import Table, open_table, take

ROUND = "round opening\np1 3s\np4 9d\np1 Td"


def test_a_form_that_is_filled_in_is_not_renewed(client: FlaskClient, table: Table) -> None:
    take(client, table.tell(ROUND), "keeper")
    night = f"/n/{table.night}"
    assert "live.js" in visit(client, night).response.text
    for place in ("move=4", "move=1", "move=4&how=before"):
        assert "live.js" not in visit(client, f"{night}/rounds/1/mend?{place}").response.text, place


def test_a_correction_that_is_sent_twice_is_recorded_once(client: FlaskClient, table: Table) -> None:
    """After the first, other passes would follow from it."""
    take(client, table.tell(ROUND), "keeper")
    page = visit(client, f"/n/{table.night}/rounds/1/mend?move=4&how=before")
    sent = page.body("correct", seat="p3", cards=["8d"])
    before = len(table.keeper.log())
    for _ in range(2):
        answer = page.send(*sent)
        assert answer.response.request.path == f"/n/{table.night}"
    assert len(table.keeper.log()) == before + 1


@pytest.mark.parametrize(
    ("rules", "plays", "players"),
    [
        pytest.param("southern-classic", "p1 5s / p2 9d", "p2 p1", id="whoever passes is locked out"),
        pytest.param("akita", "p1 5s / p2 9d", "p2 p3 p4 p1", id="whoever passes may play later"),
        pytest.param("akita", "p1 5s / p3 9d", "p3 p4 p1", id="a pass that is listed stands for itself"),
        pytest.param("thirteen", "p1 3s..As / p1 2s / p2 2h", "p2 p3 p4", id="the one before went out"),
    ],
)
def test_a_play_is_offered_as_missing_of_whoever_may_have_played_it(
    client: FlaskClient, rules: str, plays: str, players: str
) -> None:
    """Before the last play: first its own player, then the others in playing order."""
    table = open_table(client, ruleset=rules)
    take(client, table.tell(with_runs(f"round lead p1 / {plays}".replace(" / ", "\n"))), "keeper")
    links = visit(client, f"/n/{table.night}/rounds/1/mend").links
    last, *_ = [link for link in links if "&how=before" in link]
    assert [link[-2:] for link in links if link.startswith(last[:-2])] == players.split()
