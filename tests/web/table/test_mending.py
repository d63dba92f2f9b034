"""The form that corrects one move: what is tapped stays, and what was recorded is not recorded again."""

from flask.testing import FlaskClient

from tests.web.browsing import visit
from tests.web.phones import Table, take

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
