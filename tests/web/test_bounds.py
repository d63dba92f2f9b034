"""No request costs more than a moment: texts to score, and rounds on a board."""

import time

import pytest
from flask.testing import FlaskClient

from tests.soak import nasty
from tests.soak.nasty import ALL_TAKEN, CARDS, MOST, WORST
from tests.soaking import further
from tests.web.phones import answered, open_table

SCORE = "/api/v1/score"
AT_MOST = 10
"""Seconds of processor time; the promise is 2, on an idle machine."""


def score(client: FlaskClient, text: str) -> dict[str, object]:
    began = time.process_time()
    response = client.post(SCORE, data=text.encode(), content_type="text/plain")
    assert response.status_code == 200
    assert time.process_time() - began < AT_MOST
    return answered(response)


@pytest.mark.timeout(60)
def test_a_bomb_that_took_every_card_is_refused_at_once(client: FlaskClient) -> None:
    """429 bytes that once took minutes."""
    assert len(ALL_TAKEN.encode()) < 430
    error = score(client, ALL_TAKEN)["error"]
    assert isinstance(error, dict)
    assert (error["line"], error["code"], error["clause"]) == (8, "too-many-cards", "PP-CHOP")


@pytest.mark.timeout(60)
def test_a_night_with_such_a_bomb_records_and_shows_the_largest_there_can_be(client: FlaskClient) -> None:
    table = open_table(
        client, ruleset="pro-play", rules={"deal.packs": "2", "deal.equal": "yes"}, players=["An", "Bình"]
    )
    keeper = table.keeper
    keeper.record("round", opening=True)

    def bombed(cards: list[str]) -> dict[str, object]:
        return {"places": ["p1", "p2"], "bombs": [{"seat": "p1", "beat": "p2", "captured": cards}]}

    refused = keeper.ask("result", **bombed(CARDS * 2))
    assert (refused.status_code, answered(refused)["code"]) == (422, "too-many-cards")
    began = time.process_time()
    keeper.record("result", **bombed(CARDS))
    keeper.record("settle", round=1)
    assert keeper.board()["round"]["over"]
    assert time.process_time() - began < AT_MOST


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", further(nasty.names(), "further kinds of hostile texts", plain=len(WORST)))
def test_a_text_of_any_kind_is_scored_or_refused_in_a_moment(client: FlaskClient, name: str) -> None:
    text = nasty.text(name)
    assert len(text.encode()) <= MOST
    answer = score(client, text)
    assert "net" in answer or answer["error"]["line"] > 0  # type: ignore[index]
