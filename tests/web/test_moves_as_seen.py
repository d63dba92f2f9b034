"""Whoever goes on recording asks the database once a move; what happened elsewhere meanwhile is not overlooked."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.store import Store
from ledger.web import Settings, create_app
from tests.web.phones import NIGHTS, Phone, Table, answered


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of the store, in order."""
    calls: list[str] = []

    def noted(name: str) -> Callable[..., Any]:
        real = getattr(Store, name)

        def call(self: Store, *told: Any, **how: Any) -> Any:
            calls.append(name)
            return real(self, *told, **how)

        return call

    for name in ("glance", "reading", "writing", "append"):
        monkeypatch.setattr(Store, name, noted(name))
    return calls


@pytest.fixture
def elsewhere(settings: Settings) -> FlaskClient:
    """Another process of the same server."""
    return create_app(settings).test_client()


def at(client: FlaskClient, phone: Phone) -> Phone:
    """The same phone, answered by another process; it has seen as much."""
    return Phone(client, phone.night, phone.token, phone.after)


def test_a_move_asks_once_with_a_token_or_a_cookie(app: Flask, keeper: Phone, asked: list[str]) -> None:
    keeper.record("round", opening=True)
    asked.clear()
    keeper.record("play", seat="p1", cards=["3s"])
    assert asked == ["append"]
    browser = app.test_client()
    browser.post(f"/t/{keeper.token}")
    asked.clear()
    move = keeper.event("pass", seat="p2")
    assert browser.post(f"{NIGHTS}/{keeper.night}/events", json=move).status_code == 201
    assert asked == ["append"]


def test_a_form_asks_once_for_each_move_in_it(app: Flask, keeper: Phone, asked: list[str]) -> None:
    keeper.record("round", opening=True)
    keeper.record("play", seat="p1", cards=["3s"])
    browser = app.test_client()
    browser.post(f"/t/{keeper.token}")
    asked.clear()
    form = {"id": str(uuid4()), "after": keeper.after, "kind": "pass", "seat": "p3", "others": "p2 p3"}
    assert browser.post(f"/n/{keeper.night}", data=form).status_code == 303
    assert asked == ["append", "append"]
    assert [move["player"] for move in keeper.board()["round"]["moves"]] == ["p1", "p2", "p3"]


def test_moves_that_two_processes_answer_in_turns_are_recorded(keeper: Phone, elsewhere: FlaskClient) -> None:
    keeper.record("round", opening=True)
    other = at(elsewhere, keeper)
    for seat, card in (("p1", "3s"), ("p2", "4c"), ("p3", "5d"), ("p4", "6h"), ("p1", "7s"), ("p2", "8c")):
        recorded = keeper.record("play", seat=seat, cards=[card])
        assert recorded["board"] == at(elsewhere, keeper).board()
        keeper, other = at(other.client, keeper), at(keeper.client, other)
    assert [event["seq"] for event in keeper.log()] == list(range(1, 8))


def test_a_link_that_was_revoked_elsewhere_records_nothing(
    table: Table, keeper: Phone, elsewhere: FlaskClient
) -> None:
    keeper.record("round", opening=True)
    keeper.record("play", seat="p1", cards=["3s"])
    renewed = at(elsewhere, keeper).record("revoke", role="keeper")["tokens"]["keeper"]
    assert keeper.ask("pass", seat="p2").status_code == 404
    fresh = Phone(keeper.client, keeper.night, renewed)
    fresh.after = fresh.board()["after"]
    assert fresh.record("pass", seat="p2")["seq"] == 4
    assert [event["kind"] for event in fresh.log()] == ["round", "play", "revoke", "pass"]


@pytest.mark.parametrize(("sent", "wrong"), [("{", 400), ("[]", 400), ('{"kind": "play"}', 400)])
def test_whoever_may_not_record_is_not_told_what_is_wrong(
    client: FlaskClient, table: Table, sent: str, wrong: int
) -> None:
    def send(**headers: str) -> tuple[int, str]:
        address = f"{NIGHTS}/{table.night}/events"
        answer = client.post(address, data=sent, content_type="application/json", headers=headers)
        return answer.status_code, answered(answer)["code"]

    assert send(**table.keeper.headers)[0] == wrong
    assert send(**table.watch.headers)[0] == 403
    assert send(Authorization=f"Bearer {'A' * 48}")[0] == 404
    assert send()[0] == 401
