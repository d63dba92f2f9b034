"""The blueprint of the API, and the decorator that registers and describes its calls."""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple, TypeAlias

from flask import Blueprint, Response
from marshmallow import Schema

from ledger.web.api.answers import plain
from ledger.web.reading import release

PREFIX = "/api/v1"
JSON = "application/json"
JSON_LINES = "application/jsonl"
Content: TypeAlias = Schema | type[Schema] | dict[str, Any]
"""The content of a body: a schema, or an OpenAPI schema object."""
TEXT: Content = {"type": "string"}

View: TypeAlias = Callable[..., Response]

blueprint = Blueprint("api", __name__, url_prefix=PREFIX)


class Call(NamedTuple):
    """A call of the API, described as an OpenAPI operation with marshmallow schemas in it."""

    rule: str
    method: str
    described: dict[str, Any]


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=plain, check_circular=False)

CALLS: list[Call] = []
"""All calls except those that describe the API itself."""


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
    """Register a view as a call of the API, and describe its request and answers in OpenAPI.

    Bodies go by media type. `errors` are the statuses of problems; a `public` call needs no token.
    """
    words: dict[str, Any] = {
        "responses": {
            **{
                str(status): {"description": HTTPStatus(status).phrase} | _bodies(content)
                for status, content in answers.items()
            },
            **{str(status): HTTPStatus(status).name for status in errors},
        },
        "security": [] if public else [{"token": []}],
    }
    if takes:
        words["requestBody"] = {"required": True} | _bodies(takes)
    if query:
        words["parameters"] = [{"in": "query", "schema": query}]

    def register(view: View) -> View:
        summary, _, description = (inspect.getdoc(view) or "").partition("\n\n")
        described = {"operationId": view.__name__, "summary": summary, "description": description}
        CALLS.append(Call(rule, method, described | words))
        blueprint.add_url_rule(rule, view_func=view, methods=[method])
        return view

    return register


def answer(view: object, status: int = 200) -> Response:
    """A view, or plain data, as a JSON response."""
    release()
    return Response(_ENCODER.encode(view), status, content_type=JSON)


def _bodies(content: Mapping[str, Content]) -> dict[str, object]:
    """Bodies by media type as OpenAPI's `content`; empty without any."""
    by_type = {media_type: {"schema": schema} for media_type, schema in content.items()}
    return {"content": by_type} if by_type else {}
