"""The interface matches its OpenAPI description, which is generated from the code in use."""

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from marshmallow import Schema
from schemathesis import GenerationMode
from schemathesis.core.failures import FailureGroup

from ledger.recorder import KINDS, Link, Role
from ledger.recorder.views.entry import EntryRow
from ledger.recorder.views.night import Board
from ledger.recorder.views.round import RoundView
from ledger.web import Settings, create_app, heavy_work
from ledger.web.access import NightVisit
from ledger.web.api import answers
from ledger.web.api.openapi import example_of
from ledger.web.schemas import QUEUED_FORM, NewNight, QueuedForm, ScoredText
from tests.nights import Data
from tests.soak.requests.describing import CALLS, Call, keeps_to_its_description
from tests.stories import A_SETTLED_ROUND_OF_FOUR
from tests.web.phones import Table, answered

METHODS = {"get", "post", "put", "patch", "delete", "head", "options"}


@pytest.fixture
def text(client: FlaskClient) -> Data:
    response = client.get("/api/v1/openapi.json")
    assert response.content_type == "application/json"
    return answered(response)


def operations(text: Data) -> dict[tuple[str, str], Data]:
    return {
        (method.upper(), path): operation
        for path, item in text["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    }


def test_every_call_is_described_and_nothing_else(app: Flask, text: Data) -> None:
    routes = {
        (method, rule.rule.replace("<night:night>", "{night}"))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/v1/") and not rule.rule.endswith(".json")
    }
    assert routes == operations(text).keys() == CALLS
    assert text["openapi"] == "3.1.0"


def test_whoever_asks_is_told_the_same_by_every_app(app: Flask, settings: Settings, text: Data) -> None:
    """The description is made once per process and does not depend on the app."""
    another = create_app(replace(settings, hosts=("localhost",), proxies=1)).test_client()
    for client in (app.test_client(), another):
        assert answered(client.get("/api/v1/openapi.json")) == text


def test_a_view_is_dumped_alike_whichever_was_dumped_before_it() -> None:
    found = []
    for first in (EntryRow, RoundView, Board):
        answers.schema_of.cache_clear()
        answers.schema_of(first)
        found.append([list(answers.schema_of(view)().fields) for view in (EntryRow, RoundView, Board)])
    assert found[0] == found[1] == found[2]
    assert "struck_by" not in found[0][0]


def test_the_text_is_all_there_is(client: FlaskClient) -> None:
    for path in ("/api/v1/", "/api/v1/docs", "/api/v1/swagger-ui", "/api/v1/redoc"):
        assert client.get(path).status_code == 404


def test_every_kind_of_event_is_described_with_its_fields(text: Data) -> None:
    body = operations(text)["POST", "/api/v1/nights/{night}/events"]["requestBody"]["content"][
        "application/json"
    ]
    schemas = [resolved(text, schema) for schema in body["schema"]["oneOf"]]
    requests = {kind: event.schema for kind, event in KINDS.items()} | {QUEUED_FORM: QueuedForm()}
    assert [schema["properties"]["kind"]["enum"] for schema in schemas] == [[kind] for kind in requests]
    for schema, request in zip(schemas, requests.values(), strict=True):
        assert schema["properties"].keys() == request.fields.keys()
        assert set(schema["required"]) == {name for name, field in request.fields.items() if field.required}
        assert schema["additionalProperties"] is False


def test_what_a_request_is_shown_as_is_taken(text: Data) -> None:
    requests: list[Schema] = [*(event.schema for event in KINDS.values()), NewNight(), ScoredText()]
    for schema in requests:
        assert schema.load(example_of(schema))
    shown = [schema["examples"] for schema in text["components"]["schemas"].values() if "examples" in schema]
    assert all([example_of(schema)] in shown for schema in requests)


def test_every_call_has_a_name_and_is_described(text: Data) -> None:
    found = operations(text).values()
    assert len({operation["operationId"] for operation in found}) == len(found)
    assert all(operation["summary"] and operation["description"] for operation in found)
    assert [server["url"] for server in text["servers"]] == ["/"]


def test_every_error_is_a_problem(text: Data) -> None:
    for operation in operations(text).values():
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                described = resolved(text, response)
                schema = described["content"]["application/problem+json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/ProblemAnswer"}


def test_every_call_says_whether_it_needs_a_token(client: FlaskClient, text: Data, table: Table) -> None:
    public = {call for call, operation in operations(text).items() if operation["security"] == []}
    assert public == {("POST", "/api/v1/nights"), ("POST", "/api/v1/score")}
    for method, path in CALLS:
        response = client.open(path.replace("{night}", table.night), method=method)
        assert (response.status_code == 401) == ((method, path) not in public)


def resolved(text: Data, schema: Data) -> Data:
    while "$ref" in schema:
        found: Any = text
        for step in schema["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        schema = found
    return schema


def test_every_call_that_takes_a_link_says_that_guessing_is_slowed_down(text: Data) -> None:
    of_nights = [operation for (_, path), operation in operations(text).items() if "{night}" in path]
    assert of_nights
    assert all("429" in operation["responses"] for operation in of_nights)


@pytest.mark.slow
@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("call", sorted(CALLS))
def test_the_interface_keeps_to_its_description(
    app: Flask, table: Table, call: Call, mode: GenerationMode
) -> None:
    """Schemathesis, in short: valid and invalid requests, generated from the description."""
    table.keeper.tell(A_SETTLED_ROUND_OF_FOUR)
    keeps_to_its_description(app, table, call, mode, examples=12)


def test_a_call_that_asks_for_no_token_is_found(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heavy_work, "visit_night", lambda night: NightVisit(Link(night, Role.KEEPER), ()))
    call = ("GET", "/api/v1/nights/{night}/replay")
    with pytest.raises(FailureGroup, match="API accepts requests without authentication"):
        keeps_to_its_description(app, table, call, GenerationMode.POSITIVE, examples=2)
