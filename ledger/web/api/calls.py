"""The blueprint that every call of the interface belongs to, and how they answer."""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple, TypeAlias

from flask import Blueprint, Response
from marshmallow import Schema

from ledger.web.api.answers import plain

PREFIX = "/api/v1"
JSON = "application/json"
JSON_LINES = "application/jsonl"
Content: TypeAlias = Schema | type[Schema] | dict[str, Any]
"""What a body holds: a schema, or OpenAPI's own words."""
TEXT: Content = {"type": "string"}

View: TypeAlias = Callable[..., Response]

blueprint = Blueprint("api", __name__, url_prefix=PREFIX)


class Call(NamedTuple):
    """A call of the interface: below the prefix, and in OpenAPI's words, with schemas among them."""

    rule: str
    method: str
    described: dict[str, Any]


CALLS: list[Call] = []
"""Every call there is, but the one that describes them."""


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
    """A view, or plain data, as JSON."""
    text = json.dumps(plain(view), ensure_ascii=False, separators=(",", ":"))
    return Response(text, status, content_type=JSON)


def _bodies(content: Mapping[str, Content]) -> dict[str, object]:
    """Bodies by media type, in OpenAPI's words."""
    by_type = {media_type: {"schema": schema} for media_type, schema in content.items()}
    return {"content": by_type} if by_type else {}
