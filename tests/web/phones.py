"""Clients of the interface for tests: each has one link to one night."""

from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.language import speaker
from tests.nights import Data, Telling, new_id

NAMES = ["An", "Bình", "Chi", "Dũng"]
NIGHTS = "/api/v1/nights"


def new_secret() -> str:
    """The secret with which a night is opened."""
    return token_hex(16)


def new_night(**changes: Any) -> Data:
    """A request to open a night."""
    return {
        "id": new_id(),
        "secret": new_secret(),
        "ruleset": "southern-classic",
        "players": NAMES,
    } | changes


@dataclass
class Phone(Telling[Data]):
    """A client with a bearer token; tracks the last recorded event that it knows."""

    client: FlaskClient
    night: str
    token: str
    after: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.after = self.after or self.night
        self.headers["Authorization"] = f"Bearer {self.token}"

    def get(self, path: str = "", **headers: str) -> TestResponse:
        return self.client.get(f"{NIGHTS}/{self.night}{path}", headers=self.headers | headers)

    def post(self, data: Any, **headers: str) -> TestResponse:
        return self.client.post(f"{NIGHTS}/{self.night}/events", json=data, headers=self.headers | headers)

    def event(self, kind: str, **content: Any) -> Data:
        """A request for an event that follows the last known one, whatever its kind."""
        return {"id": new_id(), "after": self.after, "kind": kind, **content}

    def ask(self, kind: str, **content: Any) -> TestResponse:
        """Send an event; if it is recorded, it becomes the last known one."""
        event = self.event(kind, **content)
        response = self.post(event)
        if response.status_code == 201:
            self.after = event["id"]
        return response

    def deliver(self, event: Data) -> Data:
        response = self.post(event)
        assert response.status_code == 201, response.text
        return answered(response)

    def board(self) -> Data:
        return answered(self.get())

    def log(self) -> list[Data]:
        events = answered(self.get("/events"))["events"]
        assert isinstance(events, list)
        return events


@dataclass
class Table:
    """A night with all its links."""

    client: FlaskClient
    night: str
    tokens: Data

    @property
    def keeper(self) -> Phone:
        return Phone(self.client, self.night, self.tokens["keeper"])

    def tell(self, story: str) -> "Table":
        """Record the lines of a story with the keeper's link."""
        self.keeper.tell(story)
        return self

    def caught_up(self) -> Phone:
        """The keeper's phone, up to date with the log."""
        keeper = self.keeper
        keeper.after = keeper.board()["after"]
        return keeper

    @property
    def watch(self) -> Phone:
        return Phone(self.client, self.night, self.tokens["watch"])

    def seat(self, player: str) -> Phone:
        return Phone(self.client, self.night, self.tokens["seats"][player])

    def token(self, holder: str) -> str:
        """The token of the `keeper`, of `watch`, or of a player."""
        return str(self.tokens["seats"].get(holder) or self.tokens[holder])

    def phone(self, *holders: str) -> FlaskClient:
        """A new browser that holds some links of the night."""
        return take(self.client.application.test_client(), self, *holders)


def open_table(client: FlaskClient, **changes: Any) -> Table:
    response = client.post(NIGHTS, json=new_night(**changes))
    assert response.status_code == 201, response.text
    data = answered(response)
    return Table(client, data["id"], data["tokens"])


def take(client: FlaskClient, table: Table, *holders: str) -> FlaskClient:
    """Open some links of a night and accept them: the client then holds their cookies."""
    for holder in holders:
        assert client.post(f"/t/{table.token(holder)}").status_code == 303
    return client


def answered(response: TestResponse) -> Data:
    data = response.get_json()
    assert isinstance(data, dict)
    return data


def assert_worded(problem: Data) -> None:
    """Assert that every `expected` phrase has a Vietnamese text."""
    phrases = [phrase for some in problem.get("fields", {}).values() for phrase in some]
    for phrase in [*phrases, *([problem["expected"]] if "expected" in problem else [])]:
        assert speaker("vi").expected(phrase) != phrase or phrase in ("JSON", "UTF-8"), phrase
