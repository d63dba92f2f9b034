"""Mutations of valid requests: methods, addresses, headers, bodies."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, urlencode

from tests.web.routes import FORM, JSON, Asked

HOSTILE: Final = json.loads(Path(__file__).with_name("hostile.json").read_text(encoding="utf-8"))
"""What is put into requests. In its lists of texts, [text, n] is n times a text, and may have a beginning."""


def hostile(name: str) -> list[str]:
    return [repeated(one) for one in HOSTILE[name]]


def repeated(one: Any) -> str:
    return one if isinstance(one, str) else "".join(one[:-2]) + one[-2] * one[-1]


METHODS, QUERIES, FIELDS = hostile("methods"), hostile("queries"), hostile("fields")
HEADERS, HEADER_VALUES, TEXTS = hostile("headers"), hostile("header values"), hostile("texts")
BYTES: Final = [one.encode("latin-1") for one in hostile("bytes")]
NUMBERS: Final = HOSTILE["numbers"]
VALUES: Final = [*HOSTILE["values"], ["3s"] * 200]


class Sent(NamedTuple):
    """A request to send, mutated or not."""

    method: str
    path: bytes
    query: str
    headers: dict[str, str]
    body: bytes


Change = Callable[[random.Random, Sent], Sent]


def as_it_is(one: Asked, headers: dict[str, str]) -> Sent:
    typed = {"Content-Type": one.content_type} if one.content_type else {}
    return Sent(one.method, one.path.encode(), one.query, {**headers, **typed}, one.body.encode())


def mutated(chance: random.Random, sent: Sent) -> Sent:
    """A request with one to three things changed."""
    for change in chance.choices(list(CHANGES), list(CHANGES.values()), k=chance.randint(1, 3)):
        sent = change(chance, sent)
    return sent


def _part_of_path(chance: random.Random, sent: Sent) -> Sent:
    """Replace one step of the path, or the numbers in it."""
    steps = sent.path.decode(errors="replace").split("/")
    place = chance.randrange(1, len(steps))
    if chance.random() < 0.5:
        steps[place] = chance.choice([str(chance.choice(NUMBERS)), *chance.sample(TEXTS, 2)])
    else:
        parts = steps[place].split(".")
        steps[place] = ".".join(str(chance.choice(NUMBERS)) if part.isdigit() else part for part in parts)
    return sent._replace(path="/".join(steps).encode(errors="surrogatepass"))


def _query(chance: random.Random, sent: Sent) -> Sent:
    pairs, more = parse_qsl(sent.query), range(chance.randint(1, 3))
    pairs += [(chance.choice(QUERIES), str(chance.choice([*TEXTS, *NUMBERS]))) for _ in more]
    end = "" if chance.random() < 0.8 else chance.choice(["&&=", "%", "&%ff=%fe", "?"])
    return sent._replace(query=urlencode(pairs, errors="surrogatepass") + end)


def _header(chance: random.Random, sent: Sent) -> Sent:
    name = chance.choice(HEADERS)
    value = chance.choice([chance.choice(HEADER_VALUES), chance.choice(TEXTS), sent.headers.get(name, "")])
    raw = value.encode(errors="surrogatepass")
    if chance.random() < 0.3:
        raw = bytes_changed(chance, raw)
    text = raw.decode("latin-1").translate({10: 32, 13: 32, 0: 32})  # a line break would end the header
    return sent._replace(headers={**sent.headers, name: text})


def _encoding_of_body(chance: random.Random, sent: Sent) -> Sent:
    body, text = sent.body, sent.body.decode(errors="replace")
    bodies = [b"\xef\xbb\xbf" + body, text.encode("utf-16"), text.encode("latin-1", "replace")]
    bodies += [body[: chance.randrange(len(body) + 1)], body * 3, body + b" " * 20_000]
    return sent._replace(body=chance.choice([*bodies, b"[" * 3000, b'{"a":' * 1500, b""]))


def _json(chance: random.Random, body: bytes) -> bytes:
    try:
        inner = data = json.loads(body)
    except (ValueError, RecursionError):
        return bytes_changed(chance, body)
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
    changes = ["[" * 900, '{"target": "1.0", "with": {}}', '{"before": 1}']
    other = str(chance.choice([*TEXTS, *NUMBERS, *changes]))
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
        what = chance.randrange(4)
        if what == 0:
            made[place:place] = bytes([chance.randrange(256)])
        elif what == 1:
            del made[place : place + chance.randint(1, 8)]
        elif what == 2:
            made[place:place] = made[place : place + chance.randint(1, 30)]
        else:
            made[place : place + 1] = chance.choice(BYTES)
    return bytes(made)


CHANGES: Final[dict[Change, int]] = {
    lambda chance, sent: sent._replace(method=chance.choice(METHODS)): 1,
    lambda chance, sent: sent._replace(path=b"/" + bytes_changed(chance, sent.path[1:])): 1,
    _part_of_path: 3,
    _query: 2,
    _header: 3,
    lambda chance, sent: sent._replace(body=bytes_changed(chance, sent.body)): 2,
    _encoding_of_body: 1,
    lambda chance, sent: sent._replace(
        # Replace, repeat or drop one value somewhere in it.
        body={JSON: _json, FORM: _form}.get(sent.headers.get("Content-Type", ""), bytes_changed)(
            chance, sent.body
        )
    ): 5,
}
"""Mutations and their weights."""
