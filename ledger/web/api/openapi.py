"""The OpenAPI description, generated from the schemas in use."""

import json
from copy import deepcopy
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Response
from marshmallow import Schema
from marshmallow.fields import Field, List, Nested
from marshmallow.validate import OneOf

from ledger.recorder.fields import Request
from ledger.recorder.moves_file import LINES
from ledger.web import problems
from ledger.web.api.answers import ProblemAnswer, sentence_of
from ledger.web.api.calls import CALLS, JSON, PREFIX, blueprint

_TAG: Final = "nights"
_ABOUT: Final = (
    "A night of tiến lên is a log of events. Open one, record its rounds move by move, and read its ledger: every "
    "move is judged by the rules the table agreed on, and every payment names the move that caused it."
)
_NIGHT = {"in": "path", "name": "night", "required": True, "schema": {"type": "string", "format": "uuid"}}


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """The API as OpenAPI 3.1."""
    return Response(_text(), content_type=JSON)


class _Converter(OpenAPIConverter):
    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        """A schema's fields, its own OpenAPI keywords, and an example of a request."""
        fields: dict[str, Any] = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]
        examples = {"examples": [example_of(schema)]} if isinstance(schema, Request) else {}
        return fields | getattr(schema, "openapi", {}) | examples

    def init_attribute_functions(self) -> None:
        super().init_attribute_functions()  # type: ignore[no-untyped-call]
        before_its_own_words = self.attribute_functions.index(self.metadata2properties)
        self.attribute_functions.insert(before_its_own_words, self.view2properties)

    def view2properties(self, field: Any, **kwargs: Any) -> dict[str, str]:
        """The description of a field from its view."""
        sentence = sentence_of(field)
        return {"description": sentence} if sentence else {}

    def field2default(self, field: Any, **kwargs: Any) -> dict[str, object]:
        """The default of a field, unless it is null: code generators make fields with a default required."""
        found: dict[str, object] = super().field2default(field, **kwargs)
        return {} if found.get("default", found) is None else found

    def dict2properties(self, field: Any, **kwargs: Any) -> dict[str, Any]:
        """The types of a mapping's values and keys."""
        found: dict[str, Any] = super().dict2properties(field, **kwargs)
        keys = getattr(field, "key_field", None)
        return found | {"propertyNames": self.field2property(keys)} if keys else found


class _Plugin(MarshmallowPlugin):
    Converter = _Converter


@blueprint.get("/moves-schema.json")
def moves_schema() -> Response:
    """A line of a moves file as JSON Schema."""
    return Response(moves_schema_text(), content_type="application/schema+json")


@lru_cache
def moves_schema_text() -> str:
    """The JSON Schema of a line of a moves file, for the API and the command line."""
    spec = APISpec("", "", "3.1.0", [_Plugin()])
    for kind, line in LINES.items():
        spec.components.schema(kind, schema=line)
    described = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a moves file",
        "description": "The first line, and no other, is of the kind `night`.",
        "oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in LINES],
        "$defs": spec.to_dict()["components"]["schemas"],
    }
    return json.dumps(described, ensure_ascii=False, indent=2).replace("#/components/schemas/", "#/$defs/")


def example_of(schema: Schema) -> dict[str, object]:
    """An example of a schema's request: its required fields, and one of those it has as alternatives."""
    shape: Any = getattr(schema, "openapi", {})
    either: Any = shape.get("if") or next(iter(shape.get("anyOf", ())), {})
    wanted = {name for name, field in schema.fields.items() if field.required} | {*either.get("required", ())}
    return {name: _example(field) for name, field in schema.fields.items() if name in wanted}


def _example(field: Field[Any]) -> object:
    if "example" in field.metadata:
        return field.metadata["example"]
    if isinstance(field, List):
        return [_example(field.inner)]
    if isinstance(field, Nested):
        return example_of(field.schema)
    choices = (check.choices for check in field.validators if isinstance(check, OneOf))
    return next(iter(field.metadata.get("enum") or next(choices, [1])))


@lru_cache
def _text() -> str:
    """The API as OpenAPI text. Generated on first use: it takes longer than creating an app."""
    tag = {"name": _TAG, "description": "Nights, their logs and ledgers"}
    spec = APISpec(
        "Tiến Lên Ledger",
        "1",
        "3.1.0",
        [_Plugin()],
        info={"description": _ABOUT, "license": {"name": "MIT", "identifier": "MIT"}},
        servers=[{"url": "/", "description": "The server that this text was read from."}],
        tags=[tag],
    )
    bearer = {
        "description": "The token of a link: keeper's, watchers', or a seat's.",
        "bearerFormat": "token",
    }
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer", **bearer})
    for status in HTTPStatus:
        if status >= HTTPStatus.BAD_REQUEST:
            problem = {"content": {problems.MEDIA_TYPE: {"schema": ProblemAnswer}}}
            spec.components.response(status.name, {"description": status.phrase, **problem}, lazy=True)
    for call in CALLS:
        path = PREFIX + call.rule.replace("<night:night>", "{night}")
        described = deepcopy(call.described)  # apispec changes its arguments
        operation = described | {"tags": [_TAG]}
        parameters = [_NIGHT] if "{night}" in path else []
        spec.path(path, operations={call.method.lower(): operation}, parameters=parameters)
    return json.dumps(spec.to_dict(), ensure_ascii=False, indent=2)
