"""OpenAPI made from the schemas in use. flask-smorest writes the text; it neither validates nor handles errors."""

from http import HTTPStatus
from typing import Any

import flask_smorest
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask
from flask_smorest.utils import prepare_response

from ledger.web import problems
from ledger.web.api.answers import ProblemAnswer

PREFIX = "/api/v1"


class _Converter(OpenAPIConverter):
    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        """A schema's fields, and how they belong together."""
        fields: dict[str, Any] = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]
        return fields | getattr(schema, "told", {})

    def dict2properties(self, field: Any, **kwargs: Any) -> dict[str, Any]:
        """What a mapping's values are, and its keys."""
        found: dict[str, Any] = super().dict2properties(field, **kwargs)
        keys = getattr(field, "key_field", None)
        return found | {"propertyNames": self.field2property(keys)} if keys else found


class _Plugin(MarshmallowPlugin):
    Converter = _Converter


class Api(flask_smorest.Api):
    """flask-smorest's, without its error handler: that one turns pages' errors into JSON and drops `Allow`."""

    ERROR_SCHEMA: Any = ProblemAnswer
    DEFAULT_ERROR_RESPONSE_NAME: Any = None

    def __init__(self, app: Flask) -> None:
        app.config |= {
            "API_TITLE": "Tiến Lên Ledger",
            "API_VERSION": "1",
            "OPENAPI_VERSION": "3.1.0",
            "OPENAPI_URL_PREFIX": PREFIX,
        }
        super().__init__(app, spec_kwargs={"marshmallow_plugin": _Plugin()})  # type: ignore[no-untyped-call]
        assert self.spec is not None
        self.spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})

    def _register_error_handlers(self) -> None:
        """Ours are registered already."""

    def _register_responses(self) -> None:
        """Every error as `application/problem+json`."""
        assert self.spec is not None
        for status in HTTPStatus:
            if status >= 400:
                response = {"description": status.phrase, "schema": self.ERROR_SCHEMA}
                prepare_response(response, self.spec, problems.MEDIA_TYPE)  # type: ignore[no-untyped-call]
                self.spec.components.response(status.name, response, lazy=True)
