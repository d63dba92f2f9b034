"""Features of other rulesets: two packs, a pile to draw from, contracts, going forward, judging by other rules."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from ledger.game.rulesets import PRESETS
from tests.factories import friends
from tests.recorder.tables import run
from tests.web.browsing import Page, visit
from tests.web.phones import Phone, Table, answered, held, open_table, take


def at_table(client: FlaskClient, ruleset: str, players: int, **night: Any) -> Page:
    """The keeper's page of a night with these rules whose first round has begun."""
    table = held(client, ruleset=ruleset, players=friends(players), **night)
    return visit(client, f"/n/{table.night}", "en").press("round")


def play(page: Page, seat: str, text: str) -> Page:
    return page.press("play", seat=seat, cards=text.split())


def boxes(page: Page, card: str) -> list[dict[str, str]]:
    return [given for _, given in page.elements if given.get("name") == "cards" and given["value"] == card]


def round_of(page: Page) -> dict[str, object]:
    board = page.client.get(f"/api/v1{page.path.replace('/n/', '/nights/')}").get_json()
    assert isinstance(board["round"], dict)
    return board["round"]


def test_a_key_has_a_box_for_each_copy(client: FlaskClient) -> None:
    page = at_table(client, "core-double", 6)
    assert len(boxes(page, "3s")) == 2
    assert len({given["aria-label"] for given in boxes(page, "3s")}) == 2
    page = play(page, "p1", "3s")
    assert ["disabled" in given for given in boxes(page, "3s")] == [True, False]
    page = play(page, "p2", "4h").press("pass-all")
    page = play(page, "p2", "7d 7d")
    assert ["disabled" in given for given in boxes(page, "7d")] == [True, True]
    assert round_of(page)["seen_counts"] == {"3s": 1, "4h": 1, "7d": 2}


def test_a_refused_play_keeps_both_copies_chosen(client: FlaskClient) -> None:
    page = play(at_table(client, "core-double", 5), "p1", "3s 3s 5d")
    assert page.status == 422
    assert sorted(page.chosen("cards")) == ["3s", "3s", "5d"]


def test_where_backs_matter_each_pack_has_a_grid_of_its_own(client: FlaskClient) -> None:
    page = at_table(client, "double-deck", 8)
    assert len(boxes(page, "3s")) == len(boxes(page, "3s'")) == 1
    assert page.chosen("pack") == ["0"]
    page = play(page, "p1", "3s")
    page = play(page, "p2", "3s'")
    assert page.status == 200
    assert "disabled" in boxes(page, "3s'")[0]
    assert round_of(page)["seen_counts"] == {"3s": 1, "3s'": 1}


def test_the_next_table_is_ready_before_a_round_and_not_while_one_runs(client: FlaskClient) -> None:
    """The page holds it in case there is no network then: also with more players than seats, and two packs."""
    table = held(client, ruleset="double-deck", players=[f"Người {number}" for number in range(12)])
    page = visit(client, f"/n/{table.night}")
    assert '<template id="blank">' in page.response.text
    assert '<template id="blank">' not in page.press("round", leader="p1").response.text


def test_whoever_passes_draws_and_the_pile_shrinks(client: FlaskClient) -> None:
    page = play(at_table(client, "draw-pile", 3), "p1", "3s")
    assert "nọc còn 13" in page.text
    page = page.press("pass")
    assert "nọc còn 12" in page.text
    round = round_of(page)
    assert (round["to_draw"], round["left"]) == (12, {"p1": 12, "p2": 14, "p3": 13})
    assert round_of(at_table(client, "southern-classic", 4))["to_draw"] is None


def test_a_contract_is_taken_before_the_first_play_only(client: FlaskClient) -> None:
    page = at_table(client, "pro-play", 4)
    page = page.press("contract guaransheed", seat="p3")
    assert round_of(page)["contracts"] == {
        "offered": [contract.name for contract in PRESETS["pro-play"].contracts],
        "taken": {"p3": "guaransheed"},
    }
    page = play(page, "p1", "3s")
    assert not any(value.startswith("contract") for value in page.buttons())


def test_going_forward_is_offered_to_the_winner_of_a_pile(client: FlaskClient) -> None:
    page = at_table(client, "family", 4)
    assert "forward" not in page.buttons()
    page = play(play(page, "p1", "3s"), "p2", "9h")
    assert round_of(page)["forward"] == "p2"
    page = page.press("forward", seat="p2", cards=["Jc"])
    assert page.status == 200
    moves = round_of(page)["moves"]
    assert isinstance(moves, list)
    assert [row["kind"] for row in moves][-4:] == ["pass", "pass", "pass", "play"]
    assert moves[-1]["forward"] is True
    assert visit(client, f"{page.path}/rounds/1", "en").status == 200


def test_a_sequence_of_one_suit_locks_the_pile_where_its_player_says_so(client: FlaskClient) -> None:
    page = at_table(client, "thirteen", 4, rules={"suit-lock": "optional"})
    page = page.press("play", seat="p1", cards=["3s", "4s", "5s"], locks="yes")
    assert round_of(page)["suit_lock"] == {"optional": True, "locked": True}
    page = play(page, "p2", "6c 7d 8h")
    assert page.status == 422
    page = visit(client, page.path)
    assert page.chosen("locks") == []
    page = page.press("play", seat="p2", cards=["6c", "7c", "8c"], locks="no")
    assert round_of(page)["suit_lock"] == {"optional": True, "locked": False}


def test_nobody_chosen_is_said_in_place(client: FlaskClient) -> None:
    page = at_table(client, "core-double", 5)
    page = page.press("play", cards=["3s"])
    assert page.status == 422
    assert page.chosen("cards") == ["3s"]


# The same night under other rules


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
