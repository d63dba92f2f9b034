"""Mutations of valid requests: methods, addresses, headers, bodies."""

import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from tests.web.routes import FORM, JSON, Asked


def words(text: str) -> list[str]:
    return text.split()


METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "get", "X" * 40]
BYTES = [b"\x00", b'"', b"{", b"[", b"\\u", b"-", b"e9", b"\xff", b"\xc0\xaf"]
BYTES += [b"%", b"&", b";", b"\r\n", b"\xed\xa0\x80"]
TEXTS = ["", " ", "\x00", *words("null true 0 -1 1e9 NaN p0 p13 p1 3s 12.0 0.0 keeper")]
TEXTS += ["9" * 20, "9" * 400, "9" * 5000]
TEXTS += words("١ ² 1_0 +1 0x10 1.5 99999999.99999999 2.5000000000")
TEXTS += words(r"""../.. %00 %2e%2e%2f %ff %C0%AF //evil.example \ ' "><x> {{7*7}}""")
TEXTS += ["' OR 1=1 --", "\u202e", "\ufeff", "é" * 300, "🂡", "\u0301" * 40, "A" * 48, "A" * 9000]
TEXTS += ["x=1&y=2;z", "\r\nX: y", "\ud800"]
VALUES: list[Any] = [None, True, False, 0, -1, 2**53, 2**53 + 1, 2**63, 10**30, 1.5, [], {}, [[]], [None]]
VALUES += [{"": {}}, ["3s"] * 200, {"kind": "undo"}, [["2h"], ["2h"]], "3s", ["p1", "p1"]]
VALUES += [{"seq": -1, "idx": 10**18}]
NUMBERS = [0, 1, 2, 7, 8, 9, 10**9, 2**31, 2**63 - 1, 2**63, 2**64, 10**40]
QUERIES = words("after limit preview under move target head back player heading ruleset rule x")
HEADERS = words("""
    Accept Accept-Language Accept-Encoding Accept-Charset If-None-Match If-Match If-Modified-Since
    Last-Event-ID Range If-Range Origin Referer Sec-Fetch-Site Host Cookie Authorization
    Content-Type Content-Encoding Content-Length Transfer-Encoding Expect Upgrade Connection
    X-Forwarded-For X-Forwarded-Proto X-Forwarded-Host X-Request-ID X-HTTP-Method-Override User-Agent
""")
HEADER_VALUES = ["*/*", "text/html;q=x", "application/json", "vi;q=2,en;q=-1", "en" * 3000]
HEADER_VALUES += words("""
    gzip;q=0,*;q=1 "x" * W/x bytes=0- bytes=9-1,0-0,-5 null http://[ https://evil.example cross-site
    same-origin none Bearer
""")
HEADER_VALUES += ["Basic !!", "Bearer \xff", *words("identity gzip chunked 0 -5 99999999999999999999 1e3")]
HEADER_VALUES += ["multipart/form-data", "text/plain; charset=utf-16", "application/json; charset=x"]
HEADER_VALUES += ["100-continue", "websocket", "localhost:99999999", "[::1", "a b", "Thu, 99 Foo 2026"]
HEADER_VALUES += ["\xe9"]
HEADER_VALUES += ["=;=;=", "tienlen-x=y; " * 60, "_" * 70]
FIELDS = words("kind stood act seat cards change seats places bomb_seat bomb_typed locks")


class Sent(NamedTuple):
    """A request to send, mutated or not."""

    method: str
    path: bytes
    query: str
    headers: dict[str, str]
    body: bytes


Change = Callable[[random.Random, Sent], Sent]


def as_it_is(one: Asked, headers: dict[str, str]) -> Sent:
    """The valid request, unchanged."""
    typed = {"Content-Type": one.content_type} if one.content_type else {}
    return Sent(one.method, one.path.encode(), one.query, {**headers, **typed}, one.body.encode())


def mutated(chance: random.Random, sent: Sent) -> Sent:
    """A request with one to three things changed."""
    changes = chance.choices(
        [change for change, _ in CHANGES], [weight for _, weight in CHANGES], k=chance.randint(1, 3)
    )
    for change in changes:
        sent = change(chance, sent)
    return sent


def _method(chance: random.Random, sent: Sent) -> Sent:
    return sent._replace(method=chance.choice(METHODS))


def _bytes_of_path(chance: random.Random, sent: Sent) -> Sent:
    return sent._replace(path=b"/" + bytes_changed(chance, sent.path[1:]))


def _part_of_path(chance: random.Random, sent: Sent) -> Sent:
    """Replace one step of the path, or the numbers in it."""
    steps = sent.path.decode(errors="replace").split("/")
    place = chance.randrange(1, len(steps))
    if chance.random() < 0.5:
        steps[place] = chance.choice([str(chance.choice(NUMBERS)), *chance.sample(TEXTS, 2)])
    else:
        steps[place] = ".".join(
            str(chance.choice(NUMBERS)) if part.isdigit() else part for part in steps[place].split(".")
        )
    return sent._replace(path="/".join(steps).encode(errors="surrogatepass"))


