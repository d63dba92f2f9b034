"""OpenAPI, made from the schemas in use."""

import json
from copy import deepcopy
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Response

from ledger.web import problems
from ledger.web.api.answers import ProblemAnswer, sentence_of
from ledger.web.api.calls import CALLS, JSON, PREFIX, blueprint

_NIGHT = {"in": "path", "name": "night", "required": True, "schema": {"type": "string", "format": "uuid"}}


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """What the interface takes and answers, as OpenAPI 3.1."""
    return Response(_text(), content_type=JSON)


class _Converter(OpenAPIConverter):
    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        """A schema's fields, and how they belong together."""
        fields: dict[str, Any] = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]
        return fields | getattr(schema, "told", {})

    def init_attribute_functions(self) -> None:
        super().init_attribute_functions()  # type: ignore[no-untyped-call]
        before_its_own_words = self.attribute_functions.index(self.metadata2properties)
        self.attribute_functions.insert(before_its_own_words, self.view2properties)

    def view2properties(self, field: Any, **kwargs: Any) -> dict[str, str]:
        """What the view says of a field."""
        said = sentence_of(field)
        return {"description": said} if said else {}

    def dict2properties(self, field: Any, **kwargs: Any) -> dict[str, Any]:
        """What a mapping's values are, and its keys."""
        found: dict[str, Any] = super().dict2properties(field, **kwargs)
        keys = getattr(field, "key_field", None)
        return found | {"propertyNames": self.field2property(keys)} if keys else found


class _Plugin(MarshmallowPlugin):
    Converter = _Converter


@lru_cache
def _text() -> str:
    """Made when a process is first asked for it: it takes longer than an app."""
    tag = {"name": blueprint.name, "description": "Nights, their logs and ledgers"}
    spec = APISpec("Tiến Lên Ledger", "1", "3.1.0", [_Plugin()], tags=[tag])
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    for status in HTTPStatus:
        if status >= HTTPStatus.BAD_REQUEST:
            problem = {"content": {problems.MEDIA_TYPE: {"schema": ProblemAnswer}}}
            spec.components.response(status.name, {"description": status.phrase, **problem}, lazy=True)
    for call in CALLS:
        path = PREFIX + call.rule.replace("<night:night>", "{night}")
        described = deepcopy(call.described)  # apispec writes into what it is given
        operation = described | {"tags": [blueprint.name]}
        parameters = [_NIGHT] if "{night}" in path else []
        spec.path(path, operations={call.method.lower(): operation}, parameters=parameters)
    return json.dumps(spec.to_dict(), ensure_ascii=False, indent=2)
