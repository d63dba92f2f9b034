"""The blueprint that every call of the interface belongs to, and how they answer."""

import json
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, TypeAlias

from flask import Response
from flask_smorest.blueprint import Blueprint
from marshmallow import Schema

from ledger.web.api.openapi import PREFIX

JSON = "application/json"
Content: TypeAlias = Schema | type[Schema] | dict[str, Any]
"""What a body holds: a schema, or OpenAPI's own words."""
TEXT: Content = {"type": "string"}

View: TypeAlias = Callable[..., Response]

blueprint = Blueprint(  # type: ignore[no-untyped-call]
    "api", __name__, url_prefix=PREFIX, description="Nights, their logs and ledgers"
)


def call(
    rule: str,
    method: str = "GET",
    *,
    takes: Mapping[str, Content] | None = None,
    query: type[Schema] | None = None,
    answers: Mapping[int, Mapping[str, Content]],
    errors: Sequence[int],
    public: bool = False,
) -> Callable[[View], View]:
    """Make a view a call of the interface, and tell OpenAPI what it takes and answers.

    Bodies are told by media type. `errors` are problems; a `public` call needs no token.
    """
    words: dict[str, Any] = {
        "responses": {
            **{str(status): _response(status, content) for status, content in answers.items()},
            **{str(status): HTTPStatus(status).name for status in errors},
        },
        "security": [] if public else [{"token": []}],
    }
    if takes:
        words["requestBody"] = {"required": True, "content": _content(takes)}
    if query:
        words["parameters"] = [{"in": "query", "schema": query}]

    def register(view: View) -> View:
        view._apidoc = {"manual_doc": words}  # type: ignore[attr-defined]
        blueprint.add_url_rule(rule, None, view, methods=[method])  # type: ignore[no-untyped-call]
        return view

    return register


def answer(data: dict[str, Any], status: int = 200) -> Response:
    """Data as JSON."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Response(text, status, content_type=JSON)


def _response(status: int, content: Mapping[str, Content]) -> dict[str, Any]:
    response: dict[str, Any] = {"description": HTTPStatus(status).phrase}
    return response | {"content": _content(content)} if content else response


def _content(content: Mapping[str, Content]) -> dict[str, Any]:
    return {media_type: {"schema": schema} for media_type, schema in content.items()}