def _query(chance: random.Random, sent: Sent) -> Sent:
    pairs = parse_qsl(sent.query) + [
        (chance.choice(QUERIES), str(chance.choice([*TEXTS, *NUMBERS]))) for _ in range(chance.randint(1, 3))
    ]
    query = urlencode(pairs, errors="surrogatepass")
    return sent._replace(
        query=query if chance.random() < 0.8 else query + chance.choice(["&&=", "%", "&%ff=%fe", "?"])
    )


def _header(chance: random.Random, sent: Sent) -> Sent:
    name = chance.choice(HEADERS)
    value = chance.choice([chance.choice(HEADER_VALUES), chance.choice(TEXTS), sent.headers.get(name, "")])
    raw = value.encode(errors="surrogatepass")
    if chance.random() < 0.3:
        raw = bytes_changed(chance, raw)
    # A line break would end the header.
    return sent._replace(
        headers={**sent.headers, name: raw.decode("latin-1").translate({10: 32, 13: 32, 0: 32})}
    )


def _bytes_of_body(chance: random.Random, sent: Sent) -> Sent:
    return sent._replace(body=bytes_changed(chance, sent.body))


def _encoding_of_body(chance: random.Random, sent: Sent) -> Sent:
    text = sent.body.decode(errors="replace")
    return sent._replace(
        body=chance.choice(
            [
                b"\xef\xbb\xbf" + sent.body,
                text.encode("utf-16"),
                text.encode("latin-1", "replace"),
                sent.body[: chance.randrange(len(sent.body) + 1)],
                sent.body * 3,
                sent.body + b" " * 20_000,
                b"[" * 3000,
                b'{"a":' * 1500,
                b"",
            ]
        )
    )


def _content_of_body(chance: random.Random, sent: Sent) -> Sent:
    """Replace, repeat or drop one value somewhere in the body."""
    change = {JSON: _json, FORM: _form}.get(sent.headers.get("Content-Type", ""), bytes_changed)
    return sent._replace(body=change(chance, sent.body))


def _json(chance: random.Random, body: bytes) -> bytes:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return bytes_changed(chance, body)
    inner = data
    while isinstance(inner, dict | list) and inner:
        key = chance.choice(list(inner) if isinstance(inner, dict) else range(len(inner)))
        if not isinstance(inner[key], dict | list) or not inner[key] or chance.random() < 0.5:
            if chance.random() < 0.2:
                del inner[key]
            else:
                inner[key] = chance.choice([chance.choice(VALUES), chance.choice(TEXTS)])
            break
        inner = inner[key]
    text = json.dumps(data, ensure_ascii=chance.random() < 0.5)
    if chance.random() < 0.1:
        text = text[:-1] + ', "kind": "undo", "kind": "redo"}'
    return text.encode(errors="surrogatepass")


def _form(chance: random.Random, body: bytes) -> bytes:
    pairs = parse_qsl(body.decode(errors="replace"), keep_blank_values=True)
    place = chance.randrange(len(pairs) + 1)
    other = str(
        chance.choice([*TEXTS, *NUMBERS, "[" * 900, '{"target": "1.0", "with": {}}', '{"before": 1}'])
    )
    match chance.randrange(4):
        case 0 if place < len(pairs):
            pairs[place] = pairs[place][0], other
        case 1 if place < len(pairs):
            pairs.append(pairs[place])
        case 2 if place < len(pairs):
            del pairs[place]
        case _:
            pairs.append((chance.choice(FIELDS), other))
    return urlencode(pairs, errors="surrogatepass").encode()


def bytes_changed(chance: random.Random, text: bytes) -> bytes:
    """The bytes with one to five changes: inserted, dropped, repeated or replaced."""
    made = bytearray(text)
    for _ in range(chance.randint(1, 5)):
        place = chance.randrange(len(made) + 1)
        match chance.randrange(4):
            case 0:
                made[place:place] = bytes([chance.randrange(256)])
            case 1:
                del made[place : place + chance.randint(1, 8)]
            case 2:
                made[place:place] = made[place : place + chance.randint(1, 30)]
            case _:
                made[place : place + 1] = chance.choice(BYTES)
    return bytes(made)


CHANGES: list[tuple[Change, int]] = [
    (_method, 1),
    (_bytes_of_path, 1),
    (_part_of_path, 3),
    (_query, 2),
    (_header, 3),
    (_bytes_of_body, 2),
    (_encoding_of_body, 1),
    (_content_of_body, 5),
]
"""Mutations and their weights."""
