"""The fields of every query, form, body and cookie, and requests in which one of them is as large as possible."""

import ast
import inspect
import json
import tomllib
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import cycle, islice, product
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import parse_qsl, quote, quote_plus, urlencode

from marshmallow import Schema

from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.overlays.house_rules import HOUSE_RULES
from ledger.game.rulesets.overrides import RuleRefused, field_lines, with_rules
from ledger.recorder import KINDS
from ledger.web import chosen_rules
from ledger.web.api.calls import CALLS, PREFIX
from ledger.web.request_body import JSON_BYTES, MOST_FORM_FIELDS, UPLOAD_BYTES
from ledger.web.schemas import QUEUED_FORM, NewNight, QueuedForm
from tests import soaking
from tests.case_files import CASES
from tests.nights import Data, new_id
from tests.recorder.examples import EXAMPLES
from tests.web.growth.worlds import World
from tests.web.phones import new_night
from tests.web.routes import FORM, JSON, VALUES, Asked, Route, upload

ROWS: Final[Mapping[Route, list[str]]] = {
    Route(*route.split()): names.split()
    for route, names in tomllib.loads((CASES / "growth.toml").read_text(encoding="utf-8"))["fields"].items()
}
"""Route -> the fields of its query or form."""
WEB: Final = Path(inspect.getfile(chosen_rules)).parent
Pairs: TypeAlias = list[tuple[str, str]]
QUERY_BYTES, COOKIE_BYTES, FORM_BYTES = 4_000, 12_000, JSON_BYTES - 1_000
"""All lines of a head have at most 16 KB together, and a query is written with three bytes for one."""

