"""Typed views of a night for pages and the interface: players are tags, cards are texts.

All judging is done here or below; a page judges nothing itself.
"""

from dataclasses import fields
from functools import cache
from typing import Any


def attributes(view: Any) -> dict[str, Any]:
    """The attributes of a view, as arguments for a view that extends it."""
    kind: type = type(view)
    return {name: getattr(view, name) for name in _names(kind)}


@cache
def _names(view: type) -> tuple[str, ...]:
    return tuple(one.name for one in fields(view))
