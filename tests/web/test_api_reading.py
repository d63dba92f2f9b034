"""Reading a night: log, ledger and replay; scoring a text; health."""

import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from ledger.game.report import Words, as_data, score
from ledger.language import speaker
from ledger.web import Settings, create_app
from ledger.web.api.answers import NoScore, Score
from tests.case_files import columns
from tests.stories import A_SETTLED_ROUND_OF_FOUR
from tests.web.phones import Phone, answered, new_night, open_table

RECORDS = Path(__file__).parent.parent / "records"
SCORE = "/api/v1/score"
WORDS = Words(
    speaker("en").refusal,
    speaker("en").finding,
    speaker("en").disagreement,
    speaker("en").unreadable,
    speaker("en").idle,
)


def test_the_log_is_read_in_pages(keeper: Phone) -> None:
    keeper.tell(A_SETTLED_ROUND_OF_FOUR)
    whole = keeper.log()
    assert [event["seq"] for event in whole] == list(range(1, 8))
    assert answered(keeper.get("/events?after=2&limit=3"))["events"] == whole[2:5]
    assert answered(keeper.get("/events?after=99"))["events"] == []
    paid = answered(keeper.get("/ledger"))["payments"]
    first, later = (answered(keeper.get(f"/ledger?limit=1&after={after}"))["payments"] for after in (0, 1))
    assert (first, later) == (paid, [])


@pytest.mark.parametrize(("query", "field"), columns("requests.txt", "queries that cannot be meant"))
def test_a_page_that_cannot_be_meant_is_refused(keeper: Phone, query: str, field: str) -> None:
    for path in ("/events", "/ledger"):
        response = keeper.get(f"{path}?{query}")
        assert (response.status_code, list(answered(response)["fields"])) == (400, [field])


def test_the_replay_of_a_night_scores_as_the_night_did(keeper: Phone) -> None:
    keeper.tell(A_SETTLED_ROUND_OF_FOUR)
    response = keeper.get("/replay")
    assert response.content_type == "text/plain; charset=utf-8"
    scored = answered(keeper.client.post(SCORE, data=response.data, content_type="text/plain"))
    assert scored["net"] == keeper.board()["net"]
    moves = keeper.get("/moves")
    assert moves.content_type == "application/jsonl"
    assert answered(keeper.client.post(SCORE, data=moves.data, content_type=moves.content_type)) == scored


@pytest.mark.parametrize(
    "path",
    [
        RECORDS / "southern-01.tln",
        RECORDS / "southern-05.tln",
        *sorted((RECORDS / "refused").glob("*-1.tln")),
    ],
)
def test_a_text_is_scored_as_the_command_prints_it(client: FlaskClient, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    response = client.post(
        SCORE, data=text.encode(), content_type="text/plain", headers={"Accept-Language": "en"}
    )
    assert (response.status_code, response.content_type) == (200, "application/json")
    assert json.loads(response.data) == json.loads(json.dumps(as_data(score(text, WORDS).answer)))
    answer = answered(response)
    assert (NoScore() if "error" in answer else Score()).validate(answer) == {}


def test_a_store_that_cannot_be_used_is_not_and_nothing_is_recorded(
    client: FlaskClient, settings: Settings
) -> None:
    table = open_table(client)
    database = Path(settings.database_url.removeprefix("sqlite:///"))
    other = database.with_name("other")
    other.write_bytes(b"not a database" * 1000)
    other.replace(database)
    for response in (
        client.get("/healthz"),
        table.keeper.get(),
        table.keeper.ask("round", opening=True),
        client.post("/api/v1/nights", json=new_night(id=table.night)),
    ):
        assert response.status_code == 503
        assert response.headers["Retry-After"].isdigit()
        assert response.content_type == "application/problem+json"


@pytest.mark.parametrize(
    "url", ["sqlite:////nowhere/ledger.db", "sqlite://", "mysql://localhost/x", "nonsense"]
)
def test_an_installation_without_a_database_says_so_to_everyone(url: str) -> None:
    client = create_app(Settings(database_url=url, key=bytes(32))).test_client()
    assert client.get("/healthz").status_code == 503
    assert client.get("/t/x", headers={"Accept": "text/html"}).status_code == 503
    assert client.post("/api/v1/nights", json=new_night()).status_code == 503
