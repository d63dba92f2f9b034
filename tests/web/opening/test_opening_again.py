"""A night's links are given again only to a request with the secret that the night was opened with."""

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.game.rulesets import PRESETS
from ledger.game.terms import Terms
from ledger.recorder.exports import Format
from ledger.web import Settings
from ledger.web.recorder import recorder
from tests.nights import Data, new_id
from tests.stories import A_SETTLED_ROUND_OF_FOUR
from tests.web.browsing import send, visit
from tests.web.phones import NAMES, NIGHTS, Phone, answered, new_night, new_secret
from tests.web.routes import STATUSES, asked, played

PRESET = "southern-classic"


def tokens_of(opened: Data) -> list[str]:
    tokens = opened["tokens"]
    return [tokens["keeper"], tokens["watch"], *tokens["seats"].values()]


def test_a_watcher_does_not_become_keeper_by_what_the_board_shows(client: FlaskClient) -> None:
    """Before the first entry the board shows everything that the request contained, except for its secret."""
    request = new_night(stake={"amount": "1000", "currency": "VND"}, rules={"passing.locks": "no"})
    opened = answered(client.post(NIGHTS, json=request))
    board = Phone(client, request["id"], opened["tokens"]["watch"]).board()
    board_fields: Data = {
        "id": board["id"],
        "ruleset": board["ruleset"]["id"],
        "rules": dict(board["ruleset"]["rules"]),
        "players": [player["name"] for player in board["players"]],
        "stake": board["stake"],
    }
    assert board_fields | {"secret": request["secret"]} == request
    for secret, status, code in (
        ({}, 400, "unreadable"),
        ({"secret": new_secret()}, 409, "night-exists"),
        ({"secret": "0" * 32}, 409, "night-exists"),
    ):
        response = client.post(NIGHTS, json=board_fields | secret)
        assert (response.status_code, answered(response)["code"]) == (status, code)
        assert not any(token in response.text for token in tokens_of(opened))


def test_with_the_secret_the_links_come_again_whatever_has_happened_since(client: FlaskClient) -> None:
    request = new_night()
    opened = answered(client.post(NIGHTS, json=request))
    keeper = Phone(client, request["id"], opened["tokens"]["keeper"])
    keeper.tell(A_SETTLED_ROUND_OF_FOUR)
    keeper.record("rename", player="p1", name="Ân")
    again = client.post(NIGHTS, json=request)
    assert (again.status_code, answered(again)) == (200, opened)
    other = client.post(NIGHTS, json=request | {"secret": new_secret()})
    assert (other.status_code, answered(other)["code"]) == (409, "night-exists")
    keeper.record("revoke", role="keeper")
    renewed = answered(client.post(NIGHTS, json=request))["tokens"]["keeper"]
    assert keeper.get().status_code == 404
    assert Phone(client, request["id"], renewed).board()["role"] == "keeper"


def test_of_an_erased_name_nothing_is_asked(app: Flask, client: FlaskClient) -> None:
    request = new_night()
    opened = answered(client.post(NIGHTS, json=request))
    with app.app_context():
        recorder().forget(request["id"])
    again = client.post(NIGHTS, json=request)
    assert (again.status_code, answered(again)) == (200, opened)
    assert client.post(NIGHTS, json=request | {"players": NAMES[:3]}).status_code == 422


def test_what_came_in_without_a_secret_is_opened_by_none(app: Flask, client: FlaskClient) -> None:
    """A night that was imported, or opened by an older version."""
    night = new_id()
    with app.app_context():
        recorder().open_recorded(night, [], terms=Terms(PRESETS[PRESET]), players=NAMES)
    for secret in (new_secret(), "0" * 32):
        response = client.post(NIGHTS, json=new_night(id=night, secret=secret))
        assert (response.status_code, answered(response)["code"]) == (409, "night-exists")


@pytest.mark.parametrize("secret", ["", "0" * 31, "0" * 33, "G" * 32, "A" * 32, 7, None])
def test_a_secret_of_another_form_is_refused(client: FlaskClient, secret: object) -> None:
    problem = answered(client.post(NIGHTS, json=new_night(secret=secret)))
    assert list(problem["fields"]) == ["secret"]


def test_a_secret_is_shown_nowhere_and_kept_as_a_digest(
    app: Flask, settings: Settings, brief_streams: None
) -> None:
    secret = new_secret()
    night = played(app, secret=secret)
    routes = [route for route in STATUSES if route.method == "GET" and route.of_a_night]
    shown = [(asked(app, route, night), STATUSES[route]["keeper"]) for route in routes]
    paths = {f"{one.path}?{one.query}": status for one, status in shown}
    for path, status in (paths | {f"/n/{night.night}/export/{form}": 200 for form in Format}).items():
        answer = night.client.get(path, headers=night.keeper.headers)
        assert answer.status_code == status, path
        assert secret not in answer.text
    folder = Path(settings.database_url.removeprefix("sqlite:///")).parent
    stored = b"".join(file.read_bytes() for file in folder.iterdir() if file.is_file())
    assert night.night.encode() in stored
    assert secret.encode() not in stored
    assert bytes.fromhex(secret) not in stored


def test_the_form_is_answered_again_after_a_lost_answer_and_to_nobody_else(app: Flask) -> None:
    """It works without scripts: the server writes a secret into each form."""
    fields = visit(app.test_client(), "/").forms[-1].filled({"players": NAMES})
    lost, again = (send(app.test_client(), "/", fields) for _ in range(2))
    assert lost.path == again.path == f"/n/{dict(fields)['id']}"
    assert again.press("round").status == 200
    assert send(app.test_client(), "/", fields).status == 200
    other = dict(visit(app.test_client(), "/").forms[-1].filled({}))["secret"]
    for secret, status in ((other, 409), ("", 400)):
        changed = [(name, secret if name == "secret" else value) for name, value in fields]
        refused = send(app.test_client(), "/", changed)
        assert refused.status == status
        assert "Set-Cookie" not in refused.response.headers
        assert dict(refused.forms[-1].filled({}))["secret"] not in (secret, other, dict(fields)["secret"])
