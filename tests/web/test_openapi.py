"""The interface is as its OpenAPI text says, and the text is made from what is in use."""

from typing import Any

import pytest
import schemathesis
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    missing_required_header,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from ledger.web import live
from ledger.web.schemas import EVENTS
from tests.web.phones import Data, Table, answered, settle_a_round

CALLS = {
    ("POST", "/api/v1/nights"),
    ("GET", "/api/v1/nights/{night}"),
    ("POST", "/api/v1/nights/{night}/events"),
    ("GET", "/api/v1/nights/{night}/events"),
    ("GET", "/api/v1/nights/{night}/live"),
    ("GET", "/api/v1/nights/{night}/ledger"),
    ("GET", "/api/v1/nights/{night}/replay"),
    ("POST", "/api/v1/score"),
}
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
        if rule.rule.startswith("/api/v1/") and not rule.rule.endswith("/openapi.json")
    }
    assert routes == operations(text).keys() == CALLS
    assert text["openapi"] == "3.1.0"


def test_the_text_is_all_there_is(client: FlaskClient) -> None:
    for path in ("/api/v1/", "/api/v1/docs", "/api/v1/swagger-ui", "/api/v1/redoc"):
        assert client.get(path).status_code == 404


def test_every_kind_of_event_is_described_with_its_fields(text: Data) -> None:
    body = operations(text)["POST", "/api/v1/nights/{night}/events"]["requestBody"]["content"][
        "application/json"
    ]
    schemas = [resolved(text, schema) for schema in body["schema"]["oneOf"]]
    assert [schema["properties"]["kind"]["enum"] for schema in schemas] == [[kind] for kind in EVENTS]
    for schema, event in zip(schemas, EVENTS.values(), strict=True):
        assert schema["properties"].keys() == event.fields.keys()
        assert set(schema["required"]) == {name for name, field in event.fields.items() if field.required}
        assert schema["additionalProperties"] is False


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


CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
    negative_data_rejection,
    missing_required_header,
    unsupported_method,
    allow_header_conformance,
]
"""All that can be asked of one answer. Not that a wrong token gets 401: it is 404, as `test_who_may.py` has it. Nor
that whatever can be read is taken: the rules refuse most of it."""


@pytest.mark.slow
@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("call", sorted(CALLS))
def test_the_interface_keeps_to_its_description(
    app: Flask,
    table: Table,
    call: tuple[str, str],
    mode: GenerationMode,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Schemathesis, in short: requests good and bad, made from the text."""
    monkeypatch.setattr(live, "LIFE_SECONDS", 0.05)
    settle_a_round(table.keeper)
    method, path = call
    operation = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)[path][method]
    known = {"path_parameters": {"night": table.night}} if "{night}" in path else {}

    @settings(max_examples=25, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(mode, **known))
    def check(case: schemathesis.Case) -> None:
        case.call_and_validate(headers=table.keeper.headers, checks=CHECKS)

    check()
