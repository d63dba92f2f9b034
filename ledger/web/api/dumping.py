"""Schemas of views: the interface answers a view as it is, and describes it in the view's own sentences."""

import ast
import inspect
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from textwrap import dedent
from types import NoneType
from typing import Annotated, Any, ClassVar, get_args, get_origin, get_type_hints

from marshmallow import EXCLUDE, Schema, post_dump
from marshmallow.fields import Boolean, Dict, Field, Integer, List, Nested, Raw, String

_PLAIN = {bool: Boolean, int: Integer, str: String}
_made: dict[type, type[Schema]] = {}


class Answer(Schema):
    """What every answer is: it may have more than it tells."""

    class Meta:
        unknown = EXCLUDE

    view: ClassVar[type | None] = None
    """The dataclass that it dumps."""

    @post_dump
    def without_what_it_has_not(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        missing = {name for name, field in self.fields.items() if not field.required and data[name] is None}
        return {name: value for name, value in data.items() if name not in missing}


def schema_of(view: type, shown: str = "", base: type[Schema] = Answer) -> type[Schema]:
    """The schema that dumps a dataclass: all its attributes, or those that are named, in that order. One that is
    None by default is left out where it is None, unless a `!` stands behind its name. Asked again, also for an
    attribute of another view, it is the same schema.
    """
    if view not in _made:
        types = get_type_hints(view, include_extras=True)
        optional = {one.name for one in fields(view) if one.default is None}
        made: dict[str, object] = {}
        for word in shown.split() or [one.name for one in fields(view)]:
            name = word.removesuffix("!")
            made[name] = _field(types[name], optional=name in optional and name == word)
        _made[view] = type(view.__name__, (base,), made | {"__doc__": view.__doc__, "view": view})
    return _made[view]


def plain(view: object) -> object:
    """A view as data; plain data as it is."""
    return _dumper(schema_of(type(view))).dump(view) if is_dataclass(view) else view


@cache
def _dumper(schema: type[Schema]) -> Schema:
    return schema()


def sentence_of(field: Field[Any]) -> str:
    """The sentence beneath the attribute of a view that a field dumps; empty where there is none."""
    view = getattr(field.parent, "view", None)
    return _sentences(view).get(field.name or "", "") if view else ""


def _field(hint: Any, metadata: Mapping[str, Any] | None = None, *, optional: bool = False) -> Field[Any]:
    """The field for values of a type; what is `Annotated` is said of it in OpenAPI's words."""
    if get_origin(hint) is Annotated:
        hint, *more = get_args(hint)
        return _field(hint, dict(more), optional=optional)
    inner = [one for one in get_args(hint) if one is not NoneType]
    how: dict[str, Any] = {"required": not optional, "metadata": metadata or {}}
    if NoneType in get_args(hint):
        (plain,) = inner
        field = _field(plain, metadata, optional=optional)
        field.allow_none = True
        return field
    if get_origin(hint) in (list, tuple):
        return List(_field(inner[0]), **how)
    if get_origin(hint) is dict:
        return Dict(*map(_field, inner), **how)
    if isinstance(hint, type) and is_dataclass(hint):
        return Nested(schema_of(hint), **how)
    return next((field(**how) for plain, field in _PLAIN.items() if issubclass(hint, plain)), Raw(**how))


@cache
def _sentences(view: type) -> dict[str, str]:
    """What is said of each attribute in the sentence beneath it. The source is read for it: milliseconds a view."""
    found: dict[str, str] = {}
    for base in reversed(view.__mro__[:-1]):
        (defined,) = ast.parse(dedent(inspect.getsource(base))).body
        assert isinstance(defined, ast.ClassDef)
        for line, below in zip(defined.body, defined.body[1:], strict=False):
            match line, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(said))):
                    found[name] = " ".join(said.split()).replace("None", "null")
    return found
