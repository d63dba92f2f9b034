"""Reading a night: its log, ledger and replay; scoring a text; health."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from ledger.game import notation
from ledger.game.moves import Claim, Declare, Move, Pass, Play, Show
from ledger.game.notation import tag
from ledger.game.report import Words, as_data, score
from ledger.game.round import Round
from ledger.language import speaker
from ledger.web import Settings, create_app
from ledger.web.api.answers import Ledger, Log, NoScore, Score
from tests.web.phones import Data, Phone, Table, answered, new_night, open_table, play_a_round, settle_a_round

RECORDS = Path(__file__).parent.parent / "records"
SCORE = "/api/v1/score"
WORDS = Words(
    speaker("en").refusal, speaker("en").finding, speaker("en").disagreement, speaker("en").unreadable
)


# The log


def test_the_log_is_the_chain_as_it_was_hashed(keeper: Phone) -> None:
    opened = keeper.board()["hash"]
    settle_a_round(keeper)
    assert Log().validate(answered(keeper.get("/events"))) == {}
    head = bytes.fromhex(opened)
    for event in keeper.log():
        head = sha256(b"tienlen/event/v1\x00" + head + event["body"].encode()).digest()
        assert event["hash"] == head.hex()
    assert keeper.board()["hash"] == head.hex()


def test_the_log_is_read_in_pages(keeper: Phone) -> None:
    settle_a_round(keeper)
    whole = keeper.log()
    assert [event["seq"] for event in whole] == list(range(1, 8))
    assert answered(keeper.get("/events?after=2&limit=3"))["events"] == whole[2:5]
    assert answered(keeper.get("/events?after=99"))["events"] == []
    assert "X-Pagination" not in keeper.get("/events").headers


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("after=-1", "after"),
        ("after=x", "after"),
        ("after=1.0", "after"),
        ("after=", "after"),
        ("after=%D9%A1", "after"),
        ("after=9999999999999999999999", "after"),
        ("after=1&after=2", "after"),
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("page=2", "page"),
    ],
)
def test_a_page_that_cannot_be_meant_is_refused(keeper: Phone, query: str, field: str) -> None:
    for path in ("/events", "/ledger"):
        response = keeper.get(f"{path}?{query}")
        assert (response.status_code, list(answered(response)["fields"])) == (400, [field])


# The ledger and the replay


def test_the_ledger_adds_up(keeper: Phone) -> None:
    settle_a_round(keeper)
    keeper.record("adjust", payer="p1", payee="p2", points=5, reason="late again")
    ledger = answered(keeper.get("/ledger"))
    assert Ledger().validate(ledger) == {}
    sums = dict.fromkeys(("p1", "p2", "p3", "p4"), 0)
    for payment in ledger["payments"]:
        sums[payment["payer"]] -= payment["points"]
        sums[payment["payee"]] += payment["points"]
    assert ledger["balances"] == sums == ledger["totals"][-1]["total"] == keeper.board()["net"]
    first, later = (answered(keeper.get(f"/ledger?limit=1&after={after}"))["payments"] for after in (0, 1))
    assert (first, later) == (ledger["payments"], [])


def test_the_replay_of_a_night_scores_as_the_night_did(keeper: Phone) -> None:
    settle_a_round(keeper)
    response = keeper.get("/replay")
    assert response.content_type == "text/plain; charset=utf-8"
    scored = answered(keeper.client.post(SCORE, data=response.data, content_type="text/plain"))
    assert scored["net"] == keeper.board()["net"]
    moves = keeper.get("/moves")
    assert moves.content_type == "application/jsonl"
    assert answered(keeper.client.post(SCORE, data=moves.data, content_type=moves.content_type)) == scored


@pytest.mark.slow
def test_a_night_recorded_move_by_move_comes_to_what_its_record_says(client: FlaskClient) -> None:
    text = (RECORDS / "southern-05.tln").read_text(encoding="utf-8")
    night = notation.replay(notation.read(text))
    keeper = open_table(client, players=list(night.names), ruleset=night.ruleset.id).keeper
    for round in night.rounds:
        header: Data = (
            {"leader": tag(round.header.leader)} if round.header.leader is not None else {"opening": True}
        )
        keeper.record(
            "round", seats=[tag(seat) for seat in round.header.seats], stood=round.header.stood, **header
        )
        for move in round.moves:
            keeper.record(**event_of(move, round))
        if keeper.board()["round"]["can_settle"]:
            keeper.record("settle")
    whole = as_data(score(text, WORDS).answer)
    assert "error" not in whole
    posted = answered(keeper.get("/ledger"))["payments"]
    facts = ("payer", "payee", "points", "reason", "clause")
    assert [[payment[fact] for fact in facts] for payment in posted] == [
        [payment[fact] for fact in facts]
        for round_data in whole["rounds"]
        if round_data["status"] in ("settled", "instant-win")
        for payment in round_data["payments"]
    ]


def event_of(move: Move, round: Round) -> Data:
    """A move as an event's kind and fields."""
    seat, write = tag(move.player), round.ruleset.deck.write
    match move:
        case Pass():
            return {"kind": "pass", "seat": seat, "stood": move.stood}
        case Play():
            return {"kind": "play", "seat": seat, "cards": write(move.cards), "stood": move.stood}
        case Claim():
            return {"kind": "claim", "seat": seat, "cards": write(move.cards), "stood": move.stood}
        case Show():
            return {"kind": "show", "seat": seat, "cards": write(move.cards)}
        case Declare():
            return {"kind": "declare", "seat": seat, "sets": [write(cards) for cards in move.sets]}
        case _:
            raise AssertionError(f"not among the moves of these rounds: {move!r}")


# Scoring a text


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


def test_a_text_that_is_no_replay_is_answered_with_the_line(client: FlaskClient) -> None:
    error = answered(client.post(SCORE, data="tienlen 1\nhello\n", content_type="text/plain"))["error"]
    assert (error["line"], error["code"]) == (2, "notation")


def test_scoring_stores_nothing(client: FlaskClient, settings: Settings) -> None:
    database = Path(settings.database_url.removeprefix("sqlite:///"))
    before = database.read_bytes()
    client.post(
        SCORE, data=(RECORDS / "southern-01.tln").read_bytes(), content_type="text/plain; charset=UTF-8"
    )
    assert database.read_bytes() == before


# Health


def test_a_store_that_can_be_used_is_healthy(client: FlaskClient, table: Table) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.get_json()) == (200, {"status": "ok"})


def test_a_store_that_cannot_be_used_is_not_and_nothing_is_recorded(
    client: FlaskClient, settings: Settings
) -> None:
    table = open_table(client)
    Path(settings.database_url.removeprefix("sqlite:///")).write_bytes(b"not a database" * 1000)
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


def test_a_round_in_play_is_provisional(keeper: Phone) -> None:
    play_a_round(keeper)
    board = keeper.board()
    assert (board["unsettled"], board["posted"]) == ([1], False)
    assert sum(board["provisional"].values()) == 0
    assert set(board["net"].values()) == {0}