_MARKS = "\u0315\u0301\u0323\u031b"
"""Combining marks in the order that takes longest to sort."""
_TEXTS: Final[Mapping[str, Callable[[int], str]]] = {
    "words": lambda size: "p1 " * (size // 3),
    "marks": lambda size: "a" + "".join(islice(cycle(_MARKS), size // 2)),
} | ({"letters": lambda size: "a" * size, "digits": lambda size: "9" * size} if soaking.asked else {})
"""What fills a field, by the number of its bytes; more with `--soak`."""
_VALUES: Final[Mapping[str, Callable[[int], object]]] = {
    "marks": _TEXTS["marks"],
    "list": lambda size: ["p1"] * (size // 6),
    "object": lambda size: {f"x{number}": "" for number in range(size // 12)},
}
"""What fills a field of JSON."""
_FORMS: Final[Mapping[str, Callable[[int], object]]] = {
    "of many cards": lambda size: {"kind": ["play"], "seat": ["p1"], "cards": ["3s"] * (size // 6)},
    "of a long note": lambda size: {"kind": ["note"], "note": ["gives"], "cards": ["3s " * (size // 3)]},
    "of many bombs": lambda size: {"kind": ["result"], "extra": ["bomb p1 p2 2d"] * (size // 17)},
}
"""What fills a form that a phone has queued."""


@cache
def rules() -> tuple[str, ...]:
    """As many `rule` lines as a preset takes together: switches, and its own fields."""
    preset, laid = PRESETS[VALUES["preset"]], list[tuple[str, str]]()
    for rule in HOUSE_RULES.values():
        with suppress(RuleRefused):
            with_rules(preset, [*laid, (rule.name, rule.choices[0])])
            laid.append((rule.name, rule.choices[0]))
    return tuple(f"{name}={text}" for name, text in [*laid, *field_lines(preset)])


class Sent(NamedTuple):
    """A request, and a cookie beside those of the phone."""

    asked: Asked
    cookie: str = ""


class Grown(NamedTuple):
    """A field that grows in one way."""

    name: str
    most: int
    """The largest size that a request can have."""
    values: Callable[[int], Any]
    """What it holds at a size."""
    send: Callable[[Any], Sent]

    def sent(self, size: int) -> Sent:
        """The request with the field at a size."""
        return self.send(self.values(size))


def grown(world: World, route: Route) -> Iterator[Grown]:
    """Every field of a route in each way that it grows; where pages show what cookies hold, these too."""
    one = world.asked(route)
    if route.rule.startswith(PREFIX):
        yield from _of_call(one, route)
    elif route.rule == "/paste":
        for name in ROWS.get(route, ()):
            yield from _texts(name, UPLOAD_BYTES - 1_000, partial(_uploaded, one, name))
    else:
        base = parse_qsl(one.body or one.query)
        if "ruleset" in ROWS.get(route, ()):
            base = [
                *((name, value) for name, value in base if name != "ruleset"),
                ("ruleset", VALUES["preset"]),
            ]
        by_form = route.method == "POST"
        most, count = (
            (FORM_BYTES, MOST_FORM_FIELDS - len(base)) if by_form else (QUERY_BYTES, QUERY_BYTES // 20)
        )
        for name in ROWS.get(route, ()):
            send = partial(_formed if by_form else _queried, one, base, name)
            yield from _texts(name, most, send)
            yield _repeated(name, dict(base).get(name, "p1"), count, send)
    if route.method == "GET" and route.rule in ("/", "/n/<night:night>"):
        yield from _of_cookies(one)


def _of_call(one: Asked, route: Route) -> Iterator[Grown]:
    """The fields of a call of the interface, from its schemas."""
    described = next(
        (call.described for call in CALLS if Route(call.method, PREFIX + call.rule) == route), {}
    )
    for parameter in described.get("parameters", ()):
        for name in parameter["schema"]().fields:
            send = partial(_queried, one, [("under", VALUES["preset"])], name)
            yield from _texts(name, QUERY_BYTES, send)
            yield _repeated(name, "p1", QUERY_BYTES // 20, send)
    bodies: Mapping[str, tuple[Data, Schema]] = {}
    if route.rule.endswith("/events") and route.method == "POST":
        bodies = {
            kind: ({"id": new_id(), "kind": kind, **EXAMPLES[kind].content}, event.schema)
            for kind, event in KINDS.items()
        } | {QUEUED_FORM: ({"id": new_id(), "kind": QUEUED_FORM, "form": {"kind": ["settle"]}}, QueuedForm())}
        content, _ = bodies[QUEUED_FORM]
        for way, form in _FORMS.items():
            yield Grown(f"form {way}", FORM_BYTES, form, partial(_written, one, content, "form"))
    elif route.rule.endswith("/nights"):
        bodies = {"night": (new_night(), NewNight())}
    for kind, (content, schema) in bodies.items():
        for name, (way, value) in product(schema.fields, _VALUES.items()):
            yield Grown(f"{kind} {name} {way}", FORM_BYTES, value, partial(_written, one, content, name))


def _of_cookies(one: Asked) -> Iterator[Grown]:
    for name in cookies():
        yield from _texts(f"cookie {name}", COOKIE_BYTES, partial(_held, one, name))
    kept = partial(_kept, one)
    yield from _texts("the name of kept rules", COOKIE_BYTES * 3 // 4, lambda text: kept(text[0], ()))
    yield Grown("kept rules", len(rules()), lambda size: rules()[:size], lambda lines: kept("A", lines))


def _texts(name: str, most: int, send: Callable[[Sequence[str]], Sent]) -> Iterator[Grown]:
    """A field that grows as a text."""
    for way, text in _TEXTS.items():
        yield Grown(f"{name} {way}", most, partial(_alone, text), send)


def _alone(text: Callable[[int], str], size: int) -> list[str]:
    return [text(size)]


def _repeated(name: str, value: str, count: int, send: Callable[[Sequence[str]], Sent]) -> Grown:
    """A field that is repeated: the same value, or another rule each time."""
    if name == "rule":
        return Grown("rule repeated", len(rules()), lambda size: rules()[:size], send)
    return Grown(f"{name} repeated", count, lambda size: [value] * size, send)


def _queried(one: Asked, base: Pairs, name: str, values: Sequence[str]) -> Sent:
    return Sent(one._replace(query=urlencode(_with(base, name, values))))


def _formed(one: Asked, base: Pairs, name: str, values: Sequence[str]) -> Sent:
    pairs = (f"{quote(field)}={_raw(value)}" for field, value in _with(base, name, values))
    return Sent(one._replace(body="&".join(pairs), content_type=FORM))


def _with(base: Pairs, name: str, values: Sequence[str]) -> Pairs:
    return [*((other, value) for other, value in base if other != name), *((name, value) for value in values)]


def _raw(value: str) -> str:
    """A value of a form in as few bytes as possible."""
    return "".join(quote_plus(char) if char.isascii() else char for char in value)


def _uploaded(one: Asked, name: str, values: Sequence[str]) -> Sent:
    night = new_night()
    body, content_type = upload({"id": night["id"], "secret": night["secret"], name: values[0]})
    return Sent(one._replace(body=body, content_type=content_type))


def _written(one: Asked, content: Data, name: str, value: object) -> Sent:
    return Sent(one._replace(body=json.dumps(content | {name: value}, ensure_ascii=False), content_type=JSON))


def _held(one: Asked, name: str, values: Sequence[str]) -> Sent:
    return Sent(one, f"{name}={values[0].encode().decode('latin-1')}")


def _kept(one: Asked, name: str, lines: Sequence[str]) -> Sent:
    text = json.dumps([[name, VALUES["preset"], list(lines)]], ensure_ascii=False)
    return Sent(one, f"{chosen_rules.COOKIE}={urlsafe_b64encode(text.encode()).decode()}")


# What the program reads


def cookies() -> list[str]:
    """The names of the cookies that are settings."""
    return sorted(
        str(node.value.value)
        for path in WEB.rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign)
        and ast.unparse(node.targets[0]).endswith("COOKIE")
        and isinstance(node.value, ast.Constant)
    )


def names_read() -> dict[str, set[str]]:
    """Module of the pages, or that reads forms for them -> the names of the fields that it reads."""
    paths = (path for path in WEB.rglob("*.py") if "pages" in path.parts or path.stem == "forms")
    return {_module(path): {*_names_in(ast.parse(path.read_text(encoding="utf-8")))} for path in paths}


def _module(path: Path) -> str:
    return ".".join(("ledger", "web", *path.relative_to(WEB).with_suffix("").parts))


_FIELDS = {"fields", "sent", "asked", "request.args", "self.fields", "self._fields"}


def _names_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=function, args=[ast.Name(id="fields"), ast.Constant(value=str(name)), *_]):
                if ast.unparse(function) in ("one", "forms.one"):
                    yield name
            case ast.Call(
                func=ast.Attribute(value=of, attr="get" | "getlist"), args=[ast.Constant(value=str(name)), *_]
            ):
                if ast.unparse(of) in _FIELDS and name:
                    yield name
            case ast.Compare(left=ast.Constant(value=str(name)), comparators=[of]):
                if ast.unparse(of) in _FIELDS:
                    yield name
            case _:
                pass
