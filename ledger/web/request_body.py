"""Reading the body of a request, with limits, before a schema validates it.

Flask's own methods are not strict enough: a chunked body is silently cut at the limit, and `json.loads` fails on
deep nesting, long numbers and lone surrogates, and accepts duplicate keys.
"""

import json
import re
from io import BytesIO
from itertools import accumulate
from typing import Any, Final
from urllib.parse import parse_qsl

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.formparser import MultiPartParser

from ledger.recorder import Problem, ProblemCode
from ledger.web.problems import WebCode, web_problem

JSON_BYTES = 16 * 1024
TEXT_BYTES = 1024 * 1024
UPLOAD_BYTES = 256 * 1024
MOST_FORM_FIELDS = 400
MOST_UPLOAD_FIELDS = 16
LARGEST_NUMBER = 2**53
"""Beyond it, programs that read JSON numbers as floating point lose digits."""

_DEEPEST = 500
"""The deepest nesting of JSON, more than any request needs. Python's own limit differs between its versions."""
_NO_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"?|[^][{}"]', re.DOTALL)
_NUMBER_DIGITS = len(str(LARGEST_NUMBER))
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


def read_json(most_bytes: int = JSON_BYTES) -> dict[str, Any]:
    """The body as a JSON object; raises a Problem that says what was expected."""
    text = _read_text("application/json", most_bytes)
    if text.count("[") + text.count("{") > _DEEPEST and _is_deep(text):
        raise unreadable("JSON that is not nested so deep")
    try:
        value = _DECODER.decode(text)
        if _SURROGATE_ESCAPE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise unreadable("text without lone surrogates") from None
    except json.JSONDecodeError as error:
        raise unreadable("JSON", line=error.lineno, column=error.colno) from None
    if not isinstance(value, dict):
        raise unreadable("a JSON object")
    return value


def read_text() -> str:
    """The body as plain text, or as JSON lines; raises a Problem that says what was expected."""
    return _read_text("text/plain", TEXT_BYTES, "application/jsonl").removeprefix("\ufeff")


def read_form() -> dict[str, list[str]]:
    """The body as a form's fields, each with its values in order; raises a Problem that says what was expected."""
    text = _read_text("application/x-www-form-urlencoded", JSON_BYTES)
    try:
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FORM_FIELDS)
    except ValueError:
        raise unreadable("a form") from None
    fields: dict[str, list[str]] = {}
    for name, value in pairs:
        fields.setdefault(name, []).append(value)
    return fields


def read_upload() -> dict[str, str]:
    """The body as a multipart form: each field's or file's text; raises a Problem that says what was expected."""
    _require_plain("multipart/form-data")
    body = _read_bytes(UPLOAD_BYTES)
    parser = MultiPartParser(
        lambda *_, **__: BytesIO(), UPLOAD_BYTES, max_form_parts=MOST_UPLOAD_FIELDS
    )  # no files on disk
    try:
        boundary = request.mimetype_params["boundary"].encode("ascii")
        form, files = parser.parse(BytesIO(body), boundary, len(body))
        sent = [
            *form.items(multi=True),
            *((name, file.read().decode()) for name, file in files.items(multi=True)),
        ]
    except (KeyError, ValueError, RequestEntityTooLarge):
        raise unreadable("a form, and a file of UTF-8 text") from None
    fields = dict(sent)
    if len(fields) != len(sent):
        raise unreadable("each field once")
    return fields


def unreadable(expected: str, **facts: Any) -> Problem:
    """The problem of a request that cannot be read."""
    return Problem(ProblemCode.UNREADABLE, expected=expected, **facts)


def whole_number(text: str, digits: int = 9) -> int | None:
    """A text of at most so many digits as a number; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def _is_deep(text: str) -> bool:
    """Whether a JSON text is nested deeper than the limit."""
    brackets = _NO_BRACKET.sub("", text)
    return max(accumulate(1 if bracket in "[{" else -1 for bracket in brackets), default=0) > _DEEPEST


def _require_plain(media_type: str, *others: str) -> None:
    """Raise a Problem for a body of another media type or charset, or a compressed one."""
    if (
        request.mimetype not in (media_type, *others)
        or request.mimetype_params.get("charset", "utf-8").lower() != "utf-8"
    ):
        raise web_problem(WebCode.UNSUPPORTED_TYPE, expected=media_type)
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise web_problem(WebCode.UNSUPPORTED_TYPE, expected="identity")


def _read_text(media_type: str, most_bytes: int, *others: str) -> str:
    _require_plain(media_type, *others)
    try:
        return _read_bytes(most_bytes).decode()
    except UnicodeDecodeError as error:
        raise unreadable("UTF-8", byte=error.start) from None


def _read_bytes(most_bytes: int) -> bytes:
    """The whole body; 413 if it is too long. One byte more is read, since a stream just ends at its limit."""
    request.max_content_length = most_bytes + 1
    body = request.stream.read()
    if len(body) > most_bytes:
        raise web_problem(WebCode.TOO_LARGE, most_bytes=most_bytes)
    return body


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise unreadable("each key once")
    return made


def _integer(digits: str) -> int:
    # Digits are counted first: `int` fails on 5,000 of them.
    if len(digits.lstrip("-")) > _NUMBER_DIGITS or abs(number := int(digits)) > LARGEST_NUMBER:
        raise unreadable("whole numbers up to 2^53")
    return number


def _no_float(_text: str) -> float:
    raise unreadable("whole numbers")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_no_float, parse_constant=_no_float
)
