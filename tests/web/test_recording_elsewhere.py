"""Several processes record in one night: none misses an entry of another."""

import pytest
from flask.testing import FlaskClient

from ledger.web import Settings, create_app
from tests.web.phones import NIGHTS, Phone, Table, answered


@pytest.fixture
def elsewhere(settings: Settings) -> FlaskClient:
    """Another process of the same server."""
    return create_app(settings).test_client()


def at(client: FlaskClient, phone: Phone) -> Phone:
    """The same phone with what it has seen, served by another process."""
    return Phone(client, phone.night, phone.token, phone.after)


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
